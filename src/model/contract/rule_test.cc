#include "model/contract/rule.h"

#include <set>

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

Result<VerificationRule> ParseRule(std::string_view text) {
  return VerificationRule::FromJson(*ParseJson(text), "rule");
}

// At least one per type, in the form that is written.
constexpr std::string_view kGoodRules[] = {
    R"({"rule_type":"element_present","payload":{"selector":"#a"}})",
    R"({"rule_type":"element_present","severity":"soft","payload":{"eid":"d1e2","fid":"f1","state":"detached"}})",
    R"({"rule_type":"element_present","payload":{"selector":"li","strict":true,"state":"visible","count":{"op":"gte","n":2}}})",
    R"({"rule_type":"text_state","payload":{"selector":"#a","expected":"Saved"}})",
    R"({"rule_type":"text_state","payload":{"selector":"#a","expected":"","mode":"equals","normalize":false,"absent":true}})",
    R"({"rule_type":"text_state","payload":{"selector":"#a","expected":"^S\\w+$","mode":"regex"}})",
    R"({"rule_type":"attribute_state","payload":{"selector":"#a","attribute":"aria-busy","expected":"false"}})",
    R"({"rule_type":"attribute_state","payload":{"selector":"#a","attribute":"disabled","absent":true}})",
    R"({"rule_type":"property_state","payload":{"selector":"#a","property":"value.length","expected":3}})",
    R"({"rule_type":"property_state","payload":{"selector":"#a","property":"value","matches":"^\\d+$"}})",
    R"({"rule_type":"computed_style","payload":{"selector":"#a","property":"display","expected":"none"}})",
    R"({"rule_type":"count","payload":{"selector":"li","n":3}})",
    R"({"rule_type":"count","payload":{"selector":"li","op":"lte","n":3}})",
    R"({"rule_type":"network_status","payload":{"url_pattern":"/api/"}})",
    R"({"rule_type":"network_status","payload":{"method":"POST","url_pattern":"**/api","mode":"glob","status_min":201,"status_max":201}})",
    R"({"rule_type":"json_field","payload":{"url_pattern":"/api","pointer":"/items/0/id"}})",
    R"({"rule_type":"json_field","payload":{"url_pattern":"/api","pointer":"","value":{"a":1}}})",
    R"({"rule_type":"json_field","payload":{"method":"GET","url_pattern":"/api","pointer":"/n","op":"gte","value":2,"require_no_silent_failure":true}})",
    R"({"rule_type":"json_field","payload":{"url_pattern":"/api","pointer":"/n","op":"matches","value":"^a"}})",
    R"({"rule_type":"json_field","payload":{"url_pattern":"/api","pointer":"/n","op":"type","value":"array"}})",
    R"({"rule_type":"json_field","payload":{"url_pattern":"/api","pointer":"/error","op":"absent"}})",
    R"({"rule_type":"file_exists"})",
    R"({"rule_type":"file_exists","payload":{"artifact_id":"art_1","min_size":10,"mime":"text/csv","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}})",
    R"({"rule_type":"file_exists","payload":{"name_pattern":"report-*.csv"}})",
    R"({"rule_type":"url_pattern","payload":{"pattern":"**/done"}})",
    R"({"rule_type":"cookie","payload":{"name":"session","domain":"x.test","matches":"."}})",
    R"({"rule_type":"cookie","payload":{"name":"session","absent":true}})",
    R"({"rule_type":"console_clean"})",
    R"({"rule_type":"console_clean","payload":{"level":"warning","allow":["favicon","^ads"],"mode":"regex"}})",
    R"({"rule_type":"no_new_errors"})",
    R"({"rule_type":"invariant","payload":{"name":"no_dialog_open"}})",
    R"({"rule_type":"visual_change"})",
    R"({"rule_type":"visual_change","payload":{"expect":"unchanged","region":{"x":0E0,"y":0E0,"width":1E1,"height":5E0},"masks":[{"selector":"#clock"},{"x":1E0,"y":2E0,"width":3E0,"height":4E0}],"pixel_threshold":10,"similarity_threshold":9.9E-1}})",
    R"({"rule_type":"state_hash","payload":{"expected_hash_after":"s_0123456789abcdef01234567"}})",
};

