#pragma once
// SecretReference: how callers name a secret they never see: {"secret":"NAME"} or
// {"secret":"NAME","field":"username"}.

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace falconer::policy {

inline constexpr std::string_view kTotpField = "totp";

struct SecretReference {
  std::string name;
  std::string field = "";  // empty: the field that the secret is about
  bool operator==(const SecretReference&) const = default;
};

// Names and fields are 1 to 128 letters, digits, "_", "-" and ".". kInvalidArgument, naming the
// part.
Result<void> CheckSecretName(std::string_view what, std::string_view name);

// kInvalidArgument for anything but the two forms.
Result<SecretReference> ParseSecretReference(const json::value& value);
json::object ToJson(const SecretReference& reference);

}  // namespace falconer::policy
