#pragma once
// Secret: named values with the hosts they may be typed into. Moves, never copies.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_reader.h"
#include "policy/host_pattern.h"
#include "policy/secrets/secret_terms.h"
#include "policy/secrets/secret_text.h"

namespace falconer::policy {

enum class SecretType : std::uint8_t { kPassword, kApiKey, kOauthToken, kCookie, kTotp, kCustom };

inline constexpr EnumName<SecretType> kSecretTypes[] = {
    {SecretType::kPassword, "password"},
    {SecretType::kApiKey, "api_key"},
    {SecretType::kOauthToken, "oauth_token"},
    {SecretType::kCookie, "cookie"},
    {SecretType::kTotp, "totp"},
    {SecretType::kCustom, "custom"},
};

struct SecretField {
  std::string name;
  SecretText value;
};

// Names of users are no secrets: hiding them everywhere would hide half of a page.
bool IsSecretField(std::string_view field);

struct Secret {
  std::string name;
  SecretType type = SecretType::kPassword;
  std::vector<HostPattern> hosts;  // none: it can be used nowhere
  std::vector<SecretField> fields;
  std::int64_t version = 1;  // rises with each change
  SecretTerms terms = {};

  const SecretField* FieldNamed(std::string_view field) const;
  // The field that is meant when none is named: "value", "password", or the only one.
  const SecretField* FieldMeant() const;
  // Their values.
  const SecretText* Field(std::string_view field) const;
  const SecretText* MainField() const;
  bool IsAllowedOn(const Host& host, std::uint16_t port) const;
};

// What may be told of a secret.
struct SecretInfo {
  std::string name;
  std::string source;  // "vault", "environment", "command"
  SecretType type = SecretType::kPassword;
  std::vector<std::string> hosts;
  std::vector<std::string> fields;
  std::int64_t version = 1;
  SecretTerms terms = {};
};

json::object ToJson(const SecretInfo& info);
SecretInfo InfoOf(const Secret& secret, std::string_view source);

// Patterns as HostPattern reads them. kInvalidArgument, quoting the first that is none.
Result<std::vector<HostPattern>> ParseHostPatterns(const std::vector<std::string>& texts);

}  // namespace falconer::policy
