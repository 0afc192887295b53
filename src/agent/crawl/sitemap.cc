#include "agent/crawl/sitemap.h"

#include <algorithm>
#include <optional>
#include <zlib.h>

#include "base/text.h"
#include "model/url.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kIndexTag = "<sitemapindex";
constexpr std::string_view kPlaceTag = "<loc>";
constexpr std::string_view kPlaceEnd = "</loc>";
constexpr std::string_view kVerbatim = "<![CDATA[";
constexpr std::string_view kVerbatimEnd = "]]>";
constexpr std::string_view kPackedMark = "\x1f\x8b";
// Tells zlib to expect the head of a gzip file.
constexpr int kGzipWindow = 15 + 16;
constexpr std::size_t kUnpackPiece = 1UZ << 16U;

struct XmlEntity {
  std::string_view written;
  char meant;
};
constexpr XmlEntity kXmlEntities[] = {{"&amp;", '&'},  {"&lt;", '<'},    {"&gt;", '>'},
                                      {"&quot;", '"'}, {"&apos;", '\''}, {"&#38;", '&'},
                                      {"&#x26;", '&'}};

std::string WithoutEntities(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto* const known = std::ranges::find_if(
        kXmlEntities, [text](const XmlEntity& row) { return text.starts_with(row.written); });
    const bool is_known = known != std::end(kXmlEntities);
    out += is_known ? known->meant : text.front();
    text.remove_prefix(is_known ? known->written.size() : 1);
  }
  return out;
}

std::string SitemapPlace(std::string_view written) {
  written = Trim(written);
  if (!written.starts_with(kVerbatim)) return WithoutEntities(written);
  written.remove_prefix(kVerbatim.size());
  return std::string(Trim(written.substr(0, written.find(kVerbatimEnd))));
}

void NotePlace(std::string url, Sitemap& map) {
  const bool is_page = model::CheckWebUrl(url).has_value() && url != model::kBlankUrl;
  if (!is_page) return;
  if (map.urls.size() >= kMostSitemapUrls) {
    map.is_truncated = true;
  } else {
    map.urls.push_back(std::move(url));
  }
}

Sitemap SitemapFromLines(std::string_view text) {
  Sitemap map;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    NotePlace(std::string(Trim(text.substr(0, end))), map);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return map;
}

}  // namespace

Sitemap ParseSitemap(std::string_view text) {
  if (!text.contains('<')) return SitemapFromLines(text);
  Sitemap map{.is_index = text.contains(kIndexTag), .urls = {}};
  for (;;) {
    const std::size_t begin = text.find(kPlaceTag);
    if (begin == text.npos) return map;
    text.remove_prefix(begin + kPlaceTag.size());
    const std::size_t end = text.find(kPlaceEnd);
    // The last one was cut off with the file.
    if (end == text.npos) return map;
    NotePlace(SitemapPlace(text.substr(0, end)), map);
    text.remove_prefix(end + kPlaceEnd.size());
  }
}

bool IsPacked(std::string_view bytes) {
  return bytes.starts_with(kPackedMark);
}

Result<std::string> Unpacked(std::string_view bytes) {
  z_stream stream{};
  // The library reads through a pointer that is not const, and writes nothing.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  if (inflateInit2(&stream, kGzipWindow) != Z_OK)
    return Fail(ErrorCode::kInternalError, "gzip cannot be read here");
  std::string out;
  int state = Z_OK;
  while (state == Z_OK && out.size() <= kMostSitemapBytes) {
    const std::size_t had = out.size();
    out.resize(had + kUnpackPiece);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + had);
    stream.avail_out = static_cast<uInt>(kUnpackPiece);
    state = inflate(&stream, Z_NO_FLUSH);
    out.resize(had + kUnpackPiece - stream.avail_out);
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END)
    return Fail(ErrorCode::kActionExecutionFailed, "the packed sitemap is damaged or too large");
  return out;
}

}  // namespace falconer::agent
