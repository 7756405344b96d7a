# `make demo` and `make test` set up everything themselves; they need python3, make and git.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test docs lint types test-slow test-machines test-versions test-lowest test-newest audit trust literature benchmark benchmark-peers benchmark-report wheel clean

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

.venv/docs: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[docs]"
	@touch .venv/docs .venv/run

demo: .venv/run
	$(BIN)/noneuclid demo

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --verbose
	$(BIN)/codespell

types: .venv/dev
	$(BIN)/mypy

# One process per core, so one BLAS thread per process: more only wait for each other. Who is done takes
# tests from the others: some take minutes, and those behind them would wait.
ONE_THREAD := OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 OMP_NUM_THREADS=1 NUMBA_NUM_THREADS=1
PYTEST := OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist worksteal

test: lint types
	$(PYTEST) -m "not slow"
	$(ONE_THREAD) $(BIN)/python benchmarks/smoke.py

test-slow: .venv/dev
	$(PYTEST)

# The fast tests as on other machines: BLAS kernels, instruction sets, threads, order of tests.
test-machines: .venv/dev
	$(BIN)/python tests/machines.py

# The lowest versions that pyproject.toml allows, and the newest there are. Old releases warn about their
# own dependencies' deprecations, which says nothing about us.
test-versions: test-lowest test-newest

test-lowest:
	rm -rf build/lowest && mkdir -p build
	$(PYTHON) tests/lowest_versions.py > build/lowest.txt
	$(PYTHON) -m venv build/lowest && build/lowest/bin/python -m pip install --quiet --editable ".[dev]" --constraint build/lowest.txt
	$(call VERSIONS,lowest) -W ignore::DeprecationWarning -W ignore::FutureWarning

test-newest:
	rm -rf build/newest && mkdir -p build
	$(PYTHON) -m venv build/newest && build/newest/bin/python -m pip install --quiet --upgrade --upgrade-strategy eager --editable ".[dev]"
	$(call VERSIONS,newest)
VERSIONS = NONEUCLID_SETTING="the fast tests, $(1) versions of all dependencies" NUMBA_CACHE_DIR=$(CURDIR)/build/$(1)/cache OPENBLAS_NUM_THREADS=1 build/$(1)/bin/python -m pytest -n auto --dist worksteal -m "not slow and not trust"

# Without a network: NONEUCLID_ADVISORIES=FOLDER, a clone of github.com/pypa/advisory-database.
audit: .venv/dev
	test -n "$(NONEUCLID_ADVISORIES)" || { $(PYTHON) -m venv build/audit && build/audit/bin/python -m pip install --quiet pip-audit; }
	$(BIN)/python tests/audit.py build/audit/bin/pip-audit $(BIN)/python

# Everything hostile, at full size, and the page that tells it: docs/trust.md. Nearly two hours on two cores.
# A fault stops nothing: the page counts it, and the last line fails.
trust: export NONEUCLID_TRUST := $(CURDIR)/build/trust
trust: .venv/dev
	rm -rf $(NONEUCLID_TRUST)
	-$(PYTEST) --timeout=5400 -m trust
	-$(MAKE) test-machines
	-$(MAKE) test-lowest
	-$(MAKE) test-newest
	-$(MAKE) audit
	$(BIN)/python tests/trust_page.py $(NONEUCLID_TRUST)

# The site, with its gallery: build/docs/html/index.html, and all of it in build/noneuclid-docs.zip.
# It is built without a network and read without one; every warning is an error.
docs: .venv/docs
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m sphinx -q -b html -j auto -n -W --keep-going -d build/docs/doctrees docs build/docs/html
	cd build/docs && ../../$(BIN)/python -m zipfile -c ../noneuclid-docs.zip html

# The records of the literature as pages; the records themselves are made by the scripts, one by one.
literature: .venv/dev
	$(BIN)/python literature/render.py

# All benchmarks beside other libraries, and the page; some of them: make benchmark SCRIPTS="pca spikes".
# A minute for each in small: make benchmark SCRIPTS=--quick. About 35 minutes on two free cores.
benchmark: .venv/dev benchmark-peers
	$(BIN)/python benchmarks/run.py $(SCRIPTS)

# Environments of the other libraries in build/peers (or in NONEUCLID_PEERS), as benchmarks/peers lists them.
benchmark-peers:
	$(PYTHON) benchmarks/install_peers.py

# The page of all recorded benchmarks: benchmarks/README.md.
benchmark-report: .venv/dev
	$(BIN)/python benchmarks/report.py

# From the commit, not the folder: neither local files nor rights nor clocks get in.
wheel:
	rm -rf build/wheel && mkdir -p build/wheel dist
	git -c tar.umask=0022 archive HEAD | tar -x -C build/wheel
	umask 022 && SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	  $(PYTHON) -m pip wheel --quiet --no-deps $(WHEEL) --wheel-dir dist ./build/wheel

clean:
	rm -rf .venv build dist docs/api docs/gallery docs/pictures docs/sg_execution_times.rst .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
