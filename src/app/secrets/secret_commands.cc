#include "app/secrets/secret_commands.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/secrets/secret_input.h"
#include "app/secrets/secret_sources.h"
#include "policy/secrets/open_vault.h"
#include "policy/secrets/secret_reference.h"
#include "policy/secrets/totp.h"

namespace falconer::app {
namespace {

using policy::Secret;

Result<policy::VaultHome> VaultHomeOf(const Arguments& arguments) {
  TRY_ASSIGN(const SettingsInput input, SettingsInputFrom(arguments));
  TRY_ASSIGN(const LoadedSettings loaded, LoadSettings(input));
  return VaultHomeFrom(loaded.values, arguments.environment);
}

// The first secret makes the key.
Result<policy::VaultFile> OpenOrCreateVault(const Arguments& arguments,
                                            const policy::VaultHome& home) {
  auto key = policy::FindVaultKey(home);
  if (!key && key.error().code() == ErrorCode::kNotFound) {
    if (std::filesystem::exists(home.vault())) return Fail(std::move(key).error());
    std::error_code failed;
    std::filesystem::create_directories(home.data_folder, failed);
    key = policy::CreateVaultKey(
        home, arguments.uses_keyring ? policy::KeyPlace::kKeyring : policy::KeyPlace::kFile);
  }
  if (!key) return Fail(std::move(key).error());
  return policy::VaultFile(home.vault(), *std::move(key));
}

Result<Secret> SecretToChange(const Arguments& arguments, policy::VaultFile& vault) {
  auto found = vault.Find(arguments.name);
  if (!found && found.error().code() != ErrorCode::kNotFound) return found;
  Secret secret = found ? *std::move(found) : Secret{.name = arguments.name};
  if (!arguments.secret_type.empty()) {
    const auto type = ValueIn(policy::kSecretTypes, arguments.secret_type);
    if (!type) return Fail(ErrorCode::kInvalidArgument, "--type: there is no such type");
    secret.type = *type;
  }
  if (!arguments.secret_hosts.empty()) {
    TRY_ASSIGN(secret.hosts, policy::ParseHostPatterns(arguments.secret_hosts));
  }
  if (secret.hosts.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--host: a secret is bound to at least one host");
  }
  return secret;
}

// One-time codes have one field, the others usually a password.
std::string SecretFieldOf(const Arguments& arguments, const Secret& secret) {
  if (!arguments.secret_field.empty()) return arguments.secret_field;
  return secret.type == policy::SecretType::kTotp ? std::string(policy::kTotpField) : "password";
}

void SetField(Secret& secret, const std::string& name, policy::SecretText value) {
  const auto it = std::ranges::find(secret.fields, name, &policy::SecretField::name);
  if (it == secret.fields.end()) {
    secret.fields.push_back({name, std::move(value)});
  } else {
    it->value = std::move(value);
  }
}

json::object SecretAnswer(std::string_view key, json::value value) {
  return {{"ok", true}, {key, std::move(value)}};
}

Result<json::object> AddSecret(const Arguments& arguments) {
  TRY(policy::CheckSecretName("NAME", arguments.name));
  TRY_ASSIGN(const policy::VaultHome home, VaultHomeOf(arguments));
  TRY_ASSIGN(policy::VaultFile vault, OpenOrCreateVault(arguments, home));
  TRY_ASSIGN(Secret secret, SecretToChange(arguments, vault));
  const std::string field = SecretFieldOf(arguments, secret);
  TRY(policy::CheckSecretName("--field", field));
  TRY_ASSIGN(policy::SecretText value, ReadSecret(arguments.name + "." + field + ": "));
  if (field == policy::kTotpField) TRY(policy::ParseTotp(value.Reveal()));
  SetField(secret, field, std::move(value));
  policy::SecretInfo info = policy::InfoOf(secret, vault.kind());
  TRY_ASSIGN(info.version, vault.Put(std::move(secret)));
  return SecretAnswer("secret", policy::ToJson(info));
}

Result<json::object> ListSecrets(const Arguments& arguments) {
  TRY_ASSIGN(const policy::VaultHome home, VaultHomeOf(arguments));
  json::array rows;
  if (!std::filesystem::exists(home.vault())) return SecretAnswer("secrets", std::move(rows));
  TRY_ASSIGN(policy::VaultFile vault, policy::OpenVault(home));
  TRY_ASSIGN(const std::vector<policy::SecretInfo> infos, vault.List());
  for (const policy::SecretInfo& info : infos) rows.push_back(policy::ToJson(info));
  return SecretAnswer("secrets", std::move(rows));
}

Result<json::object> RemoveSecret(const Arguments& arguments) {
  TRY_ASSIGN(const policy::VaultHome home, VaultHomeOf(arguments));
  TRY_ASSIGN(policy::VaultFile vault, policy::OpenVault(home));
  TRY(vault.Remove(arguments.name));
  return SecretAnswer("removed", json::value(arguments.name));
}

Result<json::object> CodeOfNow(const Arguments& arguments) {
  TRY_ASSIGN(const policy::VaultHome home, VaultHomeOf(arguments));
  TRY_ASSIGN(policy::VaultFile vault, policy::OpenVault(home));
  TRY_ASSIGN(const Secret secret, vault.Find(arguments.name));
  const policy::SecretText* seed = secret.Field(policy::kTotpField);
  if (seed == nullptr) {
    return Fail(ErrorCode::kNotFound, "the secret " + secret.name + " has no one-time codes");
  }
  TRY_ASSIGN(const policy::TotpSpec spec, policy::ParseTotp(seed->Reveal()));
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  json::object answer = SecretAnswer("code", json::value(policy::TotpCode(spec, now).Reveal()));
  answer["seconds_left"] = policy::TotpTimeLeft(spec, now).count();
  return answer;
}

std::string JoinedText(const json::object& row, std::string_view key) {
  std::vector<std::string> texts;
  for (const json::value& text : row.at(key).as_array()) texts.emplace_back(text.as_string());
  return fmt::format("{}", fmt::join(texts, ","));
}

void PrintSecret(const json::object& row, Terminal& terminal) {
  terminal.Print(fmt::format("{:<24} {:<11} v{:<3} fields={}  hosts={}", TextAt(row, "name"),
                             TextAt(row, "type"), row.at("version").as_int64(),
                             JoinedText(row, "fields"), JoinedText(row, "hosts")));
}

void PrintSecrets(const json::object& answer, Terminal& terminal) {
  const json::array& rows = answer.at("secrets").as_array();
  if (rows.empty()) terminal.Print("no secrets yet: falconer secrets add");
  for (const json::value& row : rows) PrintSecret(row.as_object(), terminal);
}

int RunSecretWork(const Arguments& arguments, Terminal& terminal,
                  Result<json::object> (*work)(const Arguments&),
                  void (*print)(const json::object&, Terminal&)) {
  const auto answer = work(arguments);
  if (!answer) {
    PrintError(terminal, arguments.form(), answer.error());
    const bool is_usage = answer.error().code() == ErrorCode::kInvalidArgument ||
                          answer.error().code() == ErrorCode::kInvalidSetting;
    return is_usage ? kExitUsage : kExitFailed;
  }
  if (arguments.wants_json) {
    PrintJson(terminal, *answer);
  } else {
    print(*answer, terminal);
  }
  return kExitOk;
}

}  // namespace

int RunSecretsAdd(const Arguments& arguments, Terminal& terminal) {
  return RunSecretWork(arguments, terminal, &AddSecret,
                       [](const json::object& answer, Terminal& out) {
                         PrintSecret(answer.at("secret").as_object(), out);
                       });
}

int RunSecretsList(const Arguments& arguments, Terminal& terminal) {
  return RunSecretWork(arguments, terminal, &ListSecrets, &PrintSecrets);
}

int RunSecretsRemove(const Arguments& arguments, Terminal& terminal) {
  return RunSecretWork(arguments, terminal, &RemoveSecret,
                       [](const json::object& answer, Terminal& out) {
                         out.Print("removed " + TextAt(answer, "removed"));
                       });
}

int RunSecretsTotp(const Arguments& arguments, Terminal& terminal) {
  return RunSecretWork(
      arguments, terminal, &CodeOfNow,
      [](const json::object& answer, Terminal& out) { out.Print(TextAt(answer, "code")); });
}

}  // namespace falconer::app
