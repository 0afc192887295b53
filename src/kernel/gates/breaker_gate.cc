#include "kernel/gates/breaker_gate.h"

#include <algorithm>
#include <utility>

#include "base/json/json_reader.h"
#include "kernel/leases/lease_owner.h"
#include "model/url.h"

namespace falconer::kernel {
namespace {

using std::chrono::milliseconds;
using store::CircuitState;

constexpr Bounds<std::int64_t> kBreakerNumbers = {0, std::int64_t{1} << 53};

BreakerFacts ReadBreakerFacts(JsonReader& in) {
  BreakerFacts facts{.domain = in.OptionalString("domain").value_or("")};
  facts.error = in.OptionalString("error").value_or("");
  if (facts.domain.empty() || !facts.error.empty()) return facts;
  facts.threshold = static_cast<std::uint64_t>(in.Integer("threshold", kBreakerNumbers));
  if (facts.threshold == 0) return facts;
  facts.state = in.Enum("state", store::kCircuitStates);
  facts.is_probe = in.Bool("is_probe");
  facts.failures = static_cast<std::uint64_t>(in.Integer("failures", kBreakerNumbers));
  facts.retry_after = in.Milliseconds("retry_after_ms", kBreakerNumbers);
  return facts;
}

Verdict Broken(const BreakerFacts& facts) {
  const bool is_open = facts.state == CircuitState::kOpen;
  const std::string why =
      is_open ? " failed too often lately" : " failed too often lately and is being tried";
  Error error(is_open ? ErrorCode::kCircuitOpen : ErrorCode::kCircuitHalfOpen, facts.domain + why,
              {{"domain", facts.domain}});
  return Verdict::Defer(is_open ? "circuit_open" : "circuit_half_open",
                        std::max(facts.retry_after, milliseconds(1)), std::move(error));
}

}  // namespace

json::object BreakerFacts::ToJson() const {
  json::object out;
  if (!domain.empty()) out["domain"] = domain;
  if (!error.empty()) out["error"] = error;
  if (domain.empty() || !error.empty()) return out;
  out["threshold"] = static_cast<std::int64_t>(threshold);
  if (threshold == 0) return out;
  out["state"] = NameIn(store::kCircuitStates, state);
  out["is_probe"] = is_probe;
  out["failures"] = static_cast<std::int64_t>(failures);
  out["retry_after_ms"] = retry_after.count();
  return out;
}

Result<BreakerFacts> BreakerFacts::FromJson(const json::object& object) {
  return ReadJson(object, "facts", ReadBreakerFacts);
}

Verdict DecideBreaker(const BreakerFacts& facts) {
  if (!facts.error.empty()) {
    const ErrorCode code = ErrorCodeNamed(facts.error).value_or(ErrorCode::kInternalError);
    return Verdict::Reject("circuit_unknown", Error(code, "the circuit could not be asked for"));
  }
  if (facts.domain.empty()) return Verdict::Admit("no_site");
  if (facts.threshold == 0) return Verdict::Admit("breaker_off");
  if (facts.state == CircuitState::kClosed) return Verdict::Admit("circuit_closed");
  if (facts.is_probe) return Verdict::Admit("circuit_probe");
  return Broken(facts);
}

std::string DomainOf(const GateInput& input) {
  const std::string& url = input.navigate_url.empty() ? input.page_url : input.navigate_url;
  return model::SplitUrl(url).host;
}

// A process that ended without a word is no longer trying.
Task<Result<store::CircuitAnswer>> BreakerGate::Ask(store::CircuitKey key) {
  store::CircuitRequest request{.key = std::move(key), .limits = limits_, .holder = holder_};
  CO_TRY_ASSIGN(store::CircuitAnswer answer, co_await store_.EnterCircuit(request));
  if (answer.holder.empty() || !HasEnded(answer.holder)) co_return answer;
  request.gone_holder = answer.holder;
  co_return co_await store_.EnterCircuit(std::move(request));
}

Task<Verdict> BreakerGate::Check(CallContext /*ctx*/, const GateInput* input) {
  BreakerFacts facts{.domain = DomainOf(*input), .threshold = limits_.threshold};
  const bool is_asked = !facts.domain.empty() && limits_.threshold > 0;
  store::CircuitKey key{input->tenant, facts.domain};
  Result<store::CircuitAnswer> answer;
  if (is_asked) answer = co_await Ask(key);
  CircuitPermit permit;
  if (is_asked && answer) {
    facts.state = answer->state;
    facts.is_probe = answer->probe.has_value();
    facts.failures = answer->failures;
    facts.retry_after = answer->retry_after;
    permit = CircuitPermit(store_, std::move(key), *answer);
  } else if (!answer) {
    facts.error = answer.error().name();
  }
  Verdict verdict = DecideBreaker(facts);
  verdict.facts = facts.ToJson();
  // People are told why, the record only what gives the verdict again.
  if (!answer) verdict.error = Error(answer.error().code(), answer.error().message());
  if (verdict.is_admit() && input->admission != nullptr)
    input->admission->circuit = std::move(permit);
  co_return verdict;
}

}  // namespace falconer::kernel
