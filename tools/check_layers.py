#!/usr/bin/env python3
"""Fails when a file includes a folder that tools/layers.txt does not allow, or breaks a house rule.

Rules beside the table: tests are included only by tests; Beast, SSL and the whole of Asio stay in
net/; background work starts through TaskScope; every header begins with #pragma once.
"""
import re
import sys

from sources import ROOT, sources

HEAVY = re.compile(r"#\s*include <boost/(beast|asio/ssl|asio\.hpp)")
INCLUDE = re.compile(r'^\s*#\s*include "([a-z_]+)/')
BACKGROUND = re.compile(r"asio::detached|\bco_spawn\(")


def read_table():
    """{folder: folders it may include}; a line may name only lines above it."""
    allowed = {}
    for line in (ROOT / "tools/layers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            name, deps = line.split(":")
            unknown = set(deps.split()) - allowed.keys()
            if unknown:
                sys.exit(f"layers.txt: {name} lists {sorted(unknown)} above its own line")
            allowed[name] = {name, *deps.split()}
    return allowed


def check_line(text, layer, allowed, is_test):
    """The complaints about one line."""
    found = INCLUDE.match(text)
    if found and found[1] == "tests":
        if not is_test:
            yield "product code includes tests/"
    elif found and layer and found[1] in allowed and found[1] not in allowed[layer]:
        yield f"{layer}/ may not include {found[1]}/"
    if layer and layer != "net" and HEAVY.match(text):
        yield "only net/ may include this Boost header"
    if layer and layer not in ("base", "net") and not is_test and BACKGROUND.search(text):
        yield "start background work with TaskScope::Spawn"


def check_file(path, allowed):
    """Complaints about one file, as "path:line: what"."""
    layer = path.parts[1] if path.parts[0] == "src" else None
    if layer and layer not in allowed:
        return [f"{path}: folder {layer}/ is not in layers.txt"]
    is_test = layer is None or path.stem.endswith("_test")
    lines = (ROOT / path).read_text().splitlines()
    bad = []
    if path.suffix == ".h" and (not lines or lines[0] != "#pragma once"):
        bad.append(f"{path}:1: a header begins with #pragma once")
    for number, text in enumerate(lines, 1):
        bad += [f"{path}:{number}: {why}" for why in check_line(text, layer, allowed, is_test)]
    return bad


def main():
    allowed = read_table()
    bad = [complaint for path in sources() for complaint in check_file(path, allowed)]
    print("\n".join(bad) or "layers ok")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
