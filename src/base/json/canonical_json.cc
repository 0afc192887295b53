#include "base/json/canonical_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <fmt/format.h>
#include <vector>

#include "base/utf8.h"

namespace falconer {
namespace {

// The order of UTF-16 code units, on UTF-8: byte order, except that what UTF-16 writes with
// surrogates (lead bytes F0 and up) comes before U+E000 to U+FFFF (lead bytes EE and EF).
unsigned Utf16Rank(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0xF0) return byte - 2U;
  return byte >= 0xEE ? byte + 16U : byte;
}

bool Utf16Less(std::string_view a, std::string_view b) {
  const auto [x, y] = std::ranges::mismatch(a, b);
  if (y == b.end()) return false;
  return x == a.end() || Utf16Rank(*x) < Utf16Rank(*y);
}

// The digits of the shortest decimal that reads back as `number` (positive), and where its point
// stands: 0.DIGITS times ten to the power of `point`.
struct Decimal {
  std::string digits;
  int point = 0;
};

Decimal ShortestDecimal(double number) {
  char buffer[32];
  const auto end =
      std::to_chars(std::begin(buffer), std::end(buffer), number, std::chars_format::scientific)
          .ptr;
  const std::string_view text(buffer, end);
  const std::size_t e = text.find('e');
  Decimal out;
  std::ranges::copy_if(text.substr(0, e), std::back_inserter(out.digits),
                       [](char c) { return c != '.'; });
  const std::size_t exponent = e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + exponent, end, out.point);
  ++out.point;
  return out;
}

std::string Zeros(int count) {
  return std::string(static_cast<std::size_t>(count), '0');
}

class CanonicalWriter {
 public:
  // False when a part cannot be written; `failure` then says where and why.
  bool Write(const json::value& value, std::size_t depth = 0);

  std::string text() && { return std::move(out_); }
  std::string failure() const { return path_.empty() ? why_ : path_.substr(1) + ": " + why_; }

 private:
  bool Refuse(std::string_view why) {
    why_ = why;
    return false;
  }
  // Names the place of a failure while coming back up from it.
  bool In(const std::string& place) {
    path_.insert(0, place);
    return false;
  }
  bool WriteNumber(double number);
  template <std::integral T>
  bool WriteWhole(T number);
  bool WriteString(std::string_view text);
  void WriteEscaped(char c);
  bool WriteArray(const json::array& array, std::size_t depth);
  bool WriteObject(const json::object& object, std::size_t depth);

  std::string out_;
  std::string path_;
  std::string why_;
};

bool CanonicalWriter::Write(const json::value& value, std::size_t depth) {
  if (depth > kMaxJsonDepth) return Refuse("nested too deep");
  switch (value.kind()) {
    case json::kind::null:
      out_ += "null";
      return true;
    case json::kind::bool_:
      out_ += value.get_bool() ? "true" : "false";
      return true;
    case json::kind::int64:
      return WriteWhole(value.get_int64());
    case json::kind::uint64:
      return WriteWhole(value.get_uint64());
    case json::kind::double_:
      return WriteNumber(value.get_double());
    case json::kind::string:
      return WriteString(value.get_string());
    case json::kind::array:
      return WriteArray(value.get_array(), depth);
    case json::kind::object:
      return WriteObject(value.get_object(), depth);
  }
  std::unreachable();
}

bool CanonicalWriter::WriteNumber(double number) {
  if (!std::isfinite(number)) return Refuse("the number is not finite");
  out_ += EcmaNumber(number);
  return true;
}

template <std::integral T>
bool CanonicalWriter::WriteWhole(T number) {
  // Rounding silently would give two values one text. 2^64 itself is out of T's range.
  const auto rounded = static_cast<double>(number);
  constexpr double kBeyond = 18446744073709551616.0;
  const bool is_exact = rounded < (std::signed_integral<T> ? kBeyond / 2 : kBeyond) &&
                        static_cast<T>(rounded) == number;
  if (!is_exact) return Refuse("the whole number is not exact as a double");
  return WriteNumber(rounded);
}

void CanonicalWriter::WriteEscaped(char c) {
  constexpr std::string_view kShort = "\b\t\n\f\r\"\\";
  constexpr std::string_view kLetters = "btnfr\"\\";
  const std::size_t i = kShort.find(c);
  if (i != std::string_view::npos) {
    out_ += {'\\', kLetters[i]};
  } else if (static_cast<unsigned char>(c) < 0x20) {
    out_ += fmt::format("\\u{:04x}", c);
  } else {
    out_ += c;
  }
}

bool CanonicalWriter::WriteString(std::string_view text) {
  if (!IsValidUtf8(text)) return Refuse("the string is not valid UTF-8");
  out_ += '"';
  for (const char c : text) WriteEscaped(c);
  out_ += '"';
  return true;
}

bool CanonicalWriter::WriteArray(const json::array& array, std::size_t depth) {
  out_ += '[';
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (i > 0) out_ += ',';
    if (!Write(array[i], depth + 1)) return In(fmt::format(".[{}]", i));
  }
  out_ += ']';
  return true;
}

bool CanonicalWriter::WriteObject(const json::object& object, std::size_t depth) {
  std::vector<const json::key_value_pair*> members;
  members.reserve(object.size());
  for (const json::key_value_pair& member : object) members.push_back(&member);
  std::ranges::sort(members,
                    [](const auto* a, const auto* b) { return Utf16Less(a->key(), b->key()); });
  out_ += '{';
  for (const json::key_value_pair* member : members) {
    if (out_.back() != '{') out_ += ',';
    if (!WriteString(member->key())) return false;
    out_ += ':';
    if (!Write(member->value(), depth + 1)) return In("." + std::string(member->key()));
  }
  out_ += '}';
  return true;
}

}  // namespace

std::string EcmaNumber(double number) {
  if (number == 0) return "0";
  if (number < 0) return "-" + EcmaNumber(-number);
  const auto [digits, point] = ShortestDecimal(number);
  const int count = static_cast<int>(digits.size());
  if (count <= point && point <= 21) return digits + Zeros(point - count);
  if (0 < point && point <= 21)
    return fmt::format("{}.{}", digits.substr(0, static_cast<std::size_t>(point)),
                       digits.substr(static_cast<std::size_t>(point)));
  if (-6 < point && point <= 0) return "0." + Zeros(-point) + digits;
  const std::string fraction = count == 1 ? "" : "." + digits.substr(1);
  return fmt::format("{}{}e{:+}", digits[0], fraction, point - 1);
}

Result<std::string> CanonicalJson(const json::value& value) {
  CanonicalWriter writer;
  if (writer.Write(value)) return std::move(writer).text();
  return Fail(ErrorCode::kInvalidArgument, "canonical JSON: " + writer.failure());
}

Result<std::string> CanonicalizeJson(std::string_view text) {
  TRY_ASSIGN(const json::value value, ParseJson(text));
  return CanonicalJson(value);
}

}  // namespace falconer
