#include "app/policy/policy_simulation.h"

#include <algorithm>
#include <utility>

#include "base/json/json_reader.h"
#include "kernel/gates/risk_gate.h"
#include "model/contract/contract.h"
#include "model/url.h"
#include "policy/risk/risk.h"

namespace falconer::app {
namespace {

constexpr std::size_t kRecordsAtOnce = 200;

const json::object* ObjectAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr ? value->if_object() : nullptr;
}

// What a gate was asked about, by its name.
json::object FactsOfGate(const json::object& payload, std::string_view gate) {
  const json::value* list = payload.if_contains("decisions");
  if (list == nullptr || !list->is_array()) return {};
  for (const json::value& one : list->get_array()) {
    const json::object* decision = one.if_object();
    if (decision == nullptr || TextAt(*decision, "gate") != gate) continue;
    const json::object* facts = ObjectAt(*decision, "facts");
    json::object out = facts != nullptr ? *facts : json::object();
    out["wall_ms"] = decision->at("wall_clock_timestamp_ms");
    return out;
  }
  return {};
}

model::PolicyFacts FactsBefore(const TenantId& tenant, const json::object& payload,
                               const model::ActionContract& contract) {
  const json::object domain = FactsOfGate(payload, "domain");
  const std::string target = TextAt(domain, "navigate_url");
  model::PolicyFacts facts{.tenant = tenant.value(), .agent = TextAt(payload, "agent")};
  facts.page_url = TextAt(domain, "page_url");
  facts.url = target.empty() ? facts.page_url : target;
  facts.action = contract.action_spec.type;
  if (const json::value* at = domain.if_contains("wall_ms"))
    facts.now = WallTime(std::chrono::milliseconds(at->to_number<std::int64_t>()));
  policy::AddTo(facts,
                policy::AssessRisk({.action = policy::RiskAction{.type = contract.action_spec.type},
                                    .element = std::nullopt,
                                    .request = std::nullopt}));
  return facts;
}

}  // namespace

json::object SimulatedTurn::ToJson() const {
  return {{"seq", seq},
          {"workflow", workflow},
          {"agent", agent},
          {"action", action},
          {"host", host},
          {"happened", happened},
          {"would_be", NameIn(policy::kEffects, would_be)},
          {"about", about},
          {"rule", rule},
          {"reason", reason}};
}

std::size_t PolicySimulation::CountOf(policy::Effect effect) const {
  return static_cast<std::size_t>(std::ranges::count(turns_, effect, &SimulatedTurn::would_be));
}

Result<void> PolicySimulation::Run(ledger::ChainReader& reader, const TenantId& tenant) {
  std::uint64_t next = reader.first_seq();
  while (next != 0) {
    TRY_ASSIGN(const ledger::RecordPage page, reader.Query({}, next, kRecordsAtOnce));
    for (const ledger::StoredRecord& record : page.records) Take(record.view(), tenant);
    next = page.next;
  }
  return {};
}

void PolicySimulation::Take(const ledger::RecordView& record, const TenantId& tenant) {
  const auto payload = ParseJsonObject(record.fields.payload);
  if (!payload) return;
  switch (record.fields.kind) {
    case ledger::RecordKind::kTurnOpened:
      return Open({.seq = record.fields.seq, .happened = "opened"}, tenant, *payload);
    case ledger::RecordKind::kRefusal:
      return Open({.seq = record.fields.seq, .happened = "refused"}, tenant, *payload);
    case ledger::RecordKind::kTurnClosed:
      return Close(*payload);
    default:
      return;
  }
}

void PolicySimulation::Open(SimulatedTurn turn, const TenantId& tenant,
                            const json::object& payload) {
  const json::value* wire = payload.if_contains("contract");
  if (wire == nullptr) return;
  const auto contract = model::ActionContract::FromJson(*wire);
  // What could not be read was never asked about.
  if (!contract) return;
  const model::PolicyFacts facts = FactsBefore(tenant, payload, *contract);
  turn.workflow = TextAt(payload, "workflow");
  turn.agent = facts.agent;
  turn.action = model::ActionName(contract->action_spec.type);
  turn.host = model::SplitUrl(facts.url).host;
  // One that meets an element is judged by what it met, which its end has.
  if (!kernel::MeetsElement(contract->action_spec.type))
    Ask(turn, "action", kernel::SetOf(contract->action_spec.type), facts);
  by_turn_[TextAt(payload, "turn_id")] = turns_.size();
  turns_.push_back(std::move(turn));
}

void PolicySimulation::Close(const json::object& payload) {
  const auto found = by_turn_.find(TextAt(payload, "turn_id"));
  const json::object* result = ObjectAt(payload, "result");
  const json::object* metadata = result != nullptr ? ObjectAt(*result, "metadata") : nullptr;
  const json::value* rulings = metadata != nullptr ? metadata->if_contains("rulings") : nullptr;
  if (found == by_turn_.end() || rulings == nullptr || !rulings->is_array()) return;
  for (const json::value& one : rulings->get_array()) {
    const json::object* ruling = one.if_object();
    const json::value* recorded = ruling != nullptr ? ruling->if_contains("facts") : nullptr;
    if (recorded == nullptr) continue;
    const auto facts = model::PolicyFacts::FromJson(*recorded);
    if (!facts) continue;
    for (const json::value& name : ruling->at("sets").as_array()) {
      if (const auto set = ValueIn(policy::kRuleSets, name.as_string()))
        Ask(turns_[found->second], TextAt(*ruling, "about"), *set, *facts);
    }
  }
}

void PolicySimulation::Ask(SimulatedTurn& turn, std::string_view about, policy::RuleSet set,
                           const model::PolicyFacts& facts) const {
  const policy::PolicyDecision decision = policy_.Decide(set, facts);
  if (!turn.about.empty() && decision.would_be <= turn.would_be) return;
  turn.would_be = decision.would_be;
  turn.about = about;
  turn.rule = decision.rule;
  turn.reason = decision.reason;
}

}  // namespace falconer::app
