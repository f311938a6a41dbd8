# Two commands: `make run` and `make test`. Needs Python 3.11 and make.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test check test-sqlite test-postgres services format clean

run: $(VENV)/runtime
	@$(BIN)/python manage.py serve

test: check test-sqlite test-postgres

check: $(VENV)/development
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djade --check --target-version 5.2 $$(git ls-files 'templates/*.html')
	$(BIN)/lint-imports
	$(BIN)/mypy .
	$(BIN)/bandit -q -c pyproject.toml -r config corpus annotation metrics analysis demo
	DEBUG=0 $(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file /dev/null

test-sqlite: $(VENV)/development
	scripts/with_services.sh $(BIN)/python -m pytest

test-postgres: $(VENV)/development
	scripts/with_services.sh --database postgresql $(BIN)/python -m pytest -m "not browser and not sqlite" tests

format: $(VENV)/development
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/runtime: requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet "$$(grep '^torch==' requirements.txt)"
	$(BIN)/python -m pip install --quiet -r requirements.txt
	@touch $@

$(VENV)/development: requirements.txt requirements-dev.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet "$$(grep '^torch==' requirements.txt)"
	$(BIN)/python -m pip install --quiet -r requirements-dev.txt
	@touch $@ $(VENV)/runtime

clean:
	rm -rf $(VENV) var
