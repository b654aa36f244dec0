# Needs cargo (https://rustup.rs). What else a fresh machine lacks, the target
# `prerequisites` installs where it can and names where it cannot.

CARGO ?= cargo
DEMO := target/demo/ft-8-3-dmodk.cert

.PHONY: demo test test-full lint bench prerequisites

# The worst case of D-mod-k on FT(8,3), with a certificate, and its independent check.
demo: prerequisites
	mkdir -p $(dir $(DEMO))
	$(CARGO) run --release --quiet -- ratio 'ft(8,3)' dmodk --certificate $(DEMO)
	$(CARGO) run --release --quiet -- check $(DEMO)

# The dev profile is optimised: one build serves the tests and everyday work.
test: prerequisites
	$(CARGO) test

# Also the tests that take minutes.
test-full: prerequisites
	$(CARGO) test --features slow-tests

lint: prerequisites
	$(CARGO) fmt --check
	$(CARGO) clippy --all-targets --all-features -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps

bench: prerequisites
	$(CARGO) bench

# Rust links with the system's C compiler; nothing else is needed.
prerequisites:
	@command -v $(firstword $(CARGO)) >/dev/null || { \
	  echo 'error: cargo is missing: install Rust from https://rustup.rs' >&2; exit 1; }
	@command -v cc >/dev/null || .ci/install gcc libc6-dev
	@command -v cc >/dev/null || { echo 'error: there is still no C linker `cc`' >&2; exit 1; }
