#include "app/secrets/secret_commands.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

#include "app/desk/desk_work.h"
#include "app/desk/option_values.h"
#include "app/secrets/secret_input.h"
#include "app/secrets/secret_sources.h"
#include "base/async/clock.h"
#include "base/units.h"
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

Result<policy::VaultFile> OpenKnownVault(const policy::VaultHome& home) {
  auto vault = policy::OpenVault(home);
  if (!vault) return Fail(AboutKey(vault.error(), kVaultKey));
  return vault;
}

// The first secret makes the key.
Result<policy::VaultFile> OpenOrCreateVault(const Arguments& arguments,
                                            const policy::VaultHome& home) {
  auto key = policy::FindVaultKey(home);
  if (!key && key.error().code() == ErrorCode::kNotFound) {
    if (std::filesystem::exists(home.vault())) return Fail(AboutKey(key.error(), kVaultKey));
    std::error_code failed;
    std::filesystem::create_directories(home.data_folder, failed);
    if (failed)
      return Fail(ErrorCode::kIoError, home.data_folder.string() + ": " + failed.message());
    key = policy::CreateVaultKey(
        home, arguments.uses_keyring ? policy::KeyPlace::kKeyring : policy::KeyPlace::kFile);
  }
  if (!key) return Fail(AboutKey(key.error(), kVaultKey));
  return policy::VaultFile(home.vault(), *std::move(key));
}

WallTime SecretNow() {
  return SystemClock().WallNow();
}

// What is over begins anew: nothing of it may come back by the way.
bool IsOver(const Secret& secret) {
  return secret.terms.is_revoked || secret.terms.IsExpired(SecretNow());
}

// What is there under the name; of version 0 when there is nothing.
Result<Secret> SecretToChange(const Arguments& arguments, policy::VaultFile& vault) {
  auto found = vault.Find(arguments.name);
  if (!found && found.error().code() != ErrorCode::kNotFound) return found;
  if (found && !IsOver(*found)) return found;
  return Secret{.name = arguments.name, .version = found ? found->version : 0};
}

// What is lent is a copy under a name of its own, and only for a time.
Result<Secret> SecretToLend(const Arguments& arguments, policy::VaultFile& vault) {
  if (arguments.secret_from == arguments.name)
    return Fail(ErrorCode::kInvalidArgument, "--from: a secret is lent under another name");
  if (!arguments.secret_field.empty())
    return Fail(ErrorCode::kInvalidArgument, "--field: what is lent has the fields of the other");
  TRY_ASSIGN(Secret secret, vault.Find(arguments.secret_from));
  const bool is_lasting = !IsOver(secret) && secret.terms.lent_from.empty() &&
                          secret.terms.uses == policy::SecretUses::kMany;
  if (!is_lasting) {
    return Fail(ErrorCode::kInvalidArgument,
                "--from: " + secret.name + " is over, lent or for one use itself");
  }
  secret.terms.lent_from = std::exchange(secret.name, arguments.name);
  return secret;
}

Result<void> SetTerms(const Arguments& arguments, policy::SecretTerms& terms) {
  if (!arguments.secret_agents.empty()) terms.agents = arguments.secret_agents;
  for (const std::string& page : arguments.secret_pages) TRY(policy::CheckSecretPage(page));
  if (!arguments.secret_pages.empty()) terms.pages = arguments.secret_pages;
  if (arguments.is_single_use) terms.uses = policy::SecretUses::kOnce;
  TRY_ASSIGN(const auto life, SecondsOf("--ttl", arguments.lifetime));
  const bool is_new_loan = !terms.lent_from.empty() && !terms.expires_at;
  if (!life && !arguments.is_ephemeral && !is_new_loan) return {};
  auto end = policy::SecretEnd(SecretNow(), life.value_or(policy::kUsualSecretLife));
  if (!end) return Fail(std::move(end).error().In("--ttl"));
  // A loan does not outlive what it is from.
  terms.expires_at =
      terms.expires_at && !terms.lent_from.empty() ? std::min(*terms.expires_at, *end) : *end;
  return {};
}

