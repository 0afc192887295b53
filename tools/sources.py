#!/usr/bin/env python3
"""Prints the hand-written C++ files, one per line; `sources.py .cc` prints those with that ending."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "bench")


def sources(*endings):
    """Hand-written C++ files, relative to the root, sorted."""
    found = []
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (endings or (".h", ".cc")) and "node_modules" not in path.parts:
                found.append(path.relative_to(ROOT))
    return sorted(found)


if __name__ == "__main__":
    print("\n".join(map(str, sources(*sys.argv[1:]))))
