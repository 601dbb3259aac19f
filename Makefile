# Two commands do everything on a fresh machine with Python 3.11 or newer: make refresh, make test.

PYTHON ?= python3
# Two environments: pandas, which the tests need, would slow down every refresh, as pandera imports it where it is.
RUN := .venv
DEV := .venv-test
BIN := $(DEV)/bin
READY := $(DEV)/.ready
UV := $(shell command -v uv)

RAW ?= raw
OUT ?= out
SOURCES ?=

# Images set it: every process of the tests would then compile the whole project anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help refresh test lint types check coverage examples wheel browse interop format bench bench-peers bench-nights bench-works growth nights damage faults alarms dask search lock lowest nightly clean

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

## make refresh [SOURCES="a b"] [RAW=raw] [OUT=out] [VERBOSE=1]   parse the dumps and publish the dataset, a Prefect flow
refresh: $(RUN)/.ready
	@echo "Reading $(RAW), publishing below $(OUT) (VERBOSE=1: with Prefect's log)"
	@$(if $(VERBOSE),,PREFECT_LOGGING_LEVEL=WARNING) NO_PROXY="127.0.0.1,$$NO_PROXY" no_proxy="127.0.0.1,$$no_proxy" \
		$(RUN)/bin/python flows.py $(SOURCES) --raw "$(RAW)" --out "$(OUT)"

## make test      lint, types, tests (make lint, make types, make check: one of them)
test: lint types check

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/codespell
	$(BIN)/validate-pyproject pyproject.toml

types: $(READY)
	$(BIN)/mypy

# One process a core of a small machine: each imports and collects all.
check: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal

## make coverage  the tests again that make test runs, but for those that a tracer would slow down most: at least 95 % of the
## branches
coverage: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not untraced and not nightly" --cov --cov-report=term

## make examples  add the sources of examples/ to a copy of the checkout, as a newcomer would: each alone, then all together
examples: $(READY)
	$(BIN)/python examples/run.py

