#include "kernel/flow/rate_book.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/json/json_reader.h"
#include "base/units.h"

namespace falconer::kernel {
namespace {

using policy::PolicyMode;
using std::chrono::milliseconds;

constexpr Bounds<std::int64_t> kRateNumbers = {0, std::int64_t{1} << 53};

RateFacts::Limit ReadRateLimit(JsonReader& in) {
  return {.rule = in.String("rule"),
          .key = in.String("key"),
          .max = static_cast<std::uint64_t>(in.Integer("max", kRateNumbers)),
          .period = in.Milliseconds("period_ms", kRateNumbers),
          .used = static_cast<std::uint64_t>(in.Integer("used", kRateNumbers)),
          .wait = in.Milliseconds("wait_ms", kRateNumbers)};
}

RateFacts ReadRateFacts(JsonReader& in) {
  return {.mode = in.Enum("mode", policy::kPolicyModes),
          .limits = in.Objects("limits", ReadRateLimit),
          .error = in.OptionalString("error").value_or("")};
}

json::object LimitJson(const RateFacts::Limit& limit) {
  return {{"rule", limit.rule},
          {"key", limit.key},
          {"max", static_cast<std::int64_t>(limit.max)},
          {"period_ms", limit.period.count()},
          {"used", static_cast<std::int64_t>(limit.used)},
          {"wait_ms", limit.wait.count()}};
}

RateFacts RateFactsOf(const RateClaim& claim) {
  RateFacts facts{.mode = claim.mode, .limits = {}, .error = ""};
  for (const policy::RateDemand& demand : claim.demands) {
    facts.limits.push_back({.rule = demand.rule,
                            .key = demand.key,
                            .max = static_cast<std::uint64_t>(demand.max),
                            .period = demand.period});
  }
  return facts;
}

Error TooOften(const RateFacts::Limit& limit) {
  return Error(ErrorCode::kPolicyRateLimit,
               fmt::format("rule \"{}\" allows {} in {}, and there were {}", limit.rule, limit.max,
                           FormatDuration(limit.period), limit.used),
               {{"rule", limit.rule},
                {"max", limit.max},
                {"period_ms", limit.period.count()},
                {"used", limit.used},
                {"retry_after_ms", limit.wait.count()}});
}

}  // namespace

const RateFacts::Limit* RateFacts::Reached() const {
  const auto longest = std::ranges::max_element(limits, {}, &Limit::wait);
  return longest == limits.end() || longest->wait == milliseconds(0) ? nullptr : &*longest;
}

std::optional<Error> RateFacts::Refusal() const {
  if (mode == PolicyMode::kObserve) return std::nullopt;
  if (!error.empty()) {
    return Error(ErrorCodeNamed(error).value_or(ErrorCode::kInternalError),
                 "what a rule limits could not be counted");
  }
  if (const Limit* reached = Reached()) return TooOften(*reached);
  return std::nullopt;
}

json::object RateFacts::ToJson() const {
  json::array list;
  for (const Limit& limit : limits) list.push_back(LimitJson(limit));
  json::object out{{"mode", NameIn(policy::kPolicyModes, mode)}, {"limits", std::move(list)}};
  if (!error.empty()) out["error"] = error;
  return out;
}

Result<RateFacts> RateFacts::FromJson(const json::object& object) {
  return ReadJson(object, "facts", ReadRateFacts);
}

std::optional<Error> RateTaken::Refusal() const {
  auto refusal = facts.Refusal();
  if (refusal && failure) return failure;
  return refusal;
}

Task<RateTaken> RateBook::Take(RateClaim claim) {
  RateTaken taken{.facts = RateFactsOf(claim), .permit = {}, .failure = std::nullopt};
  if (claim.demands.empty()) co_return taken;
  std::vector<store::RateLimit> limits;
  std::vector<std::string> keys;
  for (const RateFacts::Limit& limit : taken.facts.limits) {
    limits.push_back({.key = limit.key, .max = limit.max, .period = limit.period});
    keys.push_back(limit.key);
  }
  auto answer = co_await store_.TakeRates(std::move(limits));
  if (!answer) {
    taken.facts.error = answer.error().name();
    taken.failure = Error(answer.error().code(), std::string(answer.error().message()));
    co_return taken;
  }
  for (std::size_t i = 0; i < answer->counts.size(); ++i) {
    taken.facts.limits[i].used = answer->counts[i].used;
    taken.facts.limits[i].wait = answer->counts[i].wait;
  }
  if (answer->ticket)
    taken.permit = RatePermit(store_, *std::move(answer->ticket), std::move(keys));
  co_return taken;
}

}  // namespace falconer::kernel
