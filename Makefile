# The everyday commands. Every target first brings the machine up to date (tools/setup does only
# what is missing).
.DEFAULT_GOAL := help
.PHONY: help setup build run test unit conformance bench format lint tidy asan docs clean
export CCACHE_SLOPPINESS := pch_defines,time_macros

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what the build needs (Debian packages, npm modules)
	@tools/setup

build: setup ## build the development preset: program and tests
	@tools/build dev

run: setup ## build the optimised program and show its demo in the console
	@tools/build release falconer
	@build/release/falconer serve --demo --open

test: setup ## build with sanitizers, lint and run every test; the last line counts them
	@tools/run_tests.py

unit: setup ## build and run the unit tests only, without sanitizers
	@tools/run_tests.py --only unit --preset dev

conformance: setup ## make conformance CORPORA=<folder>: run published test vectors, one line per set
	@test -n "$(CORPORA)" || { echo "usage: make conformance CORPORA=<folder of test vectors>"; exit 2; }
	@tools/build asan conformance >/dev/null
	@build/asan/conformance "$(CORPORA)"

bench: setup ## make bench B=<name>: build optimised and run one benchmark, such as B=driver
	@test -n "$(B)" || { echo "usage: make bench B=<name>, such as B=driver"; exit 2; }
	@tools/build release falconer "bench_$(B)"
	@build/release/bench_$(B)

format: setup ## rewrite C++ sources in the house format
	@tools/sources.py | xargs clang-format-19 -i

lint: setup ## layers, format, clang-tidy, TypeScript types
	@tools/run_tests.py --only lint

tidy: setup ## clang-tidy over what changed since it last passed, tests included
	@tools/tidy.py

asan: setup ## build and run the unit tests with address and undefined-behaviour sanitizers
	@tools/run_tests.py --only unit

docs: setup ## regenerate the pages that come from tables
	@tools/build dev falconer
	@build/dev/falconer config docs > docs/config.md

clean: ## delete everything built
	@rm -rf build