## make wheel     build the wheel into dist/, install it into a clean environment from the lock, and refresh specimens there
wheel:
	rm -rf .venv-wheel .wheel dist
	$(call locked,.venv-wheel,requirements.lock)
	.venv-wheel/bin/python -m hatchling build --target wheel --directory dist
	@$(if $(UV),$(UV) pip install --quiet --python .venv-wheel/bin/python --no-deps dist/*.whl,\
		.venv-wheel/bin/python -m pip install --quiet --disable-pip-version-check --no-deps dist/*.whl)
	mkdir .wheel && cd .wheel && ../.venv-wheel/bin/conspectus --version && \
		../.venv-wheel/bin/python -c "import conspectus, flows" && \
		../.venv-wheel/bin/conspectus init . --specimens && ../.venv-wheel/bin/conspectus refresh && \
		test -f out/latest/manifest.json
	rm -rf .wheel .venv-wheel

## make format    put the code into its form
format: $(READY)
	$(BIN)/ruff check --fix --exit-zero .
	$(BIN)/ruff format .

## make bench     timings of this machine; make bench-peers: beside other libraries
# Timings of this machine: parse to validated rows for every layout, memory, cold starts.
bench: $(READY)
	$(BIN)/python -m benchmarks

# The same with what other libraries take for the same fields, each in an environment of its own. CONSPECTUS_PAGES names
# a folder of real pages, one a source; without it pages of their size are generated.
bench-peers: $(READY)
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement benchmarks/peers.lock
	$(BIN)/python -m benchmarks.compare .venv-peers/bin/python

## make bench-nights [AGAINST=..] [NIGHTS="65 260"] [WORK=..]   what a night costs after weeks and after years, beside
## another checkout; all sizes take an hour and gigabytes below WORK
bench-nights: $(READY)
	$(BIN)/python -m benchmarks.night_costs $(if $(NIGHTS),--nights $(NIGHTS)) $(if $(AGAINST),--against "$(AGAINST)") \
		$(if $(WORK),--work "$(WORK)")

## make bench-works DATA=.. [RECORDS="100000"]   records that are one work, on pairs with known truth that lie below DATA
bench-works: $(READY)
	$(BIN)/python -m benchmarks.works $(if $(DATA),"$(DATA)") $(foreach number,$(RECORDS),--records $(number))

## make growth [ONLY="arxiv text"] [SIZE=100000]   read and refuse texts of all layouts and of none at two sizes: time
## that grows faster than they do
growth: $(READY)
	$(BIN)/python -m benchmarks.growth $(if $(ONLY),--only $(ONLY)) $(if $(SIZE),--size $(SIZE))

## make nights CLONE=.. PAGE=.. SOURCE=.. YEAR=.. EVENT=".." [ACCEPT=1]   replay the history of a page, with ACCEPT=1 as
## if a person accepted what guards reject (many pages: CLONE=.. LIST=..)
nights: $(READY)
	$(BIN)/python -m benchmarks.nights "$(CLONE)" \
		$(if $(LIST),--list "$(LIST)","$(PAGE)" --source "$(SOURCE)" --year "$(YEAR)" --event "$(EVENT)") \
		$(if $(MOST),--most $(MOST)) $(if $(ZONE),--zone "$(ZONE)") $(if $(ACCEPT),--accept)

## make damage [PAGES="a b"] [LIST=1] [NIGHTS=1]   damage dumps in a hundred ways and count what nothing tells; with
## NIGHTS=1 change the form of whole pages, as sites do, and count the nights that stay green
damage: $(READY)
	$(BIN)/python -m benchmarks.damage $(if $(PAGES),--pages $(PAGES)) $(if $(LIST),--list) $(if $(NIGHTS),--nights)

## make faults [NIGHTS=120] [SEED=1] [LIST=1]   fetch and refresh invented sites night after night, while they fail in sixty
## ways; count what is lost in the end and the nights that should have told
faults: $(READY)
	$(BIN)/python -m benchmarks.faults $(if $(NIGHTS),--nights $(NIGHTS)) $(if $(SEED),--seed $(SEED)) $(if $(LIST),--list)

## make alarms [ONLY="half down"]   twenty nights on which something happens to a site: what is said, and each command that
## is printed, run as printed; CONSPECTUS_PAGES names a folder of real pages
alarms: $(READY)
	$(BIN)/python -m benchmarks.alarms $(if $(ONLY),--only $(ONLY))

## make browse    look at the pages with a browser, CHROMIUM or one on the PATH: rules, phones, print, keyboard, picks
browse: $(READY)
	@test -n "$(or $(CHROMIUM),$(shell command -v chromium || command -v google-chrome))" || \
		{ echo "make browse needs a browser: Chromium on the PATH, or CHROMIUM=its path"; exit 1; }
	$(PYTHON) -m venv .venv-browse
	.venv-browse/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
		--requirement tests/browse/browse.lock
	rm -rf .browse && mkdir .browse
	$(BIN)/python -m tests.browse.prepare .browse
	.venv-browse/bin/python tests/browse/check.py .browse

# Tools of readers, in an environment of their own; once it is installed this asks for nothing over the network.
## make interop [DATA=out]   open the dataset of the specimens, or another one, with DuckDB, pandas, `datasets` and eight
## others: what each sees of rows, nulls and types, beside the manifest
interop: $(READY) .venv-interop/.ready
	rm -rf .interop && mkdir .interop
	$(BIN)/python -m tests.interop.prepare .interop $(if $(DATA),"$(DATA)")
	.venv-interop/bin/python tests/interop/check.py "$(or $(DATA),.interop/out)/latest" .interop

.venv-interop/.ready: tests/interop/interop.lock
	$(PYTHON) -m venv .venv-interop
	.venv-interop/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
		--requirement tests/interop/interop.lock
	touch $@

# Exact versions with the hashes of all their files, for every system and every Python from 3.11 on. What is locked
# stays: for newer versions take a line out, or all of them. The reasons for the pins are those of docs/adr/0004.
lock:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.9
	$(LOCK) --extra build --extra dev --extra dask --extra site --output-file requirements-dev.lock pyproject.toml
	$(LOCK) --extra build --constraint requirements-dev.lock --output-file requirements.lock pyproject.toml
	$(LOCK) --extra build --extra dask --constraint requirements-dev.lock --output-file requirements-dask.lock pyproject.toml
	$(LOCK) --extra build --extra site --constraint requirements-dev.lock --output-file requirements-site.lock pyproject.toml
	for lock in requirements*.lock; do awk \
		'/^fastapi==/ { print "# Below 0.151: with it `prefect deploy` of Prefect 3.8 fails (docs/adr/0004)." } \
		/^sqlalchemy==/ { print "# Below 2.1: with it the scheduler of Prefect 3.8 creates no scheduled run (docs/adr/0004)." } \
		{ print }' $$lock > $$lock.new && mv $$lock.new $$lock; done
	$(LOCK) --output-file benchmarks/peers.lock benchmarks/peers.in
	$(LOCK) --output-file tests/browse/browse.lock tests/browse/browse.in
	$(LOCK) --output-file tests/interop/interop.lock tests/interop/interop.in
LOCK := .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header \
	--no-emit-index-url --no-emit-find-links

# The lowest versions that pyproject.toml allows must do: what it promises to those who install it beside other things.
## make lowest    the tests with the oldest versions of what the package needs
lowest:
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check uv==0.13.9
	.venv-lowest/bin/uv pip compile --quiet --python .venv-lowest/bin/python --resolution lowest-direct --no-header \
		--no-emit-index-url --no-emit-find-links --output-file .venv-lowest/lowest.txt pyproject.toml
	.venv-lowest/bin/uv pip install --quiet --python .venv-lowest/bin/python --requirement .venv-lowest/lowest.txt \
		--editable .[dev,dask,site,build]
	.venv-lowest/bin/python -m pytest -n 2 --dist worksteal

# Of what takes long make test tries a sample, always the same, and of what hypothesis draws three examples.
## make nightly   all tests in full, with a thousand examples of all that can be drawn: hours; what it finds is tried
## first the next time
nightly: $(READY)
	HYPOTHESIS_PROFILE=deep $(BIN)/python -m pytest -n 2 --dist worksteal -m ""

# The published dataset and its history stay: OUT is nobody's cache.
## make clean     remove the environments and what tools leave behind; the dataset stays
clean:
	rm -rf $(RUN) $(DEV) .venv-lock .venv-lowest .venv-peers .venv-browse .venv-interop .venv-wheel .browse .interop .wheel dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*

## make dask      add what reading on a Dask cluster needs
dask: $(RUN)/.ready requirements-dask.lock
	$(call install,$(RUN),requirements-dask.lock)

## make search    add what the search of all pages needs ([site] search = true)
search: $(RUN)/.ready requirements-site.lock
	$(call install,$(RUN),requirements-site.lock)

# Everything is installed from a lock file, which names all that is needed: older versions of pip take an extra of a
# package for another package without a hash. The project itself is installed without asking the index again.
$(RUN)/.ready: requirements.lock pyproject.toml
	$(call install,$(RUN),requirements.lock)
	touch $@

$(READY): requirements-dev.lock pyproject.toml
	$(call install,$(DEV),requirements-dev.lock)
	touch $@

# One line that counts, instead of three for each package.
COUNTED := '/^Collecting / { printf "\r%d packages", ++n } /^Installing / { printf ", installing them" } \
	{ fflush() } /^failed$$/ { bad = 1 } END { print ""; exit bad }'
# With uv, where it is there, this takes a few seconds, with pip a minute or two. Neither compiles what it installs, which
# would take longer than all else: Python does so with what it imports.
define locked
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "conspectus needs Python 3.11 or newer")'
	@echo "Setting up $(1) from $(2) with $(if $(UV),uv,pip: a minute or two; uv would take seconds)"
	$(if $(UV),@test -x $(1)/bin/python || $(UV) venv --quiet --python $(PYTHON) $(1),@$(PYTHON) -m venv $(1))
	$(if $(UV),@$(UV) pip install --quiet --python $(1)/bin/python --no-deps --require-hashes --requirement $(2),\
		@{ $(1)/bin/python -m pip install --no-compile --disable-pip-version-check --progress-bar off --no-deps \
			--require-hashes --requirement $(2) || echo failed; } | awk $(COUNTED))
endef
define install
	$(call locked,$(1),$(2))
	$(if $(UV),@$(UV) pip install --quiet --python $(1)/bin/python --no-build-isolation --no-deps --editable .,\
		@$(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .)
endef
