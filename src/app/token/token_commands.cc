#include "app/token/token_commands.h"

#include <fmt/format.h>

#include "app/desk/option_values.h"
#include "app/token/token_desk.h"
#include "app/token/token_input.h"
#include "base/text.h"

namespace falconer::app {
namespace {

constexpr std::uint64_t kMostTokenRows = 1000;
// The store keeps what it does not know for a day; no token that is accepted lives so long.
constexpr std::string_view kNotIssuedHere =
    "  no token of this id was issued here; one that comes from elsewhere is refused for a day";

Task<Result<json::object>> IssueToken(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(policy::TokenRequest request, TokenRequestOf(*arguments, desk->tenant()));
  CO_TRY(desk->CheckKeys());
  CO_TRY_ASSIGN(const policy::MadeToken made, co_await desk->office().Issue(std::move(request)));
  co_return kernel::ToJson(made);
}

void PrintMade(const json::object& answer, Terminal& terminal) {
  terminal.Print(TextAt(answer, "token"));
}

Task<Result<json::object>> VerifyToken(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(std::string token, TokenOf(*arguments));
  CO_TRY_ASSIGN(policy::TokenDemand demand, TokenDemandOf(*arguments));
  CO_TRY(desk->CheckKeys());
  CO_TRY_ASSIGN(const policy::VerifiedToken verified,
                co_await desk->office().Verify(std::move(token), std::move(demand)));
  co_return kernel::ToJson(verified);
}

void PrintVerified(const json::object& answer, Terminal& terminal) {
  terminal.Print(fmt::format("valid until {}, signed by {}", TextAt(answer, "expires_at"),
                             TextAt(answer, "kid")));
  for (const json::key_value_pair& claim : answer.at("claims").as_object()) {
    terminal.Print(
        fmt::format("  {}: {}", std::string_view(claim.key()), json::serialize(claim.value())));
  }
}

Result<void> CheckTokenId(const std::string& id) {
  const bool is_token = kernel::IsWholeToken(id);
  const bool is_text = !id.empty() && !HasControl(id);
  if (is_text && !is_token) return {};
  return Fail(ErrorCode::kInvalidArgument,
              is_token ? "ID: is a whole token; `falconer token verify` shows its id (jti)"
                       : "ID: expected the id (jti) of a token, as `falconer token list` shows it");
}

Task<Result<json::object>> RevokeOne(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const std::string reason, OptionalReasonOf(*arguments));
  CO_TRY(CheckTokenId(arguments->token_id));
  CO_TRY_ASSIGN(const bool was_issued,
                co_await desk->office().Revoke({arguments->token_id, reason}));
  co_return json::object{{"jti", arguments->token_id}, {"revoked", 1}, {"issued_here", was_issued}};
}

Task<Result<json::object>> RevokeUntilNow(TokenDesk* desk, model::TokenCutoff cutoff) {
  CO_TRY_ASSIGN(const std::uint64_t count,
                co_await desk->office().RevokeUntilNow(std::move(cutoff)));
  co_return json::object{{"revoked", count}};
}

Task<Result<json::object>> RevokeOfAgent(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const std::string reason, OptionalReasonOf(*arguments));
  if (arguments->agent.empty()) {
    co_return Fail(ErrorCode::kInvalidArgument, "AGENT: must not be empty");
  }
  model::TokenCutoff cutoff{TokenTenantOf(*arguments, desk->tenant()), AgentId(arguments->agent),
                            reason};
  co_return co_await RevokeUntilNow(desk, std::move(cutoff));
}

Task<Result<json::object>> RevokeEverything(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const std::string reason, OptionalReasonOf(*arguments));
  model::TokenCutoff cutoff{TenantId(arguments->tenant), AgentId(), reason};
  co_return co_await RevokeUntilNow(desk, std::move(cutoff));
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

Task<Result<json::object>> ListTokens(TokenDesk* desk, const Arguments* arguments) {
  model::TokenFilter filter{TenantId(arguments->tenant), AgentId(arguments->agent)};
  CO_TRY_ASSIGN(filter.limit, NumberOf("--limit", arguments->limit, 1, kMostTokenRows));
  CO_TRY_ASSIGN(const auto rows, co_await desk->office().List(std::move(filter)));
  json::array out;
  for (const model::ListedToken& row : rows)
    out.push_back(kernel::ToJson(row, desk->clock().WallNow()));
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
