#include "browser/context/artifact_mime.h"

#include <string>

#include <gtest/gtest.h>

namespace falconer::browser {
namespace {

struct Case {
  std::string_view head;
  std::string_view name;
  std::string_view mime;
};

using std::string_view_literals::operator""sv;

constexpr Case kCases[] = {
    {"\x89PNG\r\n\x1a\n....", "a.txt", "image/png"},
    {"\xff\xd8\xff\xe0", "photo", "image/jpeg"},
    {"RIFF\x10\x20\x30\x40WEBPVP8 ", "x", "image/webp"},
    {"%PDF-1.7\n", "report.docx", "application/pdf"},
    {"PK\x03\x04....", "a.zip", "application/zip"},
    {"PK\x03\x04....", "a.XLSX",
     "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {"PK\x03\x04....", "a.csv", "application/zip"},
    {"....ftypisom", "film", "video/mp4"},
    {"a,b\n1,2\n", "table.csv", "text/csv"},
    {"a,b\n1,2\n", "table.docx", "text/plain"},
    {"{\"a\": 1}", "a.json", "application/json"},
    {"  <!DOCTYPE html><title>x</title>", "harmless.csv", "text/html"},
    {"<script>alert(1)</script>", "a.txt", "text/html"},
    {"<?xml version='1.0'?><svg/>", "a.svg", "image/svg+xml"},
    {"<?xml version='1.0'?>", "a", "application/xml"},
    {"gr\xc3\xbc\xc3\x9f dich", "hallo", "text/plain"},
    {"\xff\xfe\x01\x02", "a.txt", "application/octet-stream"},
    {"a\0b"sv, "a.txt", "application/octet-stream"},
    {"", "a.txt", "application/octet-stream"},
};

TEST(ArtifactMimeTest, ContentDecidesAndTheNameOnlyRefines) {
  for (const Case& c : kCases) EXPECT_EQ(SniffMime(c.head, c.name), c.mime) << c.name;
}

TEST(ArtifactMimeTest, ACharacterCutAtTheEndOfTheHeadIsStillText) {
  const std::string head = std::string(kMimeHead - 1, 'a') + "\xc3\xbc";
  EXPECT_EQ(SniffMime(head, "a.md"), "text/markdown");
}

}  // namespace
}  // namespace falconer::browser
