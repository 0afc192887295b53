#pragma once
// Provenance: where a text comes from, and the marks that say so to a model. The marks carry a word
// that pages cannot know, so that no page can end its own mark.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json/json_reader.h"

namespace falconer::policy {

enum class TextOrigin : std::uint8_t { kPage, kNetwork, kTool, kCaller };

inline constexpr EnumName<TextOrigin> kTextOrigins[] = {
    {TextOrigin::kPage, "page"},
    {TextOrigin::kNetwork, "network"},
    {TextOrigin::kTool, "tool"},
    {TextOrigin::kCaller, "caller"},
};

struct Provenance {
  TextOrigin origin = TextOrigin::kPage;
  std::string site;  // "https://shop.example.com"
  std::string fid;   // the frame; "" for the main one

  // Only what the caller said itself may instruct.
  bool is_trusted() const { return origin == TextOrigin::kCaller; }
  // {"origin":"page","site":...,"trusted":false}
  json::object ToJson() const;
};

// The text with everything that looks like a mark made to look like none: "&lt;untrusted ...".
std::string WithoutMarks(std::string_view text);

// The text between marks: "<untrusted WORD from=page site=...>\n...\n</untrusted WORD>". `word` is
// random, new for each answer; where the text has it, it is taken out, and so are marks of its own.
// Trusted text stays as it is.
std::string MarkText(std::string_view text, const Provenance& provenance, std::string_view word);

}  // namespace falconer::policy