TEST(RuleTest, RowsFollowTheEnumeration) {
  int number = 0;
  std::set<std::string_view> names;
  std::set<std::string_view> codes;
  for (const RuleTraits& row : AllRuleTypes()) {
    EXPECT_EQ(static_cast<int>(row.type), number++) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(codes.insert(row.failure_code).second) << row.failure_code;
  }
  EXPECT_EQ(number, static_cast<int>(RuleType::kStateHash) + 1);
}

TEST(RuleTest, ReadsAndWritesEveryType) {
  std::set<RuleType> seen;
  for (const std::string_view text : kGoodRules) {
    const auto rule = ParseRule(text);
    ASSERT_TRUE(rule) << text << ": " << Describe(rule.error());
    EXPECT_EQ(json::value(rule->ToJson()), *ParseJson(text))
        << text << " became " << json::serialize(rule->ToJson());
    EXPECT_EQ(rule->payload.index(), rule->traits().payload) << text;
    EXPECT_TRUE(rule->Validate()) << text;
    EXPECT_EQ(*ParseRule(json::serialize(rule->ToJson())), *rule) << text;
    seen.insert(rule->type);
  }
  EXPECT_EQ(seen.size(), AllRuleTypes().size()) << "a type has no example";
}

TEST(RuleTest, ThePayloadMayStandBesideTheType) {
  for (const std::string_view text : kGoodRules) {
    json::object flat = ParseJson(text)->as_object();
    if (!flat.contains("payload")) continue;
    const json::object payload = flat["payload"].as_object();
    flat.erase("payload");
    for (const auto& member : payload) flat[member.key()] = member.value();
    const auto rule = VerificationRule::FromJson(flat);
    ASSERT_TRUE(rule) << text << ": " << Describe(rule.error());
    EXPECT_EQ(*rule, *ParseRule(text)) << text;
  }
}

