#pragma once
// AgentHost: what runs of the built-in agent are made of: the models of the settings, the tools
// that every other agent has, the ledger.

#include <memory>

#include "agent/loop/run_desk.h"
#include "agent/providers/provider_chain.h"
#include "api/tools/tool_host.h"
#include "app/wiring.h"

namespace falconer::app {

class AgentHost final : public agent::RunMaker {
 public:
  // Null when agent.internal.enabled is false. kInvalidSetting for whatever is wrong with the
  // settings of the agent, whether it is enabled or not. Both must outlive the host.
  static Result<std::unique_ptr<AgentHost>> Open(Program& program, api::ToolHost& host);
  ~AgentHost() override;

  Result<std::unique_ptr<agent::RunKit>> Make(const agent::RunOrder& order) override;
  Result<std::unique_ptr<agent::RunLog>> Log(const engine::Caller& caller) override;

 private:
  AgentHost(Program& program, api::ToolHost& host) : program_(program), host_(host) {}
  Result<agent::Provider*> Models(const api::ToolRooms& rooms);

  Program& program_;
  api::ToolHost& host_;
  // Made with the first run: their keys are secrets, which need the rooms.
  std::unique_ptr<agent::ProviderChain> models_;
};

}  // namespace falconer::app
