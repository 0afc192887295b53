#include "kernel/tokens/token_office.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/units.h"

namespace falconer::kernel {
namespace {

constexpr std::string_view kTokenBegin = "eyJ";  // {" in base64url

json::array CapabilityWords(model::CapabilitySet capabilities) {
  json::array words;
  for (const std::string_view name : model::CapabilityNames(capabilities)) words.emplace_back(name);
  return words;
}

// Whoever may give the order may grant everything: what it grants is what it asks for.
policy::TokenGrant WholeGrant() {
  policy::TokenGrant grant;
  for (const auto& row : model::kCapabilities) grant.capabilities.Add(row.value);
  return grant;
}

model::IssuedToken IssuedRecord(const policy::MadeToken& made, const TenantId& tenant) {
  return {.token_id = made.claims.token_id,
          .tenant = tenant,
          .agent = made.claims.agent,
          .plan = made.claims.plan,
          .key_name = made.key_name,
          .capabilities = made.claims.capabilities,
          .issued = made.claims.issued,
          .expires = made.claims.expires};
}

std::string_view StandingWord(const model::ListedToken& row, WallTime now) {
  if (row.standing.revoked != model::Revocation::kNone) return "revoked";
  return now >= row.token.expires ? "expired" : "in_force";
}

}  // namespace

TokenOffice::TokenOffice(policy::TokenRules rules, const policy::LiveKeys& keys,
                         store::TokenStore& records, const Clock& clock, TokenRecorder record)
    : keys_(keys),
      store_(records),
      clock_(clock),
      record_(std::move(record)),
      verifier_(std::move(rules), keys, clock),
      records_(records),
      guard_(verifier_, records_) {
}

Task<Result<policy::MadeToken>> TokenOffice::Issue(policy::TokenRequest request) {
  CO_TRY_ASSIGN(policy::RingKey key, keys_.Primary());
  const policy::TokenIssuer issuer(verifier_.rules(), key.name, key.key, clock_);
  CO_TRY_ASSIGN(policy::MadeToken made, issuer.Issue(request, WholeGrant()));
  CO_TRY(co_await store_.NoteIssued(IssuedRecord(made, request.tenant)));
  json::object note{{"agent", made.claims.agent.value()},
                    {"token_jti", made.claims.token_id},
                    {"claims", policy::ToJson(made.claims)},
                    {"kid", made.key_name}};
  CO_TRY(co_await record_("token_issue", std::move(note)));
  co_return made;
}

Task<Result<policy::VerifiedToken>> TokenOffice::Verify(std::string token,
                                                        policy::TokenDemand demand) {
  CO_TRY_ASSIGN(policy::VerifiedToken verified, co_await guard_.Inspect(std::move(token)));
  CO_TRY(verifier_.CheckUse(verified, demand));
  co_return verified;
}

Task<Result<bool>> TokenOffice::Revoke(model::TokenRevocation revocation) {
  const std::string& id = revocation.token_id;
  if (id.empty() || HasControl(id) || IsWholeToken(id)) {
    co_return Fail(ErrorCode::kInvalidArgument,
                   "token_id: expected the id (jti) of a token, not a whole one");
  }
  json::object note{{"token_jti", id}, {"reason", revocation.reason}};
  CO_TRY_ASSIGN(const bool was_issued, co_await store_.RevokeToken(std::move(revocation)));
  CO_TRY(co_await record_("token_revoke", std::move(note)));
  co_return was_issued;
}

Task<Result<std::uint64_t>> TokenOffice::RevokeUntilNow(model::TokenCutoff cutoff) {
  const std::string event = cutoff.agent.empty() ? "token_revoke_all" : "token_revoke_agent";
  json::object note{{"agent", cutoff.agent.value()},
                    {"of_tenant", cutoff.tenant.value()},
                    {"reason", cutoff.reason}};
  CO_TRY_ASSIGN(const std::uint64_t count, co_await store_.RevokeIssued(std::move(cutoff)));
  note["revoked"] = count;
  CO_TRY(co_await record_(event, std::move(note)));
  co_return count;
}

Task<Result<std::vector<model::ListedToken>>> TokenOffice::List(model::TokenFilter filter) {
  return store_.ListIssued(std::move(filter));
}

bool IsWholeToken(std::string_view text) {
  return text.starts_with(kTokenBegin) && std::ranges::count(text, '.') == 2;
}

json::object ToJson(const policy::MadeToken& made) {
  json::array denied;
  for (const policy::DeniedCapability& row : made.denied) {
    denied.push_back(json::object{{"capability", model::CapabilityName(row.capability)},
                                  {"reason", row.reason}});
  }
  return {{"token", made.token},
          {"jti", made.claims.token_id},
          {"kid", made.key_name},
          {"expires_at", IsoTime(made.claims.expires)},
          {"granted", CapabilityWords(made.claims.capabilities)},
          {"denied", std::move(denied)}};
}

json::object ToJson(const policy::VerifiedToken& verified) {
  return {{"kid", verified.key_name},
          {"tenant", verified.tenant.value()},
          {"expires_at", IsoTime(verified.claims.expires)},
          {"claims", policy::ToJson(verified.claims)}};
}

json::object ToJson(const model::ListedToken& row, WallTime now) {
  json::object out{{"jti", row.token.token_id},
                   {"tenant", row.token.tenant.value()},
                   {"agent", row.token.agent.value()},
                   {"kid", row.token.key_name},
                   {"caps", CapabilityWords(row.token.capabilities)},
                   {"issued_at", IsoTime(row.token.issued)},
                   {"expires_at", IsoTime(row.token.expires)},
                   {"standing", StandingWord(row, now)}};
  if (!row.token.plan.empty()) out["plan_id"] = row.token.plan.value();
  if (row.standing.revoked != model::Revocation::kNone) {
    out["revoked_by"] = NameIn(model::kRevocations, row.standing.revoked);
    out["reason"] = row.standing.reason;
  }
  return out;
}

}  // namespace falconer::kernel
