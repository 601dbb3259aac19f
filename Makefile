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

.PHONY: refresh test lint types check format bench clean

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

# Three processes for two cores: one of them mostly waits for Prefect. The report by itself: pytest would make it twice.
check: $(READY)
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder --cov --cov-report= --cov-fail-under=0
	$(BIN)/python -m coverage report

format: $(READY)
	$(BIN)/ruff check --fix --exit-zero .
	$(BIN)/ruff format .

# Timings of this machine: parse to validated rows for every layout, memory, cold starts, worst patterns.
bench: $(READY)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*

# Everything is installed from the lock file, the project itself without asking the index again.
$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "conspectus needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	touch $(READY)
