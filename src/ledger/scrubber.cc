#include "ledger/scrubber.h"

#include <algorithm>
#include <string>

namespace falconer::ledger {
namespace {

constexpr std::string_view kEndings[] = {
    "password", "passwd",  "passphrase", "secret",      "token",      "apikey",
    "cookie",   "cookies", "credential", "credentials", "privatekey", "authorization",
    "otp",      "totp",    "cvv",        "cvc",         "cardnumber", "pincode",
};

std::string Normalised(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (c == '-' || c == '_') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

bool IsSecretKey(std::string_view key) {
  const std::string name = Normalised(key);
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return name.ends_with(end); });
}

bool IsReference(const json::object& object) {
  const json::value* name = object.if_contains("secret");
  return object.size() == 1 && name != nullptr && name->is_string();
}

void ScrubValue(json::value& value);

void ScrubObject(json::object& object) {
  if (IsReference(object)) return;
  for (auto& [key, value] : object) {
    const bool may_hold_secret = value.is_string() || value.is_array() || value.is_object();
    const bool is_reference = value.is_object() && IsReference(value.get_object());
    if (may_hold_secret && !is_reference && IsSecretKey(key)) {
      value = kScrubbed;
    } else {
      ScrubValue(value);
    }
  }
}

void ScrubValue(json::value& value) {
  if (json::object* object = value.if_object()) return ScrubObject(*object);
  if (json::array* array = value.if_array()) {
    for (json::value& element : *array) ScrubValue(element);
  }
}

}  // namespace

void KeyNameScrubber::Scrub(json::object& payload) const {
  ScrubObject(payload);
}

std::span<const std::string_view> SecretKeyEndings() {
  return kEndings;
}

}  // namespace falconer::ledger
