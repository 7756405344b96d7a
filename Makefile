# `make demo` and `make test` set up everything themselves; they need python3, make and git.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint types test-slow test-machines benchmark clean

.venv/dev: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch .venv/dev .venv/run

.venv/run: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[cli]"
	@touch .venv/run

demo: .venv/run
	$(BIN)/noneuclid demo

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --verbose

types: .venv/dev
	$(BIN)/mypy

# One process per core, so one BLAS thread per process: more only wait for each other.
PYTEST := OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 $(BIN)/python -m pytest -n auto

test: lint types
	$(PYTEST) -m "not slow"

test-slow: .venv/dev
	$(PYTEST)

# The fast tests as on other machines: BLAS kernels, instruction sets, threads, order of tests.
test-machines: .venv/dev
	$(BIN)/python tests/machines.py

benchmark: .venv/dev
	for script in benchmarks/[!_]*.py; do $(BIN)/python $$script; done

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
