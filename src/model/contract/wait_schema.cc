// The schema of wait conditions: one function per kind.

#include <utility>
#include <vector>

#include "model/action/action.h"
#include "model/action/wait.h"
#include "model/contract/schema_parts.h"

namespace falconer::model {
namespace {

constexpr Bounds<std::int64_t> kWaitCounts = {0, 1'000'000};

json::object SelectorSchema() {
  json::object schema = OpenSchema({{"state", EnumSchema(kElementConditions)}}, {});
  AddTarget(schema);
  return schema;
}

json::object UrlWaitSchema() {
  return OpenSchema({{"url_pattern", PatternTextSchema()}, {"mode", ModeSchema()}},
                    {"url_pattern"});
}

json::object LoadStateSchema() {
  return OpenSchema({{"state", EnumSchema(kLoadStates)}}, {});
}

json::object QuietSchema() {
  return OpenSchema({{"quiet_ms", WholeSchema(kQuietMs)}}, {});
}

json::object RequestSchema() {
  return OpenSchema({{"method", PatternSchema("^[A-Za-z]*$", 64)},
                     {"url_pattern", PatternTextSchema()},
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
  return OpenSchema({{"expression", TextSchema(1, kMaxScriptLength)}, {"arg", true}},
                    {"expression"});
}

json::object TextWaitSchema() {
  json::object schema = OpenSchema({{"text", TextSchema(1, kMaxTextLength)},
                                    {"mode", EnumSchema(kTextModes)},
                                    {"absent", AnyBool()}},
                                   {"text"});
  AddTarget(schema);
  // Without an element it is about the whole page; a frame alone names none.
  schema["anyOf"].as_array().push_back({{"not", Requires({"fid"})}});
  return schema;
}

json::object ElementStateSchema() {
  json::object schema = OpenSchema({{"attribute", TextSchema(1, 64)},
                                    {"property", TextSchema(1, 64)},
                                    {"equals", {{"type", {"string", "number", "boolean"}}}},
                                    {"matches", AnyText()}},
                                   {});
  AddTarget(schema);
  RequireOneOf(schema, {"attribute", "property"});
  schema["allOf"] = json::array{{{"not", Requires({"equals", "matches"})}}};
  return schema;
}

json::object CountWaitSchema() {
  json::object schema =
      OpenSchema({{"op", EnumSchema(kCountOps)}, {"n", WholeSchema(kWaitCounts)}}, {"n"});
  AddTarget(schema);
  schema["properties"].as_object().erase("eid");
  return schema;
}

json::object DialogSchema() {
  return OpenSchema({{"type", EnumSchema(kDialogTypes)}}, {});
}

json::object DownloadSchema() {
  return OpenSchema({{"state", EnumSchema(kDownloadStates)}}, {});
}

json::object ConsoleWaitSchema() {
  return OpenSchema({{"level", EnumSchema(kConsoleLevels)},
                     {"pattern", PatternTextSchema()},
                     {"mode", ModeSchema()}},
                    {});
}

json::object MessageSchema() {
  return OpenSchema({{"pattern", PatternTextSchema()}, {"mode", ModeSchema()}}, {});
}

json::object SeveralSchema() {
  return OpenSchema({{"children", ListSchema(Ref("wait_condition"), 1, kMaxWaitLeaves)}},
                    {"children"});
}

json::object OneSchema() {
  return OpenSchema({{"children", ListSchema(Ref("wait_condition"), 1, 1)}}, {"children"});
}

struct WaitSchemaRow {
  WaitKind kind;
  json::object (*schema)();
};

constexpr WaitSchemaRow kWaitSchemas[] = {
    {WaitKind::kSelector, SelectorSchema},
    {WaitKind::kUrl, UrlWaitSchema},
    {WaitKind::kLoadState, LoadStateSchema},
    {WaitKind::kNetworkIdle, QuietSchema},
    {WaitKind::kResponse, ResponseSchema},
    {WaitKind::kRequest, RequestSchema},
    {WaitKind::kFunction, FunctionSchema},
    {WaitKind::kDomQuiet, QuietSchema},
    {WaitKind::kText, TextWaitSchema},
    {WaitKind::kElementState, ElementStateSchema},
    {WaitKind::kCount, CountWaitSchema},
    {WaitKind::kDialog, DialogSchema},
    {WaitKind::kDownload, DownloadSchema},
    {WaitKind::kConsole, ConsoleWaitSchema},
    {WaitKind::kStateChange, NothingSchema},
    {WaitKind::kFrame, UrlWaitSchema},
    {WaitKind::kWebSocketFrame, MessageSchema},
    {WaitKind::kPopup, NothingSchema},
    {WaitKind::kAll, SeveralSchema},
    {WaitKind::kAny, SeveralSchema},
    {WaitKind::kNot, OneSchema},
};

}  // namespace

void AddWaitDefs(json::object& defs) {
  std::vector<KindSchema> kinds;
  for (const WaitSchemaRow& row : kWaitSchemas) {
    const std::string name(WaitKindName(row.kind));
    defs["wait_" + name] = row.schema();
    kinds.push_back({name, Ref("wait_" + name)});
  }
  defs["wait_condition"] =
      TaggedSchema("kind", {{"timeout_ms", WholeSchema(kWaitTimeoutMs)}}, kinds);
}

}  // namespace falconer::model
