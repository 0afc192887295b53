#include "model/contract/rule_judge.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

struct Case {
  std::string_view rule;
  std::string_view observed;
  RuleVerdict verdict;
};

constexpr auto kPassed = RuleVerdict::kPassed;
constexpr auto kFailed = RuleVerdict::kFailed;
constexpr auto kUnknown = RuleVerdict::kUnknown;

constexpr std::string_view kVisible =
    R"({"rule_type":"element_present","selector":"#a","state":"visible"})";
constexpr std::string_view kText =
    R"({"rule_type":"text_state","selector":"#a","expected":"a  b"})";
constexpr std::string_view kBusy =
    R"({"rule_type":"attribute_state","selector":"#a","attribute":"busy","expected":"no"})";
constexpr std::string_view kLength =
    R"({"rule_type":"property_state","selector":"#a","property":"value.length","expected":3})";
constexpr std::string_view kSecretValue =
    R"({"rule_type":"property_state","selector":"#a","property":"value","expected":{"secret":"PW"}})";
constexpr std::string_view kDigits =
    R"({"rule_type":"property_state","selector":"#a","property":"value.length","matches":"^[1-9]"})";
constexpr std::string_view kStyle =
    R"({"rule_type":"computed_style","selector":"#a","property":"display","expected":"none"})";
constexpr std::string_view kMany = R"({"rule_type":"count","selector":"li","op":"gte","n":2})";
constexpr std::string_view kStatus =
    R"({"rule_type":"network_status","method":"POST","url_pattern":"/api/"})";
constexpr std::string_view kField =
    R"({"rule_type":"json_field","url_pattern":"/api/","pointer":"/n","op":"gt","value":1,"require_no_silent_failure":true})";
constexpr std::string_view kNoError =
    R"({"rule_type":"json_field","url_pattern":"/api/","pointer":"/error","op":"absent"})";
constexpr std::string_view kFile =
    R"({"rule_type":"file_exists","name_pattern":"*.csv","min_size":5,"mime":"text/csv"})";
constexpr std::string_view kHashed =
    R"({"rule_type":"file_exists","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"})";
constexpr std::string_view kUrl = R"({"rule_type":"url_pattern","pattern":"**/done"})";
constexpr std::string_view kCookie =
    R"({"rule_type":"cookie","name":"s","domain":"x.test","expected":"1"})";
constexpr std::string_view kNoCookie = R"({"rule_type":"cookie","name":"s","absent":true})";
constexpr std::string_view kConsole = R"({"rule_type":"console_clean","allow":["favicon"]})";
constexpr std::string_view kWarnings = R"({"rule_type":"console_clean","level":"warning"})";
constexpr std::string_view kNoNew = R"({"rule_type":"no_new_errors"})";
constexpr std::string_view kChanged = R"({"rule_type":"visual_change"})";
constexpr std::string_view kSame = R"({"rule_type":"visual_change","expect":"unchanged"})";
constexpr std::string_view kHash =
    R"({"rule_type":"state_hash","expected_hash_after":"s_0123456789abcdef01234567"})";

#define INVARIANT(name) R"({"rule_type":"invariant","name":")" name R"("})"

