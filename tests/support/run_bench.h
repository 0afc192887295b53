#pragma once
// RunBench: one run of the built-in agent, with a model that says what a test has written down,
// tools that do what a test says, records in memory, and people who do as they are told.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agent/loop/run_loop.h"
#include "base/async/clock.h"
#include "tests/support/scripted_provider.h"

namespace falconer::test {

class ScriptedBox final : public agent::ToolBox {
 public:
  using Body = std::function<Task<agent::ToolResult>(CallContext ctx, agent::ToolCall call)>;

  ScriptedBox() {
    Add("browser_snapshot", agent::SideEffect::kRead);
    Add("browser_look", agent::SideEffect::kRead);
    Add("browser_navigate", agent::SideEffect::kWrite);
    Add("browser_click", agent::SideEffect::kWrite);
    Add("browser_forbidden", agent::SideEffect::kWrite);
  }
  // What a tool answers; without it, "ok" and how often it was called.
  void On(std::string tool, Body body) { bodies_[std::move(tool)] = std::move(body); }
  void Answer(std::string tool, agent::ToolResult result) {
    On(std::move(tool), [result](CallContext, agent::ToolCall) { return Say(result); });
  }
  const std::vector<agent::ToolCall>& called() const { return called_; }
  // "browser_click d1e1", in the order in which they began.
  std::vector<std::string> story;

  std::vector<const agent::ToolDescriptor*> Tools() const override {
    std::vector<const agent::ToolDescriptor*> out;
    for (const auto& tool : tools_) out.push_back(tool.get());
    return out;
  }
  Task<agent::ToolResult> Call(CallContext ctx, agent::ToolCall call) override {
    called_.push_back(call);
    story.push_back("begin " + call.name + " " + TextAt(call.arguments, "target"));
    const auto body = bodies_.find(call.name);
    agent::ToolResult result{.text = "ok " + std::to_string(called_.size())};
    if (body != bodies_.end()) result = co_await body->second(ctx, call);
    story.push_back("end " + call.name + " " + TextAt(call.arguments, "target"));
    co_return result;
  }

  static Task<agent::ToolResult> Say(agent::ToolResult result) { co_return result; }
  static agent::ToolResult Failed(ErrorCode code, std::string why) {
    return {.text = "error: " + why, .failure = agent::ToolFailure{.error = Error(code, why)}};
  }
  // Ends with its context, as tools must.
  static Task<agent::ToolResult> Hang(CallContext ctx) {
    Alarm never(ctx.executor(), ctx.clock());
    const auto woken = co_await ctx.Wait(&never, "nothing");
    co_return Failed(woken.error().code(), woken.error().message());
  }

 private:
  void Add(std::string name, agent::SideEffect effect) {
    tools_.push_back(std::make_unique<agent::ToolDescriptor>(agent::ToolDescriptor{
        .name = std::move(name),
        .title = "",
        .description = "does it",
        .group = "core",
        .effect = effect,
        .input_schema = {
            {"type", "object"},
            {"properties",
             {{"target", {{"type", "string"}}}, {"session", {{"type", "string"}}}}}}}));
  }

  std::vector<std::unique_ptr<agent::ToolDescriptor>> tools_;
  std::map<std::string, Body> bodies_;
  std::vector<agent::ToolCall> called_;
};

// What was recorded; shared, so that it outlives the kit.
struct KeptRecords {
  std::vector<json::object> all;
  // The record of this event is not kept.
  std::string fails_at;

  std::vector<std::string> events() const {
    std::vector<std::string> out;
    for (const json::object& one : all) out.push_back(TextAt(one, "event"));
    return out;
  }
};

class MemoryRunLog final : public agent::RunLog {
 public:
  explicit MemoryRunLog(std::shared_ptr<KeptRecords> kept) : kept_(std::move(kept)) {}
  Task<Result<void>> Append(json::object record) override {
    if (TextAt(record, "event") == kept_->fails_at)
      co_return Fail(ErrorCode::kIoError, "no space is left");
    kept_->all.push_back(std::move(record));
    co_return Result<void>();
  }
  Task<Result<std::vector<json::object>>> Read(CallContext, RunId run) override {
    std::vector<json::object> out;
    for (const json::object& one : kept_->all)
      if (TextAt(one, "run") == run.value()) out.push_back(one);
    co_return out;
  }

