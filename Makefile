# SPDX-License-Identifier: BSD-3-Clause
# Short names for what scripts/ and cmake do. BUILD_DIR and CMAKE_OPTIONS reach them through the environment.
PREFIX ?= /usr/local
BUILD_DIR ?= build
export BUILD_DIR CMAKE_OPTIONS

SOURCES = $(shell find include src cli papers tests bench examples petsc python/core web -name '*.[ch]')

.PHONY: all help demo test sanitize valgrind bench bench-quick papers docs format check-format lint install clean fuzz \
    analyse python coverage matrix threads kernels locale targets faults command-line soak ci truth package petsc test-petsc lab test-lab bench-lab

all: ## build the program and both libraries into build/
	@./scripts/build geartrain geartrain-papers geartrain_shared geartrain_static

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | awk -F'|' '{ printf "%-14s %s\n", $$1, $$2 }'

demo: ## install what is missing, build, compare methods on a fast/slow model
	@./scripts/demo

test: ## install what is missing, build, run every test
	@./scripts/test

sanitize: ## run the tests under the address, leak and undefined-behaviour sanitizers
	@BUILD_DIR=build-sanitize CMAKE_OPTIONS="-DGEARTRAIN_SANITIZE=address,undefined -DGEARTRAIN_OPTIMIZE=-O1 -DGEARTRAIN_WERROR=OFF $$CMAKE_OPTIONS" \
	    ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1 ./scripts/test

valgrind: ## run the test programs under valgrind
	@./scripts/bootstrap check
	@TEST_WRAPPER="valgrind -q --error-exitcode=99 --leak-check=full" TEST_TIMEOUT=3000 ./scripts/test

truth: ## problems with exact solutions by every method: no answer beyond 100 tol without a reason (minutes)
	@./scripts/build truth
	@$(BUILD_DIR)/tests/truth

ci: ## the tests and all guards below but soak, as .ci/run does
	@./.ci/run

threads: ## what works in several threads, under the thread sanitizer
	@./scripts/test-threads

kernels: ## the numbers with three other kernels of OpenBLAS
	@./scripts/test-matrix --quick prescott nehalem sandybridge

locale: ## the program where the decimal point is a comma
	@./scripts/test-matrix --quick locale

matrix: ## the suite on other machines than this one, as far as this one can play them
	@./scripts/test-matrix

package: ## tarball, Debian packages and checksums of a release, into build/package
	@./scripts/package

lab: ## the lab, a page that runs the library in a browser, into build/lab
	@./scripts/bootstrap lab
	@./scripts/lab

test-lab: ## the lab in Chromium, beside the program without LAPACK
	@./scripts/bootstrap lab
	@./scripts/test-lab

bench-lab: ## from a slider of the lab to the picture, milliseconds
	@./scripts/bootstrap lab
	@./scripts/test-lab --bench

targets: ## the core without LAPACK on other machines: 32-bit, big-endian, Cortex-M4; musl and clang; the same bits
	@./scripts/bootstrap targets
	@./scripts/test-targets

faults: ## memory and disk that fail at some moments
	@./scripts/test-faults

command-line: ## commands and flags drawn from the program's own tables for a minute
	@./scripts/fuzz-commands

fuzz: ## feed every reader of files and texts with changed ones for ten minutes (needs clang)
	@./scripts/fuzz

soak: ## the long version of these: fuzzing, random models, faults at every moment; below two hours, continues where it stopped
	@./scripts/soak

bench: ## install the peers and measure beside them
	@BUILD_DIR=build-bench ./scripts/bench

bench-quick: ## the same in a minute: fewer points, fewer repeats, no large systems
	@BUILD_DIR=build-bench BENCH_QUICK=1 ./scripts/bench

python: ## build the Python package into a virtual environment in build/python
	@./scripts/bootstrap python
	@./scripts/build geartrain geartrain_static
	@./scripts/python

petsc: ## build the plug-in for PETSc, build/libgeartrain-petsc.so
	@./scripts/bootstrap petsc
	@./scripts/build geartrain geartrain_shared
	@./scripts/petsc

test-petsc: ## the plug-in on several ranks, and PETSc's tutorials with it
	@./scripts/bootstrap petsc
	@./scripts/test-petsc

papers: all ## every table and figure of the papers into build/papers, the numbers checked, and docs/errata.md
	@$(BUILD_DIR)/geartrain papers --out $(BUILD_DIR)/papers --errata docs/errata.md --check tests/data/papers.tsv

docs: all ## the manual as HTML into build/docs; links, anchors and words checked
	@./scripts/docs

format: ## lay out the sources by .clang-format
	@clang-format -i $(SOURCES)

check-format: ## say which sources are not laid out so
	@bad=; for file in $(SOURCES); do clang-format "$$file" | cmp -s - "$$file" || bad="$$bad $$file"; done; \
	    [ -z "$$bad" ] || { echo "not laid out by .clang-format (make format does it):$$bad" >&2; exit 1; }

lint: ## the layout, a clang build with warnings as errors, numbers without the locale, exported symbols, the layers
	@./scripts/lint

analyse: ## clang-tidy, cppcheck and gcc -fanalyzer over all sources (a quarter of an hour)
	@./scripts/analyse

coverage: ## lines of src that the tests reach; fails below 97.5 %
	@./scripts/coverage

install: ## install below PREFIX (default /usr/local), inside DESTDIR if given
	@CMAKE_OPTIONS="-DCMAKE_INSTALL_PREFIX=$(PREFIX) $$CMAKE_OPTIONS" \
	    ./scripts/build geartrain geartrain-papers geartrain_shared geartrain_static
	@DESTDIR="$(DESTDIR)" cmake --install "$(BUILD_DIR)" >"$(BUILD_DIR)/install.log"
	@echo "installed below $(DESTDIR)$(PREFIX)"

clean: ## remove the build folders
	rm -rf build build-*
