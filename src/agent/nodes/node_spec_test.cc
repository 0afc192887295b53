#include "agent/nodes/node_spec.h"

#include <gtest/gtest.h>

#include "agent/nodes/node_tools.h"

namespace falconer::agent {
namespace {

Result<std::vector<NodeSpec>> NodesOf(std::string_view text) {
  return ParseNodes(ParseJson(text).value().as_array());
}

TEST(NodeSpecTest, ReadsEveryField) {
  const auto nodes = NodesOf(R"([
      {"name":"files","kind":"mcp","command":["npx","server"],"network":"parent",
       "environment":{"MODE":"quick","KEY":{"secret":"K","field":"token","url":"https://a.example"}},
       "limits":{"timeout_ms":1000,"grace_ms":10,"cpu_seconds":3,"memory_mb":512,
                 "address_space_mb":4096,"output_bytes":2048,"processes":5},
       "read_tools":["list"],"trust_hints":true,"capability":"READ"},
      {"name":"sum","kind":"program","command":["/bin/sum"],
       "tools":[{"name":"add","description":"Adds.","schema":{"type":"object"},
                 "result_schema":{"type":"object"},"side_effect":"read"}]}])");

  ASSERT_TRUE(nodes) << Describe(nodes.error());
  const NodeSpec& files = nodes->front();
  EXPECT_EQ(files.network, ChildNetwork::kAsParent);
  EXPECT_EQ(std::get<std::string>(files.environment[0].value), "quick");
  EXPECT_EQ(std::get<NodeSecret>(files.environment[1].value).reference,
            (policy::SecretReference{"K", "token"}));
  EXPECT_EQ(files.limits.timeout, std::chrono::seconds(1));
  EXPECT_EQ(files.limits.memory_bytes, std::int64_t{512} << 20);
  EXPECT_EQ(files.limits.address_space_bytes, std::int64_t{4} << 30);
  EXPECT_EQ(files.limits.output_bytes, 2048);
  EXPECT_TRUE(files.trusts_hints);
  EXPECT_EQ(files.capability, "READ");
  EXPECT_EQ(nodes->back().tools[0].effect, SideEffect::kRead);
}

TEST(NodeSpecTest, KeepsWhatIsNotSaidNarrow) {
  const auto nodes = NodesOf(R"([
      {"name":"a","kind":"mcp","command":["x"]},
      {"name":"b","kind":"program","command":["x"],
       "tools":[{"name":"t","description":"d","schema":{"type":"object"}}]}])");

  ASSERT_TRUE(nodes) << Describe(nodes.error());
  EXPECT_EQ(nodes->front().network, ChildNetwork::kNone);
  EXPECT_EQ(nodes->front().limits.timeout, std::chrono::seconds(30));
  EXPECT_FALSE(nodes->front().trusts_hints);
  EXPECT_EQ(nodes->front().capability, "SCRIPT");
  EXPECT_EQ(nodes->back().limits.timeout, std::chrono::milliseconds(500));
  EXPECT_EQ(nodes->back().limits.cpu_seconds, 1);
  EXPECT_EQ(nodes->back().limits.memory_bytes, std::int64_t{256} << 20);
  EXPECT_EQ(nodes->back().tools[0].effect, SideEffect::kWrite);
}

