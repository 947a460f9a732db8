# A phone book, not a build system: every target is a CMake preset.
JOBS ?= $(shell nproc)

all: release

release dev asan tsan msan clang fuzz bench:
	@cmake --preset $@
	@cmake --build --preset $@ --parallel $(JOBS)

# The main job, on a stream made up here.
run:
	@packaging/install.sh build
	@$(MAKE) --no-print-directory release
	@echo 'A million records of 300007 users go into: freshet --audit --stats'
	@awk 'BEGIN { for (i = 0; i < 1000000; i++) \
		print "user-" i * 7919 % 300007 }' | \
		build/release/cli/freshet --audit --stats \
		>build/run.out 2>build/run.stats
	@echo 'What it let through, the first three and the last:'
	@sed -n '1,3p;$$p' build/run.out
	@echo 'What it counted, and how often the audit found it wrong:'
	@cat build/run.stats

# Every test that is not slow, with address and undefined-behaviour checks; and
# what is said of memory, without them, for they take memory themselves.
check:
	@packaging/install.sh build check
	@$(MAKE) --no-print-directory release
	@ctest --preset release --label-regex memory
	@packaging/valkey.sh
	@packaging/npm.sh
	@$(MAKE) --no-print-directory asan
	@ctest --preset asan --parallel $(JOBS)

slow:
	@packaging/install.sh build check slow deb
	@packaging/valkey.sh
	@$(MAKE) --no-print-directory release
	@ctest --test-dir build/release --label-regex slow --output-on-failure

# Lines of lib/ that the tests run: fewer than 97 of 100 is a failure.
coverage:
	@packaging/install.sh build check coverage
	@cmake --preset $@
	@cmake --build --preset $@ --parallel $(JOBS)
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset $@ --parallel $(JOBS)
	@gcovr --root . --filter lib/ --fail-under-line 97 build/coverage

# How right the filters are, and how fast: kept in bench/results, each with
# its command, commit and machine.  Time only on a quiet machine.  What is
# timed is the release build: what users get.
SPEED ?= -m 1G --runs 400 --seconds 0.02 --fill 60
ALL ?= -m 16M,1G
SCALING ?= -m 256M

bench-accuracy: release
	@bench/run.sh accuracy.txt build/release/bench/accuracy \
		lab/published/tables.csv

bench-speed: release
	@bench/run.sh speed.txt bench/speed.sh build/release/cli/freshet $(SPEED)

bench-pipe: release
	@bench/run.sh pipe.txt bench/pipe.sh build/release/cli/freshet

bench-gen: release
	@bench/run.sh gen.txt bench/gen.sh build/release/cli/freshet

bench-all: release
	@bench/run.sh all.txt build/release/cli/freshet bench $(ALL)

bench-scaling: release
	@bench/run.sh scaling.txt build/release/cli/freshet bench --scaling \
		$(SCALING)

bench-module: release
	@bench/run.sh module.txt bench/module.sh build/release/module/freshet.so

bench-remote: release
	@bench/run.sh remote.txt bench/remote.sh build/release/cli/freshet \
		build/release/module/freshet.so

# Published tables at the printed size, into lab/results/; hours.
TABLES ?= bera7 dutta5
lab-full: release
	@lab/full.sh build/release/cli/freshet $(TABLES)

# Measure the curves of doc/pocket.md again; draw them.
curves: release
	@for curve in passes filling window; do \
		bench/run.sh $$curve.csv build/release/bench/curves $$curve \
			>/dev/null || exit; done

figures:
	@packaging/install.sh figures
	@gnuplot doc/figures/figures.gp

# What the laboratory finds: the papers' tables at up to 1/100, their figures and
# ours, kept in lab/results; a quarter of an hour of processor time.  Draw them,
# and write the tables of doc/results.md, without measuring.
lab-results: release
	@lab/results.sh build/release/cli/freshet

lab-figures:
	@packaging/install.sh figures
	@for figures in doc/figures/lab/*.gp; do \
		gnuplot "$$figures" || exit; done

lab-tables:
	@lab/tables.sh update

# The Debian packages freshet, libfreshet0 and libfreshet-dev, in build/deb.
deb:
	@packaging/install.sh build deb
	@packaging/deb.sh build/deb

install: release
	@cmake --install build/release

format:
	@git ls-files -z '*.[ch]' | xargs -0 clang-format -i

# Write verdict vectors, snapshots and the README's table for what is new.
update-vectors: release
	@UPDATE=1 build/release/tests/test_vectors
	@UPDATE=1 build/release/tests/test_documents

# Write what the tables imply: man pages and completions.
generate: release
	@tests/generated.sh build/release/cli/freshet update

# Run the commands of the README's first screen, and show what they print.
transcript: release
	@doc/transcript.sh build/release/cli/freshet update

.PHONY: all release dev asan tsan msan clang fuzz bench run check slow \
	coverage bench-accuracy bench-speed bench-pipe bench-gen bench-all \
	bench-scaling bench-module bench-remote curves figures lab-results \
	lab-full lab-figures lab-tables deb install format update-vectors \
	generate transcript
