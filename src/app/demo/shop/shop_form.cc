#include "app/demo/shop/shop_form.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"

namespace falconer::app {
namespace {

constexpr std::string_view kFormType = "application/x-www-form-urlencoded";
constexpr std::size_t kMostFields = 32;
constexpr std::size_t kLongestLine = 100;

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
}

}  // namespace

std::unexpected<ShopRefusal> RefuseInShop(int status, std::string heading, std::string text) {
  return std::unexpected(ShopRefusal{status, std::move(heading), std::move(text)});
}

ShopResult<std::int64_t> ReadShopNumber(std::string_view what, std::string_view text,
                                        std::int64_t least, std::int64_t most) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  const bool is_number = read.ec == std::errc() && read.ptr == end;
  if (is_number && number >= least && number <= most) return number;
  return RefuseInShop(400, "That is no number we know",
                      fmt::format("{} must be a whole number from {} to {}.", what, least, most));
}

ShopResult<ShopForm> ShopForm::Parse(const net::HttpRequest& request) {
  const std::string_view type = request.headers.Find("Content-Type").value_or("");
  if (ToLower(Trim(type.substr(0, type.find(';')))) != kFormType)
    return RefuseInShop(415, "We only read forms", "Send it as " + std::string(kFormType) + ".");
  ShopForm form;
  form.fields_ = net::QueryPairs(request.body);
  const bool is_text = std::ranges::all_of(form.fields_, [](const auto& field) {
    return IsValidUtf8(field.first) && IsValidUtf8(field.second);
  });
  if (!is_text || form.fields_.size() > kMostFields)
    return RefuseInShop(400, "We cannot read that", "The form is no text, or has too many fields.");
  return form;
}

std::string_view ShopForm::Text(std::string_view name) const {
  const auto found = std::ranges::find(
      fields_, name, [](const auto& field) -> const auto& { return field.first; });
  return found == fields_.end() ? std::string_view() : std::string_view(found->second);
}

ShopResult<std::string> ShopForm::Line(std::string_view name, std::string_view label) const {
  const std::string_view line = Trim(Text(name));
  if (line.empty())
    return RefuseInShop(422, "Something is missing", fmt::format("{} is missing.", label));
  if (line.size() > kLongestLine || std::ranges::any_of(line, IsControl)) {
    return RefuseInShop(
        422, "We cannot take that",
        fmt::format("{} must be one line of at most {} characters.", label, kLongestLine));
  }
  return std::string(line);
}

}  // namespace falconer::app
