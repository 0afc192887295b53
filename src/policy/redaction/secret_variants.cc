#include "policy/redaction/secret_variants.h"

#include <algorithm>
#include <cstdint>

#include "base/base64.h"
#include "base/json/json.h"
#include "base/percent.h"

namespace falconer::policy {
namespace {

std::string HexOf(std::string_view value, HexCase letters) {
  std::string out;
  for (const char c : value) out += HexOfByte(static_cast<std::uint8_t>(c), letters);
  return out;
}

std::string InJson(std::string_view value) {
  const std::string quoted = json::serialize(json::value(value));
  return quoted.substr(1, quoted.size() - 2);
}

std::string Replaced(std::string_view value, std::string_view what, std::string_view with) {
  std::string out;
  while (true) {
    const std::size_t at = value.find(what);
    out += value.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += with;
    value.remove_prefix(at + what.size());
  }
}

// What JavaScript's escape for ASCII output writes.
std::string InAsciiJson(std::string_view value, HexCase letters) {
  const std::string escaped = InJson(value);
  std::string out;
  for (std::size_t i = 0; i < escaped.size();) {
    const auto lead = static_cast<unsigned char>(escaped[i]);
    if (lead < 0x80) {
      out += escaped[i++];
      continue;
    }
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    std::uint32_t point = lead & (0xFFU >> (size + 1));
    for (std::size_t k = 1; k < size && i + k < escaped.size(); ++k) {
      point = point << 6U | (static_cast<unsigned char>(escaped[i + k]) & 63U);
    }
    i += size;
    const auto unit = [&](std::uint32_t code) {
      out += "\\u" + HexOfByte(static_cast<std::uint8_t>(code >> 8U), letters) +
             HexOfByte(static_cast<std::uint8_t>(code & 255U), letters);
    };
    if (point >= 0x10000) {
      unit(0xD800 + ((point - 0x10000) >> 10U));
      unit(0xDC00 + ((point - 0x10000) & 0x3FFU));
    } else {
      unit(point);
    }
  }
  return out;
}

std::string InHtml(std::string_view value, std::string_view quote, std::string_view apostrophe) {
  std::string out = Replaced(value, "&", "&amp;");
  out = Replaced(out, "<", "&lt;");
  out = Replaced(out, ">", "&gt;");
  out = Replaced(out, "\"", quote);
  return Replaced(out, "'", apostrophe);
}

std::string ForUrl(std::string text) {
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

// The characters that only this value decides when `before` bytes of a group stand in front of it.
std::string InBase64(std::string_view value, std::size_t before) {
  const std::string whole = EncodeBase64(std::string(before, '\0') + std::string(value));
  const std::size_t bits = 8 * (before + value.size());
  const std::size_t first = (8 * before + 5) / 6;
  return whole.substr(first, bits / 6 - first);
}

class VariantList {
 public:
  void Add(std::string text) {
    if (text.size() < kShortestSearched) return;
    if (std::ranges::find(texts_, text) == texts_.end()) texts_.push_back(std::move(text));
  }
  std::vector<std::string> Take() { return std::move(texts_); }

 private:
  std::vector<std::string> texts_;
};

void AddEscapes(std::string_view value, VariantList& list) {
  constexpr std::string_view kKept[] = {"-_.~", "-_.", "-_.!~*'()", "-_.*", "-_.~/:@!$'()*,;"};
  for (const HexCase letters : {HexCase::kUpper, HexCase::kLower}) {
    for (const std::string_view kept : kKept) {
      list.Add(PercentEncoded(value, {kept, letters, SpaceForm::kEscape}));
      list.Add(PercentEncoded(value, {kept, letters, SpaceForm::kPlus}));
    }
    const std::string once = PercentEncoded(value, {.letters = letters});
    list.Add(PercentEncoded(once, {.letters = letters}));
  }
}

// As browsers write addresses: they escape only what each part of one must not hold.
void AddAddresses(std::string_view value, VariantList& list) {
  constexpr std::string_view kEscaped[] = {" \"<>`", " \"#<>", " \"#<>'", " \"#<>?^`{}"};
  for (const std::string_view escaped : kEscaped) {
    std::string kept;
    for (char c = '!'; c <= '~'; ++c) {
      if (!escaped.contains(c)) kept += c;
    }
    list.Add(PercentEncoded(value, {.kept = kept}));
  }
}

// As pages show texts: runs of white space are one space, and there is none at the ends.
std::string Collapsed(std::string_view value) {
  std::string out;
  for (const char c : value) {
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_space) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

void AddJson(std::string_view value, VariantList& list) {
  const std::string once = InJson(value);
  list.Add(once);
  list.Add(Replaced(once, "/", "\\/"));
  list.Add(InJson(once));
  list.Add(InAsciiJson(value, HexCase::kLower));
  list.Add(InAsciiJson(value, HexCase::kUpper));
}

}  // namespace

std::vector<std::string> VariantsOf(std::string_view value) {
  VariantList list;
  list.Add(std::string(value));
  if (value.size() < kShortestSearched) return list.Take();
  AddEscapes(value, list);
  AddAddresses(value, list);
  AddJson(value, list);
  list.Add(InHtml(value, "&quot;", "&#39;"));
  list.Add(InHtml(value, "&#34;", "&#x27;"));
  list.Add(InHtml(value, "&quot;", "&apos;"));
  list.Add(InHtml(value, "\"", "'"));
  list.Add(Collapsed(value));
  list.Add(InJson(Collapsed(value)));
  list.Add(HexOf(value, HexCase::kLower));
  list.Add(HexOf(value, HexCase::kUpper));
  // The pieces of short values are too short to mean anything.
  for (std::size_t before = 0; before < 3 && value.size() >= 6; ++before) {
    list.Add(InBase64(value, before));
    list.Add(ForUrl(InBase64(value, before)));
  }
  return list.Take();
}

}  // namespace falconer::policy
