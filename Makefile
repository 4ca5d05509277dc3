# `make help` lists the targets. Every recipe works in a fresh checkout, and takes up where an interrupted one stopped.
#
#   PYTHON    the Python to build the environment with (3.11 or newer; the first one found otherwise)
#   PIP_ARGS  arguments for pip, such as the index of torch without CUDA, which saves about 6 GB
#   ARGS      arguments for the job or for pytest: make score ARGS="--lake /data/lake", make test ARGS="-k quotes"

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

PYTHON ?=
PIP_ARGS ?=
export FROM SEED
ARGS ?=
VENV := .venv
STAMP := $(VENV)/installed
ACTIVE := export VIRTUAL_ENV="$(CURDIR)/$(VENV)" PATH="$(CURDIR)/$(VENV)/bin:$$PATH";

# pytest and Spark's Python workers compile this library once, not in every process.
TESTS := $(ACTIVE) unset PYTHONDONTWRITEBYTECODE;
# $(call BESIDE,ONE,OTHER) runs two commands at once and fails if either does. What the other one says is shown when
# both have ended. It is a group of processes of its own, and an interrupt is handed on to it.
BESIDE = said=$$(mktemp); set -m; { $(2); } >"$$said" 2>&1 </dev/null & other=$$!; set +m; \
  trap 'kill -INT -- -$$other 2>/dev/null || :' INT TERM; trap 'rm -f "$$said"' EXIT; \
  code=0; { $(1); } || code=$$?; wait $$other || code=$$?; cat "$$said"; exit $$code
# What needs no JVM runs in two processes. One has all that loads models, and with them torch and its like, which cost
# each process seconds (doctests import every file); two workers of pytest-xdist would both load everything. Some others
# stand with them so that both end at about the same time.
MODELS := lib/quotelake tests/embeddings tests/test_check.py tests/test_public.py \
  tests/query tests/answers tests/pages tests/commands tests/test_commands.py
FAST := -m "not (spark or process or slow)"
# Two workers, each with the tests of whole files: for what ARGS choose, and for the whole suite.
SPREAD := -n 2 --dist loadfile
# What ARGS choose may stand in one part of a suite only: pytest ends with 5 where it finds no test.
NONE = $(if $(strip $(ARGS)),|| [ $$? -eq 5 ])

