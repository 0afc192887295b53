// The schema of verification rules: one function per type.

#include <utility>
#include <vector>

#include "model/contract/rule.h"
#include "model/contract/schema_parts.h"

namespace falconer::model {
namespace {

json::object NameText() {
  return PatternSchema("^[!-~]+$", kMaxRuleNameLength);
}

json::object RectRef() {
  return Ref("rect");
}

json::object CountFields() {
  return {{"op", EnumSchema(kCountOps)}, {"n", WholeSchema(kRuleCounts)}};
}

json::object ElementSchema() {
  json::object schema = OpenSchema(
      {{"state", EnumSchema(kElementConditions)}, {"count", ObjectSchema(CountFields(), {"n"})}},
      {});
  AddTarget(schema);
  // NothingSchema that is gone can be counted.
  json::object both = Requires({"state", "count"});
  both["properties"] = {{"state", {{"const", "detached"}}}};
  schema["allOf"] = json::array{{{"not", std::move(both)}}};
  return schema;
}

json::object TextRuleSchema() {
  json::object schema = OpenSchema({{"expected", TextSchema(0, kMaxPatternLength)},
                                    {"mode", EnumSchema(kTextRuleModes)},
                                    {"normalize", AnyBool()},
                                    {"absent", AnyBool()}},
                                   {"expected"});
  AddTarget(schema);
  // Only "equals" can expect an empty text.
  json::object is_equals = Requires({"mode"});
  is_equals["properties"] = {{"mode", {{"const", "equals"}}}};
  schema["if"] = std::move(is_equals);
  schema["else"] = {{"properties", {{"expected", {{"minLength", 1}}}}}};
  return schema;
}

enum class MayBeAbsent : std::uint8_t { kNo, kYes };

void AddCheck(json::object& schema, json::value expected, MayBeAbsent may_be_absent) {
  json::object& properties = schema["properties"].as_object();
  properties["expected"] = std::move(expected);
  properties["matches"] = PatternTextSchema();
  if (may_be_absent == MayBeAbsent::kNo) return RequireOneOf(schema, {"expected", "matches"});
  properties["absent"] = {{"const", true}};
  RequireOneOf(schema, {"expected", "matches", "absent"});
}

json::object AttributeSchema() {
  json::object schema = OpenSchema({{"attribute", NameText()}}, {"attribute"});
  AddTarget(schema);
  AddCheck(schema, AnyText(), MayBeAbsent::kYes);
  return schema;
}

json::object PropertySchema() {
  json::object schema = OpenSchema({{"property", NameText()}}, {"property"});
  AddTarget(schema);
  AddCheck(schema, json::object{{"not", {{"type", "null"}}}}, MayBeAbsent::kNo);
  return schema;
}

json::object StyleSchema() {
  json::object schema = OpenSchema({{"property", NameText()}}, {"property"});
  AddTarget(schema);
  AddCheck(schema, AnyText(), MayBeAbsent::kNo);
  return schema;
}

json::object CountRuleSchema() {
  json::object schema = OpenSchema(CountFields(), {"n"});
  AddTarget(schema);
  schema["properties"].as_object().erase("eid");
  return schema;
}

json::object FilterFields() {
  return {{"method", PatternSchema("^[A-Za-z]*$", kMaxRuleNameLength)},
          {"url_pattern", PatternTextSchema()},
          {"mode", ModeSchema()}};
}

json::object NetworkStatusSchema() {
  json::object fields = FilterFields();
  fields["status_min"] = WholeSchema(kStatuses);
  fields["status_max"] = WholeSchema(kStatuses);
  return OpenSchema(std::move(fields), {"url_pattern"});
}

// What the operand of each comparison must be.
json::object OperandRule(std::initializer_list<FieldOp> ops, json::object rule) {
  json::array names;
  for (const FieldOp op : ops) names.emplace_back(NameIn(kFieldOps, op));
  json::object is_op = Requires({"op"});
  is_op["properties"] = {{"op", {{"enum", std::move(names)}}}};
  return {{"if", std::move(is_op)}, {"then", std::move(rule)}};
}

json::object WithValue(json::object value) {
  json::object out = Requires({"value"});
  out["properties"] = {{"value", std::move(value)}};
  return out;
}

json::object JsonFieldSchema() {
  json::object fields = FilterFields();
  fields["pointer"] = PatternSchema("^(/([^~]|~[01])*)?$", kMaxPointerLength);
  fields["op"] = EnumSchema(kFieldOps);
  fields["value"] = {{"not", {{"type", "null"}}}};
  fields["require_no_silent_failure"] = AnyBool();
  json::object schema = OpenSchema(std::move(fields), {"url_pattern", "pointer"});
  schema["allOf"] = json::array{
      OperandRule({FieldOp::kEqual, FieldOp::kNotEqual, FieldOp::kContains}, Requires({"value"})),
      OperandRule({FieldOp::kLess, FieldOp::kAtMost, FieldOp::kGreater, FieldOp::kAtLeast},
                  WithValue({{"type", "number"}})),
      OperandRule({FieldOp::kMatches}, WithValue(PatternTextSchema())),
      OperandRule({FieldOp::kType}, WithValue(NamesSchema(kJsonTypes))),
      OperandRule({FieldOp::kExists, FieldOp::kAbsent}, {{"not", Requires({"value"})}})};
  return schema;
}

json::object FileSchema() {
  json::object schema = OpenSchema({{"artifact_id", NameText()},
                                    {"name_pattern", PatternTextSchema()},
                                    {"mode", ModeSchema()},
                                    {"min_size", WholeSchema(kFileSizes)},
                                    {"mime", NameText()},
                                    {"sha256", PatternSchema(kHex64Pattern, 64)}},
                                   {});
  schema["not"] = Requires({"artifact_id", "name_pattern"});
  return schema;
}

json::object UrlRuleSchema() {
  return OpenSchema({{"pattern", PatternTextSchema()}, {"mode", ModeSchema()}}, {"pattern"});
}

json::object CookieSchema() {
  json::object schema = OpenSchema({{"name", NameText()}, {"domain", NameText()}}, {"name"});
  AddCheck(schema, AnyText(), MayBeAbsent::kYes);
  return schema;
}

json::object ConsoleRuleSchema() {
  return OpenSchema({{"level", EnumSchema(kCleanLevels)},
                     {"allow", ListSchema(PatternTextSchema(), 0, kMaxConsoleAllowed)},
                     {"mode", ModeSchema()}},
                    {});
}

json::object InvariantSchema() {
  return OpenSchema({{"name", EnumSchema(kInvariants)}}, {"name"});
}

json::object VisualSchema() {
  const json::object by_selector =
      ObjectSchema({{"selector", TextSchema(1, kMaxSelectorLength)}}, {"selector"});
  json::object mask{{"oneOf", json::array{RectRef(), by_selector}}};
  return OpenSchema({{"expect", EnumSchema(kVisualExpectations)},
                     {"region", RectRef()},
                     {"masks", ListSchema(std::move(mask), 0, kMaxMasks)},
                     {"pixel_threshold", WholeSchema(kPixelThresholds)},
                     {"similarity_threshold", NumberSchema(kSimilarities)}},
                    {});
}

json::object StateHashSchema() {
  return OpenSchema({{"expected_hash_after", PatternSchema("^(s_[0-9a-f]{24}|[0-9a-f]{64})$", 64)}},
                    {"expected_hash_after"});
}

struct RuleSchemaRow {
  RuleType type;
  json::object (*schema)();
};

constexpr RuleSchemaRow kRuleSchemas[] = {
    {RuleType::kElementPresent, ElementSchema},
    {RuleType::kTextState, TextRuleSchema},
    {RuleType::kAttributeState, AttributeSchema},
    {RuleType::kPropertyState, PropertySchema},
    {RuleType::kComputedStyle, StyleSchema},
    {RuleType::kCount, CountRuleSchema},
    {RuleType::kNetworkStatus, NetworkStatusSchema},
    {RuleType::kJsonField, JsonFieldSchema},
    {RuleType::kFileExists, FileSchema},
    {RuleType::kUrlPattern, UrlRuleSchema},
    {RuleType::kCookie, CookieSchema},
    {RuleType::kConsoleClean, ConsoleRuleSchema},
    {RuleType::kNoNewErrors, NothingSchema},
    {RuleType::kInvariant, InvariantSchema},
    {RuleType::kVisualChange, VisualSchema},
    {RuleType::kStateHash, StateHashSchema},
};

// Rules that can be judged from the page as it is.
json::object AnyTimeSchema() {
  std::vector<std::string_view> types;
  for (const RuleTraits& row : AllRuleTypes()) {
    if (row.use == RuleUse::kAnyTime) types.push_back(row.name);
  }
  json::array late;
  for (const auto& [invariant, name] : kInvariants) {
    if (UseOf(invariant) == RuleUse::kAfterAction) late.emplace_back(name);
  }
  json::object is_late = Requires({"name"});
  is_late["properties"] = {{"name", {{"enum", std::move(late)}}}};
  json::object in_payload = Requires({"payload"});
  in_payload["properties"] = {{"payload", is_late}};
  json::object is_late_invariant = Requires({"rule_type"});
  is_late_invariant["properties"] = {{"rule_type", {{"const", "invariant"}}}};
  is_late_invariant["anyOf"] = json::array{std::move(is_late), std::move(in_payload)};
  json::object out = Ref("rule");
  out["properties"] = {{"rule_type", NamesSchema(types)}};
  out["not"] = std::move(is_late_invariant);
  return out;
}

}  // namespace

void AddRuleDefs(json::object& defs) {
  std::vector<KindSchema> kinds;
  for (const RuleSchemaRow& row : kRuleSchemas) {
    const std::string name(TraitsOf(row.type).name);
    defs["rule_" + name] = row.schema();
    kinds.push_back({name, Ref("rule_" + name)});
  }
  defs["rule"] = TaggedSchema("rule_type", {{"severity", EnumSchema(kSeverities)}}, kinds);
  defs["rule_any_time"] = AnyTimeSchema();
}

}  // namespace falconer::model
