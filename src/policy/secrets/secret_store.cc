#include "policy/secrets/secret_store.h"

#include <algorithm>

#include "policy/secrets/totp.h"

namespace falconer::policy {
namespace {

constexpr std::size_t kKeptCodes = 8;

}  // namespace

Result<void> SecretStore::Add(std::unique_ptr<SecretSource> source) {
  sources_.push_back(std::move(source));
  TRY_ASSIGN(const std::vector<Secret> secrets, sources_.back()->Known());
  for (const Secret& secret : secrets) Remember(secret);
  TellRedactor();
  return {};
}

Result<SecretText> SecretStore::Resolve(const SecretReference& reference,
                                        const SecretDemand& demand, WallTime now) {
  TRY_ASSIGN(const Found found, Find(reference.name));
  const Secret& secret = found.secret;
  TRY(CheckSecretUse(secret, demand, now));
  TRY_ASSIGN(const SecretField* field, FieldFor(secret, reference.field));
  TRY_ASSIGN(SecretText value, Take(found, *field, demand, now));
  News news = std::max(Remember(secret), RememberField(secret.name, field->name, value));
  if (WantsCode(secret, reference.field)) {
    TRY_ASSIGN(const TotpSpec spec, ParseTotp(value.Reveal()));
    value = TotpCode(spec, std::chrono::floor<std::chrono::seconds>(now));
    news = RememberCode(secret, value);
  }
  if (news == News::kSome) TellRedactor();
  return value;
}

Result<SecretText> SecretStore::Take(const Found& found, const SecretField& field,
                                     const SecretDemand& demand, WallTime now) {
  TRY(CheckFieldUse(found.secret, field.name, demand, now));
  if (found.secret.terms.uses == SecretUses::kMany) return field.value.Copy();
  // Another program may have been faster since it was looked up.
  return found.source->Take(found.secret.name, field.name, [&](const Secret& secret) {
    return CheckFieldUse(secret, field.name, demand, now);
  });
}

Result<std::vector<SecretInfo>> SecretStore::List() {
  std::vector<SecretInfo> all;
  for (const auto& source : sources_) {
    TRY_ASSIGN(std::vector<SecretInfo> infos, source->List());
    std::ranges::move(infos, std::back_inserter(all));
  }
  return all;
}

Result<SecretStore::Found> SecretStore::Find(const std::string& name) {
  for (const auto& source : sources_) {
    auto secret = source->Find(name);
    if (secret) return Found{source.get(), *std::move(secret)};
    // A source that cannot say is not passed over: the next one might give another value.
    if (secret.error().code() != ErrorCode::kNotFound) return Fail(std::move(secret).error());
  }
  return Fail(ErrorCode::kNotFound, "there is no secret " + name);
}

Result<const SecretField*> SecretStore::FieldFor(const Secret& secret, const std::string& field) {
  if (WantsCode(secret, field)) {
    const SecretField* seed = secret.FieldNamed(kTotpField);
    if (seed == nullptr) seed = secret.type == SecretType::kTotp ? secret.FieldMeant() : nullptr;
    if (seed != nullptr) return seed;
    return Fail(ErrorCode::kNotFound, "the secret " + secret.name + " has no one-time codes");
  }
  if (secret.type == SecretType::kTotp && IsSecretField(field)) {
    return Fail(ErrorCode::kNotFound, "the seed of " + secret.name + " is not given out");
  }
  const SecretField* meant = field.empty() ? secret.FieldMeant() : secret.FieldNamed(field);
  if (meant != nullptr) return meant;
  return Fail(ErrorCode::kNotFound,
              "the secret " + secret.name + " has no field " + (field.empty() ? "value" : field));
}

bool SecretStore::WantsCode(const Secret& secret, const std::string& field) {
  return field == kTotpField || (field.empty() && secret.type == SecretType::kTotp);
}

SecretStore::News SecretStore::Remember(const Secret& secret) {
  News news = News::kNone;
  for (const SecretField& field : secret.fields) {
    news = std::max(news, RememberField(secret.name, field.name, field.value));
  }
  return news;
}

SecretStore::News SecretStore::RememberField(const std::string& name, std::string_view field,
                                             const SecretText& value) {
  const bool is_known = std::ranges::any_of(
      known_, [&](const KnownValue& known) { return known.value.Reveal() == value.Reveal(); });
  if (is_known || value.empty() || !IsSecretField(field)) return News::kNone;
  known_.push_back({name, value.Copy()});
  return News::kSome;
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