.PHONY: help install score test test-fast test-lab test-slow test-kill test-cluster test-ci test-all lint bench bench-gpu bench-night bench-capacity bench-reuse papers docs constraints clean distclean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) ## environment in .venv with pinned dependencies, Java, Delta's jars, Spark's defaults
	@$(VENV)/bin/python -m quotelake.spark.installation
	@classes=$$(echo $(VENV)/lib/python3*/site-packages/pyspark)/quotelake/classes.jsa; [ -e $$classes ] || { \
	  echo "quotelake: making an archive of Spark's classes"; mkdir -p $${classes%/*}/empty; \
	  said=$$(QUOTELAKE_ARCHIVE=ArchiveClassesAtExit $(VENV)/bin/python -c "$$WARM_UP" 2>&1) || :; \
	  [ -e $$classes ] || { touch $$classes; \
	    echo "quotelake: no archive of Spark's classes, so Spark starts more slowly: $$said" >&2; }; }

# A little of what every run does. When Java ends it writes the classes that it loaded into an archive of 200 MB, and
# $(...) above waits for that. To map them is faster than to read 300 jars; conf/spark-env.sh says when they are used.
# After a change of Java remove the folder quotelake in that of pyspark and install again.
define WARM_UP
import tempfile
from quotelake.spark.session import end_session, get_session
spark = get_session("classes")
with tempfile.TemporaryDirectory() as folder:
    rows = spark.range(4, numPartitions=1).mapInArrow(lambda batches: batches, "id BIGINT")
    for _ in range(2):
        rows.write.format("delta").mode("append").save(folder)
    stored = spark.read.format("delta").load(folder)
    stored.join(rows, "id", "left").groupBy("id").count().orderBy("id").toArrow()
    spark.sql(f"DELETE FROM delta.`{folder}` WHERE id = 1")
end_session()
endef
export WARM_UP

# Written last and in one step, so that an interrupted installation is not taken for a finished one.
$(STAMP): setup.py pyproject.toml conf/constraints.txt
	@python=""; for each in $(or $(PYTHON),python3 python3.11 python3.12 python3.13 python3.14); do \
	  if "$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python="$$each"; break; fi; \
	done; \
	[ -n "$$python" ] || { echo "quotelake: no Python 3.11 or newer found$(if $(PYTHON), under the name $(PYTHON)):" \
	  "install one and name it, as in: make install PYTHON=/path/to/python3.11" >&2; exit 2; }; \
	"$$python" -c 'import ensurepip, venv' 2>/dev/null || { echo "quotelake: $$python cannot make virtual environments:" \
	  "install its venv package (Debian: apt-get install python3-venv) and run make again" >&2; exit 2; }; \
	"$$python" -m venv $(VENV)
	$(VENV)/bin/python -m pip install --disable-pip-version-check $(PIP_ARGS) -c conf/constraints.txt -e '.[dev]'
	@touch $(STAMP).partial && mv $(STAMP).partial $(STAMP)

score: install ## score the sample corpus into ./lake and show what was found
	@$(VENV)/bin/quotelake score $(ARGS)

# One process has a Spark session; the other begins with all that needs none, and then starts a session for some rooms,
# so that both end at about the same time. The tests of the bench are a target of their own.
PRODUCT := tests lib/quotelake --ignore=tests/quotelab
LATER := tests/nightly tests/sources tests/topics
test: install ## the tests of the product but the slow ones; some minutes
ifeq ($(strip $(ARGS)),)
	@$(TESTS) $(call BESIDE,pytest $(PRODUCT) $(LATER:%=--ignore=%) -m "spark and not slow",\
	  pytest $(PRODUCT) -m "not (spark or slow)"; pytest $(LATER) -m "spark and not slow")
else
	@$(TESTS) pytest -m "not slow" $(ARGS)
endif

LAB := tests/quotelab lib/quotelab
test-lab: install ## the tests of the bench
	@$(TESTS) $(call BESIDE,pytest $(LAB) -m "(spark or process) and not slow" $(ARGS) $(NONE),pytest $(LAB) $(FAST) $(ARGS) $(NONE))

test-fast: install ## the tests of the product that start neither a JVM nor another process; half a minute
ifeq ($(strip $(ARGS)),)
	@$(TESTS) $(call BESIDE,pytest tests --ignore=tests/quotelab $(MODELS:%=--ignore=%) $(FAST),pytest $(MODELS) $(FAST))
else
	@$(TESTS) pytest $(SPREAD) $(FAST) $(ARGS) $(NONE)
endif

# The tests of properties run again, on four times the examples. Two processes with a Spark session each: one has the
# tests that ask a scored lake, and what needs no Spark before them, the other those that write lakes.
SLOW := (slow or hypothesis)
FULL = --hypothesis-profile=full $(ARGS) $(NONE)
ASKING := tests/quotelab tests/query
test-slow: install ## what guards long processes or needs public corpora, and all properties on more examples
ifeq ($(strip $(ARGS)),)
	@$(TESTS) $(call BESIDE,pytest tests $(ASKING:%=--ignore=%) -m "$(SLOW) and spark" $(FULL),\
	  pytest -m "$(SLOW) and not spark" $(FULL); pytest $(ASKING) -m "$(SLOW) and spark" $(FULL))
else
	@$(TESTS) $(call BESIDE,pytest -m "$(SLOW) and spark" $(FULL),pytest -m "$(SLOW) and not spark" $(FULL))
endif

# make test-kill ARGS="-k night" FROM="quotes 3" goes on with the commands and points from there.
test-kill: install ## every command killed at each commit, at random moments, in chains and side by side; an hour
	@$(TESTS) pytest -s tests/nightly/test_kills.py $(ARGS)

test-cluster: install ## a cluster on loopback that loses executors and workers, YARN on HDFS, and a lake on S3
	@$(TESTS) pytest tests/nightly/test_cluster.py tests/nightly/test_object_store.py \
	  tests/nightly/test_kubernetes.py \
	  tests/embeddings/test_gpu_scheduling.py $(ARGS)

# Every test once. Two workers with a Spark session each take whole files, in the order that tests/conftest.py gives
# them: the longest first, and last what needs no Spark, so that both end together.
test-ci: install ## the tests of make test, and those of nights, killed and broken runs; two processes
	@$(TESTS) pytest $(SPREAD) --no-loadscope-reorder -m "not slow or crash" $(ARGS) $(NONE)

test-all: install ## every test, slow ones too, once; two processes
	@$(TESTS) pytest $(SPREAD) --no-loadscope-reorder $(ARGS) $(NONE)

lint: install ## ruff and mypy
	@$(ACTIVE) ruff check . && ruff format --check . && mypy

bench: install ## every speed the project states, in one table beside its limits; some minutes
	@$(ACTIVE) quotelab bench all $(ARGS)

bench-gpu: install ## the encoder on a GPU, beside sentence-transformers, and tasks that share it; three minutes
	@$(ACTIVE) quotelab bench encoder --device cuda $(ARGS)

bench-night: install ## the same night on archives of 1x, 10x and 100x
	@$(ACTIVE) quotelab bench night $(ARGS)

bench-capacity: install ## what a million, 196 million and 10 billion records would cost, from two measured loads
	@$(ACTIVE) quotelab bench load --plan 1000000,196000000,10000000000 $(ARGS)

# Each public tool has an environment of its own with pinned packages. One that cannot be installed is listed as failed;
# the next `make bench-reuse` tries again.
PEERS := lib/quotelab/benchmarks/peers
BENCH := .bench
bench-reuse: install ## grouping of reused quotes beside public tools, which are installed in .bench
	@mkdir -p $(BENCH); for list in $(PEERS)/*.txt; do name=$$(basename "$$list" .txt); \
	  if cmp -s "$$list" "$(BENCH)/$$name/installed"; then continue; fi; \
	  rm -rf "$(BENCH)/$$name"; echo "installing $$name"; \
	  if $(VENV)/bin/python -m venv "$(BENCH)/$$name" && "$(BENCH)/$$name/bin/python" -m pip install \
	      --disable-pip-version-check -q -r "$$list" >"$(BENCH)/$$name.log" 2>&1; \
	  then cp "$$list" "$(BENCH)/$$name/installed"; \
	  else rm -rf "$(BENCH)/$$name"; echo "$$name cannot be installed: see $(BENCH)/$$name.log" >&2; fi; done
	@$(ACTIVE) quotelab bench reuse compare --peers $(BENCH) $(ARGS)

# PAPERS_DATA is a folder with trotr/, contextomy/ and, where you have it, str/. Reports are kept in .papers: ARGS=--again
# computes them again.
PAPERS_DATA ?= ../shared/data
papers: install ## the papers' tables beside the published ones, from PAPERS_DATA: docs/PAPERS.md
	@$(ACTIVE) quotelab papers --data "$(PAPERS_DATA)" $(ARGS)

docs: install ## write the reference of tables and settings, docs/reference, from contracts and settings
	@$(ACTIVE) python jobs/write_docs.py

constraints: install ## write the versions in .venv to conf/constraints.txt
	@{ sed '/^[^#]/d' conf/constraints.txt; \
	  $(VENV)/bin/python -m pip freeze --disable-pip-version-check --exclude-editable | grep -v ' @ '; } > conf/constraints.new
	@mv conf/constraints.new conf/constraints.txt && touch $(STAMP)

clean: ## remove caches and build outputs; the environment and every lake stay
	@rm -rf build dist lib/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis spark-warehouse metastore_db derby.log
	@find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean ## clean, and remove the environments too
	@rm -rf $(VENV) $(BENCH)
