#include "app/agent/agent_host.h"

#include <utility>

#include "agent/providers/make_providers.h"
#include "agent/providers/provider_spec.h"
#include "api/tools/catalog.h"
#include "app/agent/ledger_run_log.h"
#include "app/agent/run_tools.h"
#include "app/agent/runtime_world.h"
#include "app/version.h"

namespace falconer::app {

Result<std::unique_ptr<AgentHost>> AgentHost::Open(Program& program, api::ToolHost& host) {
  const Settings& settings = program.settings();
  TRY_ASSIGN(const agent::RunConfig config, agent::RunConfigFrom(settings));
  TRY(agent::ParseProviders(settings.agent.providers));
  if (!settings.agent_loop.enabled) return nullptr;
  const RunTools tools(host, "start");
  TRY(agent::CheckToolNames(config, tools.Tools(), settings.agent.nodes));
  return std::unique_ptr<AgentHost>(new AgentHost(program, host));
}

AgentHost::~AgentHost() = default;

Result<agent::Provider*> AgentHost::Models(const api::ToolRooms& rooms) {
  if (!models_) {
    const auto keys = agent::KeysFrom(rooms.runtime->parts().secrets);
    TRY_ASSIGN(models_,
               agent::MakeProviders(program_.clock(), program_.settings().agent.providers, keys));
  }
  return models_.get();
}

Result<std::unique_ptr<agent::RunKit>> AgentHost::Make(const agent::RunOrder& order) {
  TRY_ASSIGN(const api::ToolRooms rooms, host_.Rooms());
  auto kit = std::make_unique<agent::RunKit>();
  TRY_ASSIGN(kit->provider, Models(rooms));
  auto tools = std::make_unique<RunTools>(host_, order.id.value(), order.times_resumed);
  const bool is_own = order.config.session == order.id.value();
  kit->world = std::make_unique<RuntimeWorld>(
      *rooms.runtime, tools->KeyOf(rooms, order.config.session),
      is_own ? RuntimeWorld::Session::kOwn : RuntimeWorld::Session::kShared);
  kit->tools = std::move(tools);
  kit->log = std::make_unique<LedgerRunLog>(*rooms.runtime, order.caller.tenant);
  kit->instructions = api::kInstructions;
  return kit;
}

Result<std::unique_ptr<agent::RunLog>> AgentHost::Log(const engine::Caller& caller) {
  TRY_ASSIGN(const api::ToolRooms rooms, host_.Rooms());
  return std::make_unique<LedgerRunLog>(*rooms.runtime, caller.tenant);
}

}  // namespace falconer::app
