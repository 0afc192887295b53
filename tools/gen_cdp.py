#!/usr/bin/env python3
"""Generates the typed protocol (protocol.h, protocol.cc) from src/cdp/protocol.txt: gen_cdp.py ROWS OUTDIR."""
import pathlib
import re
import sys

BASIC = {"string": "std::string", "int": "std::int64_t", "number": "double", "bool": "bool",
         "any": "json::value", "object": "json::object"}
CLASSES = {"browser": "kBrowser", "renderer": "kRenderer", "input": "kInput"}
EFFECTS = {"acts": "true", "upkeep": "false"}


def snake(name):
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def struct_name(method):
    domain, name = method.split(".")
    return domain + name[0].upper() + name[1:]


def cpp_type(kind, optional):
    if kind.endswith("[]"):
        inner = f"std::vector<{cpp_type(kind[:-2], False)}>"
    else:
        inner = BASIC.get(kind, kind)
    return f"std::optional<{inner}>" if optional else inner


def parse_fields(words, line_number):
    fields = []
    for word in words:
        if ":" not in word:
            sys.exit(f"protocol.txt:{line_number}: '{word}' is not name:type")
        name, kind = word.split(":")
        fields.append((name.rstrip("?"), kind, name.endswith("?")))
    return fields


def parse(path):
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "type":
            rows.append(("type", words[1], parse_fields(words[2:], number), None, None, None))
        elif words[0] == "event":
            rows.append(("event", words[1], parse_fields(words[2:], number), None, None, None))
        elif words[0] == "command":
            if words[1] not in CLASSES:
                sys.exit(f"protocol.txt:{number}: unknown class {words[1]}")
            if words[2] not in EFFECTS:
                sys.exit(f"protocol.txt:{number}: '{words[2]}' is neither acts nor upkeep")
            split = words.index("->") if "->" in words else len(words)
            rows.append(("command", words[3], parse_fields(words[4:split], number),
                         parse_fields(words[split + 1:], number), CLASSES[words[1]], EFFECTS[words[2]]))
        else:
            sys.exit(f"protocol.txt:{number}: unknown row kind {words[0]}")
    return rows


def members(fields, indent):
    lines = []
    for name, kind, optional in fields:
        init = "" if optional or kind.endswith("[]") or kind not in ("int", "number", "bool") else "{}"
        lines.append(f"{indent}{cpp_type(kind, optional)} {snake(name)}{init};")
    return lines


def header(rows):
    out = ["#pragma once", "// Generated from src/cdp/protocol.txt by tools/gen_cdp.py.", "",
           '#include "cdp/wire.h"', "", "namespace falconer::cdp {", ""]
    readers, writers = [], []
    for kind, name, fields, reply, cls, acts in rows:
        struct = name if kind == "type" else struct_name(name)
        out.append(f"struct {struct} {{")
        if kind != "type":
            out.append(f'  static constexpr std::string_view kMethod = "{name}";')
        if kind == "command":
            out.append(f"  static constexpr CommandClass kClass = CommandClass::{cls};")
            out.append(f"  static constexpr bool kActs = {acts};")
            out.append("  struct Reply {")
            out.extend(members(reply, "    "))
            out.append("  };")
            readers.append(f"{struct}::Reply")
            writers.append(struct)
        elif kind == "event":
            readers.append(struct)
        else:
            readers.append(struct)
            writers.append(struct)
        out.extend(members(fields, "  "))
        out.append("};")
        out.append("")
    out.extend(f"void Write(json::object& out, const {t}& value);" for t in writers)
    out.extend(f"void Read(Reader& in, {t}& value);" for t in readers)
    out.extend(["", "}  // namespace falconer::cdp", ""])
    return "\n".join(out)


def body(rows):
    out = ['#include "cdp/protocol.h"', "", '#include "cdp/wire_fields.h"', "", "namespace falconer::cdp {", ""]

    def reader(struct, fields):
        named = "value" if fields else "/*value*/"
        used = "in" if fields else "/*in*/"
        out.append(f"void Read(Reader& {used}, {struct}& {named}) {{")
        out.extend(f'  Get(in, "{n}", value.{snake(n)});' for n, _, _ in fields)
        out.append("}")

    def writer(struct, fields):
        named = "value" if fields else "/*value*/"
        used = "out" if fields else "/*out*/"
        out.append(f"void Write(json::object& {used}, const {struct}& {named}) {{")
        out.extend(f'  Put(out, "{n}", value.{snake(n)});' for n, _, _ in fields)
        out.append("}")

    for kind, name, fields, reply, _, _ in rows:
        struct = name if kind == "type" else struct_name(name)
        if kind in ("type", "command"):
            writer(struct, fields)
        if kind in ("type", "event"):
            reader(struct, fields)
        if kind == "command":
            reader(f"{struct}::Reply", reply)
    out.extend(["", "}  // namespace falconer::cdp", ""])
    return "\n".join(out)


def main():
    rows = parse(pathlib.Path(sys.argv[1]))
    outdir = pathlib.Path(sys.argv[2])
    outdir.mkdir(parents=True, exist_ok=True)
    (outdir / "protocol.h").write_text(header(rows))
    (outdir / "protocol.cc").write_text(body(rows))


main()
