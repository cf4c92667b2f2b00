# Two commands matter to a newcomer: `make demo` and `make check`. Both set up what they need in .venv.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PORT ?= 8000
SERVICES := services/run/env

.PHONY: demo check lint test graph-check services-up services-down bench fmt requirements answers clean

.venv/runtime: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Revetly needs Python 3.11 or newer; set PYTHON=…"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

.venv/dev: .venv/runtime requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

demo: .venv/runtime  ## read a whole product's corpus and this repository, and serve the pages
	$(BIN)/revetly demo --port $(PORT)

check: lint test  ## everything that needs no server

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python manage.py makemigrations --check --dry-run

test: .venv/dev
	$(BIN)/python -m pytest -n auto -m "not services"

services-up: .venv/dev  ## PostgreSQL, Redis, Neo4j, Chromium and Node 22, installed where missing and started
	PATH="$(CURDIR)/$(BIN):$$PATH" bash scripts/services/up.sh

services-down:
	bash scripts/services/down.sh

graph-check: .venv/dev  ## the store on Neo4j, the suite on PostgreSQL, tasks on Redis, pages in a browser
	@test -f $(SERVICES) || { echo "no services: run make services-up first"; exit 1; }
	PATH="$(CURDIR)/$(BIN):$$PATH" bash scripts/graph-check.sh

bench: .venv/dev  ## ratios against a floor measured in the same run
	$(BIN)/python -m benchmarks.ingest
	$(BIN)/python -m benchmarks.store
	$(BIN)/python -m benchmarks.reads --graph sqlite
	$(BIN)/python -m benchmarks.reads --graph neo4j
	$(BIN)/python -m benchmarks.retrieval

requirements: .venv/dev  ## write docs/requirements.md from the markers of the tests
	$(BIN)/python -m pytest -q --collect-only --write-requirements docs/requirements.md tests > /dev/null

answers: .venv/dev  ## write the answers that the documents quote, as they are given now
	$(BIN)/python -m pytest -q --write-answers tests/docs/test_answers_are_real.py

fmt: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv var
