#!/usr/bin/env python3
"""Runs clang-tidy over the hand-written C++ files that changed since they last passed.

A file passes for a key: the contents of the file, of every project header it reaches, of .clang-tidy,
and its compile command. Keys that passed are files in build/tidy-cache, so a second run is instant.
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

from sources import ROOT, sources

TIDY = "clang-tidy-19"
CACHE = ROOT / "build/tidy-cache"
# The build whose compile commands and generated headers are used.
BUILD = ROOT / "build/dev"
# Tests get the checks that find dangling and forgotten things; the rest is style, expansion of
# GoogleTest's macros, or flow analysis that cannot see through its assertions. A test's body may take
# its fixture by reference: the fixture awaits it.
TEST_CHECKS = ("-*,bugprone-use-after-move,bugprone-dangling-handle,bugprone-unused-raii,"
               "bugprone-unused-return-value,cppcoreguidelines-avoid-capturing-lambda-coroutines,"
               "cppcoreguidelines-slicing,"
               "misc-coroutine-hostile-raii,readability-identifier-naming")
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.M)


def compile_commands():
    """The compile arguments of each file; the precompiled header saves a tenth of the time."""
    commands = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
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
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(ROOT):
            commands[path.relative_to(ROOT)] = [w for w in kept[1:] if w != entry["file"]]
    return commands


class Headers:
    """Hashes of the project files that a file includes, directly or not."""

    def __init__(self):
        self.folders = [ROOT / "src", BUILD / "gen", ROOT]
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

    def closure(self, path):
        seen, todo = {}, [path]
        while todo:
            here = todo.pop()
            if here not in seen:
                digest, found = self.includes(here)
                seen[here] = digest
                todo += found
        return sorted((str(p.relative_to(ROOT)), digest) for p, digest in seen.items())


def is_test(path):
    return path.parts[0] != "src" or path.stem.endswith("_test")


def check(path, arguments):
    """(path, passed, output) of one clang-tidy run."""
    command = [TIDY, "--quiet"]
    if is_test(path):
        command.append(f"--checks={TEST_CHECKS}")
    run = subprocess.run([*command, str(path), "--", *arguments], cwd=ROOT, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    lines = [l for l in run.stdout.splitlines() if not re.match(r"\d+ warnings?.* generated", l)]
    return path, run.returncode == 0, "\n".join(lines)


def stale_files(commands, wanted):
    """{key: path} of the files that have not passed as they are now."""
    headers = Headers()
    config = (ROOT / ".clang-tidy").read_bytes() + TEST_CHECKS.encode()
    stale = {}
    for path in wanted:
        parts = json.dumps([commands[path], headers.closure(ROOT / path)]).encode()
        key = hashlib.sha256(config + parts).hexdigest()
        if not (CACHE / key).exists():
            stale[key] = path
    return stale


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="only these files")
    parser.add_argument("--product", action="store_true",
                        help="leave out the tests, which run under the sanitizers anyway")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    os.chdir(ROOT)
    CACHE.mkdir(parents=True, exist_ok=True)
    commands = compile_commands()
    named = {p.resolve().relative_to(ROOT) for p in options.files}
    wanted = [p for p in sources(".cc") if p in commands and (not named or p in named)
              and not (options.product and is_test(p))]
    stale = stale_files(commands, wanted)
    started = time.monotonic()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {pool.submit(check, path, commands[path]): key for key, path in stale.items()}
        for job in concurrent.futures.as_completed(jobs):
            path, passed, output = job.result()
            if passed:
                (CACHE / jobs[job]).touch()
            else:
                failed += 1
                print(f"{path}: clang-tidy\n{output}", flush=True)
    print(f"clang-tidy: {len(wanted)} files, {len(stale)} checked in "
          f"{time.monotonic() - started:.0f} s, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