TEST(NodeSpecTest, RefusesWhatIsWrongAndNamesIt) {
  struct WrongNode {
    std::string_view row;  // what follows the name
    std::string_view named;
  };
  constexpr std::string_view kTool = R"({"name":"t","description":"d","schema":{"type":"object"}})";
  const WrongNode cases[] = {
      {R"("name":"a b","kind":"mcp","command":["x"])", "[0].name"},
      {R"("name":"a__b","kind":"mcp","command":["x"])", "[0].name"},
      {R"("name":"a","kind":"plugin","command":["x"])", "[0].kind"},
      {R"("name":"a","kind":"mcp")", "[0].command"},
      {R"("name":"a","kind":"mcp","command":[])", "[0].command"},
      {R"("name":"a","kind":"mcp","command":[""])", "[0].command"},
      {R"("name":"a","kind":"mcp","command":["x\u0000y"])", "[0].command"},
      {R"("name":"a","kind":"mcp","command":["x"],"network":"host")", "[0].network"},
      {R"("name":"a","kind":"mcp","command":["x"],"environment":{"A B":"hidden"})", "environment"},
      {R"("name":"a","kind":"mcp","command":["x"],"environment":{"FALCONER_NODE":"hidden"})",
       "environment"},
      {R"("name":"a","kind":"mcp","command":["x"],"environment":{"A":{"secret":"S"}})",
       "[0].environment.A.url"},
      {R"("name":"a","kind":"mcp","command":["x"],
          "environment":{"A":{"secret":"S","url":"http://a.example"}})",
       "[0].environment.A.url"},
      {R"("name":"a","kind":"mcp","command":["x"],"environment":{"A":7})", "[0].environment.A"},
      {R"("name":"a","kind":"mcp","command":["x"],"limits":{"timeout_ms":0})",
       "[0].limits.timeout_ms"},
      {R"("name":"a","kind":"mcp","command":["x"],"limits":{"memory_mb":1})",
       "[0].limits.memory_mb"},
      {R"("name":"a","kind":"mcp","command":["x"],"limits":{"address_space_mb":64})",
       "[0].limits.address_space_mb"},
      {R"("name":"a","kind":"mcp","command":["x"],"limits":{"speed":1})", "[0].limits.speed"},
      {R"("name":"a","kind":"mcp","command":["x"],"read_tools":["a b"])", "[0].read_tools"},
      {R"("name":"a","kind":"mcp","command":["x"],"capability":"FLY")", "[0].capability"},
      {R"("name":"a","kind":"mcp","command":["x"],"tools":[])", "[0].tools"},
      {R"("name":"a","kind":"program","command":["x"])", "[0].tools"},
      {R"("name":"a","kind":"program","command":["x"],"tools":[])", "[0].tools"},
      {R"("name":"a","kind":"program","command":["x"],
          "tools":[{"name":"t","description":"d","schema":{"type":"array"}}])",
       "[0].tools[0].schema"},
      {R"("name":"a","kind":"program","command":["x"],
          "tools":[{"name":"t","description":"d","schema":{"type":"object"},"side_effect":"none"}])",
       "[0].tools[0].side_effect"},
      {R"("name":"a","kind":"program","command":["x"],"trust_hints":true,"tools":[T])",
       "[0].trust_hints"},
      {R"("name":"a","kind":"program","command":["x"],"tools":[T,T])", "is there twice"},
  };
  SystemClock clock;
  boost::asio::io_context io;
  for (const WrongNode& one : cases) {
    std::string row(one.row);
    for (std::size_t at = 0; (at = row.find("[T", at)) != std::string::npos; ++at)
      row.replace(at + 1, 1, kTool);
    for (std::size_t at = 0; (at = row.find(",T]", at)) != std::string::npos; ++at)
      row.replace(at + 1, 1, kTool);
    const json::array rows = ParseJson("[{" + row + "}]").value().as_array();

    const auto made = NodeTools::Make(io.get_executor(), clock, rows, {});

    ASSERT_FALSE(made) << row;
    EXPECT_EQ(made.error().code(), ErrorCode::kInvalidSetting) << row;
    EXPECT_TRUE(made.error().message().contains(one.named)) << made.error().message();
    EXPECT_FALSE(made.error().message().contains("hidden")) << made.error().message();
  }
}

TEST(NodeSpecTest, RefusesANameTwiceAndTooMany) {
  json::array many;
  for (std::size_t i = 0; i <= kMaxNodes; ++i)
    many.push_back({{"name", "n" + std::to_string(i)}, {"kind", "mcp"}, {"command", {"x"}}});

  const auto twice = NodesOf(R"([{"name":"a","kind":"mcp","command":["x"]},
                                 {"name":"a","kind":"mcp","command":["x"]}])");

  ASSERT_FALSE(twice);
  EXPECT_TRUE(twice.error().message().contains("agent.nodes[1].name: a is there twice"));
  EXPECT_FALSE(ParseNodes(many));
}

TEST(NodeSpecTest, OffersNamesThatModelsTake) {
  EXPECT_EQ(OfferedName("files", "read"), "files__read");
  EXPECT_EQ(OfferedName("files", std::string(64, 'x')), "");
  EXPECT_TRUE(IsNodeToolName("A-z_9"));
  EXPECT_FALSE(IsNodeToolName("a.b"));
  EXPECT_FALSE(IsNodeToolName(""));
  EXPECT_FALSE(IsNodeToolName(std::string(65, 'x')));
}

}  // namespace
}  // namespace falconer::agent
