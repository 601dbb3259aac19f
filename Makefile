# Two commands do everything on a fresh machine with Python 3.11 or newer: make refresh, make test.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

RAW ?= raw
OUT ?= out
SOURCES ?=

# Images set it: every process of the tests would then compile the whole project anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: refresh test lint types check examples format bench bench-peers lock clean

# The main job: all sources (or SOURCES="a b") from RAW to OUT, as a Prefect flow on an embedded server.
refresh: $(READY)
	$(BIN)/python flows.py $(SOURCES) --raw "$(RAW)" --out "$(OUT)"

# Lint, types, tests with branch coverage.
test: lint types check

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

# One process a core of a small machine: each imports and collects all. The report by itself: pytest would make it twice.
check: $(READY)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --cov --cov-report= --cov-fail-under=0
	$(BIN)/python -m coverage report

# The sources of examples/, added to a copy of the checkout as a newcomer would: each alone, then everything.
examples: $(READY)
	$(BIN)/python examples/run.py

format: $(READY)
	$(BIN)/ruff check --fix --exit-zero .
	$(BIN)/ruff format .

# Timings of this machine: parse to validated rows for every layout, memory, cold starts, worst patterns.
bench: $(READY)
	$(BIN)/python -m benchmarks

# The same with what other libraries take for the same fields, each in an environment of its own. CONSPECTUS_PAGES names
# a folder of real pages, one a source; without it pages of their size are generated.
bench-peers: $(READY)
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement benchmarks/peers.lock
	$(BIN)/python -m benchmarks.compare .venv-peers/bin/python

# Exact versions with the hashes of all their files, for every system and every Python from 3.11 on. What is locked
# stays: for newer versions take a line out, or all of them. The reasons for the pins are those of docs/adr/0004.
lock:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.9
	.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --extra dev --extra dask \
		--no-annotate --no-header --no-emit-index-url --no-emit-find-links --output-file requirements.lock pyproject.toml
	awk '/^fastapi==/ { print "# Below 0.154: with it the server of Prefect 3.8 fails while it is imported (docs/adr/0004)." } \
		/^sqlalchemy==/ { print "# Below 2.1: with it the scheduler of Prefect 3.8 creates no scheduled run (docs/adr/0004)." } \
		{ print }' requirements.lock > requirements.lock.new
	mv requirements.lock.new requirements.lock
	.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
		--no-emit-index-url --no-emit-find-links --output-file benchmarks/peers.lock benchmarks/peers.in

clean:
	rm -rf $(VENV) .venv-lock .venv-peers out .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*

# Everything is installed from the lock file, which names all that is needed: older versions of pip take an extra of a
# package for another package without a hash. The project itself is installed without asking the index again.
$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "conspectus needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	touch $(READY)
