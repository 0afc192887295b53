#pragma once
// Ruling: what is decided during a turn about its action, an element it is about to meet or a
// request that is about to leave. It follows from the case alone, and from the law it is judged by:
// the case goes on record with the ruling, so that a replay makes it again.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/approvals/approval_draft.h"
#include "policy/risk/risk.h"
#include "policy/rules/policy.h"
#include "policy/tokens/token_demand.h"
#include "policy/tokens/token_verifier.h"

namespace falconer::engine {

// What is judged.
struct RulingCase {
  enum class About : std::uint8_t { kAction, kElement, kRequest };
  // Why people are asked about a request, or not, whatever the rules say about it alone.
  enum class Again : std::uint8_t {
    kNo,
    kSentOn,    // a server sends on to another place what people approved for the first
    kRepeated,  // the turn has bought something already
    kOwed,      // an element that an earlier turn met called for it, and nothing was sent since
    // A server leads on within its origin after what people approved, to nothing that does more:
    // that has left.
    kAnswered,
  };
  About about = About::kAction;
  // What it really does. Of what it was judged by the record keeps everything but bodies and the
  // values of fields, so a replay takes it as it was found.
  policy::Risk risk;
  model::PolicyFacts facts;
  std::vector<policy::RuleSet> sets;
  // Whether the token's hosts must cover it even if it changes nothing: what pages load for
  // themselves is not the agent's.
  bool is_place = true;
  Again again = Again::kNo;

  // What of it changes something outside of the page, as far as anybody can tell.
  model::CapabilitySet effects() const;
  bool has_effect() const { return !effects().empty(); }
  // Every address that it concerns.
  std::vector<std::string> urls() const;
};

inline constexpr EnumName<RulingCase::About> kRulingAbouts[] = {
    {RulingCase::About::kAction, "action"},
    {RulingCase::About::kElement, "element"},
    {RulingCase::About::kRequest, "request"},
};

inline constexpr EnumName<RulingCase::Again> kRulingAgains[] = {
    {RulingCase::Again::kNo, "no"},
    {RulingCase::Again::kSentOn, "sent_on"},
    {RulingCase::Again::kRepeated, "repeated"},
    {RulingCase::Again::kOwed, "owed"},
    {RulingCase::Again::kAnswered, "answered"},
};

// By what right. The token and the policy must outlive it.
struct RulingLaw {
  const policy::VerifiedToken& token;
  const policy::Policy* policy = nullptr;  // null when there is none
  policy::ProofRule proof = policy::ProofRule::kNotAsked;
  // What changes something and is of this risk is asked about, whatever the policy says; nothing
  // for never.
  std::optional<model::RiskLevel> ask_from;
};

struct Ruling {
  enum class Effect : std::uint8_t { kAllow, kRefuse, kAsk };
  Effect effect = Effect::kAllow;
  RulingCase asked;
  std::string rule;            // that decided; "" when none did
  std::optional<Error> error;  // of kRefuse
  ApprovalGrounds grounds;     // of kAsk
  // What of the token it uses up.
  model::CapabilitySet used_once;
  // Whether it is an element that calls for approval, or what it was called for.
  bool is_due = false;
  // Limits of the policy that it counts against (turn_rates.h); each key once.
  std::vector<policy::RateDemand> rates;
  // How the policy wants it recorded, and who is to hear of it.
  policy::AuditTerms audit;
};

inline constexpr EnumName<Ruling::Effect> kRulingEffects[] = {
    {Ruling::Effect::kAllow, "allow"},
    {Ruling::Effect::kRefuse, "refuse"},
    {Ruling::Effect::kAsk, "ask"},
};

// People must be asked on these grounds, too.
void AskFor(const ApprovalGrounds& grounds, Ruling& ruling);

// First the token, then the policy, then the risk.
Ruling MakeRuling(const RulingLaw& law, RulingCase asked);

// What the token is asked for.
policy::TokenDemand DemandOf(const RulingCase& asked);

// What an element calls for is due with what it then sends, so that exactly that is approved and
// used up, and not what is touched.
class DueWithRequests {
 public:
  // Takes it from the ruling about an element, which is then allowed.
  void TakeFrom(Ruling& of_element);
  // Adds it to the ruling about a request by which the page may send what the element was for.
  void AddTo(Ruling& of_request) const;
  // Whether this is such a request, and people must approve it.
  bool Concerns(const RulingCase& request) const;
  // What must be approved is due with a later turn's requests, too: a page may ask before it sends.
  void Owe(const DueWithRequests& earlier);

 private:
  std::vector<ApprovalGrounds> approvals_;
  model::CapabilitySet once_;
  std::vector<policy::RateDemand> rates_;  // counted once people have approved
};

// The ruling as it goes on record, under its id.
json::object RulingJson(const std::string& id, const RulingLaw& law, const Ruling& ruling);
// What of it was decided: {"effect","rule"?,"code"?,"reason"?}.
json::object OutcomeJson(const Ruling& ruling);
// Whether the token has limits of whatever kind.
bool HasLimits(const RulingLaw& law);

// A case that is on record.
struct RecordedCase {
  RulingCase asked;
  std::optional<model::RiskLevel> ask_from;
};
// kNotFound when its facts are not on record, kInvalidArgument for what RulingJson never writes.
Result<RecordedCase> ReadCase(const json::object& ruling);

}  // namespace falconer::engine
