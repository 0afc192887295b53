#pragma once
// SecretText: bytes that nobody may see. Held in one buffer that is wiped when it goes; cannot be
// copied by accident, printed, compared or turned into JSON. Reveal() is the one way to the bytes:
// grep for it to see who uses them.

#include <cstddef>
#include <memory>
#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace falconer::policy {

class SecretText {
 public:
  SecretText() = default;
  // A copy of the bytes; the caller wipes its own.
  explicit SecretText(std::string_view value);
  // Zeroes, to be written into.
  static SecretText OfSize(std::size_t size);
  SecretText(SecretText&& other) noexcept;
  SecretText& operator=(SecretText&& other) noexcept;
  SecretText(const SecretText&) = delete;
  SecretText& operator=(const SecretText&) = delete;
  ~SecretText();

  SecretText Copy() const { return SecretText(Reveal()); }
  // The bytes, as long as this object lives.
  std::string_view Reveal() const { return {bytes_.get(), size_}; }
  std::span<unsigned char> Writable();
  // Forgets what stands behind the first `size` bytes.
  void Shrink(std::size_t size);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  void Wipe() noexcept;

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

std::ostream& operator<<(std::ostream& out, const SecretText& secret) = delete;
void tag_invoke(const json::value_from_tag& tag, json::value& value,
                const SecretText& secret) = delete;

}  // namespace falconer::policy
