#include <map>

#include <gtest/gtest.h>

#include "model/contract/contract.h"
#include "predict/workflows/bind_selector.h"
#include "predict/workflows/learned_workflow.h"

namespace falconer::predict {
namespace {

WorkflowStep StepWith(std::string_view contract) {
  WorkflowStep step{.id = "one"};
  step.contract = ParseJsonObject(contract).value();
  return step;
}

json::object Bound(std::string_view contract, const ParameterValues& values) {
  auto step = Bind(StepWith(contract), values);
  EXPECT_TRUE(step) << step.error().message();
  return step ? step->contract : json::object();
}

Error Refused(std::string_view contract, const ParameterValues& values) {
  auto step = Bind(StepWith(contract), values);
  EXPECT_FALSE(step) << contract;
  return step ? Error(ErrorCode::kInternalError, "") : step.error();
}

// What is wanted by a selector with the value in it.
model::SelectorStep BoundStep(std::string_view selector, std::string value) {
  const auto bound =
      BindSelector(selector, [&](const std::string&) -> Result<std::string> { return value; });
  EXPECT_TRUE(bound) << selector << " with " << value << ": " << bound.error().message();
  if (!bound) return {};
  const auto parsed = model::ParseSelector(*bound);
  EXPECT_TRUE(parsed) << *bound;
  EXPECT_EQ(parsed->steps.size(), 1U) << *bound;
  return parsed ? parsed->steps.front() : model::SelectorStep();
}

// Values that would mean something in one language or another.
const char* const kHostile[] = {
    "Huila",
    R"(say "hi")",
    R"(it's)",
    R"(a \ b)",
    R"(\")",
    R"(" >> css=body)",
    R"("] >> nth=0)",
    R"(x"], *)",
    "{other} {{a}",
    "line one\nline two",
    "/x/i",
    "a >> b",
    ".*",
    "(?:",
    "a-z",
    "]",
    "保存",
};

TEST(BindSelectorTest, AValueNeverChangesWhatASelectorMeans) {
  for (const std::string value : kHostile) {
    const auto role = BoundStep(R"(role=link[name="{a}"][expanded])", value).role;
    EXPECT_EQ(role.name, (model::TextMatch{.text = value, .mode = model::TextMode::kExact}));
    EXPECT_EQ(role.expanded, true);
    EXPECT_EQ(BoundStep("text=Take {a} out", value).body,
              (model::TextMatch{.text = "Take " + value + " out"}));
    EXPECT_EQ(BoundStep(R"(label="{a}")", value).body.text, value);
    EXPECT_EQ(BoundStep("testid={a}", "a " + value).body.text, "a " + value);
  }
}

TEST(BindSelectorTest, QuotesWhatStandsInTheStringsOfCss) {
  EXPECT_EQ(BoundStep(R"(css=a[href="/p/{a}"] > b)", R"(x"] \ ')").body.text,
            R"(a[href="/p/x\"] \\ \'"] > b)");
  EXPECT_EQ(BoundStep("css=a[title='{a}']", "one\ntwo").body.text, R"(a[title='one\a two'])");
}

TEST(BindSelectorTest, ARegularExpressionMatchesTheValueOnly) {
  EXPECT_EQ(BoundStep("text=/^Take {a} out$/i", "a/b.*-z").body.text,
            R"(^Take a\/b\.\*\x2dz out$)");
}

TEST(BindSelectorTest, RefusesParametersWhereNoValueIsSafe) {
  const auto value_of = [](const std::string&) -> Result<std::string> { return "x"; };
  for (const char* selector :
       {"css=#{a}", "css={a}", R"(css=a[x="\{a}"])", "//a[.='{a}']", R"(text=/\{a}/)"}) {
    const auto bound = BindSelector(selector, value_of);
    ASSERT_FALSE(bound) << selector << " became " << *bound;
    EXPECT_EQ(bound.error().code(), ErrorCode::kInvalidSelector);
  }
}

TEST(BindSelectorTest, KeepsTheWordsOfASelectorWithoutParameters) {
  const auto none = [](const std::string& name) -> Result<std::string> {
    return Fail(ErrorCode::kInternalError, name);
  };
  EXPECT_EQ(BindSelector("  #save", none), "  #save");
  EXPECT_EQ(BindSelector(R"(text="{{a}")", none), R"(text="{a}")");
}

TEST(BindTest, PutsValuesIntoTextsSelectorsAndFingerprint) {
  WorkflowStep step = StepWith(R"({"action_spec":{"action_type":"fill","text":"{note}",
      "selector":"role=textbox[name=\"Note for {product}\"]"}})");
  step.element = model::Fingerprint{.role = "textbox", .name = "Note for {product}"};
  step.element->selectors = {R"(label="Note for {product}")", "#note"};
  step.intent = "type {note}";

  const auto bound = Bind(step, {{"note", "be quick"}, {"product", "Huila"}});

  ASSERT_TRUE(bound) << bound.error().message();
  const json::object& spec = bound->contract.at("action_spec").as_object();
  EXPECT_EQ(spec.at("text"), json::value("be quick"));
  EXPECT_EQ(spec.at("selector"), json::value(R"(role=textbox[name="Note for Huila"])"));
  EXPECT_EQ(bound->element->name, "Note for Huila");
  EXPECT_EQ(bound->element->selectors,
            (std::vector<std::string>{R"(label="Note for Huila")", "#note"}));
  EXPECT_EQ(bound->intent, "type {note}") << "an intent is on record and shows no values";
}

