#!/usr/bin/env python3
"""Builds and runs every check and test; the last line is "N passed, N failed".

Counted are GoogleTest cases, node tests and lint checks. --only picks parts, --repeat runs the chosen
tests again and again, --filter passes a GoogleTest filter. Everything is built once, with the address
and undefined-behaviour sanitizers; --preset picks another build.
"""
import argparse
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from sources import ROOT, sources

PARTS = ("lint", "unit", "injected", "schema", "browser", "mcp", "suite", "serve", "agent", "predict",
         "console")
# What runs under the sanitizers need not run without them; building everything twice takes longer than
# all tests.
PRESETS = ("asan", "dev", "tsan")
BROWSER_LABELS = ("browser", "api", "fault")  # tests that start a browser, through the library or the program
CORES = os.cpu_count() or 2
NODE_CEILING = 600  # seconds for all tests of one folder together


class Tally:
    """What passed and what failed, over all parts."""

    def __init__(self):
        self.passed = 0
        self.failures = []

    def add(self, passed, failures=()):
        self.passed += passed
        self.failures += failures


ACTIVE = set()  # children that run now, each the leader of its own process group


def end(process):
    """Ends a child with everything it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_with_us(*_):
    """On a signal: nothing that we started outlives us."""
    for process in list(ACTIVE):
        end(process)
    os._exit(130)


def run(command, timeout=None, env=None):
    """(exit code or None when it ran out of time, output)."""
    process = subprocess.Popen(command, cwd=ROOT, text=True, errors="replace", env=env,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    ACTIVE.add(process)
    try:
        output, _ = process.communicate(timeout=timeout)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        end(process)
        output, _ = process.communicate()
        return None, output
    finally:
        ACTIVE.discard(process)


def tail(text, lines=40):
    return "\n".join(text.splitlines()[-lines:])


class Section:
    """Prints a header, then how long the part took."""

    def __init__(self, title):
        self.title = title

    def __enter__(self):
        print(f"\n== {self.title}", flush=True)
        self.started = time.monotonic()
        return self

    def __exit__(self, *_):
        print(f"   {self.title}: {time.monotonic() - self.started:.1f} s", flush=True)


def build(preset, targets, tally):
    """Builds; a failure counts as one failed check and its output is shown."""
    with Section(f"build {preset}"):
        code, output = run(["tools/build", preset, "-k", "0", *targets])
        if code != 0:
            print(tail(output, 120))
            tally.add(0, [f"build {preset}"])
        return code == 0


@functools.cache
def configure(preset):
    """Once per run: an older configuration may know other tests."""
    run(["cmake", "--preset", preset])


def ctests(preset, label):
    """[(program, timeout)] of the tests with a label, as the sources are now.

    Read from CTest's own files, because `ctest --show-only` does not name programs not yet built.
    """
    folder = ROOT / "build" / preset
    configure(preset)
    text = "".join(p.read_text() for p in folder.rglob("CTestTestfile.cmake"))
    found = []
    for name, program in re.findall(r'^add_test\((\S+) "([^"]+)"', text, re.M):
        rest = re.search(rf"^set_tests_properties\({re.escape(name)} (.*)$", text, re.M)[1]
        if f'LABELS "{label}"' in rest:
            found.append((program, int(re.search(r'TIMEOUT "(\d+)"', rest)[1])))
    return found


def programs(tests):
    """The build targets of tests."""
    return sorted(pathlib.Path(program).name for program, _ in tests)


def read_report(path):
    """(passed, [failure text]) of a GoogleTest JSON report, or None when it was never written."""
    try:
        report = json.loads(path.read_text())
    except (OSError, ValueError):
        return None
    passed, failures = 0, []
    for suite in report["testsuites"]:
        for case in suite["testsuite"]:
            if case.get("failures"):
                why = "\n".join(f["failure"] for f in case["failures"])
                failures.append((f"{suite['name']}.{case['name']}", why))
            elif case.get("result") == "COMPLETED":
                passed += 1
    return passed, failures


def in_parts(tests):
    """Each test program as many times as there are cores, every time with another part of its cases."""
    return [(program, timeout, {"GTEST_TOTAL_SHARDS": str(CORES), "GTEST_SHARD_INDEX": str(part)})
            for program, timeout in tests for part in range(CORES)]


def run_gtest(options, program, timeout, part=None):
    """(passed, [names of failures], text to show) of one test program, or of a part of its cases."""
    name = pathlib.Path(program).name
    with tempfile.TemporaryDirectory(prefix="falconer-tests-") as folder:
        report = pathlib.Path(folder) / "report.json"
        extra = [f"--gtest_output=json:{report}"]
        if options.filter:
            extra.append(f"--gtest_filter={options.filter}")
        started = time.monotonic()
        code, output = run([program, *extra], timeout, {**os.environ, **(part or {})})
        took = time.monotonic() - started
        counted = read_report(report)
    if counted is None or (code != 0 and not counted[1]):
        why = f"no answer in {timeout} s" if code is None else f"ended with code {code}"
        passed = counted[0] if counted else output.count("[       OK ]")
        return passed, [name], f"{name}: {why}\n{tail(output)}"
    passed, failures = counted
    text = "\n".join(f"{case} failed\n{why}" for case, why in failures)
    line = f"   {name}: {passed} passed, {len(failures)} failed, {took:.1f} s"
    return passed, [case for case, _ in failures], f"{text}\n{line}" if text else line


def run_gtests(tests, parallel, tally, options):
    with concurrent.futures.ThreadPoolExecutor(parallel) as pool:
        for passed, failures, text in pool.map(lambda test: run_gtest(options, *test), tests):
            print(text, flush=True)
            tally.add(passed, failures)


def lint(tally, options):
    files = [str(path) for path in sources()]
    checks = [("layers", ["python3", "tools/check_layers.py"]),
              ("clang-format", ["clang-format-19", "--dry-run", "-Werror", *files]),
              ("typescript", ["npm", "run", "--silent", "check"]),
              ("clang-tidy", ["python3", "tools/tidy.py", "--product", "--preset", options.preset])]
    with Section("lint"):
        for name, command in checks:
            started = time.monotonic()
            code, output = run(command)
            print(f"   {name}: {'ok' if code == 0 else 'FAILED'}, {time.monotonic() - started:.1f} s",
                  flush=True)
            if code != 0:
                print(output)
            tally.add(code == 0, [] if code == 0 else [f"lint {name}"])


def unit(tally, options):
    with Section("unit tests"):
        run_gtests(ctests(options.preset, "unit"), CORES, tally, options)


def browser(tally, options):
    # Not more at once than there are cores: they share them with the browsers they drive, and time is
    # part of what they check.
    with Section("browser tests"):
        for label in BROWSER_LABELS:
            run_gtests(in_parts(ctests(options.preset, label)), CORES, tally, options)


def node_tests(folder, title, tally, options):
    tests = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "tests" / folder).rglob("*test.mjs"))
    with Section(title):
        if not tests:
            return
        code, output = run(["node", "--test", "--test-concurrency=1", "--test-reporter=tap", *tests],
                           NODE_CEILING, {**os.environ, "FALCONER_PRESET": options.preset})
        passed = sum(map(int, re.findall(r"^# pass (\d+)$", output, re.M)))
        failed = re.findall(r"^ *not ok \d+ - (.*)$", output, re.M)
        if code != 0:
            print(tail(output, 200))
            failed = failed or [f"tests/{folder}"]
        print(f"   node: {passed} passed, {len(failed)} failed")
        tally.add(passed, [f"{folder}: {name}" for name in failed])


def injected(tally, options):
    node_tests("injected", "tests of the injected script", tally, options)


def schema(tally, options):
    node_tests("schema", "tests of the published schemas", tally, options)


def mcp(tally, options):
    node_tests("mcp", "the official MCP clients against the program", tally, options)


def suite(tally, options):
    node_tests("conformance_mcp", "the conformance suite of MCP", tally, options)


def serve(tally, options):
    node_tests("serve", "clients of the server over HTTP", tally, options)


def agent(tally, options):
    node_tests("agent", "the built-in agent in the shop", tally, options)


def predict(tally, options):
    node_tests("predict", "workflows that are learned in the shop", tally, options)


def console(tally, options):
    node_tests("console", "the console in a browser", tally, options)


def targets_of(parts, preset):
    """What the parts need."""
    # The generated headers and the precompiled one, without which clang-tidy cannot read a file.
    targets = ["cdp_protocol", "falconer_pch"]
    if "unit" in parts:
        targets += programs(ctests(preset, "unit"))
    if {"schema", "browser", "mcp", "serve", "agent", "predict", "console"} & set(parts):
        targets.append("falconer")
    if {"mcp", "serve"} & set(parts):
        targets.append("serve_test_site")
    if {"agent", "predict"} & set(parts):
        targets.append("serve_shop")
    if "suite" in parts:
        targets.append("serve_mcp_fixture")
    if "browser" in parts:
        for label in BROWSER_LABELS:
            targets += programs(ctests(preset, label))
    return targets


def run_parts(options, tally):
    parts = options.only or PARTS
    if not build(options.preset, targets_of(parts, options.preset), tally):
        return
    if "lint" in parts:
        lint(tally, options)
    tests = {"unit": unit, "injected": injected, "schema": schema, "browser": browser, "mcp": mcp,
             "suite": suite, "serve": serve, "agent": agent, "predict": predict,
             "console": console}
    for _ in range(options.repeat):
        for part, run_part in tests.items():
            if part in parts:
                run_part(tally, options)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", choices=PARTS, help="only this part; repeatable")
    parser.add_argument("--preset", choices=PRESETS, default=PRESETS[0], help="the build that is tested")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="run the tests N times")
    parser.add_argument("--filter", metavar="PATTERN", help="GoogleTest filter")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end_with_us)
    started = time.monotonic()
    tally = Tally()
    run_parts(options, tally)
    print(f"\n== everything: {time.monotonic() - started:.0f} s")
    for name in tally.failures:
        print(f"   FAILED {name}")
    print(f"{tally.passed} passed, {len(tally.failures)} failed")
    return 1 if tally.failures or tally.passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
