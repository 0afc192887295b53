#include "policy/body/loose_json.h"

#include <algorithm>

#include "base/hex.h"
#include "base/text.h"
#include "base/utf8.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kQuotes = "\"'`";
constexpr std::size_t kEscapeLength = 6;
constexpr std::size_t kMaxLooseValue = 4096;  // bytes

bool IsLooseNameByte(char c) {
  return IsLetterOrDigit(c) || std::string_view("_-$.[]").contains(c) ||
         static_cast<unsigned char>(c) >= 0x80;
}

// "\u0061" as the letter it stands for; other escapes stay.
std::string WithPlainLetters(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    const bool is_escape = rest.starts_with("\\u00") && rest.size() >= kEscapeLength;
    const std::optional<std::uint8_t> byte = is_escape ? ByteOfHex(rest.substr(4)) : std::nullopt;
    if (byte && *byte < 0x80) {
      out += static_cast<char>(*byte);
      at += kEscapeLength - 1;
    } else {
      out += text[at];
    }
  }
  return out;
}

std::string WithoutComments(std::string_view text) {
  std::string out;
  for (std::size_t begin = text.find("/*"); begin != text.npos; begin = text.find("/*")) {
    out += text.substr(0, begin);
    const std::size_t end = text.find("*/", begin + 2);
    text = end == text.npos ? std::string_view() : text.substr(end + 2);
  }
  return out + std::string(text);
}

// The name that ends before the colon.
std::string_view LooseNameBefore(std::string_view text) {
  while (!text.empty() && (kBlanks.contains(text.back()) || kQuotes.contains(text.back()))) {
    text.remove_suffix(1);
  }
  std::size_t begin = text.size();
  while (begin > 0 && IsLooseNameByte(text[begin - 1])) --begin;
  return text.substr(begin);
}

// Of an escape what it stands for.
char Unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

std::string LooseValue(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  if (text.empty() || !kQuotes.contains(text.front())) {
    return std::string(text.substr(0, text.find_first_of(",}]\r\n")));
  }
  std::string out;
  for (std::size_t at = 1; at < text.size() && text[at] != text.front(); ++at) {
    const bool is_escape = text[at] == '\\' && at + 1 < text.size();
    out += is_escape ? Unescaped(text[++at]) : text[at];
  }
  return out;
}

void AddPairs(std::string_view text, std::vector<BodyField>& out) {
  for (std::size_t colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
    if (out.size() == kMaxBodyFields) return;
    const std::string_view name = LooseNameBefore(text.substr(0, colon));
    if (name.empty()) continue;
    out.push_back({.name = MendedUtf8(std::string(name)),
                   .value = MendedUtf8(LooseValue(text.substr(colon + 1, kMaxLooseValue)))});
  }
}

}  // namespace

std::vector<BodyField> ReadLooseJson(std::string_view text) {
  std::vector<BodyField> fields;
  const std::string plain = WithPlainLetters(text);
  AddPairs(plain, fields);
  if (plain.contains("/*")) AddPairs(WithoutComments(plain), fields);
  return fields;
}

}  // namespace falconer::policy
