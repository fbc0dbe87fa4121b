# Everything there is to do here; `make help` prints the lines with two hashes.
# Nothing needs root, git or a network tool beyond pip; the first set-up takes about a minute.

PYTHON ?= python3
ARGS ?=

VENV := .venv/bin
SOURCES := $(shell find skyclaim_engine -name '*.pyx' -o -name '*.pxd' -o -name '*.h')
STUBBED := $(shell find skyclaim_engine -name '*.pyi' | sed 's/\.pyi$$//; s,/,.,g')
LOCKSTEP := tests/test_lockstep.py

.PHONY: help play test test-ui soak bench lint debug-test wheel-test lock clean
.NOTPARALLEL:
.DEFAULT_GOAL := help

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name words; do printf 'make %-11s %s\n' "$$name" "$$words"; done

play: .venv/.ready  ## play in the browser; ARGS=--lan: from phones, too; ARGS=--terminal: in this terminal
	@$(VENV)/skyclaim play $(ARGS) || [ $$? = 130 ]

test: .venv/.ready .venv/.test  ## run all tests; ARGS="-k notation" picks some
	@$(VENV)/python -m pytest $(ARGS)

test-ui: .venv/.ready .venv/.test  ## the tests of the page in Chromium (apt install chromium)
	@$(VENV)/python -m pytest tests/gui $(ARGS)

soak: .venv/.ready .venv/.test  ## run the long tests: some 20,000 games against the slow model
	@$(VENV)/python -m pytest -m soak $(ARGS)

bench: .venv/.ready  ## measure the speed, beside its limits (minutes; ARGS=--peers adds libraries)
	@$(VENV)/skyclaim bench
	@$(VENV)/python benchmarks/core.py $(ARGS)

lint: .venv/.ready .venv/.lint  ## ruff, mypy, and the stubs against the compiled modules
	@$(VENV)/ruff check
	@$(VENV)/mypy
	@$(VENV)/stubtest --ignore-disjoint-bases --allowlist tools/stubtest-allow.txt --ignore-unused-allowlist $(STUBBED)

# A copy, so that the modules in use stay as they are. In Cython the directives at the head of a file win
# over those of setup.py, so the copies of the files are told to check their bounds.
debug-test: .venv/.ready .venv/.test  ## the lock-step test with asserts, bounds checks and sanitizers
	@rm -rf build/debug && mkdir -p build/debug
	@cp -r pyproject.toml setup.py README.md LICENSE skyclaim_engine perft tests build/debug
	@find build/debug -name '*.so' -delete
	@find build/debug -name '*.pyx' -exec sed -i '/^# cython:/s/\(boundscheck\|initializedcheck\)=False/\1=True/g' {} +
	@cd build/debug && SKYCLAIM_DEBUG=1 $(CURDIR)/$(VENV)/python setup.py -q build_ext --build-lib .
	@cd build/debug && LD_PRELOAD="$$(gcc -print-file-name=libasan.so)" PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
		$(CURDIR)/$(VENV)/python -m pytest -p no:cacheprovider $(LOCKSTEP) $(ARGS)

# What a user of the package gets: a wheel made from nothing but the sdist, in an environment of its own.
wheel-test: .venv/.ready  ## build the wheel from the sdist, install it afresh, run its bench
	@rm -rf build/wheel && mkdir -p build/wheel
	@$(VENV)/python setup.py -q sdist --dist-dir build/wheel
	@cd build/wheel && $(CURDIR)/$(VENV)/python -m pip -q wheel --no-deps --no-build-isolation skyclaim_engine-*.tar.gz
	@cd build/wheel && $(PYTHON) -m venv fresh && fresh/bin/pip -q install skyclaim_engine-*.whl && fresh/bin/skyclaim bench

lock:  ## make requirements/*.lock anew from pyproject.toml (needs uv)
	uv pip compile $(LOCK) pyproject.toml --extra qr -o requirements/run.lock
	uv pip compile $(LOCK) pyproject.toml -c requirements/run.lock --extra test -o requirements/test.lock
	uv pip compile $(LOCK) pyproject.toml -c requirements/test.lock --extra test --extra lint -o requirements/lint.lock
LOCK := -q --upgrade --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make lock' --group build

clean:  ## remove everything that make made
	@rm -rf .venv build dist *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache
	@find skyclaim_engine \( -name '*.so' -o -name '*.c' \) -delete
	@find . -name __pycache__ -prune -exec rm -rf {} +

# The set-up: each stamp is a step of tools/prepare.py, due again when something right of the colon is newer.
.venv/.made:
.venv/.run: .venv/.made requirements/run.lock
.venv/.installed: .venv/.run setup.py pyproject.toml
.venv/.ready: .venv/.installed $(SOURCES)
.venv/.test: .venv/.run requirements/test.lock
.venv/.lint: .venv/.test requirements/lint.lock
.venv/.%:
	@$(PYTHON) tools/prepare.py $*
