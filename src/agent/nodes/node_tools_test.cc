#include "agent/nodes/node_tools.h"

#include <algorithm>

#include "base/async/task_scope.h"
#include "tests/support/child_scripts.h"
#include "tests/support/co_test.h"
#include "tests/support/mcp_child.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kAdder = R"(
import json, os, sys
given = json.load(sys.stdin)
tool = os.environ['FALCONER_TOOL']
if tool == 'add': print(json.dumps({'sum': sum(given['numbers'])}))
elif tool == 'say': print('plain words')
elif tool == 'ids': print(json.dumps({k: v for k, v in os.environ.items() if k.startswith('FALCONER_')}))
elif tool == 'bytes': os.write(1, b'a\xffb')
elif tool == 'fail':
    print('half')
    sys.exit('it went wrong')
elif tool == 'crash': os.kill(os.getpid(), 11)
elif tool == 'wait':
    while True: pass
)";

// A program with the tools above, and a server.
class NodeToolsBench {
 public:
  explicit NodeToolsBench(const CallContext& ctx) : ctx_(ctx) {
    const auto adder = scripts_.Write("adder.py", kAdder).string();
    const auto server = scripts_.Write("server.py", test::kMcpChild).string();
    json::array tools;
    for (const std::string_view name : {"add", "say", "ids", "bytes", "fail", "crash", "wait"})
      tools.push_back({{"name", name},
                       {"description", "Does it."},
                       {"schema", {{"type", "object"}}},
                       {"side_effect", name == "add" ? "read" : "write"}});
    const json::object limits{{"timeout_ms", 60'000}, {"cpu_seconds", 2}};
    rows_ = {{{"name", "calc"},
              {"kind", "program"},
              {"command", {"/usr/bin/python3", "-I", adder}},
              {"capability", "READ"},
              {"limits", limits},
              {"tools", tools}},
             {{"name", "third"}, {"kind", "mcp"}, {"command", {"/usr/bin/python3", "-I", server}}},
             {{"name", "gone"}, {"kind", "mcp"}, {"command", {"falconer-no-such-server"}}}};
    NodeHost host{.epoch = [](const Correlation&) { return 9; }};
    auto made = NodeTools::Make(ctx.executor(), ctx.clock(), rows_, std::move(host));
    EXPECT_TRUE(made) << Describe(made.error());
    tools_ = *std::move(made);
  }

  NodeTools& tools() { return *tools_; }
  Task<ToolResult> Call(std::string name, json::object arguments = {}) {
    return CallIn(ctx_, std::move(name), std::move(arguments));
  }
  Task<ToolResult> CallIn(CallContext ctx, std::string name, json::object arguments = {}) {
    return tools_->Call(std::move(ctx), {"c-1", std::move(name), std::move(arguments)});
  }
  const ToolDescriptor* Named(std::string_view name) const {
    const auto all = tools_->Tools();
    const auto found = std::ranges::find(all, name, &ToolDescriptor::name);
    return found == all.end() ? nullptr : *found;
  }

 private:
  CallContext ctx_;
  test::ChildScripts scripts_;
  json::array rows_;
  std::unique_ptr<NodeTools> tools_;
};

std::string ShownResult(const ToolResult& result) {
  return (result.ok() ? "ok: " : Describe(result.failure->error) + ": ") + result.text;
}

bool EndedAs(const ToolResult& result, ErrorCode code) {
  return !result.ok() && result.failure->error.code() == code;
}

CO_TEST(NodeToolsTest, OffersWhatIsSettledAndWhatServersSay) {
  NodeToolsBench bench(ctx);
  EXPECT_NE(bench.Named("calc__add"), nullptr);
  EXPECT_EQ(bench.Named("third__echo"), nullptr);

  const auto loaded = co_await bench.tools().Load(ctx);

  // One that cannot be started keeps nobody else away.
  EXPECT_TRUE(loaded) << Describe(loaded.error());
  const ToolDescriptor* add = bench.Named("calc__add");
  const ToolDescriptor* echo = bench.Named("third__echo");
  EXPECT_NE(echo, nullptr);
  if (add == nullptr || echo == nullptr) co_return;
  EXPECT_EQ(add->effect, SideEffect::kRead);
  EXPECT_EQ(add->retry.retries, 1);
  EXPECT_EQ(add->capability, "READ");
  EXPECT_EQ(echo->effect, SideEffect::kWrite);
  EXPECT_EQ(echo->retry.retries, 0);
  EXPECT_EQ(echo->capability, "SCRIPT");
  EXPECT_GE(echo->timeout, std::chrono::seconds(30));
  co_await bench.tools().Stop(ctx);
}

CO_TEST(NodeToolsTest, HasNothingWithoutASetting) {
  const auto none = NodeTools::Make(ctx.executor(), ctx.clock(), {}, {});

  EXPECT_TRUE(none && (*none)->empty() && (*none)->Tools().empty());
  const auto call = co_await (*none)->Call(ctx, {"c", "calc__add", {}});
  EXPECT_TRUE(EndedAs(call, ErrorCode::kToolUnavailable)) << ShownResult(call);
}

CO_TEST(NodeToolsTest, CallsAProgramWithJson) {
  NodeToolsBench bench(ctx);

  const auto sum = co_await bench.Call("calc__add", {{"numbers", {2, 3}}});
  const auto said = co_await bench.Call("calc__say");
  const auto bytes = co_await bench.Call("calc__bytes");

  EXPECT_TRUE(sum.ok()) << ShownResult(sum);
  EXPECT_EQ(sum.structured->at("result"), json::value({{"sum", 5}}));
  EXPECT_EQ(sum.page_at, 0U);
  EXPECT_GT(sum.took, Duration::zero());
  EXPECT_EQ(TextAt(sum.structured->at("node").as_object(), "node_id"), "calc");
  EXPECT_TRUE(said.ok() && said.text == "plain words\n") << ShownResult(said);
  EXPECT_FALSE(said.structured->contains("result"));
  EXPECT_EQ(bytes.text,
            "a\xEF\xBF\xBD"
            "b");
}

CO_TEST(NodeToolsTest, TellsAProgramOnWhoseBehalf) {
  NodeToolsBench bench(ctx);
  Correlation ids;
  ids.session = SessionId("s-1");
  ids.turn = TurnId("t-2");

  const auto told = co_await bench.CallIn(ctx.WithIds(ids), "calc__ids");

  EXPECT_TRUE(told.ok()) << ShownResult(told);
  if (!told.ok()) co_return;
  const json::object& names = told.structured->at("result").as_object();
  EXPECT_EQ(TextAt(names, "FALCONER_SESSION"), "s-1");
  EXPECT_EQ(TextAt(names, "FALCONER_TURN"), "t-2");
  EXPECT_EQ(TextAt(names, "FALCONER_NODE"), "calc");
  EXPECT_EQ(TextAt(names, "FALCONER_EPOCH"), "9");
  EXPECT_EQ(TextAt(names, "FALCONER_INVOCATION").size(), 32U);
  EXPECT_EQ(TextAt(names, "FALCONER_CPU_UNITS"), "2");
  EXPECT_EQ(TextAt(names, "FALCONER_MEMORY_MB"), "256");
}

CO_TEST(NodeToolsTest, SaysHowAProgramFailed) {
  NodeToolsBench bench(ctx);

  const auto failed = co_await bench.Call("calc__fail");
  const auto crashed = co_await bench.Call("calc__crash");
  const auto late =
      co_await bench.CallIn(ctx.WithTimeout(std::chrono::milliseconds(500)), "calc__wait");

  EXPECT_TRUE(EndedAs(failed, ErrorCode::kExecutionError)) << ShownResult(failed);
  EXPECT_EQ(failed.text.substr(failed.page_at.value_or(0)), "it went wrong\n");
  EXPECT_TRUE(EndedAs(crashed, ErrorCode::kExecutionError)) << ShownResult(crashed);
  const json::value& used = crashed.structured->at("node");
  EXPECT_GT(used.at("memory_bytes").to_number<std::int64_t>(), 1'000'000);
  EXPECT_FALSE(used.at("bounds").as_array().empty());
  EXPECT_TRUE(crashed.failure->error.details().contains("cpu_ms"));
  EXPECT_FALSE(failed.failure->error.details().contains("errors"));
  EXPECT_TRUE(EndedAs(late, ErrorCode::kTimeout)) << ShownResult(late);
}

CO_TEST(NodeToolsTest, TakesNotTooManyCallsAtOnce) {
  NodeToolsBench bench(ctx);
  EXPECT_TRUE(co_await bench.tools().Load(ctx));
  TaskScope scope(ctx.executor());
  CancelSource source;
  for (int i = 0; i < 16; ++i) {
    scope.Spawn("waiting", [](CallContext c, NodeToolsBench* at) -> Task<void> {
      co_await at->CallIn(c, "third__wait");
    }(ctx.WithCancel(source.token()), &bench));
  }

  const auto refused = co_await bench.Call("third__echo", {{"words", "x"}});
  source.Cancel(Error(ErrorCode::kCancelled, "enough"));
  co_await scope.Join();
  const auto taken = co_await bench.Call("third__echo", {{"words", "x"}});
  co_await bench.tools().Stop(ctx);

  EXPECT_TRUE(EndedAs(refused, ErrorCode::kQueueFull)) << ShownResult(refused);
  EXPECT_TRUE(taken.ok()) << ShownResult(taken);
}

CO_TEST(NodeToolsTest, CallsAServer) {
  NodeToolsBench bench(ctx);
  const auto loaded = co_await bench.tools().Load(ctx);

  const auto echo = co_await bench.Call("third__echo", {{"words", "there"}});
  const auto unknown = co_await bench.Call("third__whispers");
  co_await bench.tools().Stop(ctx);

  EXPECT_TRUE(loaded);
  EXPECT_TRUE(echo.ok() && echo.text == "there") << ShownResult(echo);
  EXPECT_TRUE(EndedAs(unknown, ErrorCode::kToolUnavailable)) << ShownResult(unknown);
}

}  // namespace
}  // namespace falconer::agent
