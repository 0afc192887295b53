// What was decided during the turn about its action, the elements it met and the requests that were
// about to leave: each ruling from the facts on record, by the token and the policy that admitted
// the turn.

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engine/control/ruling.h"
#include "engine/replay/replay_scope.h"
#include "kernel/flow/rate_book.h"
#include "kernel/gates/capability_gate.h"
#include "kernel/gates/constraint_gate.h"
#include "kernel/gates/risk_gate.h"

namespace falconer::engine {
namespace {

// The token and the policy again, with what a law says beside them.
struct LawOnRecord {
  policy::VerifiedToken token;
  std::optional<policy::Policy> policy;
  policy::ProofRule proof = policy::ProofRule::kNotAsked;

  RulingLaw With(std::optional<model::RiskLevel> ask_from) const {
    return {.token = token,
            .policy = policy ? &*policy : nullptr,
            .proof = proof,
            .ask_from = ask_from};
  }
};

// kNotFound when the gate's facts are not on record.
template <typename Facts>
Result<Facts> FactsOfGate(const ReplayScope& scope, std::string_view gate) {
  const EvidenceRecord* asked = scope.evidence.asked();
  const json::value* list = asked == nullptr ? nullptr : At(asked->payload, "decisions");
  if (list != nullptr && list->is_array()) {
    for (const json::value& one : list->get_array()) {
      const json::object* decision = one.if_object();
      if (decision == nullptr || TextAt(*decision, "gate") != gate) continue;
      const json::value* facts = At(*decision, "facts");
      if (facts != nullptr && facts->is_object()) return Facts::FromJson(facts->get_object());
    }
  }
  return Fail(ErrorCode::kNotFound, fmt::format("what gate {} was asked is not on record", gate));
}

Result<LawOnRecord> ReadLaw(const ReplayScope& scope) {
  TRY_ASSIGN(const auto needs, FactsOfGate<kernel::CapabilityFacts>(scope, "capability"));
  TRY_ASSIGN(const auto limits, FactsOfGate<kernel::ConstraintFacts>(scope, "constraint"));
  TRY_ASSIGN(const auto risk, FactsOfGate<kernel::RiskFacts>(scope, "risk"));
  const WallTime issued{std::chrono::seconds(limits.issued_s)};
  LawOnRecord law{.token = {}, .policy = std::nullopt, .proof = needs.proof};
  TRY_ASSIGN(law.token, TokenOnRecord(scope, needs.token, issued));
  if (!risk.policy.empty()) {
    TRY_ASSIGN(law.policy, PolicyOnRecord(scope, risk.policy));
  }
  return law;
}

json::object RecordedOutcome(const json::object& ruling) {
  json::object out;
  for (const std::string_view key : {"effect", "rule", "code", "reason"}) {
    if (const json::value* value = At(ruling, key)) out[key] = *value;
  }
  return out;
}

// The risk is on record twice: as it was found, and as the facts have it.
bool IsRiskOfFacts(const json::object& ruling, const policy::Risk& of_facts) {
  const json::value* recorded = At(ruling, "risk");
  if (recorded == nullptr || !recorded->is_object()) return false;
  json::object found = recorded->get_object();
  json::object told = of_facts.ToJson();
  found.erase("reasons");
  told.erase("reasons");
  return Compare(found, told) == Sameness::kSame;
}

bool IsByToken(const json::object& outcome) {
  const std::string code = TextAt(outcome, "code");
  return !code.empty() && code != TraitsOf(ErrorCode::kPolicyDenied).name;
}

std::string TextOfRuling(const json::object& ruling) {
  const std::string why = TextAt(ruling, TextAt(ruling, "code").empty() ? "rule" : "code");
  return fmt::format("{} {}{}{}", TextAt(ruling, "about"), TextAt(ruling, "effect"),
                     why.empty() ? "" : " ", why);
}

// What a ruling says that its case needs; nothing when it cannot be read.
std::optional<model::CapabilitySet> NeedsIn(const json::object& ruling) {
  const json::value* risk = At(ruling, "risk");
  const json::value* names =
      risk != nullptr && risk->is_object() ? At(risk->get_object(), "capabilities") : nullptr;
  if (names == nullptr || !names->is_array()) return std::nullopt;
  model::CapabilitySet needs;
  for (const json::value& name : names->get_array()) {
    const auto known =
        name.is_string() ? model::CapabilitiesNamed(name.get_string()) : std::nullopt;
    if (!known) return std::nullopt;
    needs = needs | *known;
  }
  return needs;
}

// What the policy's limits counted before it went on.
void CheckRates(ReplayScope& scope, const std::string& name, const json::object& ruling) {
  const json::value* rates = At(ruling, "rates");
  if (rates == nullptr) return;
  const json::object* counted = rates->if_object();
  const json::value* facts = counted == nullptr ? nullptr : At(*counted, "facts");
  if (facts == nullptr || !facts->is_object())
    return scope.out.Missing(name, "what was counted is not on record");
  const auto read = kernel::RateFacts::FromJson(facts->get_object());
  if (!read) return scope.out.Diverged(name, DivergenceClass::kOutcome, read.error().message());
  const auto refusal = read->Refusal();
  Report(scope, name, DivergenceClass::kOutcome, json::value(TextAt(*counted, "code")),
         json::value(refusal ? std::string(refusal->name()) : std::string()));
}

// What people must be asked about because of something earlier has that approval's terms, which are
// not on record here: that too few may approve both cannot be told.
bool LacksEarlierTerms(const json::object& was, const Ruling& now) {
  using Again = RulingCase::Again;
  const bool is_of_earlier = now.asked.again == Again::kSentOn || now.asked.again == Again::kOwed;
  return is_of_earlier && now.effect == Ruling::Effect::kAsk &&
         TextAt(was, "code") == TraitsOf(ErrorCode::kPolicyDenied).name;
}

// Judges one after the other: what an element calls for is due with the requests after it.
class RulingReplay {
 public:
  RulingReplay(ReplayScope& scope, const LawOnRecord& law) : scope_(scope), law_(law) {}