TEST(BindTest, ValuesAreNotExpandedAgain) {
  EXPECT_EQ(Bound(R"({"action_spec":{"text":"{a}"}})", {{"a", "{b}{{"}, {"b", "no"}}),
            ParseJsonObject(R"({"action_spec":{"text":"{b}{{"}})").value());
}

TEST(BindTest, APatternTakesAValueAsWhatItsModeSays) {
  const auto pattern = [](std::string_view mode, std::string value) {
    const json::object contract{
        {"verification_rules", json::array{{{"pattern", "^{a}"}, {"mode", mode}}}}};
    return std::string(Bound(json::serialize(contract), {{"a", std::move(value)}})
                           .at("verification_rules")
                           .at(0)
                           .at("pattern")
                           .as_string());
  };
  EXPECT_EQ(pattern("regex", "a.b"), R"(^a\.b)");
  EXPECT_EQ(pattern("glob", "a*?"), R"(^a\*\?)");
  EXPECT_EQ(pattern("exact", "a*?"), "^a*?");
}

TEST(BindTest, AnAddressTakesValuesBehindItsHost) {
  const auto url = [](std::string_view text, std::string value) {
    const json::object contract{{"action_spec", {{"url", text}}}};
    return Bound(json::serialize(contract), {{"a", std::move(value)}}).at("action_spec").at("url");
  };
  EXPECT_EQ(url("https://s.example/p/{a}?q={a}", "a/b c&d#"),
            json::value("https://s.example/p/a%2Fb%20c%26d%23?q=a%2Fb%20c%26d%23"));
  EXPECT_EQ(url("{a}", "https://s.example/"), json::value("https://s.example/"));
}

TEST(BindTest, RefusesParametersThatCouldBecomeSomethingElse) {
  const ParameterValues values = {{"a", ".."}};
  const std::map<std::string, std::string> fields = {
      {R"({"action_spec":{"url":"https://{a}/"}})", "action_spec.url"},
      {R"({"action_spec":{"url":"https://s.example{a}"}})", "action_spec.url"},
      {R"({"action_spec":{"url":"https://s.example/{a}/x"}})", "action_spec.url"},
      {R"({"action_spec":{"js_expression":"go {a}"}})", "action_spec.js_expression"},
      {R"({"action_spec":{"action_type":"{a}"}})", "action_spec.action_type"},
      {R"({"wait_conditions":[{"kind":"url","url_pattern":"{a}"}]})",
       "wait_conditions[0].url_pattern"},
      {R"({"wait_conditions":[{"matches":"\\{a}"}]})", "wait_conditions[0].matches"},
  };
  for (const auto& [contract, field] : fields) {
    const Error error = Refused(contract, values);
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_TRUE(error.message().starts_with("step one: " + field)) << error.message();
  }
}

TEST(BindTest, ASelectorThatAValueDoesNotGoIntoIsLeftOut) {
  const json::object bound = Bound(
      R"({"action_spec":{"selector":"//a[.='{a}']","selector_candidates":["text=\"{a}\"","#{a}"]}})",
      {{"a", "x"}});
  EXPECT_EQ(bound.at("action_spec"), json::value({{"selector", "text=\"x\""}}));
}

TEST(BindTest, AnElementThatNothingNamesAnyMoreIsRefused) {
  const Error error = Refused(R"({"action_spec":{"selector":"text=\"{a}\""}})", {{"a", ""}});
  EXPECT_EQ(error.code(), ErrorCode::kInvalidSelector);
  EXPECT_EQ(
      Refused(R"({"action_spec":{"selector":"text=\"{a}\""}})", {{"a", std::string(300, 'x')}})
          .code(),
      ErrorCode::kInvalidSelector);
}

TEST(BindTest, NamesAParameterWithoutAValue) {
  const Error error = Refused(R"({"action_spec":{"text":"{a}"}})", {});
  EXPECT_EQ(error.message(), "step one: parameter a: has no value");
}

LearnedWorkflow WithParameters() {
  return {.name = "buy", .parameters = {{.name = "product"}, {.name = "count", .fallback = "1"}}};
}

TEST(CompleteValuesTest, PutsInWhatThePersonWroteAsDefault) {
  EXPECT_EQ(CompleteValues(WithParameters(), {{"product", "Huila"}}),
            (ParameterValues{{"product", "Huila"}, {"count", "1"}}));
}

TEST(CompleteValuesTest, NamesWhatIsMissingUnknownOrNoText) {
  const auto message = [](ParameterValues given) {
    return CompleteValues(WithParameters(), std::move(given)).error().message();
  };
  EXPECT_EQ(message({}), "parameter product: is required");
  EXPECT_EQ(message({{"colour", "red"}}),
            "parameter colour: workflow buy has none of this name; it has product, count");
  EXPECT_EQ(message({{"product", "\xff"}}), "parameter product: is not UTF-8");
  EXPECT_EQ(message({{"product", std::string(1, '\x01')}}),
            "parameter product: has a control character");
  EXPECT_EQ(message({{"product", std::string(4097, 'x')}}),
            "parameter product: is longer than 4096 characters");
}

}  // namespace
}  // namespace falconer::predict
