// The schema of wait conditions: one function per kind.

#include <utility>
#include <vector>

#include "model/action/action.h"
#include "model/action/wait.h"
#include "model/contract/schema_parts.h"

namespace falconer::model {
namespace {

constexpr Bounds<std::int64_t> kWaitCounts = {0, 1'000'000};

json::object Open(json::object properties, std::initializer_list<std::string_view> required) {
  return ObjectSchema(std::move(properties), required, Openness::kOpen);
}

json::object PatternText() {
  return TextSchema(1, kMaxPatternLength);
}

json::object Nothing() {
  return Open({}, {});
}

json::object SelectorSchema() {
  json::object schema = Open({{"state", EnumSchema(kElementConditions)}}, {});
  AddTarget(schema);
  return schema;
}

json::object UrlSchema() {
  return Open({{"url_pattern", PatternText()}, {"mode", ModeSchema()}}, {"url_pattern"});
}

json::object LoadStateSchema() {
  return Open({{"state", EnumSchema(kLoadStates)}}, {});
}

json::object QuietSchema() {
  return Open({{"quiet_ms", WholeSchema(kQuietMs)}}, {});
}

json::object RequestSchema() {
  return Open({{"method", PatternSchema("^[A-Za-z]*$", 64)},
               {"url_pattern", PatternText()},
               {"mode", ModeSchema()}},
              {});
}

json::object ResponseSchema() {
  json::object schema = RequestSchema();
  json::object& properties = schema["properties"].as_object();
  properties["status_min"] = WholeSchema(kStatuses);
  properties["status_max"] = WholeSchema(kStatuses);
  return schema;
}

json::object FunctionSchema() {
  return Open({{"expression", TextSchema(1, kMaxScriptLength)}, {"arg", true}}, {"expression"});
}

json::object TextWaitSchema() {
  json::object schema = Open({{"text", TextSchema(1, kMaxTextLength)},
                              {"mode", EnumSchema(kTextModes)},
                              {"absent", AnyBool()}},
                             {"text"});
  AddTarget(schema);
  // Without an element it is about the whole page; a frame alone names none.
  schema["anyOf"].as_array().push_back({{"not", Requires({"fid"})}});
  return schema;
}

json::object ElementStateSchema() {
  json::object schema = Open({{"attribute", TextSchema(1, 64)},
                              {"property", TextSchema(1, 64)},
                              {"equals", {{"type", {"string", "number", "boolean"}}}},
                              {"matches", AnyText()}},
                             {});
  AddTarget(schema);
  RequireOneOf(schema, {"attribute", "property"});
  schema["allOf"] = json::array{{{"not", Requires({"equals", "matches"})}}};
  return schema;
}

json::object CountSchema() {
  json::object schema =
      Open({{"op", EnumSchema(kCountOps)}, {"n", WholeSchema(kWaitCounts)}}, {"n"});
  AddTarget(schema);
  schema["properties"].as_object().erase("eid");
  return schema;
}

json::object DialogSchema() {
  return Open({{"type", EnumSchema(kDialogTypes)}}, {});
}

json::object DownloadSchema() {
  return Open({{"state", EnumSchema(kDownloadStates)}}, {});
}

json::object ConsoleSchema() {
  return Open(
      {{"level", EnumSchema(kConsoleLevels)}, {"pattern", PatternText()}, {"mode", ModeSchema()}},
      {});
}

json::object MessageSchema() {
  return Open({{"pattern", PatternText()}, {"mode", ModeSchema()}}, {});
}

json::object SeveralSchema() {
  return Open({{"children", ListSchema(Ref("wait_condition"), 1, kMaxWaitLeaves)}}, {"children"});
}

json::object OneSchema() {
  return Open({{"children", ListSchema(Ref("wait_condition"), 1, 1)}}, {"children"});
}

struct SchemaRow {
  WaitKind kind;
  json::object (*schema)();
};

constexpr SchemaRow kSchemas[] = {
    {WaitKind::kSelector, SelectorSchema},
    {WaitKind::kUrl, UrlSchema},
    {WaitKind::kLoadState, LoadStateSchema},
    {WaitKind::kNetworkIdle, QuietSchema},
    {WaitKind::kResponse, ResponseSchema},
    {WaitKind::kRequest, RequestSchema},
    {WaitKind::kFunction, FunctionSchema},
    {WaitKind::kDomQuiet, QuietSchema},
    {WaitKind::kText, TextWaitSchema},
    {WaitKind::kElementState, ElementStateSchema},
    {WaitKind::kCount, CountSchema},
    {WaitKind::kDialog, DialogSchema},
    {WaitKind::kDownload, DownloadSchema},
    {WaitKind::kConsole, ConsoleSchema},
    {WaitKind::kStateChange, Nothing},
    {WaitKind::kFrame, UrlSchema},
    {WaitKind::kWebSocketFrame, MessageSchema},
    {WaitKind::kPopup, Nothing},
    {WaitKind::kAll, SeveralSchema},
    {WaitKind::kAny, SeveralSchema},
    {WaitKind::kNot, OneSchema},
};

}  // namespace

void AddWaitDefs(json::object& defs) {
  std::vector<KindSchema> kinds;
  for (const SchemaRow& row : kSchemas) {
    const std::string name(WaitKindName(row.kind));
    defs["wait_" + name] = row.schema();
    kinds.push_back({name, Ref("wait_" + name)});
  }
  defs["wait_condition"] =
      TaggedSchema("kind", {{"timeout_ms", WholeSchema(kWaitTimeoutMs)}}, kinds);
}

}  // namespace falconer::model
