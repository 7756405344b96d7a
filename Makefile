# `make demo` and `make test` set up everything themselves; they need python3, make and git.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint types test-slow benchmark clean

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

benchmark: .venv/dev
	for script in benchmarks/[!_]*.py; do $(BIN)/python $$script; done

# From the commit, not the folder: neither local files nor rights nor clocks get in.
wheel:
	rm -rf build/wheel && mkdir -p build/wheel dist
	git -c tar.umask=0022 archive HEAD | tar -x -C build/wheel
	umask 022 && SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	  $(PYTHON) -m pip wheel --quiet --no-deps $(WHEEL) --wheel-dir dist ./build/wheel

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
