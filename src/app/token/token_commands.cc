#include "app/token/token_commands.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/desk/option_values.h"
#include "app/host/control_settings.h"
#include "app/token/store_token_records.h"
#include "app/token/token_desk.h"
#include "app/token/token_input.h"
#include "base/units.h"
#include "model/text.h"
#include "policy/tokens/token_guard.h"

namespace falconer::app {
namespace {

constexpr std::uint64_t kMostTokenRows = 1000;
constexpr std::string_view kTokenBegin = "eyJ";  // {" in base64url
// The store keeps what it does not know for a day; no token that is accepted lives so long.
constexpr std::string_view kNotIssuedHere =
    "  no token of this id was issued here; one that comes from elsewhere is refused for a day";

json::array TokenWords(model::CapabilitySet capabilities) {
  json::array words;
  for (const std::string_view name : model::CapabilityNames(capabilities)) {
    words.emplace_back(name);
  }
  return words;
}

// Whoever holds the key may grant everything: what it grants is what it asks for.
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

json::object MadeAnswer(const policy::MadeToken& made) {
  json::array denied;
  for (const policy::DeniedCapability& row : made.denied) {
    denied.push_back(json::object{{"capability", model::CapabilityName(row.capability)},
                                  {"reason", row.reason}});
  }
  return {{"token", made.token},
          {"jti", made.claims.token_id},
          {"kid", made.key_name},
          {"expires_at", IsoTime(made.claims.expires)},
          {"granted", TokenWords(made.claims.capabilities)},
          {"denied", std::move(denied)}};
}

// Noted and on record before anybody has it.
Task<Result<json::object>> IssueToken(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const policy::TokenRequest request, TokenRequestOf(*arguments, desk->tenant()));
  CO_TRY(desk->CheckKeys());
  CO_TRY_ASSIGN(policy::RingKey key, desk->keys().Primary());
  const policy::TokenIssuer issuer(TokenRulesFrom(desk->settings()), key.name, key.key,
                                   desk->clock());
  CO_TRY_ASSIGN(const policy::MadeToken made, issuer.Issue(request, WholeGrant()));
  CO_TRY(co_await desk->records().NoteIssued(IssuedRecord(made, request.tenant)));
  json::object note{{"agent", made.claims.agent.value()},
                    {"token_jti", made.claims.token_id},
                    {"claims", policy::ToJson(made.claims)},
                    {"kid", made.key_name}};
  CO_TRY(co_await desk->Record("token_issue", std::move(note)));
  co_return MadeAnswer(made);
}

void PrintMade(const json::object& answer, Terminal& terminal) {
  terminal.Print(TextAt(answer, "token"));
}

Task<Result<json::object>> VerifyToken(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const std::string token, TokenOf(*arguments));
  CO_TRY_ASSIGN(const policy::TokenDemand demand, TokenDemandOf(*arguments));
  CO_TRY(desk->CheckKeys());
  const policy::TokenVerifier verifier(TokenRulesFrom(desk->settings()), desk->keys(),
                                       desk->clock());
  StoreTokenRecords records(desk->records());
  policy::TokenGuard guard(verifier, records);
  CO_TRY_ASSIGN(const policy::VerifiedToken verified, co_await guard.Inspect(token));
  CO_TRY(verifier.CheckUse(verified, demand));
  co_return json::object{{"kid", verified.key_name},
                         {"tenant", verified.tenant.value()},
                         {"expires_at", IsoTime(verified.claims.expires)},
                         {"claims", policy::ToJson(verified.claims)}};
}

void PrintVerified(const json::object& answer, Terminal& terminal) {
  terminal.Print(fmt::format("valid until {}, signed by {}", TextAt(answer, "expires_at"),
                             TextAt(answer, "kid")));
  for (const json::key_value_pair& claim : answer.at("claims").as_object()) {
    terminal.Print(
        fmt::format("  {}: {}", std::string_view(claim.key()), json::serialize(claim.value())));
  }
}

// A whole token instead of its id is a slip that would revoke nothing.
Result<void> CheckTokenId(const std::string& id) {
  const bool is_token = id.starts_with(kTokenBegin) && std::ranges::count(id, '.') == 2;
  const bool is_text = !id.empty() && !model::HasControl(id);
  if (is_text && !is_token) return {};
  return Fail(ErrorCode::kInvalidArgument,
              is_token ? "ID: is a whole token; `falconer token verify` shows its id (jti)"
                       : "ID: expected the id (jti) of a token, as `falconer token list` shows it");
}

