#include "policy/host_name.h"

#include <algorithm>
#include <fmt/format.h>
#include <idn2.h>
#include <memory>

#include "base/text.h"
#include "base/utf8.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kMaxHost = 253;
constexpr std::size_t kMaxLabel = 63;
constexpr std::size_t kMaxInput = 1024;

std::unexpected<Error> Refuse(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("host {}", why));
}

bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool IsHostChar(char c) {
  return IsLetterOrDigit(c) || c == '-' || c == '_' || c == '.';
}

// The A-labels of a Unicode name, as browsers make them (UTS 46, non-transitional).
Result<std::string> ToAscii(const std::string& text) {
  if (!IsValidUtf8(text)) return Refuse("is not UTF-8");
  char* raw = nullptr;
  const int code = ::idn2_to_ascii_8z(text.c_str(), &raw, IDN2_NONTRANSITIONAL);
  const std::unique_ptr<char, decltype(&::idn2_free)> owned(raw, &::idn2_free);
  if (code != IDN2_OK) return Refuse(fmt::format("is no domain name: {}", ::idn2_strerror(code)));
  return std::string(raw);
}

Result<void> CheckLabels(std::string_view name) {
  if (name.size() > kMaxHost) return Refuse("is too long");
  while (true) {
    const std::size_t dot = std::min(name.find('.'), name.size());
    if (dot == 0) return Refuse("has an empty label");
    if (dot > kMaxLabel) return Refuse("has a label that is too long");
    if (dot == name.size()) return {};
    name.remove_prefix(dot + 1);
  }
}

}  // namespace

Host HostOf(const IpAddress& address) {
  const IpAddress meant = Unwrapped(address);
  const bool is_v6 = meant.family == IpAddress::Family::kV6;
  const std::string text = meant.ToText();
  return {
      .text = is_v6 ? "[" + text + "]" : text, .address = meant, .address_class = ClassOf(meant)};
}

Result<Host> ParseHost(std::string_view text) {
  if (text.empty()) return Refuse("is empty");
  if (text.size() > kMaxInput || text.contains('\0')) return Refuse("is too long or holds a zero");
  std::string name = ToLower(text);
  if (!IsAscii(name)) {
    TRY_ASSIGN(name, ToAscii(name));
  }
  TRY_ASSIGN(const std::optional<IpAddress> address, LiteralAddress(name));
  if (address) return HostOf(*address);
  if (!std::ranges::all_of(name, IsHostChar)) return Refuse("has a character no host has");
  if (name.ends_with('.')) name.pop_back();
  TRY(CheckLabels(name));
  return Host{.text = name, .address = std::nullopt, .address_class = ClassOfName(name)};
}

}  // namespace falconer::policy
