// falconer policy simulate.

#include <fmt/format.h>

#include "app/audit/audit_input.h"
#include "app/desk/option_values.h"
#include "app/policy/policy_commands.h"
#include "app/policy/policy_simulation.h"
#include "model/plain_text.h"

namespace falconer::app {
namespace {

using policy::Effect;

bool WouldGoOn(Effect effect) {
  return effect == Effect::kAllow || effect == Effect::kConstrain;
}

Result<PolicySimulation> Simulated(const Arguments& arguments, const policy::Policy& policy) {
  TRY_ASSIGN(const std::vector<AuditChain> chains,
             arguments.recorded.empty() ? ChainsOf(arguments)
                                        : ChainsIn(arguments.recorded, arguments.tenant));
  PolicySimulation simulation(policy);
  for (const AuditChain& chain : chains) {
    TRY_ASSIGN(auto reader, ledger::ChainReader::Open(chain.paths.folder, arguments.archive));
    TRY(simulation.Run(reader, chain.tenant));
  }
  return simulation;
}

json::object SimulationJson(const PolicySimulation& simulation) {
  json::array turns;
  for (const SimulatedTurn& turn : simulation.turns()) turns.push_back(turn.ToJson());
  return {{"ok", true},
          {"turns", std::move(turns)},
          {"allow", simulation.CountOf(Effect::kAllow) + simulation.CountOf(Effect::kConstrain)},
          {"require_approval", simulation.CountOf(Effect::kRequireApproval)},
          {"deny", simulation.CountOf(Effect::kDeny)}};
}

void PrintSimulation(Terminal& terminal, const PolicySimulation& simulation) {
  for (const SimulatedTurn& turn : simulation.turns()) {
    if (WouldGoOn(turn.would_be)) continue;
    terminal.Print(model::PlainLine(
        fmt::format("#{} {} {} at {} ({}): {}, {}", turn.seq, turn.agent, turn.action, turn.host,
                    turn.happened, NameIn(policy::kEffects, turn.would_be), turn.reason)));
  }
  terminal.Print(
      fmt::format("{} on record: {} would be allowed, {} would need approval, {} would be denied",
                  simulation.turns().size(),
                  simulation.CountOf(Effect::kAllow) + simulation.CountOf(Effect::kConstrain),
                  simulation.CountOf(Effect::kRequireApproval), simulation.CountOf(Effect::kDeny)));
}

}  // namespace

int RunPolicySimulate(const Arguments& arguments, Terminal& terminal) {
  const auto policy = policy::Policy::Load(arguments.file);
  if (!policy) return RefusePolicy(arguments, terminal, policy.error());
  const auto simulation = Simulated(arguments, *policy);
  if (!simulation) return Refuse(arguments, terminal, simulation.error());
  if (arguments.wants_json) {
    PrintJson(terminal, SimulationJson(*simulation));
  } else {
    PrintSimulation(terminal, *simulation);
  }
  return kExitOk;
}

}  // namespace falconer::app
