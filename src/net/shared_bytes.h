#pragma once
// SharedBytes: bytes that several connections send at once. They are held once and copied for
// nobody.

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace falconer::net {

class SharedBytes {
 public:
  explicit SharedBytes(std::shared_ptr<const std::string> all)
      : all_(std::move(all)), part_(*all_) {}
  // From `begin` on.
  SharedBytes(std::shared_ptr<const std::string> all, std::size_t begin)
      : all_(std::move(all)), part_(std::string_view(*all_).substr(begin)) {}

  std::string_view view() const { return part_; }

 private:
  std::shared_ptr<const std::string> all_;
  std::string_view part_;
};

}  // namespace falconer::net