  void Check(const std::string& name, const json::object& ruling) {
    const auto recorded = ReadCase(ruling);
    if (!recorded && recorded.error().code() == ErrorCode::kNotFound)
      return CheckWithoutFacts(name, ruling);
    if (!recorded)
      return scope_.out.Diverged(name, DivergenceClass::kOutcome, recorded.error().message());
    Ruling now = MakeRuling(law_.With(recorded->ask_from), recorded->asked);
    if (now.asked.about == RulingCase::About::kElement) due_.TakeFrom(now);
    if (now.asked.about == RulingCase::About::kRequest) due_.AddTo(now);
    Settle(name, ruling, now);
  }

 private:
  void Settle(const std::string& name, const json::object& ruling, const Ruling& now) {
    const json::object was = RecordedOutcome(ruling);
    const json::object is = OutcomeJson(now);
    const bool is_same =
        Compare(was, is) == Sameness::kSame && IsRiskOfFacts(ruling, now.asked.risk);
    if (is_same) return scope_.out.Reproduced(name, TextOfRuling(ruling));
    if (HasScrubbed(ruling))
      return scope_.out.Missing(name, "a part of its facts was scrubbed as a secret");
    if (LacksEarlierTerms(was, now))
      return scope_.out.Missing(name, "by whose approval it was asked for before");
    const bool is_authority = IsByToken(was) || IsByToken(is);
    const std::string differing = DifferingFields(was, is);
    scope_.out.Diverged(
        name, is_authority ? DivergenceClass::kAuthority : DivergenceClass::kOutcome,
        fmt::format("recorded {}, now {} ({})", TextOfRuling(ruling), Brief(json::value(is)),
                    differing.empty() ? "risk" : differing));
  }

  // What is harmless is on record with what it needs alone, if that was all anybody was asked.
  void CheckWithoutFacts(const std::string& name, const json::object& ruling) {
    RulingCase asked;
    asked.facts.tenant = scope_.tenant.value();
    asked.facts.agent = TextAt(scope_.evidence.closed->payload, "agent");
    const auto needs = NeedsIn(ruling);
    if (needs) asked.risk.capabilities = *needs;
    const RulingLaw law = law_.With(std::nullopt);
    const Ruling now = MakeRuling(law, std::move(asked));
    const bool is_allowed =
        TextAt(ruling, "effect") == NameIn(kRulingEffects, Ruling::Effect::kAllow);
    if (!needs || !is_allowed || now.asked.has_effect() || law.policy != nullptr || HasLimits(law))
      return scope_.out.Missing(name, "what it was judged by is not on record");
    if (now.effect == Ruling::Effect::kAllow)
      return scope_.out.Reproduced(name, TextOfRuling(ruling));
    scope_.out.Diverged(name, DivergenceClass::kAuthority,
                        fmt::format("recorded {}, now {}", TextOfRuling(ruling),
                                    Brief(json::value(OutcomeJson(now)))));
  }

