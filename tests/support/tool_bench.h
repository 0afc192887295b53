#pragma once
// ToolBench: tools of a test, called through a real dispatcher with a clock that the test moves.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agent/tools/dispatcher.h"
#include "agent/tools/tool_box.h"
#include "base/async/fake_clock.h"
#include "base/async/notifier.h"

namespace falconer::test {

class KeptSteps final : public agent::StepTrace {
 public:
  void Note(const agent::ToolStep& step) override { steps.push_back(step); }

  std::vector<agent::ToolStep> steps;
};

class ToolBench final : public agent::ToolBox {
 public:
  explicit ToolBench(const CallContext& real) : ctx(real.executor(), clock) {}

  // A tool that takes anything and does `body`.
  agent::ToolDescriptor& Add(std::string name, agent::SideEffect effect,
                             agent::Dispatch::Body body) {
    tools_.push_back(std::make_unique<agent::ToolDescriptor>(
        agent::ToolDescriptor{.name = name,
                              .title = name,
                              .description = "For tests.",
                              .group = "core",
                              .effect = effect,
                              .input_schema = {{"type", "object"}}}));
    bodies_[std::move(name)] = std::move(body);
    return *tools_.back();
  }

  std::vector<const agent::ToolDescriptor*> Tools() const override {
    std::vector<const agent::ToolDescriptor*> list;
    for (const auto& tool : tools_) list.push_back(tool.get());
    return list;
  }

  Task<agent::ToolResult> Call(CallContext with, agent::ToolCall call) override {
    std::vector<std::string> names;
    for (const auto& tool : tools_) {
      names.push_back(tool->name);
      if (tool->name != call.name) continue;
      agent::Dispatch dispatch{.tool = tool.get(), .call = call, .body = bodies_.at(call.name)};
      co_return co_await dispatcher.Run(std::move(with), std::move(dispatch));
    }
    co_return dispatcher.Unknown(call, names);
  }

  FakeClock clock;
  CallContext ctx;
  KeptSteps trace;
  agent::Dispatcher dispatcher{{.run_id = "run-1", .trace = &trace}};

 private:
  std::vector<std::unique_ptr<agent::ToolDescriptor>> tools_;
  std::map<std::string, agent::Dispatch::Body> bodies_;
};

}  // namespace falconer::test