Result<void> SetLimits(const Arguments& arguments, Secret& secret) {
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
  return SetTerms(arguments, secret.terms);
}

// One-time codes have one field, the others usually a password.
std::string SecretFieldOf(const Arguments& arguments, const Secret& secret) {
  if (!arguments.secret_field.empty()) return arguments.secret_field;
  return secret.type == policy::SecretType::kTotp ? std::string(policy::kTotpField) : "password";
}

void SetField(Secret& secret, const std::string& name, policy::SecretText value) {
  std::erase(secret.terms.used, name);
  const auto it = std::ranges::find(secret.fields, name, &policy::SecretField::name);
  if (it == secret.fields.end()) {
    secret.fields.push_back({name, std::move(value)});
  } else {
    it->value = std::move(value);
  }
}

Result<void> AskForField(const Arguments& arguments, Secret& secret) {
  const std::string field = SecretFieldOf(arguments, secret);
  TRY(policy::CheckSecretName("--field", field));
  TRY_ASSIGN(policy::SecretText value, ReadSecret(arguments.name + "." + field + ": "));
  if (field == policy::kTotpField) TRY(policy::ParseTotp(value.Reveal()));
  SetField(secret, field, std::move(value));
  return {};
}

json::object SecretAnswer(std::string_view key, json::value value) {
  return {{"ok", true}, {key, std::move(value)}};
}

Result<json::object> AddSecret(const Arguments& arguments) {
  TRY(policy::CheckSecretName("NAME", arguments.name));
  TRY_ASSIGN(const policy::VaultHome home, VaultHomeOf(arguments));
  TRY_ASSIGN(policy::VaultFile vault, OpenOrCreateVault(arguments, home));
  TRY(vault.ForgetExpired(SecretNow()));
  TRY_ASSIGN(Secret secret, SecretToChange(arguments, vault));
  const std::int64_t version = secret.version;
  const bool lends = !arguments.secret_from.empty();
  if (lends) {
    TRY_ASSIGN(secret, SecretToLend(arguments, vault));
  }
  TRY(SetLimits(arguments, secret));
  if (!lends) TRY(AskForField(arguments, secret));
  policy::SecretInfo info = policy::InfoOf(secret, vault.kind());
  // It takes a person a while to type: what was used up or revoked meanwhile stays so.
  TRY_ASSIGN(info.version, vault.PutOver(std::move(secret), version));
  return SecretAnswer("secret", policy::ToJson(info));
}

Result<json::object> ListSecrets(const Arguments& arguments) {
  TRY_ASSIGN(const policy::VaultHome home, VaultHomeOf(arguments));
  json::array rows;
  if (!std::filesystem::exists(home.vault())) return SecretAnswer("secrets", std::move(rows));
  TRY_ASSIGN(policy::VaultFile vault, OpenKnownVault(home));
  TRY_ASSIGN(const std::vector<policy::SecretInfo> infos, vault.List());
  for (const policy::SecretInfo& info : infos) rows.push_back(policy::ToJson(info));
  return SecretAnswer("secrets", std::move(rows));
}

Result<json::object> RemoveSecret(const Arguments& arguments) {
  TRY_ASSIGN(const policy::VaultHome home, VaultHomeOf(arguments));
  TRY_ASSIGN(policy::VaultFile vault, OpenKnownVault(home));
  TRY(vault.Remove(arguments.name));
  return SecretAnswer("removed", json::value(arguments.name));
}

Result<json::object> RevokeSecret(const Arguments& arguments) {
  TRY_ASSIGN(const policy::VaultHome home, VaultHomeOf(arguments));
  TRY_ASSIGN(policy::VaultFile vault, OpenKnownVault(home));
  TRY_ASSIGN(const std::vector<std::string> names, vault.Revoke(arguments.name));
  return SecretAnswer("revoked", json::array(names.begin(), names.end()));
}

