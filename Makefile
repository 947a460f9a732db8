# A phone book, not a build system: every target installs the packages it needs
# (packaging/packages.txt) and builds a CMake preset or runs a script.  Each
# stage is one line; V=1 shows everything, JOBS=N sets how much runs at once.
JOBS ?= $(shell nproc)
export JOBS V
install = @packaging/install.sh
build = @cmake/build.sh
stage = @cmake/stage.sh

all: release

release bench:
	$(install) build
	$(build) $@

tested dev asan tsan:
	$(install) build tests
	$(build) $@

clang msan ubsan:
	$(install) build tests clang
	$(build) $@

fuzz:
	$(install) build fuzz clang
	$(build) $@

# Every fuzz target for N seconds, and one table.
N ?= 60
fuzz-all: fuzz
	$(install) tests check
	@fuzz/all.sh $(N)

# The main job, on a stream made up here.
run: release
	@echo 'A million records of 300007 users go into: freshet --audit --stats'
	@awk 'BEGIN { for (i = 0; i < 1000000; i++) \
		print "user-" i * 7919 % 300007 }' | \
		build/release/cli/freshet --audit --stats \
		>build/run.out 2>build/run.stats
	@echo 'What it let through, the first three and the last:'
	@sed -n '1,3p;$$p' build/run.out
	@echo 'What it counted, and how often the audit found it wrong:'
	@cat build/run.stats

# Every test that is not slow, with address and undefined-behaviour checks;
# what is said of statistics and memory, without them (tests/optimised.txt).
check:
	$(install) build tests check clang
	$(stage) 'Valkey from backports' packaging/valkey.sh
	$(stage) 'npm' packaging/npm.sh
	$(build) asan
	@cmake/ctest.sh --preset asan --parallel $(JOBS)

slow:
	$(install) build tests check clang slow deb lintian fresh kafka
	$(stage) 'Valkey from backports' packaging/valkey.sh
	$(build) tested
	@cmake/ctest.sh --test-dir build/tested --label-regex slow

# clang-tidy, cppcheck and gcc's analyzer; every report is a failure.
lint-deep: release
	$(install) lint-deep
	@tests/deep.sh build/release/compile_commands.json

# The program against an exact oracle, on random streams: for longer than in
# make check, and with another seed each time.
SEED ?= $(shell date +%s)
TRIALS ?= 1000
differential: release
	$(install) differential
	@mkdir -p build/differential && cd build/differential && \
		python3 -B $(CURDIR)/tests/differential/differential.py \
		$(CURDIR)/build/release/cli/freshet $(SEED) $(TRIALS)

# Kills and restarts of filters, servers, replicas and cluster nodes under load,
# against an exact oracle, and one table.
MINUTES ?= 60
soak: release
	$(install) check
	@SERVER=redis-server MODULE=$(CURDIR)/build/release/module/freshet.so \
		FRESHET=$(CURDIR)/build/release/cli/freshet \
		MINUTES=$(MINUTES) node tests/soak/soak.js

# The documented commands, each on a bare Debian of its own; needs root.
ROWS ?= run install deb redis check
fresh:
	$(install) fresh
	@tests/fresh/fresh.sh $(ROWS)

# Lines of lib/ that the tests run: fewer than 97 of 100 is a failure.
coverage:
	$(install) build tests check coverage
	$(build) $@
	@find build/coverage -name '*.gcda' -delete
	@cmake/ctest.sh --preset $@ --parallel $(JOBS)
	@gcovr --root . --filter lib/ --fail-under-line 97 build/coverage

# How fast the filters are: kept in bench/results, each with
# its command, commit and machine.  Time only on a quiet machine.  What is
# timed is the release build: what users get.
SPEED ?= -m 1G --runs 400 --seconds 0.02 --fill 60
ALL ?= -m 16M,1G
SCALING ?= -m 256M
THREADS ?= -m 1G --runs 100 --seconds 0.02 --fill 30

bench-speed: release
	@bench/run.sh speed.txt bench/speed.sh build/release/cli/freshet $(SPEED)

# One filter decided by two threads.
bench-threads: release
	@bench/run.sh threads.txt bench/threads.sh build/release/cli/freshet \
		$(THREADS)

# With BASE=COMMIT bench-pipe, bench-gzip and bench-remote also compare with that commit.
before = $(if $(BASE),bench/before.sh $(BASE))

bench-pipe: release
	$(install) time
	@bench/run.sh pipe.txt $(before) bench/pipe.sh build/release/cli/freshet

bench-gzip: release
	$(install) igzip
	@bench/run.sh gzip.txt $(before) bench/gzip.sh build/release/cli/freshet

