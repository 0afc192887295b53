#include "kernel/gates/quota_gate.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/check.h"
#include "base/json/json_reader.h"
#include "kernel/leases/lease_owner.h"

namespace falconer::kernel {
namespace {

using std::chrono::milliseconds;

// A session may be closed at any moment: it is worth asking again before its lease could run out.
constexpr milliseconds kSessionRetry = std::chrono::seconds(30);
constexpr Bounds<std::int64_t> kQuotaNumbers = {0, std::int64_t{1} << 53};

std::uint64_t QuotaNumber(JsonReader& in, std::string_view key) {
  return static_cast<std::uint64_t>(in.Integer(key, kQuotaNumbers));
}

// As it is read again.
std::int64_t QuotaJson(std::uint64_t number) {
  return static_cast<std::int64_t>(number);
}

QuotaFacts ReadQuotaFacts(JsonReader& in) {
  if (in.Has("error")) return {.error = in.String("error")};
  return {.sessions = QuotaNumber(in, "sessions"),
          .max_sessions = QuotaNumber(in, "max_sessions"),
          .session_wait = in.Milliseconds("session_wait_ms", kQuotaNumbers),
          .actions = QuotaNumber(in, "actions"),
          .max_actions = QuotaNumber(in, "max_actions"),
          .action_wait = in.Milliseconds("action_wait_ms", kQuotaNumbers)};
}

QuotaFacts QuotaFactsOf(const store::QuotaAnswer& answer) {
  return {.sessions = answer.sessions,
          .max_sessions = answer.quota.max_concurrent_sessions,
          .session_wait = answer.session_wait,
          .actions = answer.actions,
          .max_actions = answer.quota.max_actions_per_minute,
          .action_wait = answer.action_wait};
}

bool IsUsedUp(std::uint64_t used, std::uint64_t most) {
  return most > 0 && used >= most;
}

Verdict TooManySessions(const QuotaFacts& facts) {
  const milliseconds wait = std::clamp(facts.session_wait, milliseconds(1), kSessionRetry);
  return Verdict::Defer(
      "quota_session_limit", wait,
      Error(ErrorCode::kQuotaSessionLimit,
            fmt::format("{} sessions of the tenant are open, {} may be", facts.sessions,
                        facts.max_sessions),
            {{"sessions", facts.sessions}, {"max_concurrent_sessions", facts.max_sessions}}));
}

Verdict TooManyActions(const QuotaFacts& facts) {
  return Verdict::Defer(
      "quota_action_rate", std::max(facts.action_wait, milliseconds(1)),
      Error(ErrorCode::kQuotaActionRate,
            fmt::format("{} actions of the tenant were begun in the last minute, {} may be",
                        facts.actions, facts.max_actions),
            {{"actions", facts.actions}, {"max_actions_per_minute", facts.max_actions}}));
}

}  // namespace

json::object QuotaFacts::ToJson() const {
  if (!error.empty()) return {{"error", error}};
  return {{"sessions", QuotaJson(sessions)},         {"max_sessions", QuotaJson(max_sessions)},
          {"session_wait_ms", session_wait.count()}, {"actions", QuotaJson(actions)},
          {"max_actions", QuotaJson(max_actions)},   {"action_wait_ms", action_wait.count()}};
}

Result<QuotaFacts> QuotaFacts::FromJson(const json::object& object) {
  return ReadJson(object, "facts", ReadQuotaFacts);
}

Verdict DecideQuota(const QuotaFacts& facts) {
  if (!facts.error.empty()) {
    const ErrorCode code = ErrorCodeNamed(facts.error).value_or(ErrorCode::kInternalError);
    return Verdict::Reject("quota_unknown", Error(code, "the quota could not be asked for"));
  }
  if (IsUsedUp(facts.sessions, facts.max_sessions)) return TooManySessions(facts);
  if (IsUsedUp(facts.actions, facts.max_actions)) return TooManyActions(facts);
  return Verdict::Admit("quota_available");
}

// Sessions of processes that ended without letting go are in nobody's way.
Task<Result<store::QuotaAnswer>> QuotaGate::Ask(store::LeaseKey key) {
  store::QuotaRequest request{.key = std::move(key), .defaults = defaults_};
  CO_TRY_ASSIGN(store::QuotaAnswer answer, co_await store_.TakeAction(request));
  if (!IsUsedUp(answer.sessions, answer.quota.max_concurrent_sessions)) co_return answer;
  for (const std::string& owner : answer.owners) {
    if (HasEnded(owner)) request.gone_owners.push_back(owner);
  }
  if (request.gone_owners.empty()) co_return answer;
  co_return co_await store_.TakeAction(std::move(request));
}

Task<Verdict> QuotaGate::Check(CallContext /*ctx*/, const GateInput* input) {
  const auto answer = co_await Ask({.tenant = input->tenant, .workflow = input->workflow});
  const QuotaFacts facts =
      answer ? QuotaFactsOf(*answer) : QuotaFacts{.error = std::string(answer.error().name())};
  Verdict verdict = DecideQuota(facts);
  verdict.facts = facts.ToJson();
  // People are told why, the record only what gives the verdict again.
  if (!answer) verdict.error = Error(answer.error().code(), answer.error().message());
  if (!verdict.is_admit()) co_return verdict;
  CHECK(facts.max_actions == 0 || answer->ticket, "an action that is admitted was counted");
  ActionPermit permit = answer->ticket ? ActionPermit(store_, *answer->ticket) : ActionPermit();
  if (input->admission != nullptr) {
    input->admission->action = std::move(permit);
    input->admission->quota = answer->quota;
  }
  co_return verdict;
}

}  // namespace falconer::kernel