TEST(RuleTest, LeavesOutWhatEqualsADefault) {
  const std::pair<std::string_view, std::string_view> forms[] = {
      {R"({"rule_type":"element_present","severity":"hard","selector":"#a","state":"attached","strict":false})",
       R"({"rule_type":"element_present","payload":{"selector":"#a"}})"},
      {R"({"rule_type":"text_state","selector":"#a","expected":"x","mode":"contains","normalize":true,"absent":false})",
       R"({"rule_type":"text_state","payload":{"selector":"#a","expected":"x"}})"},
      {R"({"rule_type":"network_status","method":"post","url_pattern":"/a","mode":"regex","status_min":200,"status_max":299})",
       R"({"rule_type":"network_status","payload":{"method":"POST","url_pattern":"/a"}})"},
      {R"({"rule_type":"json_field","url_pattern":"/a","pointer":"/b","op":"eq","value":1})",
       R"({"rule_type":"json_field","payload":{"url_pattern":"/a","pointer":"/b","value":1}})"},
      {R"({"rule_type":"file_exists","min_size":1})", R"({"rule_type":"file_exists"})"},
      {R"({"rule_type":"visual_change","expect":"changed","pixel_threshold":30,"similarity_threshold":0.95})",
       R"({"rule_type":"visual_change"})"},
      {R"({"rule_type":"console_clean","level":"error","allow":[]})",
       R"({"rule_type":"console_clean"})"},
  };
  for (const auto& [long_form, short_form] : forms) {
    const auto rule = ParseRule(long_form);
    ASSERT_TRUE(rule) << long_form << ": " << Describe(rule.error());
    EXPECT_EQ(json::value(rule->ToJson()), *ParseJson(short_form)) << long_form;
  }
}

struct BadRule {
  std::string_view text;
  std::string_view why;
  ErrorCode code = ErrorCode::kInvalidContract;
};

constexpr BadRule kBadRules[] = {
    {R"({"rule_type":"property_state","selector":"#a","property":"id","expected":{"secret":"PW"}})",
     "rule.expected: a secret is only compared with the property value"},
    {R"({"rule_type":"wish"})", "rule.rule_type: is not a known rule"},
    {R"({})", "rule.rule_type: is required"},
    {R"({"rule_type":"no_new_errors","severity":"firm"})",
     "rule.severity: expected one of hard, soft"},
    {R"({"rule_type":"no_new_errors","x":1})",
     "rule.x: unknown field; known are rule_type, severity"},
    {R"({"rule_type":"element_present","payload":{}})",
     "rule.payload: target names nothing: give an eid, a selector or a point"},
    {R"({"rule_type":"element_present","payload":{"x":1,"y":2}})",
     "rule.payload: a rule is about an element, not a point"},
    {R"({"rule_type":"element_present","payload":{"selector":"*"}})",
     "rule.payload.selector: ", ErrorCode::kInvalidSelector},
    {R"({"rule_type":"element_present","payload":{"selector":"#a","state":"gone"}})",
     "rule.payload.state: expected one of visible, hidden"},
    {R"({"rule_type":"element_present","payload":{"selector":"#a","state":"detached","count":{"n":1}}})",
     "rule.payload.count: does not go with detached"},
    {R"({"rule_type":"element_present","payload":{"selector":"#a","count":{"n":-1}}})",
     "rule.payload.count.n: must be between 0 and 1000000, is -1"},
    {R"({"rule_type":"text_state","payload":{"selector":"#a"}})",
     "rule.payload.expected: is required"},
    {R"({"rule_type":"text_state","payload":{"selector":"#a","expected":""}})",
     "rule.payload.expected: pattern is empty"},
    {R"({"rule_type":"text_state","payload":{"selector":"#a","expected":"(","mode":"regex"}})",
     "rule.payload.expected: pattern is not valid: "},
    {R"({"rule_type":"attribute_state","payload":{"selector":"#a","expected":"x"}})",
     "rule.payload.attribute: is required"},
    {R"({"rule_type":"attribute_state","payload":{"selector":"#a","attribute":"a b","expected":"x"}})",
     "rule.payload.attribute: has a character that no name has"},
    {R"({"rule_type":"attribute_state","payload":{"selector":"#a","attribute":"a"}})",
     "rule.payload.expected: give one of expected, matches and absent"},
    {R"({"rule_type":"attribute_state","payload":{"selector":"#a","attribute":"a","expected":"x","absent":true}})",
     "rule.payload.expected: give one of expected, matches and absent"},
    {R"({"rule_type":"attribute_state","payload":{"selector":"#a","attribute":"a","expected":1}})",
     "rule.payload.expected: must be a string"},
    {R"({"rule_type":"computed_style","payload":{"selector":"#a","property":"a","absent":true}})",
     "rule.payload.absent: is only for attribute_state"},
    {R"({"rule_type":"count","payload":{"eid":"e1","n":1}})",
     "rule.payload.eid: is not for count, which needs a selector"},
    {R"({"rule_type":"count","payload":{"selector":"li"}})", "rule.payload.n: is required"},
    {R"({"rule_type":"network_status","payload":{}})", "rule.payload.url_pattern: is required"},
    {R"({"rule_type":"network_status","payload":{"url_pattern":"/a","status_min":300}})",
     "rule.payload.status_min: is above status_max"},
    {R"({"rule_type":"network_status","payload":{"url_pattern":"/a","since_seq":0}})",
     "rule.payload.since_seq: unknown field; known are method, mode, url_pattern"},
    {R"({"rule_type":"network_status","payload":{"url_pattern":"/a","method":"GE T"}})",
     "rule.payload.method: is not a method"},
    {R"({"rule_type":"json_field","payload":{"url_pattern":"/a","pointer":"b"}})",
     "rule.payload.pointer: pointer must be empty or start with /"},
    {R"({"rule_type":"json_field","payload":{"url_pattern":"/a"}})",
     "rule.payload.pointer: is required"},
    {R"({"rule_type":"json_field","payload":{"url_pattern":"/a","pointer":"","op":"lt"}})",
     "rule.payload.value: is required by this op"},
    {R"({"rule_type":"json_field","payload":{"url_pattern":"/a","pointer":"","op":"lt","value":"1"}})",
     "rule.payload.value: must be a number"},
    {R"({"rule_type":"json_field","payload":{"url_pattern":"/a","pointer":"","op":"exists","value":1}})",
     "rule.payload.value: does not go with this op"},
    {R"({"rule_type":"json_field","payload":{"url_pattern":"/a","pointer":"","op":"type","value":"list"}})",
     "rule.payload.value: expected one of null, bool, number, string, array, object"},
    {R"({"rule_type":"json_field","payload":{"url_pattern":"/a","pointer":"","op":"matches","value":1}})",
     "rule.payload.value: expected string, got number"},
    {R"({"rule_type":"file_exists","payload":{"path":"/etc/passwd"}})",
     "rule.payload.path: unknown field; "},
    {R"({"rule_type":"file_exists","payload":{"artifact_id":"a","name_pattern":"b"}})",
     "rule.payload.name_pattern: is given together with artifact_id"},
    {R"({"rule_type":"file_exists","payload":{"sha256":"ABC"}})",
     "rule.payload.sha256: must be 64 lower-case hex digits"},
    {R"({"rule_type":"file_exists","payload":{"min_size":-1}})", "rule.payload.min_size: must be "},
    {R"({"rule_type":"url_pattern","payload":{}})", "rule.payload.pattern: is required"},
    {R"({"rule_type":"cookie","payload":{"name":"a"}})",
     "rule.payload.expected: give one of expected, matches and absent"},
    {R"({"rule_type":"cookie","payload":{"name":"a","expected":5}})",
     "rule.payload.expected: must be a string"},
    {R"({"rule_type":"console_clean","payload":{"level":"info"}})",
     "rule.payload.level: expected one of error, warning"},
    {R"({"rule_type":"console_clean","payload":{"allow":["ok","("],"mode":"regex"}})",
     "rule.payload.allow[1]: pattern is not valid: "},
    {R"({"rule_type":"invariant","payload":{"name":"all_good"}})",
     "rule.payload.name: expected one of no_visible_errors, no_new_errors, no_dialog_open, "},
    {R"({"rule_type":"visual_change","payload":{"similarity_threshold":1.5}})",
     "rule.payload.similarity_threshold: must be between 0 and 1, is 1.5"},
    {R"({"rule_type":"visual_change","payload":{"masks":[{"x":1}]}})",
     "rule.payload.masks[0].y: is required"},
    {R"({"rule_type":"visual_change","payload":{"masks":[{"selector":"*"}]}})",
     "rule.payload.masks[0].selector: ", ErrorCode::kInvalidSelector},
    {R"({"rule_type":"state_hash","payload":{"expected_hash_after":"abc"}})",
     "rule.payload.expected_hash_after: is neither a state_id nor 64 hex digits"},
};

TEST(RuleTest, NamesTheFieldThatIsWrong) {
  for (const auto& [text, why, code] : kBadRules) {
    const auto rule = ParseRule(text);
    ASSERT_FALSE(rule) << text;
    EXPECT_TRUE(rule.error().message().starts_with(why))
        << text << "\n  expected " << why << "\n  got      " << rule.error().message();
    EXPECT_EQ(rule.error().code(), code) << text;
  }
}

TEST(RuleTest, ValidatesWhatWasBuiltByHand) {
  VerificationRule wrong{.type = RuleType::kCount, .payload = UrlRule{}};
  EXPECT_EQ(wrong.Validate().error().message(), "count: the payload is of another type");
  VerificationRule empty{.type = RuleType::kUrlPattern, .payload = UrlRule{}};
  EXPECT_EQ(empty.Validate().error().message(), "url_pattern: pattern: is empty");
}

TEST(RuleTest, KnowsWhatCanBeJudgedWithoutAnAction) {
  const std::set<std::string_view> any_time = {
      "element_present", "text_state",  "attribute_state", "property_state", "computed_style",
      "count",           "url_pattern", "cookie",          "invariant"};
  for (const RuleTraits& row : AllRuleTypes()) {
    EXPECT_EQ(row.use == RuleUse::kAnyTime, any_time.contains(row.name)) << row.name;
  }
  const std::set<std::string_view> now = {"no_visible_errors", "no_dialog_open"};
  for (const auto& [name, text] : kInvariants) {
    const VerificationRule rule{.type = RuleType::kInvariant, .payload = InvariantRule{name}};
    EXPECT_EQ(rule.use() == RuleUse::kAnyTime, now.contains(text)) << text;
  }
}

}  // namespace
}  // namespace falconer::model
