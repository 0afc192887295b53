#include "model/action/wait.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "model/action/wait_outcome.h"

namespace falconer::model {
namespace {

Result<WaitCondition> ParseWait(std::string_view text) {
  return WaitCondition::FromJson(*ParseJson(text), "wait");
}

// At least one per kind, in the form that is written.
constexpr std::string_view kGoodWaits[] = {
    R"({"kind":"selector","payload":{"selector":"#a","state":"visible"},"timeout_ms":100})",
    R"({"kind":"selector","payload":{"eid":"d1e2","fid":"F1","state":"detached"}})",
    R"({"kind":"selector","payload":{"selector":"li","strict":true,"state":"stable"}})",
    R"({"kind":"url","payload":{"url_pattern":"**/done","mode":"glob"}})",
    R"({"kind":"url","payload":{"url_pattern":"https://x.test/","mode":"exact"}})",
    R"({"kind":"load_state","payload":{"state":"networkidle"}})",
    R"({"kind":"network_idle","payload":{"quiet_ms":500}})",
    R"({"kind":"response","payload":{"method":"POST","url_pattern":"/api/","mode":"regex","status_min":200,"status_max":299}})",
    R"({"kind":"request","payload":{"method":"GET","url_pattern":"/api","mode":"substring"}})",
    R"({"kind":"request","payload":{}})",
    R"({"kind":"function","payload":{"expression":"x => window.ready === x","arg":[1,2]}})",
    R"({"kind":"dom_quiet","payload":{"quiet_ms":50}})",
    R"({"kind":"text","payload":{"selector":"#a","text":"Saved","mode":"exact","absent":true}})",
    R"({"kind":"text","payload":{"text":"Saved","mode":"substring"}})",
    R"({"kind":"element_state","payload":{"selector":"#a","attribute":"aria-busy","equals":"false"}})",
    R"({"kind":"element_state","payload":{"selector":"#a","property":"value","matches":"^a+$"}})",
    R"({"kind":"count","payload":{"selector":"li","op":"gte","n":3}})",
    R"({"kind":"dialog","payload":{"type":"confirm"}})",
    R"({"kind":"dialog","payload":{}})",
    R"({"kind":"download","payload":{"state":"completed"}})",
    R"({"kind":"console","payload":{"level":"error","pattern":"fail","mode":"substring"}})",
    R"({"kind":"state_change","payload":{}})",
    R"({"kind":"frame","payload":{"url_pattern":"**/pay","mode":"glob"}})",
    R"({"kind":"websocket_frame","payload":{"pattern":"pong","mode":"substring"}})",
    R"({"kind":"popup","payload":{},"timeout_ms":0})",
    R"({"kind":"all","children":[{"kind":"popup","payload":{}},{"kind":"state_change","payload":{}}]})",
    R"({"kind":"any","children":[{"kind":"not","children":[{"kind":"popup","payload":{}}]}],"timeout_ms":9})",
};

TEST(WaitTest, RowsFollowTheEnumeration) {
  int number = 0;
  std::set<std::string_view> names;
  for (const WaitTraits& row : AllWaitKinds()) {
    EXPECT_EQ(static_cast<int>(row.kind), number++) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(WaitKindName(row.kind), row.name);
  }
  EXPECT_EQ(number, static_cast<int>(WaitKind::kNot) + 1);
}

TEST(WaitTest, ReadsAndWritesEveryKind) {
  std::set<WaitKind> seen;
  for (const std::string_view text : kGoodWaits) {
    const auto wait = ParseWait(text);
    ASSERT_TRUE(wait) << text << ": " << Describe(wait.error());
    EXPECT_EQ(json::value(wait->ToJson()), *ParseJson(text))
        << text << " became " << json::serialize(wait->ToJson());
    EXPECT_EQ(wait->leaf.index(), TraitsOf(wait->kind).leaf) << text;
    const auto again = WaitCondition::FromJson(wait->ToJson());
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(*again, *wait) << text;
    seen.insert(wait->kind);
    for (const WaitCondition& child : wait->children) seen.insert(child.kind);
  }
  EXPECT_EQ(seen.size(), AllWaitKinds().size()) << "a kind has no example";
}

TEST(WaitTest, ThePayloadMayStandBesideTheKind) {
  for (const std::string_view text : kGoodWaits) {
    json::object flat = ParseJson(text)->as_object();
    if (!flat.contains("payload")) continue;
    const json::object payload = flat["payload"].as_object();
    flat.erase("payload");
    for (const auto& member : payload) flat[member.key()] = member.value();
    const auto wait = WaitCondition::FromJson(flat);
    ASSERT_TRUE(wait) << text << ": " << Describe(wait.error());
    EXPECT_EQ(*wait, *ParseWait(text)) << text;
  }
}

TEST(WaitTest, UnderstandsOlderNamesAndDefaults) {
  const std::pair<std::string_view, std::string_view> forms[] = {
      {R"({"kind":"selector_visible","selector":"#a","max_wait_ms":5})",
       R"({"kind":"selector","payload":{"selector":"#a","state":"visible"},"timeout_ms":5})"},
      {R"({"kind":"selector_hidden","selector":"#a"})",
       R"({"kind":"selector","payload":{"selector":"#a","state":"hidden"}})"},
      {R"({"kind":"url_matches","url_pattern":"**"})",
       R"({"kind":"url","payload":{"url_pattern":"**","mode":"glob"}})"},
      {R"({"kind":"response","payload":{"url_pattern":"/api","method":"post"}})",
       R"({"kind":"response","payload":{"method":"POST","url_pattern":"/api","mode":"regex","status_min":100,"status_max":599}})"},
      {R"({"kind":"count","selector":"li","strict":false,"n":1})",
       R"({"kind":"count","payload":{"selector":"li","op":"eq","n":1}})"},
      {R"({"kind":"load_state"})", R"({"kind":"load_state","payload":{"state":"load"}})"},
      {R"({"kind":"download"})", R"({"kind":"download","payload":{"state":"completed"}})"},
  };
  for (const auto& [older, today] : forms) {
    const auto wait = ParseWait(older);
    ASSERT_TRUE(wait) << older << ": " << Describe(wait.error());
    EXPECT_EQ(json::value(wait->ToJson()), *ParseJson(today));
  }
}

struct BadWait {
  std::string text;
  std::string_view why;
  ErrorCode code = ErrorCode::kInvalidWaitCondition;
};

std::string Nested(int depth) {
  std::string before;
  std::string behind;
  for (int i = 1; i < depth; ++i) {
    before += R"({"kind":"all","children":[)";
    behind += "]}";
  }
  return before + R"({"kind":"popup"})" + behind;
}

std::string Wide(std::size_t leaves) {
  std::string text;
  for (std::size_t i = 0; i < leaves; ++i) {
    text += std::string(i == 0 ? "" : ",") + R"({"kind":"popup"})";
  }
  return R"({"kind":"any","children":[)" + text + "]}";
}

TEST(WaitTest, NamesWhatIsWrong) {
  const BadWait cases[] = {
      {"[]", "wait: expected object"},
      {"{}", "wait.kind: is required"},
      {R"({"kind":"timeout","timeout_ms":5})", "wait.kind: is not a known condition"},
      {R"({"kind":"popup","x":1})", "wait.x: unknown field"},
      {R"({"kind":"popup","payload":{"x":1}})", "wait.payload.x: unknown field"},
      {R"({"kind":"popup","timeout_ms":-1})", "timeout_ms: must be between"},
      {R"({"kind":"popup","timeout_ms":1,"max_wait_ms":1})", "given together"},
      {R"({"kind":"popup","children":[{"kind":"popup"}]})", "children: unknown field"},
      {R"({"kind":"selector"})", "names nothing"},
      {R"({"kind":"selector","selector":"a["})", "wait.selector", ErrorCode::kInvalidSelector},
      {R"({"kind":"selector","selector":"#a","eid":"e1"})", "named twice"},
      {R"({"kind":"selector","x":1,"y":1})", "about an element"},
      {R"({"kind":"selector","selector":"#a","state":"blue"})", "state: expected one of"},
      {R"({"kind":"url"})", "url_pattern: is required"},
      {R"({"kind":"url","url_pattern":""})", "pattern is empty"},
      {R"({"kind":"url","url_pattern":"a(","mode":"regex"})", "url_pattern: pattern is not valid"},
      {R"({"kind":"url","url_pattern":"a","mode":"fuzzy"})", "mode: expected one of"},
      {R"({"kind":"network_idle","quiet_ms":0})", "quiet_ms: must be between"},
      {R"({"kind":"response","status_min":99})", "status_min: must be between"},
      {R"({"kind":"response","status_min":300,"status_max":200})", "is above status_max"},
      {R"({"kind":"response","method":"GE T"})", "method: is not a method"},
      {R"({"kind":"request","status_min":200})", "status_min: unknown field"},
      {R"({"kind":"function","expression":" "})", "expression: is empty"},
      {R"({"kind":"function","expression":")" + std::string(513, 'a') + "\"}", "longer than 512"},
      {R"({"kind":"text","text":" "})", "text: is empty"},
      {R"({"kind":"text","text":"a","fid":"F1"})", "names nothing"},
      {R"({"kind":"element_state","selector":"#a"})", "either an attribute or a property"},
      {R"({"kind":"element_state","selector":"#a","attribute":"b","equals":1,"matches":"x"})",
       "either equals or matches"},
      {R"({"kind":"element_state","selector":"#a","attribute":"b","equals":[]})", "single value"},
      {R"({"kind":"count","eid":"e1","n":1})", "needs a selector"},
      {R"({"kind":"count","selector":"li","n":-1})", "n: must be between"},
      {R"({"kind":"count","selector":"li"})", "n: is required"},
      {R"({"kind":"all"})", "children: is required"},
      {R"({"kind":"all","children":[]})", "children: must have"},
      {R"({"kind":"all","children":[{"kind":"fly"}]})", "wait.children[0].kind"},
      {R"({"kind":"not","children":[{"kind":"popup"},{"kind":"popup"}]})", "not: takes one child"},
      {Nested(kMaxWaitDepth + 1), "nested deeper than 4"},
      {Wide(kMaxWaitLeaves + 1), "children: must have"},
      {R"({"kind":"all","children":[)" + Wide(9) + "," + Wide(8) + "]}", "more than 16"},
  };
  for (const BadWait& row : cases) {
    const auto wait = ParseWait(row.text);
    ASSERT_FALSE(wait) << row.text;
    EXPECT_EQ(wait.error().code(), row.code) << row.text << ": " << Describe(wait.error());
    EXPECT_TRUE(wait.error().message().contains(row.why))
        << row.text << ": " << wait.error().message();
  }
}

TEST(WaitTest, TheLimitsThemselvesAreAllowed) {
  EXPECT_TRUE(ParseWait(Nested(kMaxWaitDepth)));
  EXPECT_TRUE(ParseWait(Wide(kMaxWaitLeaves)));
  EXPECT_EQ(ParseWait(Nested(3))->depth(), 3);
  EXPECT_EQ(ParseWait(Wide(7))->leaf_count(), 7U);
}

TEST(WaitTest, RefusesALeafOfAnotherKind) {
  const WaitCondition wait{.kind = WaitKind::kPopup, .leaf = LoadStateWait{}};
  EXPECT_FALSE(wait.Validate());
  EXPECT_TRUE(WaitCondition().Validate());
}

TEST(WaitTest, FindsScriptsAnywhereInTheTree) {
  EXPECT_FALSE(ParseWait(Nested(3))->has_script());
  EXPECT_TRUE(ParseWait(R"({"kind":"any","children":[{"kind":"popup"},
      {"kind":"not","children":[{"kind":"function","expression":"1"}]}]})")
                  ->has_script());
}

TEST(WaitFuzzTest, RandomFieldsNeverCrashAndAcceptedConditionsRoundTrip) {
  const json::value values[] = {nullptr, true, -1,      200,       "a",           "",
                                "#x",    "**", "regex", "visible", json::array{}, json::object{}};
  constexpr std::string_view kKeys[] = {
      "selector", "eid",    "state",   "strict",     "url_pattern", "mode",
      "quiet_ms", "method", "payload", "status_min", "status_max",  "expression",
      "arg",      "text",   "absent",  "attribute",  "equals",      "op",
      "n",        "type",   "level",   "pattern",    "children",    "timeout_ms"};
  std::mt19937 random(5);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto kinds = AllWaitKinds();
    json::object object{{"kind", kinds[random() % kinds.size()].name}};
    for (auto count = random() % 4; count > 0; --count) {
      object[kKeys[random() % std::size(kKeys)]] = values[random() % std::size(values)];
    }
    const auto wait = WaitCondition::FromJson(object);
    if (!wait) continue;
    ++accepted;
    const auto again = WaitCondition::FromJson(wait->ToJson());
    ASSERT_TRUE(again) << json::serialize(object) << ": " << Describe(again.error());
    ASSERT_EQ(*again, *wait) << json::serialize(object);
  }
  EXPECT_GT(accepted, 500);
}

TEST(WaitOutcomeTest, WritesBranchByBranch) {
  WaitOutcome outcome{.kind = WaitKind::kAny, .satisfied = true};
  outcome.waited = std::chrono::milliseconds(12);
  outcome.children = {
      {.kind = WaitKind::kUrl, .satisfied = true, .observed = "https://x.test/"},
      {.kind = WaitKind::kPopup, .error = Error(ErrorCode::kCancelled, "another branch won")}};

  EXPECT_EQ(json::value(outcome.ToJson()), *ParseJson(R"({
      "kind":"any","satisfied":true,"waited_ms":12,"children":[
        {"kind":"url","satisfied":true,"waited_ms":0,"observed":"https://x.test/"},
        {"kind":"popup","satisfied":false,"waited_ms":0,
         "error":{"code":"CANCELLED","message":"another branch won","retryable":false}}]})"));
}

}  // namespace
}  // namespace falconer::model
