#include "model/action/target.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

Result<Target> Read(std::string_view text) {
  TRY_ASSIGN(Target target,
             ReadJson(
                 *ParseJson(text), "target", [](JsonReader& in) { return ReadTarget(in); },
                 ErrorCode::kInvalidActionSpec));
  TRY(target.Validate());
  return target;
}

TEST(TargetTest, ReadsEveryWayOfNamingAndWritesItBack) {
  for (const char* text : {
           R"({"eid":"d1e5"})",
           R"({"eid":"d1e5","fid":"F2","candidates":["#a","text=Save"]})",
           R"({"selector":"role=button[name=\"Save\"]"})",
           R"({"selector":"#a","candidates":["#b"],"strict":false,"position":{"x":1.0,"y":2.5}})",
           R"({"candidates":["#b","#c"]})",
           R"({"x":10.0,"y":-3.5})",
       }) {
    const auto target = Read(text);
    ASSERT_TRUE(target) << text << ": " << Describe(target.error());
    EXPECT_EQ(json::value(target->ToJson()), *ParseJson(text));
  }
}

TEST(TargetTest, KeepsTheTextAndTheParsedSelector) {
  const auto target = Read(R"({"selector":"#a","candidates":["text=b"]})");
  ASSERT_TRUE(target);

  EXPECT_EQ(target->selector->text, "#a");
  EXPECT_EQ(target->selector->parsed.ToString(), "css=#a");
  ASSERT_EQ(target->Selectors().size(), 2U);
  EXPECT_EQ(target->Selectors()[1].text, "text=b");
}

struct BadTarget {
  std::string text;
  ErrorCode code;
  std::string_view why;
};

TEST(TargetTest, NamesWhatIsWrong) {
  const std::string many = R"(["a","b","c","d","e","f","g","h","i"])";
  const std::string long_selector(kMaxSelectorLength + 1, 'a');
  const BadTarget cases[] = {
      {"{}", ErrorCode::kInvalidActionSpec, "names nothing"},
      {R"({"fid":"F1"})", ErrorCode::kInvalidActionSpec, "names nothing"},
      {R"({"eid":"e1","selector":"a"})", ErrorCode::kInvalidActionSpec, "named twice"},
      {R"({"eid":"e1","x":1,"y":1})", ErrorCode::kInvalidActionSpec, "named twice"},
      {R"({"x":1,"y":1,"candidates":["a"]})", ErrorCode::kInvalidActionSpec, "takes no candidates"},
      {R"({"x":1,"y":1,"fid":"F"})", ErrorCode::kInvalidActionSpec, "or frame"},
      {R"({"x":1})", ErrorCode::kInvalidActionSpec, "target.y: is required"},
      {R"({"y":1})", ErrorCode::kInvalidActionSpec, "target.x: is required"},
      {R"({"x":1e9,"y":1})", ErrorCode::kInvalidActionSpec, "target.x: must be"},
      {R"({"eid":""})", ErrorCode::kInvalidActionSpec, "target.eid"},
      {R"({"eid":"a b"})", ErrorCode::kInvalidActionSpec, "target.eid: is not an id"},
      {R"({"eid":7})", ErrorCode::kInvalidActionSpec, "expected string"},
      {R"({"selector":"a[","strict":true})", ErrorCode::kInvalidSelector, "target.selector: "},
      {R"({"selector":"body *"})", ErrorCode::kInvalidSelector, "matches everything"},
      {R"({"selector":")" + long_selector + "\"}", ErrorCode::kInvalidSelector, "longer than 256"},
      {R"({"candidates":)" + many + "}", ErrorCode::kInvalidActionSpec, "target.candidates"},
      {R"({"candidates":["a","nth=1"]})", ErrorCode::kInvalidSelector, "target.candidates[1]: "},
      {R"({"selector":"a","position":{"x":1}})", ErrorCode::kInvalidActionSpec, "position.y"},
      {R"({"selector":"a","colour":1})", ErrorCode::kInvalidActionSpec, "target.colour: unknown"},
  };
  for (const BadTarget& row : cases) {
    const auto target = Read(row.text);
    ASSERT_FALSE(target) << row.text;
    EXPECT_EQ(target.error().code(), row.code) << Describe(target.error());
    EXPECT_TRUE(target.error().message().contains(row.why)) << Describe(target.error());
  }
}

TEST(TargetTest, ASelectorOfExactlyTheLimitIsFine) {
  std::string selector;
  for (std::size_t i = 0; i < kMaxSelectorLength; ++i) selector += "ä";
  EXPECT_TRUE(MakeNamedSelector(selector));
}

}  // namespace
}  // namespace falconer::model
