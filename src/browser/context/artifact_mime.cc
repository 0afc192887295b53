#include "browser/context/artifact_mime.h"

#include <cstdint>
#include <span>
#include <string>

#include "base/text.h"
#include "base/utf8.h"

namespace falconer::browser {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kUnknown = "application/octet-stream";
constexpr std::string_view kZip = "application/zip";
constexpr std::size_t kLongestCharacter = 4;

struct Magic {
  std::size_t at;
  std::string_view bytes;
  std::string_view mime;
};

constexpr Magic kMagic[] = {
    {0, "\x89PNG\r\n\x1a\n", "image/png"},
    {0, "\xff\xd8\xff", "image/jpeg"},
    {0, "GIF87a", "image/gif"},
    {0, "GIF89a", "image/gif"},
    {8, "WEBP", "image/webp"},
    {8, "WAVE", "audio/wav"},
    {0, "BM", "image/bmp"},
    {0, "II*\0"sv, "image/tiff"},
    {0, "MM\0*"sv, "image/tiff"},
    {0, "%PDF-", "application/pdf"},
    {0, "PK\x03\x04", kZip},
    {0, "PK\x05\x06", kZip},
    {0, "\x1f\x8b", "application/gzip"},
    {0, "7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"},
    {0, "Rar!\x1a\x07", "application/vnd.rar"},
    {0, "\x28\xb5\x2f\xfd", "application/zstd"},
    {4, "ftyp", "video/mp4"},
    {0, "\x1a\x45\xdf\xa3", "video/webm"},
    {0, "ID3", "audio/mpeg"},
    {0, "OggS", "audio/ogg"},
    {0, "\0asm"sv, "application/wasm"},
    {0,
     "\x7f"
     "ELF",
     "application/x-elf"},
    {0, "MZ", "application/vnd.microsoft.portable-executable"},
    {0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"},
    {0, "SQLite format 3\0"sv, "application/vnd.sqlite3"},
};

enum class Within : std::uint8_t { kZip, kText };

// What a name may say about content that is only known to be an archive or text.
struct Ending {
  std::string_view ending;
  Within within;
  std::string_view mime;
};

constexpr Ending kEndings[] = {
    {".docx", Within::kZip,
     "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    {".xlsx", Within::kZip, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {".pptx", Within::kZip,
     "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    {".odt", Within::kZip, "application/vnd.oasis.opendocument.text"},
    {".ods", Within::kZip, "application/vnd.oasis.opendocument.spreadsheet"},
    {".epub", Within::kZip, "application/epub+zip"},
    {".jar", Within::kZip, "application/java-archive"},
    {".csv", Within::kText, "text/csv"},
    {".tsv", Within::kText, "text/tab-separated-values"},
    {".json", Within::kText, "application/json"},
    {".jsonl", Within::kText, "application/jsonl"},
    {".md", Within::kText, "text/markdown"},
    {".htm", Within::kText, "text/html"},
    {".html", Within::kText, "text/html"},
    {".css", Within::kText, "text/css"},
    {".js", Within::kText, "text/javascript"},
    {".mjs", Within::kText, "text/javascript"},
    {".xml", Within::kText, "application/xml"},
    {".svg", Within::kText, "image/svg+xml"},
    {".yaml", Within::kText, "application/yaml"},
    {".yml", Within::kText, "application/yaml"},
    {".ics", Within::kText, "text/calendar"},
    {".eml", Within::kText, "message/rfc822"},
};

// How documents begin that browsers would run whatever their name says.
constexpr Magic kMarkup[] = {
    {0, "<!doctype html", "text/html"}, {0, "<html", "text/html"},
    {0, "<script", "text/html"},        {0, "<svg", "image/svg+xml"},
    {0, "<?xml", "application/xml"},
};

// The beginning may end in the middle of a character.
bool IsText(std::string_view head) {
  if (head.contains('\0')) return false;
  for (std::size_t cut = 0; cut < kLongestCharacter && cut <= head.size(); ++cut) {
    if (IsValidUtf8(head.substr(0, head.size() - cut))) return true;
    if (head.size() < kMimeHead) return false;
  }
  return false;
}

std::string_view ByEnding(std::string_view name, Within within, std::string_view otherwise) {
  const std::string lower = ToLower(name);
  for (const Ending& row : kEndings) {
    if (row.within == within && lower.ends_with(row.ending)) return row.mime;
  }
  return otherwise;
}

std::string_view ByMagic(std::string_view head, std::span<const Magic> table) {
  for (const Magic& row : table) {
    if (head.size() > row.at && head.substr(row.at).starts_with(row.bytes)) return row.mime;
  }
  return {};
}

std::string_view MimeOfText(std::string_view head, std::string_view name) {
  const auto first = head.find_first_not_of(" \t\r\n");
  const std::string start = first == std::string_view::npos ? "" : ToLower(head.substr(first, 32));
  const std::string_view markup = ByMagic(start, kMarkup);
  if (markup == "text/html") return markup;
  return ByEnding(name, Within::kText, markup.empty() ? "text/plain" : markup);
}

}  // namespace

std::string_view SniffMime(std::string_view head, std::string_view name) {
  head = head.substr(0, kMimeHead);
  const std::string_view magic = ByMagic(head, kMagic);
  if (magic == kZip) return ByEnding(name, Within::kZip, kZip);
  if (!magic.empty()) return magic;
  return !head.empty() && IsText(head) ? MimeOfText(head, name) : kUnknown;
}

}  // namespace falconer::browser