constexpr Case kJudgeCases[] = {
    {R"({"rule_type":"element_present","selector":"#a"})", R"({"matches":2})", kPassed},
    {R"({"rule_type":"element_present","selector":"#a"})", R"({"matches":0})", kFailed},
    {R"({"rule_type":"element_present","selector":"#a"})", R"({"matches":"many"})", kUnknown},
    {R"({"rule_type":"element_present","selector":"#a","strict":true})", R"({"matches":2})",
     kFailed},
    {kVisible, R"({"matches":2,"states":{"visible":1}})", kPassed},
    {kVisible, R"({"matches":2,"states":{"visible":0}})", kFailed},
    {kVisible, R"({"matches":0})", kFailed},
    {kVisible, R"({"matches":2,"states":{"enabled":1}})", kUnknown},
    {kVisible, R"({"matches":2})", kUnknown},
    {R"({"rule_type":"element_present","selector":"#a","state":"detached"})", R"({"matches":0})",
     kPassed},
    {R"({"rule_type":"element_present","selector":"#a","state":"detached"})", R"({"matches":1})",
     kFailed},
    {R"({"rule_type":"element_present","selector":"#a","state":"hidden"})", R"({"matches":0})",
     kPassed},
    {R"({"rule_type":"element_present","selector":"#a","state":"hidden"})",
     R"({"matches":2,"states":{"visible":0}})", kPassed},
    {R"({"rule_type":"element_present","selector":"#a","state":"hidden"})",
     R"({"matches":2,"states":{"visible":1}})", kFailed},
    {R"({"rule_type":"element_present","selector":"#a","state":"hidden"})", R"({"matches":2})",
     kUnknown},
    {R"({"rule_type":"element_present","selector":"#a","state":"enabled","count":{"op":"lte","n":1}})",
     R"({"matches":3,"states":{"enabled":1}})", kPassed},
    {R"({"rule_type":"element_present","selector":"#a","state":"enabled","count":{"op":"lte","n":1}})",
     R"({"matches":3,"states":{"enabled":2}})", kFailed},

    {kText, R"({"matches":1,"texts":[" x a b\n y"]})", kPassed},
    {kText, "{\"matches\":1,\"texts\":[\"a\xC2\xA0 b\"]}", kPassed},
    {kText, R"({"matches":1,"texts":["ab"]})", kFailed},
    {kText, R"({"matches":0,"texts":[]})", kFailed},
    {kText, R"({"matches":3,"texts":["x"]})", kUnknown},
    {kText, R"({"matches":1})", kUnknown},
    {kText, R"({"texts":["a b"]})", kUnknown},
    {R"({"rule_type":"text_state","selector":"#a","expected":"a b","strict":true})",
     R"({"matches":2,"texts":["a b","a b"]})", kFailed},
    {R"({"rule_type":"text_state","selector":"#a","expected":"a  b","normalize":false})",
     R"({"matches":1,"texts":["a b"]})", kFailed},
    {R"({"rule_type":"text_state","selector":"#a","expected":"a b","mode":"equals"})",
     R"({"matches":1,"texts":[" a  b "]})", kPassed},
    {R"({"rule_type":"text_state","selector":"#a","expected":"a b","mode":"equals"})",
     R"({"matches":1,"texts":["a b c"]})", kFailed},
    {R"({"rule_type":"text_state","selector":"#a","expected":"","mode":"equals"})",
     R"({"matches":1,"texts":["  "]})", kPassed},
    {R"({"rule_type":"text_state","selector":"#a","expected":"^a\\d$","mode":"regex"})",
     R"({"matches":2,"texts":["b","a7"]})", kPassed},
    {R"({"rule_type":"text_state","selector":"#a","expected":"a","absent":true})",
     R"({"matches":1,"texts":["b"]})", kPassed},
    {R"({"rule_type":"text_state","selector":"#a","expected":"a","absent":true})",
     R"({"matches":0,"texts":[]})", kPassed},
    {R"({"rule_type":"text_state","selector":"#a","expected":"a","absent":true})",
     R"({"matches":1,"texts":["a"]})", kFailed},
    {R"({"rule_type":"text_state","selector":"#a","expected":"a","absent":true})",
     R"({"matches":2,"texts":["b"]})", kUnknown},

    {kBusy, R"({"matches":2,"values":["yes","no"]})", kPassed},
    {kBusy, R"({"matches":1,"values":["yes"]})", kFailed},
    {kBusy, R"({"matches":1,"values":[null]})", kFailed},
    {kBusy, R"({"matches":0,"values":[]})", kFailed},
    {kBusy, R"({"matches":1})", kUnknown},
    {R"({"rule_type":"attribute_state","selector":"#a","attribute":"b","absent":true})",
     R"({"matches":1,"values":[null]})", kPassed},
    {R"({"rule_type":"attribute_state","selector":"#a","attribute":"b","absent":true})",
     R"({"matches":1,"values":[""]})", kFailed},
    {kLength, R"({"matches":1,"values":[3.0]})", kPassed},
    {kLength, R"({"matches":1,"values":["3"]})", kFailed},
    {kLength, R"({"matches":1,"values":[{"withheld":true}]})", kUnknown},
    {kDigits, R"({"matches":1,"values":[12]})", kPassed},
    {kDigits, R"({"matches":1,"values":[0]})", kFailed},
    {kDigits, R"({"matches":1,"values":[[1]]})", kFailed},
    {kDigits, R"({"matches":1,"values":[{"withheld":true}]})", kUnknown},
    {kSecretValue, R"({"matches":1,"values":[{"agrees":true}]})", kPassed},
    {kSecretValue, R"({"matches":1,"values":[{"agrees":false}]})", kFailed},
    {kSecretValue, R"({"matches":1,"values":[{"withheld":true}]})", kUnknown},
    {kSecretValue, R"({"matches":1,"values":["hunter2"]})", kUnknown},
    {kSecretValue, R"({"matches":1,"values":[{"secret":"PW"}]})", kUnknown},
    {kStyle, R"({"matches":1,"values":["none"]})", kPassed},
    {kStyle, R"({"matches":1,"values":["block"]})", kFailed},
    {kStyle, R"({})", kUnknown},

    {kMany, R"({"matches":2})", kPassed},
    {kMany, R"({"matches":1})", kFailed},
    {kMany, R"({"matches":-1})", kUnknown},

    {kStatus, R"({"responses":[{"url":"https://x.test/api/a","method":"POST","status":204}]})",
     kPassed},
    {kStatus,
     R"({"responses":[{"url":"https://x.test/api/a","method":"POST","status":500},{"url":"https://x.test/api/a","method":"POST","status":200}]})",
     kPassed},
    {kStatus, R"({"responses":[{"url":"https://x.test/api/a","method":"GET","status":200}]})",
     kFailed},
    {kStatus, R"({"responses":[{"url":"https://x.test/api/a","method":"POST","status":0}]})",
     kFailed},
    {kStatus, R"({"responses":[{"url":"https://x.test/b","method":"POST","status":200}]})",
     kFailed},
    {kStatus, R"({"responses":[],"dropped":3})", kUnknown},
    {kStatus, R"({"since":1})", kUnknown},

    {kField, R"({"responses":[{"url":"/api/","body_state":"json","value":2}]})", kPassed},
    {kField, R"({"responses":[{"url":"/api/","body_state":"json","value":1}]})", kFailed},
    {kField, R"({"responses":[{"url":"/api/","body_state":"json"}]})", kFailed},
    {kField, R"({"responses":[{"url":"/api/","body_state":"not_json"}]})", kFailed},
    {kField,
     R"({"responses":[{"url":"/api/","body_state":"json","value":2,"silent_failure":true}]})",
     kFailed},
    {kField, R"({"responses":[]})", kFailed},
    {kField, R"({"responses":[{"url":"/api/","body_state":"missing"}]})", kUnknown},
    {kField, R"({"responses":[],"dropped":1})", kUnknown},
    {kField, R"({})", kUnknown},
    {kNoError, R"({"responses":[{"url":"/api/","body_state":"json"}]})", kPassed},
    {kNoError, R"({"responses":[{"url":"/api/","body_state":"json","value":null}]})", kFailed},
    {kNoError, R"({"responses":[{"url":"/api/","body_state":"missing"}]})", kUnknown},

    {kFile,
     R"({"artifacts":[{"name":"a.txt","bytes":9},{"name":"a.csv","bytes":9,"mime":"text/csv; charset=utf-8"}]})",
     kPassed},
    {kFile, R"({"artifacts":[{"name":"a.csv","bytes":4,"mime":"text/csv"}]})", kFailed},
    {kFile, R"({"artifacts":[{"name":"a.csv","bytes":9,"mime":"text/html"}]})", kFailed},
    {kFile, R"({"artifacts":[]})", kFailed},
    {kFile, R"({"artifacts":[{"name":"a.csv"}]})", kUnknown},
    {kFile, R"({})", kUnknown},
    {kHashed,
     R"({"artifacts":[{"artifact_id":"a","bytes":1,"sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}]})",
     kPassed},
    {kHashed, R"({"artifacts":[{"artifact_id":"a","bytes":1,"sha256":"00"}]})", kFailed},
    {kHashed,
     R"({"artifacts":[{"artifact_id":"a","bytes":1},{"artifact_id":"b","bytes":1,"sha256":"00"}]})",
     kUnknown},

    {kUrl, R"({"url":"https://x.test/done"})", kPassed},
    {kUrl, R"({"url":"https://x.test/done?x"})", kFailed},
    {kUrl, R"({"url":null})", kUnknown},

    {kCookie, R"({"cookies":[{"name":"s","domain":".x.test","value":"1"}]})", kPassed},
    {kCookie, R"({"cookies":[{"name":"s","domain":"x.test","value":"2"}]})", kFailed},
    {kCookie, R"({"cookies":[{"name":"s","domain":"y.test","value":"1"}]})", kFailed},
    {kCookie, R"({"cookies":[]})", kFailed},
    {kCookie, R"({"cookies":[{"name":"s","domain":"x.test"}]})", kUnknown},
    {kCookie, R"({})", kUnknown},
    {kNoCookie, R"({"cookies":[{"name":"t","domain":"x.test","value":"1"}]})", kPassed},
    {kNoCookie, R"({"cookies":[{"name":"s","domain":"x.test","value":"1"}]})", kFailed},

    {kConsole,
     R"({"messages":[{"level":"error","message":"no favicon"},{"level":"warning","message":"w"}]})",
     kPassed},
    {kConsole, R"({"messages":[{"level":"error","message":"boom"}]})", kFailed},
    {kConsole, R"({"messages":[],"dropped":1})", kUnknown},
    {kConsole, R"({})", kUnknown},
    {kWarnings, R"({"messages":[{"level":"info","message":"i"}]})", kPassed},
    {kWarnings, R"({"messages":[{"level":"warning","message":"w"}]})", kFailed},
    {kWarnings, R"({"messages":[{"level":"error","message":"e"}]})", kFailed},

    {kNoNew, R"({"before":["a"],"after":["a"]})", kPassed},
    {kNoNew, R"({"before":["a"],"after":["a","b"]})", kFailed},
    {kNoNew, R"({"after":[]})", kUnknown},

    {INVARIANT("no_visible_errors"), R"({"errors":[]})", kPassed},
    {INVARIANT("no_visible_errors"), R"({"errors":["bad"]})", kFailed},
    {INVARIANT("no_visible_errors"), R"({})", kUnknown},
    {INVARIANT("no_new_errors"), R"({"before":["x"],"after":[]})", kPassed},
    {INVARIANT("no_new_errors"), R"({"before":[],"after":["x"]})", kFailed},
    {INVARIANT("no_new_errors"), R"({})", kUnknown},
    {INVARIANT("no_dialog_open"), R"({"open":false})", kPassed},
    {INVARIANT("no_dialog_open"), R"({"open":true})", kFailed},
    {INVARIANT("no_dialog_open"), R"({"open":"no"})", kUnknown},
    {INVARIANT("no_failed_requests"), R"({"failed":0})", kPassed},
    {INVARIANT("no_failed_requests"), R"({"failed":2})", kFailed},
    {INVARIANT("no_failed_requests"), R"({"failed":0,"dropped":1})", kUnknown},
    {INVARIANT("no_silent_failures"), R"({"silent_failures":0})", kPassed},
    {INVARIANT("no_silent_failures"), R"({"silent_failures":1})", kFailed},
    {INVARIANT("no_silent_failures"), R"({"failed":0})", kUnknown},
    {INVARIANT("url_unchanged"), R"({"before":"a","after":"a"})", kPassed},
    {INVARIANT("url_unchanged"), R"({"before":"a","after":"b"})", kFailed},
    {INVARIANT("url_unchanged"), R"({"after":"b"})", kUnknown},
    {INVARIANT("dom_unchanged"), R"({"before":"a","after":"a"})", kPassed},
    {INVARIANT("dom_unchanged"), R"({"before":"a","after":"b"})", kFailed},
    {INVARIANT("dom_unchanged"), R"({"before":"a"})", kUnknown},

    {kChanged, R"({"similarity":0.5,"changed_pixels":9,"diff_region":[0,0,3,3]})", kPassed},
    {kChanged, R"({"similarity":0.95})", kFailed},
    {kChanged, R"({"changed_pixels":9})", kUnknown},
    {kSame, R"({"similarity":1})", kPassed},
    {kSame, R"({"similarity":0.94})", kFailed},
    {kSame, R"({})", kUnknown},

    {kHash, R"({"hash_after":"s_0123456789abcdef01234567"})", kPassed},
    {kHash, R"({"hash_after":"s_aaaaaaaaaaaaaaaaaaaaaaaa"})", kFailed},
    {kHash, R"({})", kUnknown},
};

VerificationRule RuleOf(const Case& one) {
  const auto rule = VerificationRule::FromJson(*ParseJson(one.rule));
  EXPECT_TRUE(rule) << one.rule << ": " << Describe(rule.error());
  return rule.value_or(VerificationRule());
}

TEST(RuleJudgeTest, GivesTheVerdictOfTheTable) {
  std::map<RuleType, std::set<RuleVerdict>> seen;
  for (const Case& one : kJudgeCases) {
    const VerificationRule rule = RuleOf(one);
    const RuleOutcome outcome = Judge(rule, *ParseJson(one.observed));
    EXPECT_EQ(NameIn(kRuleVerdicts, outcome.verdict), NameIn(kRuleVerdicts, one.verdict))
        << one.rule << "\n  " << one.observed << "\n  " << outcome.detail;
    EXPECT_EQ(outcome.code, one.verdict == kPassed    ? ""
                            : one.verdict == kUnknown ? kNotObserved
                                                      : rule.traits().failure_code);
    EXPECT_EQ(outcome.detail.empty(), one.verdict == kPassed) << one.rule;
    EXPECT_EQ(outcome.expected, rule.PayloadJson());
    seen[rule.type].insert(outcome.verdict);
  }
  for (const RuleTraits& row : AllRuleTypes()) EXPECT_EQ(seen[row.type].size(), 3U) << row.name;
}

TEST(RuleJudgeTest, JudgesARecordedObservationAsItJudgedTheFreshOne) {
  for (const Case& one : kJudgeCases) {
    const VerificationRule rule = RuleOf(one);
    const RuleOutcome fresh = Judge(rule, *ParseJson(one.observed));
    const json::value recorded = *ParseJson(json::serialize(fresh.observed));
    EXPECT_EQ(Judge(rule, recorded).verdict, fresh.verdict) << one.rule << "\n  " << one.observed;
  }
}

TEST(RuleJudgeTest, NeverRecordsTheValueOfACookie) {
  const auto rule = VerificationRule::FromJson(
      *ParseJson(R"({"rule_type":"cookie","name":"s","matches":"^tok"})"));
  const RuleOutcome outcome = Judge(
      *rule, *ParseJson(R"({"cookies":[{"name":"s","domain":"x.test","value":"token-4711"}]})"));

  EXPECT_EQ(outcome.verdict, kPassed);
  EXPECT_EQ(outcome.observed,
            *ParseJson(R"({"found":[{"name":"s","domain":"x.test","agrees":true}]})"));
  EXPECT_FALSE(json::serialize(outcome.ToJson()).contains("4711"));
}

TEST(RuleJudgeTest, WhatCouldNotBeObservedIsUnknownForEveryType) {
  for (const Case& one : kJudgeCases) {
    const VerificationRule rule = RuleOf(one);
    EXPECT_EQ(Judge(rule, json::value()).verdict, kUnknown) << one.rule;
    const RuleOutcome told = Judge(rule, json::object{{"unobservable", "the tab crashed"}});
    EXPECT_EQ(told.verdict, kUnknown) << one.rule;
    EXPECT_EQ(told.detail, "the tab crashed");
  }
}

struct FieldCase {
  std::string_view op;
  std::string_view value;
  std::string_view found;
  bool holds;
};

TEST(RuleJudgeTest, ComparesFieldsByMeaning) {
  constexpr FieldCase kFields[] = {
      {"eq", "1", "1.0", true},
      {"eq", R"({"a":1,"b":[1,2]})", R"({"b":[1,2],"a":1})", true},
      {"eq", R"([1,2])", R"([2,1])", false},
      {"eq", "9007199254740993", "9007199254740992", false},
      {"eq", R"("1")", "1", false},
      {"ne", "1", "2", true},
      {"ne", "1", "1.0", false},
      {"lt", "2", "1.5", true},
      {"lt", "2", "2", false},
      {"lte", "2", "2", true},
      {"gt", "2", "3", true},
      {"gt", "2", R"("3")", false},
      {"gte", "2", "2", true},
      {"gte", "2", "1", false},
      {"contains", R"("ell")", R"("hello")", true},
      {"contains", "2", "[1,2.0]", true},
      {"contains", R"("k")", R"({"k":0})", true},
      {"contains", R"("x")", "5", false},
      {"matches", R"("^\\d+$")", "42", true},
      {"matches", R"("^true$")", "true", true},
      {"matches", R"("a")", R"(["a"])", false},
      {"type", R"("null")", "null", true},
      {"type", R"("number")", "1.5", true},
      {"type", R"("string")", "1", false},
  };
  for (const auto& [op, value, found, holds] : kFields) {
    json::object rule{{"rule_type", "json_field"}, {"url_pattern", "/"}, {"pointer", ""}};
    rule["op"] = op;
    rule["value"] = *ParseJson(value);
    const auto read = VerificationRule::FromJson(rule);
    ASSERT_TRUE(read) << Describe(read.error());
    const json::object response{{"url", "/"}, {"body_state", "json"}, {"value", *ParseJson(found)}};
    const RuleOutcome outcome = Judge(*read, json::object{{"responses", json::array{response}}});
    EXPECT_EQ(outcome.verdict == kPassed, holds) << op << " " << value << " " << found;
  }
}

}  // namespace
}  // namespace falconer::model
