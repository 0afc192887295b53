#include "policy/secrets/environment_source.h"

#include <algorithm>

#include "base/list_parts.h"
#include "base/text.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kSecretVariable = "FALCONER_SECRET_";
constexpr std::string_view kHostsVariable = "_HOSTS";
constexpr std::string_view kValueField = "value";

std::string VariableForm(std::string_view name) {
  std::string out = ToUpper(name);
  for (char& c : out) {
    if (c == '-' || c == '.') c = '_';
  }
  return out;
}

Secret CopyOf(const Secret& secret) {
  Secret copy{.name = secret.name,
              .type = secret.type,
              .hosts = secret.hosts,
              .fields = {},
              .version = secret.version};
  for (const SecretField& field : secret.fields) {
    copy.fields.push_back({field.name, field.value.Copy()});
  }
  return copy;
}

}  // namespace

Result<EnvironmentSource> EnvironmentSource::Create(const std::vector<std::string>& environment) {
  EnvironmentSource source;
  for (const std::string_view line : environment) {
    const std::size_t equals = line.find('=');
    const std::string_view name = line.substr(0, equals);
    const bool is_value = equals != std::string_view::npos && name.starts_with(kSecretVariable) &&
                          name.size() > kSecretVariable.size() && !name.ends_with(kHostsVariable);
    if (!is_value) continue;
    Secret secret{.name = std::string(name.substr(kSecretVariable.size())),
                  .type = SecretType::kCustom};
    secret.fields.push_back({std::string(kValueField), SecretText(line.substr(equals + 1))});
    source.secrets_.push_back(std::move(secret));
  }
  for (const std::string_view line : environment) {
    const std::size_t equals = line.find('=');
    const std::string_view name = line.substr(0, equals);
    if (equals == std::string_view::npos || !name.starts_with(kSecretVariable)) continue;
    for (Secret& secret : source.secrets_) {
      if (name != std::string(kSecretVariable) + secret.name + std::string(kHostsVariable))
        continue;
      const auto parts = ListParts(line.substr(equals + 1));
      auto hosts = ParseHostPatterns(std::vector<std::string>(parts.begin(), parts.end()));
      if (!hosts) {
        return Fail(ErrorCode::kInvalidSetting, std::string(name) + ": " + hosts.error().message());
      }
      secret.hosts = *std::move(hosts);
    }
  }
  return source;
}

Result<Secret> EnvironmentSource::Find(std::string_view name) {
  const auto it = std::ranges::find(secrets_, VariableForm(name), &Secret::name);
  if (it == secrets_.end()) {
    return Fail(ErrorCode::kNotFound, "the environment has no secret " + std::string(name));
  }
  Secret found = CopyOf(*it);
  found.name = std::string(name);
  return found;
}

Result<std::vector<SecretInfo>> EnvironmentSource::List() {
  std::vector<SecretInfo> infos;
  for (const Secret& secret : secrets_) infos.push_back(InfoOf(secret, kind()));
  return infos;
}

Result<std::vector<Secret>> EnvironmentSource::Known() {
  std::vector<Secret> secrets;
  for (const Secret& secret : secrets_) secrets.push_back(CopyOf(secret));
  return secrets;
}

}  // namespace falconer::policy
