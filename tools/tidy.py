#!/usr/bin/env python3
"""Runs clang-tidy over the hand-written C++ files that changed since they last passed.

Files that are compiled together are checked together, for the same reason: the headers cost most.
A unit of files passes for a key: the contents of the files, of every project header they reach, of
.clang-tidy, and the compile command. Keys that passed are files in build/tidy-cache, so a second run is instant.
Exit code 0 means that every file passes.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time
import typing

from sources import ROOT, sources

TIDY = "clang-tidy-19"
CACHE = ROOT / "build/tidy-cache"
# Most of the time goes into the headers: files of a room are checked together, so many at a time.
MOST_FILES = 40
UNITS = ROOT / "build/tidy-units"
# Tests get the checks that find dangling and forgotten things; the rest is style, expansion of
# GoogleTest's macros, or flow analysis that cannot see through its assertions. A test's body may take
# its fixture by reference: the fixture awaits it.
TEST_CHECKS = ("-*,bugprone-use-after-move,bugprone-dangling-handle,bugprone-unused-raii,"
               "bugprone-unused-return-value,cppcoreguidelines-avoid-capturing-lambda-coroutines,"
               "cppcoreguidelines-slicing,"
               "misc-coroutine-hostile-raii,readability-identifier-naming")
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.M)


class Unit(typing.NamedTuple):
    """What is compiled in one go: the file that the compiler gets, and the project files it stands for."""
    source: pathlib.Path
    files: tuple
    arguments: tuple

    def is_test(self):
        return any(is_test(path) for path in self.files)


def units(build):
    """Everything that is compiled; the precompiled header saves a tenth of the time."""
    found = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        if words[0].endswith("ccache"):
            words = words[1:]
        kept, skip = [], 0
        for i, word in enumerate(words):
            if skip:
                skip -= 1
            elif word in ("-o", "-MF", "-MT"):
                skip = 1
            elif word not in ("-c", "-MD", "-Werror"):
                kept.append(word)
        source = pathlib.Path(entry["file"])
        found.append(Unit(source, project_files(source, build),
                          tuple(w for w in kept[1:] if w != entry["file"])))
    return found


def merged(units, build):
    """Batches of one room joined to larger ones; what is compiled alone stays so."""
    joined, rest = {}, []
    for unit in units:
        if unit.source.is_relative_to(build):
            parts = joined.setdefault(unit.arguments, [[]])
            if len(parts[-1]) + len(unit.files) > MOST_FILES:
                parts.append([])
            parts[-1] += unit.files
        else:
            rest.append(unit)
    for arguments, parts in joined.items():
        rest += [Unit(unit_file(files), tuple(files), arguments) for files in parts]
    return rest


def unit_file(files):
    """A file that includes all of them."""
    text = "".join(f'#include "{ROOT / path}"\n' for path in files)
    path = UNITS / (hashlib.sha256(text.encode()).hexdigest()[:16] + ".cc")
    UNITS.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def project_files(source, build):
    """The hand-written files of a unit: the source itself, or what a batch includes."""
    if not source.is_relative_to(build):
        return (source.relative_to(ROOT),)
    members = re.findall(r'^#include "(.+\.cc)"$', source.read_text(), re.M)
    paths = [pathlib.Path(member) for member in members]
    return tuple(p.relative_to(ROOT) for p in paths if not p.is_relative_to(build))


class Headers:
    """Hashes of the project files that a file includes, directly or not."""

    def __init__(self, build):
        self.folders = [ROOT / "src", build / "gen", ROOT]
        self.direct = {}

    def includes(self, path):
        if path not in self.direct:
            text = path.read_bytes()
            found = []
            for name in INCLUDE.findall(text):
                for folder in [*self.folders, path.parent]:
                    header = folder / name.decode()
                    if header.is_file():
                        found.append(header)
                        break
            self.direct[path] = (hashlib.sha256(text).hexdigest(), found)
        return self.direct[path]

    def closure(self, paths):
        seen, todo = {}, list(paths)
        while todo:
            here = todo.pop()
            if here not in seen:
                digest, found = self.includes(here)
                seen[here] = digest
                todo += found
        return sorted((str(p.relative_to(ROOT)), digest) for p, digest in seen.items())


def is_test(path):
    return path.parts[0] != "src" or path.stem.endswith("_test")


def check(unit):
    """(passed, output) of one clang-tidy run."""
    # That a batch includes other files is what it is for.
    checks = TEST_CHECKS if unit.is_test() else "-bugprone-suspicious-include"
    command = [TIDY, "--quiet", f"--checks={checks}"]
    run = subprocess.run([*command, str(unit.source), "--", *unit.arguments], cwd=ROOT, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    lines = [l for l in run.stdout.splitlines() if not re.match(r"\d+ warnings?.* generated", l)]
    return run.returncode == 0, "\n".join(lines)


def stale_units(wanted, build):
    """{key: unit} of those that have not passed as they are now."""
    headers = Headers(build)
    config = (ROOT / ".clang-tidy").read_bytes() + TEST_CHECKS.encode()
    stale = {}
    for unit in wanted:
        files = [ROOT / path for path in unit.files]
        parts = json.dumps([unit.arguments, headers.closure(files)]).encode()
        key = hashlib.sha256(config + parts).hexdigest()
        if not (CACHE / key).exists():
            stale[key] = unit
    return stale


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="only these files")
    parser.add_argument("--product", action="store_true",
                        help="leave out the tests, which run under the sanitizers anyway")
    parser.add_argument("--preset", default="dev",
                        help="the build whose compile commands and generated headers are used")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    os.chdir(ROOT)
    CACHE.mkdir(parents=True, exist_ok=True)
    build = ROOT / "build" / options.preset
    named = {p.resolve().relative_to(ROOT) for p in options.files}
    ours = set(sources(".cc"))
    wanted = [u for u in units(build) if ours.intersection(u.files)
              and (not named or named.intersection(u.files))
              and not (options.product and u.is_test())]
    wanted = wanted if named else merged(wanted, build)
    stale = stale_units(wanted, build)
    started = time.monotonic()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {pool.submit(check, unit): key for key, unit in stale.items()}
        for job in concurrent.futures.as_completed(jobs):
            passed, output = job.result()
            if passed:
                (CACHE / jobs[job]).touch()
            else:
                failed += 1
                files = ", ".join(map(str, stale[jobs[job]].files))
                print(f"{files}: clang-tidy\n{output}", flush=True)
    print(f"clang-tidy: {sum(len(u.files) for u in wanted)} files in {len(wanted)} units, "
          f"{len(stale)} units checked in {time.monotonic() - started:.0f} s, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
