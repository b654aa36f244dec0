# Needs cargo (https://rustup.rs). The target `prerequisites` installs whatever else a fresh
# machine lacks, or names it where it cannot be installed.

CARGO ?= cargo
DEMO := target/demo/ft-8-3-dmodk.cert

# Settings of tools installed in .tools/.
WITH_TOOLS := set -a; [ ! -f .tools/env ] || . ./.tools/env; set +a;

TARGET := $(or $(CARGO_TARGET_DIR),target)

# `make MPI=mpi ...` builds, lints and tests with the feature `mpi`, so that `make test-mpi` has nothing to build.
export MPI ?=

.PHONY: demo quick test test-build test-full test-mpi test-caminos test-html test-python wheel interop verified update-suites lint lint-format lint-code lint-features lint-each-feature lint-docs lint-beside-tests lint-deny results bench bench-peers bench-instructions bless-instructions prerequisites solver-tools mpi-tools

# The worst case of D-mod-k on FT(8,3), with a certificate, and its independent check. Neither
# needs the solvers that are built from source, so they are left out: only Rust and a linker are
# needed.
demo: prerequisites
	mkdir -p $(dir $(DEMO))
	$(CARGO) run --release --no-default-features --features cli -- ratio 'ft(8,3)' dmodk --certificate $(DEMO)
	$(CARGO) run --release --quiet --no-default-features --features cli -- check $(DEMO)

# Unit tests of the modules that changed, built without solvers: see `.ci/quick`.
quick: prerequisites
	@CARGO="$(CARGO)" .ci/quick

# The dev profile is optimised, so one build serves both the tests and everyday work. `routebound-check` is tested as
# auditors build it, without the features of its crate. `.ci/run` leaves out the examples of the documentation, which
# `lint-beside-tests` runs.
TESTED ?=
test: solver-tools
	$(CARGO) build --package routebound-proof --no-default-features --bin routebound-check
	cp $(TARGET)/debug/routebound-check $(TARGET)/routebound-check
	$(WITH_TOOLS) ROUTEBOUND_CHECK=$(abspath $(TARGET)/routebound-check) $(CARGO) test --features "$(MPI)" $(TESTED)

# What `.ci/run` tests, without running it, and the kernels whose instructions are counted. The programs in `examples/`
# are parts of a test.
test-build: solver-tools
	$(WITH_TOOLS) $(CARGO) test --features "$(MPI)" --tests --no-run
	$(WITH_TOOLS) $(CARGO) test --features "$(MPI)" --no-run --bench instructions

# Includes the tests that take minutes.
test-full: solver-tools
	$(WITH_TOOLS) $(CARGO) test --features "slow-tests $(MPI)"
	$(CARGO) test --package routebound-proof --no-default-features --test check
	@CARGO="$(CARGO)" .ci/test-caminos

# The simulator of packets against CAMINOS, which also runs what `topo --format caminos` writes; installs the headers of OpenSSL, or says that it cannot.
test-caminos: prerequisites
	@CARGO="$(CARGO)" .ci/test-caminos

# Jobs of 1, 2 and 3 MPI ranks against one process; installs OpenMPI, or says that it cannot.
test-mpi: solver-tools mpi-tools
	@CARGO="$(CARGO)" .ci/test-mpi

# Pages of `fabric --save-html` in a headless Chromium; installs that, or says that it cannot.
test-html: solver-tools
	@CARGO="$(CARGO)" .ci/test-html

# The Python module on the program that the tests use, in seconds.
test-python: solver-tools
	@CARGO="$(CARGO)" .ci/test-python

# The Python wheel with the optimised program, into target/wheels: takes minutes, and needs PyPI.
wheel: solver-tools
	@CARGO="$(CARGO)" .ci/test-python --wheel

# Tables in the real OpenSM over simulated switches; installs both, or says that it cannot.
interop: solver-tools
	@CARGO="$(CARGO)" .ci/test-interop

# The checker that is extracted from a proof, against that in Rust; says that it cannot where Coq or OCaml is missing.
verified: prerequisites
	@CARGO="$(CARGO)" verified/test

# What the commands of tests/command_line/suites print now becomes what they have to print, and the lists of the
# registries what docs/ shows.
update-suites: solver-tools
	$(WITH_TOOLS) UPDATE_SUITES=1 $(CARGO) test --test command_line -- suites::commands pages::commands pages::asked
	UPDATE_SUITES=1 $(CARGO) test --package routebound-proof --test check

