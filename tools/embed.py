#!/usr/bin/env python3
"""Embeds a text file as a string_view function: embed.py FILE NAMESPACE FUNCTION HEADER OUTPUT."""
import pathlib
import sys

source, namespace, function, header, output = sys.argv[1:]
text = pathlib.Path(source).read_bytes()
# Raw string literals are limited to 64 KiB by some compilers and cannot hold arbitrary bytes; numbers can.
numbers = ",".join(map(str, text))
pathlib.Path(output).write_text(
    f'#include "{header}"\n\n'
    f"namespace {namespace} {{\nnamespace {{\n"
    f"constexpr unsigned char kBytesOf{function}[] = {{{numbers}}};\n}}  // namespace\n\n"
    f"std::string_view {function}() {{\n"
    f"  return {{reinterpret_cast<const char*>(kBytesOf{function}), sizeof(kBytesOf{function})}};\n}}\n\n"
    f"}}  // namespace {namespace}\n")
