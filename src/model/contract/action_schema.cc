// The schema of actions: one row per field of the table of action types.

#include <utility>
#include <vector>

#include "model/action/action.h"
#include "model/contract/schema_parts.h"
#include "model/url.h"

namespace falconer::model {
namespace {

using F = ActionField;

constexpr std::string_view kIdPattern = "^[A-Za-z0-9_.:-]{1,64}$";
constexpr Bounds<std::int64_t> kIndexes = {0, std::numeric_limits<int>::max()};

json::object PointSchema() {
  return ObjectSchema({{"x", NumberSchema(kCoordinates)}, {"y", NumberSchema(kCoordinates)}},
                      {"x", "y"});
}

json::object SelectorText() {
  return TextSchema(1, kMaxSelectorLength);
}

json::object Candidates() {
  return ListSchema(SelectorText(), 0, kMaxCandidates);
}

json::object TargetFields(const TargetKeys& keys) {
  return {{keys.eid, PatternSchema(kIdPattern, 64)},
          {keys.fid, PatternSchema(kIdPattern, 64)},
          {keys.selector, SelectorText()},
          {keys.candidates, Candidates()},
          {"x", NumberSchema(kCoordinates)},
          {"y", NumberSchema(kCoordinates)},
          {"position", PointSchema()},
          {"strict", AnyBool()}};
}

json::object TargetSchema() {
  json::object out = ObjectSchema(TargetFields(kTargetKeys), {});
  out["anyOf"] = json::array{Requires({"eid"}), Requires({"selector"}), Requires({"candidates"}),
                             Requires({"x", "y"})};
  return out;
}

json::object TextField() {
  const json::object name = PatternSchema(kSecretNamePattern, kMaxSecretName);
  const json::object secret = ObjectSchema({{"secret", name}, {"field", name}}, {"secret"});
  return {{"text", {{"anyOf", json::array{TextSchema(0, kMaxTextLength), secret}}}}};
}

json::object WebUrl() {
  return PatternSchema("^([Hh][Tt][Tt][Pp][Ss]?://[^/\\\\\\s]|about:blank$)", kMaxUrlLength);
}

json::object TargetField() {
  json::object fields = TargetFields(kFlatTargetKeys);
  fields["target"] = TargetSchema();
  return fields;
}

json::object ScrollField() {
  json::object schema = ObjectSchema({{"dx", NumberSchema(kCoordinates)},
                                      {"dy", NumberSchema(kCoordinates)},
                                      {"to", EnumSchema(kScrollTargets)}},
                                     {});
  schema["minProperties"] = 1;
  return {{"scroll", std::move(schema)}};
}

json::object SelectField() {
  json::object one = ObjectSchema({{"value", TextSchema(0, kMaxTextLength)},
                                   {"label", TextSchema(0, kMaxTextLength)},
                                   {"index", WholeSchema(kIndexes)}},
                                  {});
  RequireOneOf(one, {"value", "label", "index"});
  return {{"select_values", ListSchema(std::move(one), 0, kMaxSelectValues)},
          {"select_value", TextSchema(0, kMaxTextLength)}};
}

json::object FilesField() {
  json::object one = ObjectSchema(
      {{"artifact_id", PatternSchema("^[A-Za-z0-9_-]{1,64}$", 64)}, {"path", TextSchema(1, 255)}},
      {});
  RequireOneOf(one, {"artifact_id", "path"});
  return {{"files", ListSchema(std::move(one), 0, kMaxFiles)},
          {"upload_artifact_id", PatternSchema("^[A-Za-z0-9_-]{1,64}$", 64)}};
}

json::object ExtractField() {
  return {{"extract", ObjectSchema({{"what", EnumSchema(kExtractKinds)},
                                    {"attribute", TextSchema(0, 64)},
                                    {"many", AnyBool()},
                                    {"limit", WholeSchema(kExtractLimits)},
                                    {"max_chars", WholeSchema(kExtractChars)}},
                                   {})}};
}

json::object ScreenshotField() {
  return {{"screenshot", ObjectSchema({{"format", EnumSchema(kImageFormats)},
                                       {"quality", WholeSchema(kQualities)},
                                       {"full_page", AnyBool()},
                                       {"scale", NumberSchema(kScales)},
                                       {"max_width", WholeSchema(kPictureWidths)},
                                       {"clip", Ref("rect")}},
                                      {})}};
}

json::object PdfField() {
  return {{"pdf", ObjectSchema({{"landscape", AnyBool()},
                                {"print_background", AnyBool()},
                                {"scale", NumberSchema(kPdfScales)}},
                               {})}};
}

json::object SnapshotField() {
  return {
      {"snapshot",
       ObjectSchema({{"scope", EnumSchema(kStateScopes)}, {"offset", WholeSchema(kOffsets)}}, {})}};
}

json::object DialogField() {
  return {
      {"dialog", ObjectSchema({{"accept", AnyBool()}, {"prompt_text", AnyText()}}, {"accept"})}};
}

json::object ViewportField() {
  return {{"viewport", ObjectSchema({{"width", WholeSchema(kViewportSizes)},
                                     {"height", WholeSchema(kViewportSizes)},
                                     {"scale", {{"type", "number"}}}},
                                    {"width", "height"})}};
}

// Fields that are one key with one rule.
json::object ModifiersField() {
  return {{"modifiers", ListSchema(AnyText(), 0, 16)}};
}
json::object UrlField() {
  return {{"url", WebUrl()}};
}
json::object ReferrerField() {
  return {{"referrer", WebUrl()}};
}
json::object KeyField() {
  return {{"key", TextSchema(1, 64)}};
}
json::object ButtonField() {
  return {{"button", EnumSchema(kMouseButtons)}};
}
json::object ClickCountField() {
  return {{"click_count", WholeSchema(kClickCounts)}};
}
json::object DelayField() {
  return {{"delay_ms", WholeSchema(kDelayMs)}};
}
json::object ClearFirstField() {
  return {{"clear_first", AnyBool()}};
}
json::object DragToField() {
  return {{"drag_to", TargetSchema()}};
}
json::object JsExpressionField() {
  return {{"js_expression", TextSchema(1, kMaxScriptLength)}};
}
json::object JsArgumentField() {
  return {{"js_argument", true}};
}
json::object TabIdField() {
  return {{"tab_id", TextSchema(1, 64)}};
}
json::object WaitUntilField() {
  return {{"wait_until", EnumSchema(kLoadStates)}};
}
json::object ForceField() {
  return {{"force", AnyBool()}};
}
json::object TimeoutField() {
  return {{"timeout_ms", WholeSchema(kTimeoutMs)}};
}

struct FieldSchemaRow {
  ActionField field;
  json::object (*schema)();  // its keys on the wire, each with its rule
};

constexpr FieldSchemaRow kFieldSchemas[] = {
    {F::kTarget, TargetField},
    {F::kText, TextField},
    {F::kUrl, UrlField},
    {F::kKey, KeyField},
    {F::kModifiers, ModifiersField},
    {F::kButton, ButtonField},
    {F::kClickCount, ClickCountField},
    {F::kDelay, DelayField},
    {F::kClearFirst, ClearFirstField},
    {F::kScroll, ScrollField},
    {F::kDragTo, DragToField},
    {F::kSelectValues, SelectField},
    {F::kFiles, FilesField},
    {F::kJsExpression, JsExpressionField},
    {F::kJsArgument, JsArgumentField},
    {F::kExtract, ExtractField},
    {F::kScreenshot, ScreenshotField},
    {F::kPdf, PdfField},
    {F::kSnapshot, SnapshotField},
    {F::kDialog, DialogField},
    {F::kViewport, ViewportField},
    {F::kTabId, TabIdField},
    {F::kWaitUntil, WaitUntilField},
    {F::kForce, ForceField},
    {F::kReferrer, ReferrerField},
    {F::kTimeout, TimeoutField},
};

// Some fields can be given by more than one key.
json::object Presence(ActionField field) {
  if (field == F::kTarget) {
    return {{"anyOf", json::array{Requires({"target_eid"}), Requires({"selector"}),
                                  Requires({"selector_candidates"}), Requires({"x", "y"}),
                                  Requires({"target"})}}};
  }
  if (field == F::kSelectValues) {
    return {{"anyOf", json::array{Requires({"select_values"}), Requires({"select_value"})}}};
  }
  if (field == F::kFiles) {
    return {{"anyOf", json::array{Requires({"files"}), Requires({"upload_artifact_id"})}}};
  }
  return Requires({FieldName(field)});
}

// What one type needs and takes.
json::object TypeSchema(const ActionTraits& traits) {
  json::array keys{"action_type"};
  json::array all;
  json::array any;
  for (const FieldSchemaRow& row : kFieldSchemas) {
    if (traits.required.Contains(row.field)) all.push_back(Presence(row.field));
    if (traits.any_of.Contains(row.field)) any.push_back(Presence(row.field));
    if (!traits.allowed().Contains(row.field)) continue;
    for (const auto& member : row.schema()) keys.emplace_back(member.key());
  }
  json::object out{{"propertyNames", {{"enum", std::move(keys)}}}};
  if (!any.empty()) all.push_back({{"anyOf", std::move(any)}});
  if (!all.empty()) out["allOf"] = std::move(all);
  return out;
}

json::array NamesOf(const ActionTraits& traits) {
  json::array names{json::string(traits.name)};
  for (const auto& [type, alias] : ActionAliases()) {
    if (type == traits.type) names.emplace_back(alias);
  }
  return names;
}

}  // namespace

void AddActionDefs(json::object& defs) {
  json::object properties;
  for (const FieldSchemaRow& row : kFieldSchemas) {
    for (const auto& member : row.schema()) properties[member.key()] = member.value();
  }
  json::array names;
  json::array rules;
  for (const ActionTraits& traits : AllActionTypes()) {
    json::array own = NamesOf(traits);
    names.insert(names.end(), own.begin(), own.end());
    json::object is_type = Requires({"action_type"});
    is_type["properties"] = {{"action_type", {{"enum", std::move(own)}}}};
    rules.push_back({{"if", std::move(is_type)}, {"then", TypeSchema(traits)}});
  }
  properties["action_type"] = {{"enum", std::move(names)}};
  json::object spec = ObjectSchema(std::move(properties), {"action_type"});
  spec["allOf"] = std::move(rules);
  defs["action_spec"] = std::move(spec);
}

}  // namespace falconer::model