# What short runs cost beside cat, mawk and sort.
bench-first: release
	$(install) first
	@bench/run.sh first.txt bench/first.sh build/release/cli/freshet

bench-gen: release
	@bench/run.sh gen.txt bench/gen.sh build/release/cli/freshet

bench-all: release
	@bench/run.sh all.txt build/release/cli/freshet bench $(ALL)

bench-scaling: release
	@bench/run.sh scaling.txt bench/scaling.sh build/release/cli/freshet \
		$(SCALING)

bench-module: release
	$(install) servers
	@bench/run.sh module.txt bench/module.sh build/release/module/freshet.so

# The longest commands on a filter of 1.5 GB, and how long others wait.
bench-latency: release
	$(install) servers
	@bench/run.sh latency.txt node bench/latency.js \
		build/release/module/freshet.so build/release/bench/cold_pages

bench-remote: release
	$(install) servers
	@bench/run.sh remote.txt $(before) bench/remote.sh \
		build/release/cli/freshet build/release/module/freshet.so

# Kafka: the broker comes from npm.
bench-kafka: release
	$(install) kafka
	@bench/run.sh kafka.txt bench/kafka.py build/release/cli/freshet

bench-python: python
	@PYTHONPATH=$$(echo build/python/lib.*) bench/run.sh python.txt \
		/usr/bin/python3 bench/python.py

# Published tables at the printed size, into lab/results/; hours.
TABLES ?= bera7 bera8 bera9 dutta5
lab-full: release
	@lab/full.sh build/release/cli/freshet $(TABLES)

# Measure the curves of doc/pocket.md again; draw them.
curves: release
	@for curve in passes filling window; do \
		BENCH_RESULTS=lab/curves bench/run.sh $$curve.csv \
			build/release/lab/curves $$curve >/dev/null || exit; done

figures:
	$(install) figures
	@for figures in doc/figures/*.gp; do \
		gnuplot "$$figures" || exit; done

# What the laboratory finds: the papers' tables, made smaller, their figures and
# ours, kept in lab/results; half an hour of processor time.  Draw them,
# and write the tables of doc/results.md and doc/results-tables.md, without
# measuring.
lab-results: release
	@lab/results.sh build/release/cli/freshet

# How often the audit's intervals contain the truth, into lab/results; five
# minutes of processor time.
lab-audit: tested
	@BENCH_RESULTS=lab/results bench/run.sh audit.txt \
		build/tested/tests/lab/test_audit_trials --full

# What the README's picture shows, into lab/curves; a minute.  There are times in
# it: only on a quiet machine.
lab-first: release
	$(install) time
	@BENCH_RESULTS=lab/curves bench/run.sh first.csv \
		lab/first.sh build/release/cli/freshet

# Does this build keep the rates that it promises?  Kept in lab/results; minutes.
lab-check: release
	@lab/results.sh build/release/cli/freshet check

lab-figures:
	$(install) figures
	@for figures in doc/figures/lab/*.gp; do \
		gnuplot "$$figures" || exit; done

lab-tables:
	@lab/tables.sh update

# The Debian packages freshet, libfreshet0 and libfreshet-dev, in build/deb.
deb:
	$(install) build deb
	$(stage) 'Debian packages' packaging/deb.sh build/deb
	@ls build/deb/*.deb

# The Python package as a wheel, in build/wheel.
python:
	$(install) build python
	$(stage) 'wheel' /usr/bin/python3 -m pip wheel --no-build-isolation \
		--no-deps --no-index --wheel-dir build/wheel ./python
	@ls build/wheel/*.whl

install: release
	$(stage) 'install' packaging/local.sh build/release

format:
	$(install) format
	@git ls-files -z '*.[ch]' | xargs -0 clang-format -i

# Write verdict vectors, snapshots and the README's table for what is new.
update-vectors: dev
	@UPDATE=1 build/dev/tests/lib/test_vectors
	@UPDATE=1 build/dev/tests/lib/test_documents

# Write what the tables imply: man pages and completions.
generate: release
	@tests/generated.sh build/release/cli/freshet update

# Run the commands of the README's first screen, and show what they print.
transcript: release
	$(install) time
	@doc/transcript.sh build/release/cli/freshet update

.PHONY: all release tested dev asan tsan msan clang ubsan fuzz bench run check \
	slow differential fresh coverage bench-speed bench-threads \
	bench-pipe bench-gzip \
	bench-first bench-gen bench-all bench-scaling bench-module \
	bench-latency bench-remote bench-kafka \
	bench-python curves figures lab-results lab-audit lab-first lab-check \
	lab-full lab-figures lab-tables deb python install format \
	update-vectors generate transcript
.PHONY: fuzz-all soak lint-deep
