#pragma once
// What somebody sent to the demo's shop, read with care: each reading gives a value within its
// bounds, or says what is wrong with it.

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_message.h"

namespace falconer::app {

// Why somebody does not get what he asked for.
struct ShopRefusal {
  int status = 400;
  std::string heading;
  std::string text;
};

template <typename T>
using ShopResult = std::expected<T, ShopRefusal>;

std::unexpected<ShopRefusal> RefuseInShop(int status, std::string heading, std::string text);

// A number in decimal digits within the bounds, else 400.
ShopResult<std::int64_t> ReadShopNumber(std::string_view what, std::string_view text,
                                        std::int64_t least, std::int64_t most);

class ShopForm {
 public:
  // 415 for another type than that of forms, 400 for what is no text.
  static ShopResult<ShopForm> Parse(const net::HttpRequest& request);

  // "" for a field that is not there.
  std::string_view Text(std::string_view name) const;
  // What somebody wrote, without blanks around it: 422 when it is empty, too long or has control
  // characters.
  ShopResult<std::string> Line(std::string_view name, std::string_view label) const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace falconer::app