Task<Result<json::object>> RevokeOne(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const std::string reason, OptionalReasonOf(*arguments));
  CO_TRY(CheckTokenId(arguments->token_id));
  CO_TRY_ASSIGN(const bool was_issued,
                co_await desk->records().RevokeToken({arguments->token_id, reason}));
  json::object note{{"token_jti", arguments->token_id}, {"reason", reason}};
  CO_TRY(co_await desk->Record("token_revoke", note));
  co_return json::object{{"jti", arguments->token_id}, {"revoked", 1}, {"issued_here", was_issued}};
}

Task<Result<json::object>> RevokeUntilNow(TokenDesk* desk, model::TokenCutoff cutoff,
                                          std::string event) {
  CO_TRY_ASSIGN(const std::uint64_t count, co_await desk->records().RevokeIssued(cutoff));
  json::object note{{"agent", cutoff.agent.value()},
                    {"of_tenant", cutoff.tenant.value()},
                    {"reason", cutoff.reason},
                    {"revoked", count}};
  CO_TRY(co_await desk->Record(event, std::move(note)));
  co_return json::object{{"revoked", count}};
}

Task<Result<json::object>> RevokeOfAgent(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const std::string reason, OptionalReasonOf(*arguments));
  if (arguments->agent.empty()) {
    co_return Fail(ErrorCode::kInvalidArgument, "AGENT: must not be empty");
  }
  model::TokenCutoff cutoff{TokenTenantOf(*arguments, desk->tenant()), AgentId(arguments->agent),
                            reason};
  co_return co_await RevokeUntilNow(desk, std::move(cutoff), "token_revoke_agent");
}

Task<Result<json::object>> RevokeEverything(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const std::string reason, OptionalReasonOf(*arguments));
  model::TokenCutoff cutoff{TenantId(arguments->tenant), AgentId(), reason};
  co_return co_await RevokeUntilNow(desk, std::move(cutoff), "token_revoke_all");
}

void PrintRevoked(const json::object& answer, Terminal& terminal) {
  const std::string jti = TextAt(answer, "jti");
  if (!jti.empty()) {
    terminal.Print("revoked " + jti);
    if (!IsTrueAt(answer, "issued_here")) terminal.Print(std::string(kNotIssuedHere));
    return;
  }
  terminal.Print(
      fmt::format("everything issued until now is revoked; {} known tokens were in force",
                  answer.at("revoked").to_number<std::uint64_t>()));
}

std::string_view StandingWord(const model::ListedToken& row, WallTime now) {
  if (row.standing.revoked != model::Revocation::kNone) return "revoked";
  return now >= row.token.expires ? "expired" : "in_force";
}

json::object ListedAnswer(const model::ListedToken& row, WallTime now) {
  json::object out{{"jti", row.token.token_id},
                   {"tenant", row.token.tenant.value()},
                   {"agent", row.token.agent.value()},
                   {"kid", row.token.key_name},
                   {"caps", TokenWords(row.token.capabilities)},
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

Task<Result<json::object>> ListTokens(TokenDesk* desk, const Arguments* arguments) {
  model::TokenFilter filter{TenantId(arguments->tenant), AgentId(arguments->agent)};
  CO_TRY_ASSIGN(filter.limit, NumberOf("--limit", arguments->limit, 1, kMostTokenRows));
  CO_TRY_ASSIGN(const auto rows, co_await desk->records().ListIssued(filter));
  json::array out;
  for (const model::ListedToken& row : rows) {
    out.push_back(ListedAnswer(row, desk->clock().WallNow()));
  }
  co_return json::object{{"tokens", std::move(out)}};
}

void PrintTokens(const json::object& answer, Terminal& terminal) {
  const json::array& rows = answer.at("tokens").as_array();
  if (rows.empty()) terminal.Print("no tokens were issued here in the last week");
  for (const json::value& value : rows) {
    const json::object& row = value.as_object();
    std::string words;
    for (const json::value& word : row.at("caps").as_array()) {
      words += (words.empty() ? "" : ",") + std::string(word.as_string());
    }
    terminal.Print(fmt::format("{}  {:<8} until {}  {}/{}  {}", TextAt(row, "jti"),
                               TextAt(row, "standing"), TextAt(row, "expires_at"),
                               TextAt(row, "tenant"), TextAt(row, "agent"), words));
  }
}

}  // namespace

int RunTokenIssue(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &IssueToken, &PrintMade);
}

int RunTokenVerify(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &VerifyToken, &PrintVerified);
}

int RunTokenRevoke(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &RevokeOne, &PrintRevoked);
}

int RunTokenRevokeAgent(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &RevokeOfAgent, &PrintRevoked);
}

int RunTokenRevokeAll(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &RevokeEverything, &PrintRevoked);
}

int RunTokenList(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &ListTokens, &PrintTokens);
}

}  // namespace falconer::app