 private:
  std::shared_ptr<KeptRecords> kept_;
};

// People around a run.
struct RunPeople {
  std::optional<std::string> driver;
  Notifier changes;
  EventHub<bool> asking;
  bool is_closed = false;
  std::int64_t epoch = 1;

  void Take(std::string person) {
    driver = std::move(person);
    ++epoch;
  }
  void GiveBack() {
    driver.reset();
    ++epoch;
    changes.NotifyAll();
  }
};

class ScriptedWorld final : public agent::RunWorld {
 public:
  explicit ScriptedWorld(std::shared_ptr<RunPeople> people) : people_(std::move(people)) {}
  Subscription OnAsking(std::function<void(bool)> tell) override {
    return people_->asking.Subscribe(std::move(tell));
  }
  std::optional<std::string> Driver() const override { return people_->driver; }
  std::int64_t Epoch() const override { return people_->epoch; }
  Task<Result<void>> TakeOver(CallContext, engine::DriverChange change) override {
    people_->Take(std::move(change.person));
    co_return Result<void>();
  }
  Task<Result<void>> HandBack(CallContext, engine::DriverChange) override {
    people_->GiveBack();
    co_return Result<void>();
  }
  Task<Result<void>> UntilHandedBack(CallContext ctx) override {
    return people_->changes.Until(
        std::move(ctx), [this] { return !people_->driver; }, "the person");
  }
  Task<void> Close(CallContext) override {
    people_->is_closed = true;
    co_return;
  }

 private:
  std::shared_ptr<RunPeople> people_;
};

struct RunBench {
  RunBench() {
    kit.provider = &model;
    auto made = std::make_unique<ScriptedBox>();
    box = made.get();
    kit.tools = std::move(made);
    kit.log = std::make_unique<MemoryRunLog>(records);
    kit.world = std::make_unique<ScriptedWorld>(people);
    config.allowed_tools = {"browser_snapshot", "browser_look", "browser_navigate",
                            "browser_click"};
    config.session = "shop";
  }

  Task<agent::RunResult> Go(CallContext ctx, std::optional<agent::RunPast> past = std::nullopt) {
    agent::RunLoop loop(
        ctx.executor(), kit,
        {.id = RunId("run-1"), .caller = {}, .task = "Buy tea.", .config = config}, control,
        [this](agent::RunEvent event) {
          if (on_event) on_event(event);
          events.push_back(std::move(event));
        },
        std::move(past), limits);
    co_return co_await loop.Go(ctx);
  }
  // "INIT"-less: the states in their order.
  std::string States() const {
    std::string out;
    for (const agent::RunEvent& event : events)
      if (event.name == "state") out += (out.empty() ? "" : " ") + TextAt(event.facts, "state");
    return out;
  }
  bool Has(std::string_view event) const {
    return std::ranges::any_of(events,
                               [&](const agent::RunEvent& one) { return one.name == event; });
  }
  // One call.
  void ThenCall(std::string tool, std::string target = "d1e1") {
    model.ThenCall({CallOf(std::move(tool), std::move(target))});
  }
  agent::ToolCall CallOf(std::string tool, std::string target) {
    return {.id = "c" + std::to_string(++ids_),
            .name = std::move(tool),
            .arguments = {{"target", target}}};
  }
  // Everything the model was told when it was asked for the n-th time (from 0).
  std::string Asked(std::size_t n) const { return TextOf(model.asked().at(n)); }

  static std::string TextOf(const agent::ChatRequest& request) {
    std::string out = request.system + "\n";
    for (const agent::ChatMessage& message : request.messages) {
      if (const auto* user = std::get_if<agent::UserMessage>(&message)) out += user->text + "\n";
      if (const auto* said = std::get_if<agent::AssistantMessage>(&message))
        out += said->text + "\n";
      if (const auto* replies = std::get_if<agent::ToolReplies>(&message))
        for (const agent::ToolReply& reply : replies->replies) out += reply.text + "\n";
    }
    return out;
  }

  ScriptedProvider model{"near"};
  ScriptedBox* box = nullptr;
  std::shared_ptr<KeptRecords> records = std::make_shared<KeptRecords>();
  std::shared_ptr<RunPeople> people = std::make_shared<RunPeople>();
  agent::RunKit kit;
  agent::RunControl control;
  agent::RunConfig config;
  agent::RunLoopLimits limits;
  SystemClock clock;
  std::vector<agent::RunEvent> events;
  std::function<void(const agent::RunEvent& event)> on_event;

 private:
  int ids_ = 0;
};

}  // namespace falconer::test
