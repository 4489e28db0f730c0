# Everything a newcomer types. The environment is made on demand in .venv; stamp files say what is up to date.
PYTHON ?= python3
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
SOURCES := $(shell find api frontend ir serialize runtime_c -type f \
	\( -name '*.py' -o -name '*.lark' -o -name '*.c' -o -name '*.h' -o -name '*.def' \) \
	-not -path 'runtime_c/binding/include/*')

COUNT ?= 100000
SEED ?= 1
SANITIZE ?= -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
# Where Python and the library hold the same memory. Random programs limit the address space, which the sanitizer needs.
TESTS ?= resident dispatch hosts quick_calls call_into exchange instances tensor threads c_values
WORKLOADS ?= collatz newton call mlp-tiny chain-5 lenet resnet18
THREADS ?= 1
MUTANTS ?= 3000
MACHINES ?=
ROWS ?=
SWEEP ?=

.PHONY: help demo test test-whole lint faults fuel asan asan-python fuzz fuzz-programs fuzz-values fuzz-mutants fuzz-planted portability bench bench-operators bench-peers bench-results clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: $(STAMPS)/demo ## digits: train in Python, classify in C (examples/digits)
	PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/digits/run.sh

test: $(STAMPS)/test ## install, then Python tests and C tests
	$(BIN)/python -m pytest -n $(JOBS) tests
	$(MAKE) -C runtime_c test

test-whole: $(STAMPS)/test ## the same, with every case and road that `make test` samples
	$(BIN)/python -m pytest -n $(JOBS) --whole tests
	$(MAKE) -C runtime_c test

lint: $(STAMPS)/test ## ruff, mypy on the installed package, C statuses that nobody reads
	$(BIN)/ruff check setup.py api frontend ir serialize runtime_c/binding tests bench examples docs
	$(BIN)/python -m mypy -p tsm
	$(MAKE) -C runtime_c checked

faults: $(STAMPS)/test ## every allocation fails once, in programs of every kind, under the sanitizers
	$(MAKE) -C runtime_c faults PYTHON=$(CURDIR)/$(BIN)/python

asan: ## C tests under AddressSanitizer and UndefinedBehaviorSanitizer
	$(MAKE) -C runtime_c asan

asan-python: $(STAMPS)/test ## Python tests on a package built with the same: TESTS="resident programs"
	CFLAGS="$(SANITIZE)" $(BIN)/python -m pip install --quiet --no-deps --upgrade --target build/sanitized .
	LD_PRELOAD="$$($(CC) -print-file-name=libasan.so)" PYTHONPATH=$(CURDIR)/build/sanitized \
	ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
	$(BIN)/python -m pytest $(TESTS:%=tests/test_%.py)

fuzz: $(STAMPS)/test ## COUNT odd operator calls and COUNT mutants of files, under the sanitizers
	$(MAKE) -C runtime_c fuzz PYTHON=$(CURDIR)/$(BIN)/python COUNT=$(COUNT) SEED=$(SEED)

fuzz-programs: $(STAMPS)/test ## COUNT random programs behind those of tests/fuzz/log.md, compared with Python
	$(BIN)/python tests/fuzz/compare_programs.py --count $(COUNT) --jobs $(JOBS) --log --reduced build/differences

fuzz-values: $(STAMPS)/test ## COUNT calls of builtins and methods on random edge values, compared with Python
	$(BIN)/python tests/fuzz/random_values.py --count $(COUNT) --seed $(SEED)

fuzz-mutants: $(STAMPS)/test ## COUNT programs of the corpus, each changed in a few places, compared with Python
	$(BIN)/python tests/fuzz/mutate_corpus.py --count $(COUNT) --from $(SEED) --into build/mutants

fuzz-planted: $(STAMPS)/test ## bugs planted in the compiler, which random programs must find
	$(BIN)/python tests/fuzz/planted_bugs.py --jobs $(JOBS)

fuel: $(STAMPS)/test ## ns of CPU time a unit of fuel, and ms to cancel, of every operator: ROWS="sort cum", SWEEP="--whole"
	$(BIN)/python tests/fuzz/fuel_sweep.py $(ROWS) $(SWEEP)

portability: $(STAMPS)/test ## other processors under QEMU beside x86-64: a table, machine x file; MACHINES="s390x armhf" for some
	$(BIN)/python tests/portability/compare.py --mutants $(MUTANTS) $(MACHINES)

bench: $(STAMPS)/bench ## medians against the peers that are installed, as ratios: WORKLOADS="lenet call", THREADS="1 2"
	$(BIN)/python bench/run.py $(WORKLOADS) --threads $(THREADS)

bench-operators: $(STAMPS)/bench bench-peers ## single operators beside PyTorch's, by dtype: CASES="sort cholesky"
	$(BIN)/python bench/operators.py $(CASES) --threads $(THREADS)

bench-peers: $(STAMPS)/bench ## install the peers of bench/requirements.txt
	for peer in $$(grep -v '^#' bench/requirements.txt); do $(BIN)/python -m pip install --quiet $$peer || true; done

bench-results: $(STAMPS)/bench ## measure everything: bench/RESULTS.md and its plot
	$(BIN)/python bench/run.py --write

clean: ## remove everything that was built
	rm -rf build dist $(VENV) *.egg-info runtime_c/build
	-$(MAKE) -C runtime_c clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# One rule for each set of extras: the package is installed again whenever a source changed.
$(STAMPS)/%: $(BIN)/python setup.py pyproject.toml $(SOURCES)
	$(BIN)/python -m pip install --quiet '.[$*]'
	@mkdir -p $(STAMPS) && touch $@
