# Needs cargo (https://rustup.rs). The target `prerequisites` installs whatever else a fresh
# machine lacks, or names it where it cannot be installed.

CARGO ?= cargo
DEMO := target/demo/ft-8-3-dmodk.cert

# Settings of tools installed in .tools/.
WITH_TOOLS := set -a; [ ! -f .tools/env ] || . ./.tools/env; set +a;

.PHONY: demo test test-full test-mpi test-caminos test-html update-suites lint results bench bench-peers bench-instructions bless-instructions prerequisites solver-tools

# The worst case of D-mod-k on FT(8,3), with a certificate, and its independent check. Neither
# needs the solvers that are built from source, so they are left out: only Rust and a linker are
# needed.
demo: prerequisites
	mkdir -p $(dir $(DEMO))
	$(CARGO) run --release --no-default-features --features cli -- ratio 'ft(8,3)' dmodk --certificate $(DEMO)
	$(CARGO) run --release --quiet --no-default-features --features cli -- check $(DEMO)

# The dev profile is optimised, so one build serves both the tests and everyday work.
test: solver-tools
	$(WITH_TOOLS) $(CARGO) test

# Includes the tests that take minutes.
test-full: solver-tools
	$(WITH_TOOLS) $(CARGO) test --features slow-tests
	@CARGO="$(CARGO)" .ci/test-caminos

# The simulator of packets against CAMINOS; installs the headers of OpenSSL, or says that it cannot.
test-caminos: prerequisites
	@CARGO="$(CARGO)" .ci/test-caminos

# Jobs of 1, 2 and 3 MPI ranks against one process; installs OpenMPI, or says that it cannot.
test-mpi: prerequisites
	@CARGO="$(CARGO)" .ci/test-mpi

# Pages of `fabric --html` in a headless Chromium; installs that, or says that it cannot.
test-html: solver-tools
	@CARGO="$(CARGO)" .ci/test-html

# What the commands of tests/command_line/suites print now becomes what they have to print.
update-suites: solver-tools
	$(WITH_TOOLS) UPDATE_SUITES=1 $(CARGO) test --test command_line suites::commands

# Every table, figure and page below results/, and their charts. Stopped, it goes on where it was: what has been
# found is in target/results until all is done.
results: solver-tools
	$(WITH_TOOLS) $(CARGO) build
	@mkdir -p target/results
	@for study in $$(target/debug/routebound list studies --names); do \
	  [ -e target/results/$$study.done ] || \
	  { target/debug/routebound study $$study --part target/results/$$study.part && touch target/results/$$study.done; } || exit 1; \
	done
	target/debug/routebound verify --adversaries --markdown results/theorems.md
	@rm -r target/results

lint: solver-tools
	$(CARGO) fmt --check
	$(WITH_TOOLS) $(CARGO) clippy --all-targets --features slow-tests -- -D warnings
	$(WITH_TOOLS) $(CARGO) clippy --lib --no-default-features -- -D warnings
	for feature in cli highs sat; do \
	  $(WITH_TOOLS) $(CARGO) clippy --no-default-features --features $$feature -- -D warnings || exit 1; \
	done
	@if command -v mpicc >/dev/null; then \
	  $(WITH_TOOLS) $(CARGO) clippy --no-default-features --features mpi -- -D warnings; \
	else \
	  echo '*** NOT LINTED: the feature `mpi`, as there are no headers of MPI (no mpicc) ***' >&2; \
	fi
	$(WITH_TOOLS) RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps

bench: solver-tools
	$(WITH_TOOLS) $(CARGO) bench

# Jobs beside what others have written for them, in one run: needs python3, and PEERS with the scripts.
PEERS ?= ../shared/peers
bench-peers: prerequisites
	$(CARGO) build --release --no-default-features --features cli
	python3 -m venv target/peers
	target/peers/bin/pip install --quiet numpy scipy
	target/peers/bin/python benches/peers/compare.py --scripts $(PEERS)

# Instructions of the kernels under valgrind, against benches/instructions.txt; says so and passes
# where valgrind is missing. It uses the build of the tests of `.ci/run`, whose code differs a little
# from that of incremental builds.
bench-instructions: solver-tools
	$(WITH_TOOLS) CARGO_INCREMENTAL=0 $(CARGO) test --bench instructions

# What the kernels take now becomes what they may take.
bless-instructions: solver-tools
	$(WITH_TOOLS) CARGO_INCREMENTAL=0 $(CARGO) test --bench instructions -- --bless

# HiGHS, which solves linear programmes, and CaDiCaL, a SAT solver, are built from source.
solver-tools: prerequisites
	@.ci/solver-tools

# Rust links with the system's C compiler.
prerequisites:
	@command -v $(firstword $(CARGO)) >/dev/null || { \
	  echo 'error: cargo is missing: install Rust from https://rustup.rs' >&2; exit 1; }
	@command -v cc >/dev/null || .ci/install gcc libc6-dev
	@command -v cc >/dev/null || { echo 'error: there is still no C linker `cc`' >&2; exit 1; }
