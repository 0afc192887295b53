#include "policy/secrets/secret_store.h"

#include <algorithm>

#include "policy/secrets/totp.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kKeptCodes = 8;

// Names of users are no secrets: hiding them everywhere would hide half of a page.
constexpr std::string_view kPublicFields[] = {"username", "user", "login", "email"};

bool IsSecretField(std::string_view field) {
  return std::ranges::find(kPublicFields, field) == std::end(kPublicFields);
}

}  // namespace

Result<void> SecretStore::Add(std::unique_ptr<SecretSource> source) {
  sources_.push_back(std::move(source));
  TRY_ASSIGN(const std::vector<Secret> secrets, sources_.back()->Known());
  for (const Secret& secret : secrets) Remember(secret);
  TellRedactor();
  return {};
}

Result<SecretText> SecretStore::Resolve(const SecretReference& reference, const Host& host,
                                        std::uint16_t port, WallTime now) {
  TRY_ASSIGN(const Secret secret, Find(reference.name));
  if (!secret.IsAllowedOn(host, port)) {
    return Fail(Error(ErrorCode::kSecurityDomainBlock,
                      "the secret " + secret.name + " may not be used on " + host.text,
                      {{"secret_name", secret.name}, {"host", host.text}}));
  }
  TRY_ASSIGN(SecretText value, ValueOf(secret, reference.field, now));
  News news = Remember(secret);
  if (WantsCode(secret, reference.field)) news = RememberCode(secret, value);
  if (news == News::kSome) TellRedactor();
  return value;
}

Result<std::vector<SecretInfo>> SecretStore::List() {
  std::vector<SecretInfo> all;
  for (const auto& source : sources_) {
    TRY_ASSIGN(std::vector<SecretInfo> infos, source->List());
    std::ranges::move(infos, std::back_inserter(all));
  }
  return all;
}

Result<Secret> SecretStore::Find(const std::string& name) {
  for (const auto& source : sources_) {
    auto secret = source->Find(name);
    // A source that cannot say is not passed over: the next one might give another value.
    if (secret || secret.error().code() != ErrorCode::kNotFound) return secret;
  }
  return Fail(ErrorCode::kNotFound, "there is no secret " + name);
}

Result<SecretText> SecretStore::ValueOf(const Secret& secret, const std::string& field,
                                        WallTime now) const {
  if (WantsCode(secret, field)) {
    const SecretText* seed = secret.Field(kTotpField);
    if (seed == nullptr) seed = secret.type == SecretType::kTotp ? secret.MainField() : nullptr;
    if (seed == nullptr) {
      return Fail(ErrorCode::kNotFound, "the secret " + secret.name + " has no one-time codes");
    }
    TRY_ASSIGN(const TotpSpec spec, ParseTotp(seed->Reveal()));
    return TotpCode(spec, std::chrono::floor<std::chrono::seconds>(now));
  }
  if (secret.type == SecretType::kTotp && IsSecretField(field)) {
    return Fail(ErrorCode::kNotFound, "the seed of " + secret.name + " is not given out");
  }
  const SecretText* value = field.empty() ? secret.MainField() : secret.Field(field);
  if (value != nullptr) return value->Copy();
  return Fail(ErrorCode::kNotFound,
              "the secret " + secret.name + " has no field " + (field.empty() ? "value" : field));
}

bool SecretStore::WantsCode(const Secret& secret, const std::string& field) {
  return field == kTotpField || (field.empty() && secret.type == SecretType::kTotp);
}

SecretStore::News SecretStore::Remember(const Secret& secret) {
  News news = News::kNone;
  for (const SecretField& field : secret.fields) {
    const bool is_known = std::ranges::any_of(known_, [&](const KnownValue& known) {
      return known.value.Reveal() == field.value.Reveal();
    });
    if (is_known || !IsSecretField(field.name)) continue;
    known_.push_back({secret.name, field.value.Copy()});
    news = News::kSome;
  }
  return news;
}

SecretStore::News SecretStore::RememberCode(const Secret& secret, const SecretText& code) {
  codes_.push_back({secret.name + ".totp", code.Copy()});
  if (codes_.size() > kKeptCodes) codes_.pop_front();
  return News::kSome;
}

void SecretStore::TellRedactor() {
  std::vector<NamedSecret> secrets;
  for (const KnownValue& known : known_) secrets.push_back({known.name, known.value.Reveal()});
  for (const KnownValue& code : codes_) secrets.push_back({code.name, code.value.Reveal()});
  redactor_.SetKnownSecrets(KnownSecrets::Build(secrets));
}

}  // namespace falconer::policy
