#!/usr/bin/env python3
"""Embeds the files of a folder as a table: embed_files.py FOLDER OUTPUT.

Each row has the name, the type, an ETag made of the content, the bytes, and the bytes packed by gzip. The
same files always give the same output.
"""
import gzip
import hashlib
import pathlib
import sys

TYPES = {".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
         ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


def array(name, data):
    return f"constexpr unsigned char {name}[] = {{{','.join(map(str, data))}}};\n"


def main():
    folder, output = map(pathlib.Path, sys.argv[1:])
    arrays, rows = "", ""
    for number, path in enumerate(sorted(folder.iterdir())):
        data = path.read_bytes()
        arrays += array(f"kPlain{number}", data)
        arrays += array(f"kPacked{number}", gzip.compress(data, 9, mtime=0))
        tag = f'W/\\"{hashlib.sha256(data).hexdigest()[:32]}\\"'
        rows += (f'    {{"{path.name}", "{TYPES[path.suffix]}", "{tag}",\n'
                 f"     ConsoleBytes(kPlain{number}), ConsoleBytes(kPacked{number})}},\n")
    output.write_text(
        '#include "api/http/console_files.h"\n\nnamespace falconer::api {\nnamespace {\n\n'
        "template <std::size_t N>\nstd::string_view ConsoleBytes(const unsigned char (&bytes)[N]) {\n"
        "  return {reinterpret_cast<const char*>(bytes), N};\n}\n\n"
        f"{arrays}\nconst ConsoleFile kConsoleFiles[] = {{\n{rows}}};\n\n}}  // namespace\n\n"
        "std::span<const ConsoleFile> ConsoleFiles() {\n  return kConsoleFiles;\n}\n\n"
        "}  // namespace falconer::api\n")


if __name__ == "__main__":
    main()
