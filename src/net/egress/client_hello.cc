#include "net/egress/client_hello.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace falconer::net {
namespace {

constexpr unsigned kHandshakeRecord = 0x16;
constexpr unsigned kClientHello = 0x01;
constexpr unsigned kServerNameExtension = 0;
constexpr unsigned kHostName = 0;
constexpr std::size_t kRecordHead = 5;
constexpr std::size_t kMessageHead = 4;

// Reads big-endian numbers and vectors; after the first thing that is not there it stays empty.
class TlsCursor {
 public:
  explicit TlsCursor(std::string_view bytes) : rest_(bytes) {}

  bool is_good() const { return is_good_; }
  bool is_empty() const { return rest_.empty(); }

  std::size_t Number(std::size_t width) {
    std::size_t value = 0;
    for (const char c : Take(width)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  // What follows a length of `width` bytes.
  std::string_view Vector(std::size_t width) { return Take(Number(width)); }
  std::string_view Take(std::size_t count) {
    if (!is_good_ || count > rest_.size()) {
      is_good_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

// The handshake bytes of all records at hand; nothing when they are not handshake records.
std::optional<std::string> HandshakeBytes(std::string_view bytes) {
  std::string joined;
  while (bytes.size() >= kRecordHead) {
    TlsCursor in(bytes);
    const auto kind = in.Number(1);
    const auto version = in.Number(1);
    in.Number(1);
    if (kind != kHandshakeRecord || version != 3) {
      return joined.empty() ? std::nullopt : std::optional(joined);
    }
    const auto size = std::min(in.Number(2), bytes.size() - kRecordHead);
    joined += bytes.substr(kRecordHead, size);
    bytes.remove_prefix(kRecordHead + size);
  }
  return joined;
}

HelloName NameInExtension(std::string_view extension) {
  TlsCursor list(TlsCursor(extension).Vector(2));
  while (!list.is_empty()) {
    const auto kind = list.Number(1);
    std::string name = ToLower(list.Vector(2));
    if (!list.is_good()) break;
    if (kind != kHostName) continue;
    return {.found = HelloName::Found::kName, .name = std::move(name)};
  }
  return {.found = HelloName::Found::kNone};
}

HelloName NameInHello(std::string_view hello) {
  TlsCursor in(hello);
  in.Take(2 + 32);  // version, random
  in.Vector(1);     // session
  in.Vector(2);     // ciphers
  in.Vector(1);     // compression
  TlsCursor extensions(in.Vector(2));
  while (!extensions.is_empty()) {
    const auto kind = extensions.Number(2);
    const std::string_view extension = extensions.Vector(2);
    if (!extensions.is_good()) break;
    if (kind == kServerNameExtension) return NameInExtension(extension);
  }
  return {.found = HelloName::Found::kNone};
}

}  // namespace

HelloName ReadHelloName(std::string_view bytes) {
  using enum HelloName::Found;
  if (bytes.empty()) return {.found = kNeedMore};
  if (static_cast<unsigned char>(bytes[0]) != kHandshakeRecord) return {.found = kNotTls};
  HelloName more{.found = bytes.size() < kMaxHelloBytes ? kNeedMore : kTooLong};
  if (bytes.size() < kRecordHead) return more;
  const auto handshake = HandshakeBytes(bytes);
  if (!handshake) return {.found = kNotTls};
  TlsCursor in(*handshake);
  if (handshake->size() < kMessageHead) return more;
  if (in.Number(1) != kClientHello) return {.found = kNotTls};
  const std::string_view hello = in.Vector(3);
  return in.is_good() ? NameInHello(hello) : more;
}

}  // namespace falconer::net
