#include "policy/secrets/secret.h"

#include <algorithm>

namespace falconer::policy {
namespace {

constexpr std::string_view kPublicFields[] = {"username", "user", "login", "email"};

}  // namespace

bool IsSecretField(std::string_view field) {
  return std::ranges::find(kPublicFields, field) == std::end(kPublicFields);
}

const SecretField* Secret::FieldNamed(std::string_view field) const {
  const auto it = std::ranges::find(fields, field, &SecretField::name);
  return it == fields.end() ? nullptr : &*it;
}

const SecretField* Secret::FieldMeant() const {
  for (const std::string_view usual : {"value", "password"}) {
    if (const SecretField* field = FieldNamed(usual)) return field;
  }
  return fields.size() == 1 ? &fields.front() : nullptr;
}

const SecretText* Secret::Field(std::string_view field) const {
  const SecretField* named = FieldNamed(field);
  return named == nullptr ? nullptr : &named->value;
}

const SecretText* Secret::MainField() const {
  const SecretField* meant = FieldMeant();
  return meant == nullptr ? nullptr : &meant->value;
}

bool Secret::IsAllowedOn(const Host& host, std::uint16_t port) const {
  return std::ranges::any_of(
      hosts, [&](const HostPattern& pattern) { return pattern.Matches(host, port); });
}

json::object ToJson(const SecretInfo& info) {
  json::object out{{"name", info.name},
                   {"source", info.source},
                   {"type", NameIn(kSecretTypes, info.type)},
                   {"hosts", json::array(info.hosts.begin(), info.hosts.end())},
                   {"fields", json::array(info.fields.begin(), info.fields.end())},
                   {"version", info.version}};
  if (!info.terms.empty()) out["terms"] = info.terms.ToJson();
  return out;
}

SecretInfo InfoOf(const Secret& secret, std::string_view source) {
  SecretInfo info{.name = secret.name,
                  .source = std::string(source),
                  .type = secret.type,
                  .version = secret.version,
                  .terms = secret.terms};
  for (const HostPattern& pattern : secret.hosts) info.hosts.push_back(pattern.text());
  for (const SecretField& field : secret.fields) info.fields.push_back(field.name);
  return info;
}

Result<std::vector<HostPattern>> ParseHostPatterns(const std::vector<std::string>& texts) {
  std::vector<HostPattern> patterns;
  for (const std::string& text : texts) {
    TRY_ASSIGN(HostPattern pattern, HostPattern::Parse(text));
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

}  // namespace falconer::policy