Result<json::object> CodeOfNow(const Arguments& arguments) {
  TRY_ASSIGN(const policy::VaultHome home, VaultHomeOf(arguments));
  TRY_ASSIGN(policy::VaultFile vault, OpenKnownVault(home));
  TRY_ASSIGN(const Secret secret, vault.Find(arguments.name));
  const policy::SecretText* seed = secret.Field(policy::kTotpField);
  // Codes of a seed that is forgotten are none.
  if (seed == nullptr || seed->empty()) {
    return Fail(ErrorCode::kNotFound, "the secret " + secret.name + " has no one-time codes");
  }
  TRY_ASSIGN(const policy::TotpSpec spec, policy::ParseTotp(seed->Reveal()));
  const auto now = std::chrono::floor<std::chrono::seconds>(SecretNow());
  json::object answer = SecretAnswer("code", json::value(policy::TotpCode(spec, now).Reveal()));
  answer["seconds_left"] = policy::TotpTimeLeft(spec, now).count();
  return answer;
}

std::string JoinedText(const json::object& row, std::string_view key) {
  std::vector<std::string> texts;
  for (const json::value& text : row.at(key).as_array()) texts.emplace_back(text.as_string());
  return fmt::format("{}", fmt::join(texts, ","));
}

// What of its terms a person must know at a glance.
std::string TermsInWords(const json::object& row) {
  const json::value* terms = row.if_contains("terms");
  if (terms == nullptr) return "";
  const json::object& told = terms->as_object();
  std::string words;
  for (const std::string_view list : {"agents", "pages", "used"}) {
    if (told.contains(list)) words += fmt::format("  {}={}", list, JoinedText(told, list));
  }
  if (told.contains("uses")) words += "  single use";
  if (!TextAt(told, "lent_from").empty()) words += "  lent from " + TextAt(told, "lent_from");
  if (const json::value* end = told.if_contains("expires_at_ms")) {
    const WallTime at{std::chrono::milliseconds(end->as_int64())};
    words += (at <= SecretNow() ? "  expired " : "  until ") + IsoTime(at);
  }
  return words + (IsTrueAt(told, "revoked") ? "  revoked" : "");
}

void PrintSecret(const json::object& row, Terminal& terminal) {
  terminal.Print(fmt::format("{:<24} {:<11} v{:<3} fields={}  hosts={}{}", TextAt(row, "name"),
                             TextAt(row, "type"), row.at("version").as_int64(),
                             JoinedText(row, "fields"), JoinedText(row, "hosts"),
                             TermsInWords(row)));
}

void PrintSecrets(const json::object& answer, Terminal& terminal) {
  const json::array& rows = answer.at("secrets").as_array();
  if (rows.empty()) terminal.Print("no secrets yet: falconer secrets add");
  for (const json::value& row : rows) PrintSecret(row.as_object(), terminal);
}

}  // namespace

int RunSecretsAdd(const Arguments& arguments, Terminal& terminal) {
  return RunPlainWork(arguments, terminal, &AddSecret,
                      [](const json::object& answer, Terminal& out) {
                        PrintSecret(answer.at("secret").as_object(), out);
                      });
}

int RunSecretsList(const Arguments& arguments, Terminal& terminal) {
  return RunPlainWork(arguments, terminal, &ListSecrets, &PrintSecrets);
}

int RunSecretsRemove(const Arguments& arguments, Terminal& terminal) {
  return RunPlainWork(arguments, terminal, &RemoveSecret,
                      [](const json::object& answer, Terminal& out) {
                        out.Print("removed " + TextAt(answer, "removed"));
                      });
}

int RunSecretsRevoke(const Arguments& arguments, Terminal& terminal) {
  return RunPlainWork(arguments, terminal, &RevokeSecret,
                      [](const json::object& answer, Terminal& out) {
                        out.Print("revoked " + JoinedText(answer, "revoked"));
                      });
}

int RunSecretsTotp(const Arguments& arguments, Terminal& terminal) {
  return RunPlainWork(
      arguments, terminal, &CodeOfNow,
      [](const json::object& answer, Terminal& out) { out.Print(TextAt(answer, "code")); });
}

}  // namespace falconer::app