  ReplayScope& scope_;
  const LawOnRecord& law_;
  DueWithRequests due_;
};

// The rulings of a turn are numbered in the order in which they were made.
void CheckRulingOrder(ReplayScope& scope, const json::array& rulings) {
  for (std::size_t i = 0; i < rulings.size(); ++i) {
    const std::string expected =
        fmt::format("{}/r{}", TextAt(scope.evidence.closed->payload, "turn_id"), i + 1);
    const std::string id = rulings[i].is_object() ? TextAt(rulings[i].get_object(), "id") : "";
    if (id == expected) continue;
    return scope.out.Diverged("rulings.order", DivergenceClass::kOrdering,
                              fmt::format("{} stands where {} should", Brief(id), expected));
  }
  scope.out.Reproduced("rulings.order");
}

const json::object* RulingNamed(const json::array& rulings, const std::string& id) {
  for (const json::value& one : rulings) {
    const json::object* ruling = one.if_object();
    if (ruling != nullptr && TextAt(*ruling, "id") == id) return ruling;
  }
  return nullptr;
}

// What only a ruling refuses with. Everything else that ends what was ruled on comes after it: what
// people answered, what the token's records say, what a limit counted.
constexpr ErrorCode kOfRulings[] = {ErrorCode::kPolicyDenied, ErrorCode::kCapabilityMissing,
                                    ErrorCode::kConstraintViolated};

bool CanEndWith(const json::object& ruling, ErrorCode failure) {
  std::string code = TextAt(ruling, "code");
  if (const json::value* rates = At(ruling, "rates"); code.empty() && rates != nullptr) {
    if (const json::object* counted = rates->if_object()) code = TextAt(*counted, "code");
  }
  if (!code.empty()) return code == TraitsOf(failure).name;
  return std::ranges::find(kOfRulings, failure) == std::end(kOfRulings);
}

// A ruling that is named as the turn's end must be on record, and be one that can end it so.
void CheckDenial(ReplayScope& scope, const json::array& rulings) {
  if (!scope.result->failure) return;
  const std::string id = TextAt(scope.result->failure->details, "denial_id");
  if (id.empty()) return;
  const json::object* ruling = RulingNamed(rulings, id);
  if (ruling == nullptr)
    return scope.out.Missing("rulings.denial", fmt::format("ruling {}", Brief(id)));
  const ErrorCode failure = scope.result->failure->code;
  if (CanEndWith(*ruling, failure))
    return scope.out.Reproduced("rulings.denial", fmt::format("{} {}", id, TraitsOf(failure).name));
  scope.out.Diverged("rulings.denial", DivergenceClass::kOutcome,
                     fmt::format("the turn ended with {}, ruling {} says {}",
                                 TraitsOf(failure).name, id, TextOfRuling(*ruling)));
}

// What was about to leave with an effect and was refused is the turn's failure.
void CheckRefusals(ReplayScope& scope, const json::array& rulings) {
  if (!scope.result->success) return;
  for (const json::value& one : rulings) {
    const json::object* ruling = one.if_object();
    const auto recorded = ruling == nullptr ? std::nullopt : std::optional(ReadCase(*ruling));
    if (!recorded || !*recorded || TextAt(*ruling, "effect") != "refuse") continue;
    const RulingCase& asked = (*recorded)->asked;
    if (asked.about != RulingCase::About::kRequest || !asked.has_effect()) continue;
    scope.out.Diverged("rulings.denial", DivergenceClass::kOutcome,
                       fmt::format("the turn succeeded although ruling {} says {}",
                                   TextAt(*ruling, "id"), TextOfRuling(*ruling)));
  }
}

}  // namespace

void CheckRulings(ReplayScope& scope) {
  if (!scope.result) return;
  const json::value* recorded = At(scope.result->metadata, "rulings");
  const json::array none;
  const json::array& rulings =
      recorded != nullptr && recorded->is_array() ? recorded->get_array() : none;
  CheckDenial(scope, rulings);
  if (rulings.empty()) return;
  CheckRulingOrder(scope, rulings);
  CheckRefusals(scope, rulings);
  const auto law = ReadLaw(scope);
  if (!law) return scope.out.Missing("rulings", law.error().message());
  RulingReplay replay(scope, *law);
  for (std::size_t i = 0; i < rulings.size(); ++i) {
    const json::object* ruling = rulings[i].if_object();
    const std::string name = fmt::format("ruling.{}", i + 1);
    if (ruling == nullptr) {
      scope.out.Diverged(name, DivergenceClass::kOutcome, "it is no object");
    } else {
      replay.Check(name, *ruling);
      CheckRates(scope, name + ".rates", *ruling);
    }
  }
}

}  // namespace falconer::engine