# Every table, figure and page below results/, and their charts. Stopped, it goes on where it was: what has been
# found is in target/results until all is done.
results: solver-tools
	$(WITH_TOOLS) $(CARGO) build
	@mkdir -p target/results
	@for study in $$(target/debug/routebound list studies --names); do \
	  [ -e target/results/$$study.done ] || \
	  { target/debug/routebound study $$study --part target/results/$$study.part && touch target/results/$$study.done; } || exit 1; \
	done
	target/debug/routebound verify --adversaries --save-markdown results/theorems.md
	target/debug/routebound verify --save-items results/completeness.md
	@rm -r target/results

# Everything that is checked without running it. Smaller sets of features are compiled, without clippy, which sees all
# of the code in `lint-code`. In `.ci/run` clippy lints while it compiles the tests (`.ci/rustc`), all but those of
# `tests/promptness` and the benches.
lint: lint-format lint-code lint-features lint-each-feature lint-docs lint-deny

lint-format: prerequisites
	$(CARGO) fmt --all --check

lint-code: solver-tools
	$(WITH_TOOLS) $(CARGO) clippy --workspace --all-targets --features "slow-tests $(MPI)" -- -D warnings

# What users build most: the program without solvers.
lint-features: export RUSTC_WORKSPACE_WRAPPER := $(CURDIR)/.ci/deny-warnings
lint-features: prerequisites
	$(CARGO) check --no-default-features --features cli

# All others. `.ci/run` leaves them out, but for the checker alone, which it lints in `make test`: the library alone;
# `highs` alone and `sat` alone with the solvers as they are built for everything else (see `_solvers` in Cargo.toml).
lint-each-feature: export RUSTC_WORKSPACE_WRAPPER := $(CURDIR)/.ci/deny-warnings
lint-each-feature: solver-tools
	$(CARGO) check --package routebound-proof --no-default-features
	for feature in analysis fast names serde write; do \
	  $(CARGO) check --package routebound-proof --no-default-features --features $$feature || exit 1; \
	done
	$(CARGO) check --lib --no-default-features
	for features in 'highs _solvers' 'sat _solvers'; do \
	  $(WITH_TOOLS) $(CARGO) check --no-default-features --features "$$features" || exit 1; \
	done
	@[ -n "$(MPI)" ] || echo '*** NOT LINTED: the feature `mpi` (MPI=mpi, which needs the headers of an MPI) ***' >&2

lint-docs: export RUSTC_WORKSPACE_WRAPPER := $(CURDIR)/.ci/deny-warnings
lint-docs: solver-tools
	$(WITH_TOOLS) RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --features "$(MPI)"

# Both in `.ci/run`, where the dependencies that the tests have compiled are not read again: see `.ci/rustc` and
# `.ci/rustdoc`, which also runs the examples of the documentation.
lint-beside-tests: export RUSTC_WORKSPACE_WRAPPER := $(CURDIR)/.ci/rustc
lint-beside-tests: solver-tools
	$(WITH_TOOLS) LINT_ONLY=1 $(CARGO) build --lib --bins --examples --no-default-features --features cli
	$(WITH_TOOLS) RUSTDOC=$(CURDIR)/.ci/rustdoc $(CARGO) test --doc --features "$(MPI)"

# Licences and sources of dependencies. The tool takes minutes to compile, so that nothing installs it.
lint-deny: prerequisites
	@if $(CARGO) deny --version >/dev/null 2>&1; then $(CARGO) deny check bans licenses sources; \
	else echo '*** NOT CHECKED: licences and sources of dependencies (cargo install cargo-deny --locked) ***' >&2; fi

bench: solver-tools
	$(WITH_TOOLS) $(CARGO) bench --package routebound-benches

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
	$(WITH_TOOLS) CARGO_INCREMENTAL=0 $(CARGO) test --features "$(MPI)" --bench instructions

# What the kernels take now becomes what they may take.
bless-instructions: solver-tools
	$(WITH_TOOLS) CARGO_INCREMENTAL=0 $(CARGO) test --features "$(MPI)" --bench instructions -- --bless

# HiGHS, which solves linear programs, and CaDiCaL, a SAT solver, are built from source.
solver-tools: prerequisites
	@.ci/solver-tools

mpi-tools:
	@.ci/mpi-tools

# Rust links with the system's C compiler.
prerequisites:
	@command -v $(firstword $(CARGO)) >/dev/null || { \
	  echo 'error: cargo is missing: install Rust from https://rustup.rs' >&2; exit 1; }
	@command -v cc >/dev/null || .ci/install gcc libc6-dev
	@command -v cc >/dev/null || { echo 'error: there is still no C linker `cc`' >&2; exit 1; }
