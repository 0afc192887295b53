// WaitCondition to and from JSON.

#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "model/action/wait.h"

namespace falconer::model {
namespace {

constexpr Bounds<std::int64_t> kWaitInts = {std::numeric_limits<int>::min(),
                                            std::numeric_limits<int>::max()};

// Older names: a kind, sometimes with the state it implies.
struct KindAlias {
  std::string_view name;
  WaitKind kind;
  std::optional<ElementCondition> state;
};

constexpr KindAlias kWaitAliases[] = {
    {"selector_visible", WaitKind::kSelector, ElementCondition::kVisible},
    {"selector_hidden", WaitKind::kSelector, ElementCondition::kHidden},
    {"url_matches", WaitKind::kUrl, std::nullopt},
};

// A pattern under `key` with its "mode" beside it.
std::optional<Pattern> ReadPattern(JsonReader& in, std::string_view key, PatternMode usual) {
  const PatternMode mode = in.OptionalEnum("mode", kPatternModes).value_or(usual);
  const std::optional<std::string> text = in.OptionalString(key);
  if (!text) return std::nullopt;
  Result<Pattern> pattern = Pattern::Compile(*text, mode);
  if (pattern) return *std::move(pattern);
  in.Reject(key, pattern.error().message());
  return std::nullopt;
}

// Of several matches one is enough for a wait, unless the caller says otherwise.
Target ReadWaitTarget(JsonReader& in) {
  Target target = ReadTarget(in);
  if (!in.Has("strict")) target.strictness = Strictness::kFirst;
  return target;
}

void WriteWaitTarget(const Target& target, json::object& out) {
  WriteTarget(target, kTargetKeys, out);
  out.erase("strict");
  if (target.strictness == Strictness::kStrict) out["strict"] = true;
}

WaitLeaf ReadUrl(JsonReader& in) {
  std::optional<Pattern> url = ReadPattern(in, "url_pattern", PatternMode::kGlob);
  if (!url) in.Reject("url_pattern", "is required");
  return UrlWait{std::move(url).value_or(Pattern())};
}

WaitLeaf ReadSelectorWait(JsonReader& in) {
  return SelectorWait{
      .target = ReadWaitTarget(in),
      .state = in.OptionalEnum("state", kElementConditions).value_or(ElementCondition::kVisible)};
}

WaitLeaf ReadLoadState(JsonReader& in) {
  return LoadStateWait{in.OptionalEnum("state", kLoadStates).value_or(LoadState::kLoad)};
}

WaitLeaf ReadQuiet(JsonReader& in) {
  return QuietWait{in.OptionalMilliseconds("quiet_ms").value_or(QuietWait().quiet)};
}

ExchangeWait ReadExchange(JsonReader& in) {
  std::string method = ToUpper(in.OptionalString("method").value_or(""));
  return {.method = std::move(method), .url = ReadPattern(in, "url_pattern", PatternMode::kRegex)};
}

WaitLeaf ReadRequest(JsonReader& in) {
  return ReadExchange(in);
}

WaitLeaf ReadResponse(JsonReader& in) {
  ExchangeWait wait = ReadExchange(in);
  wait.status_min =
      static_cast<int>(in.OptionalInteger("status_min", kWaitInts).value_or(wait.status_min));
  wait.status_max =
      static_cast<int>(in.OptionalInteger("status_max", kWaitInts).value_or(wait.status_max));
  return wait;
}

WaitLeaf ReadFunction(JsonReader& in) {
  return FunctionWait{.expression = in.String("expression"), .arg = in.OptionalRawValue("arg")};
}

WaitLeaf ReadTextWait(JsonReader& in) {
  TextWait wait{
      .text = {.text = in.String("text"),
               .mode = in.OptionalEnum("mode", kTextModes).value_or(TextMode::kSubstring)},
      .absent = in.OptionalBool("absent").value_or(false)};
  Target scope = ReadWaitTarget(in);
  const bool is_given = !scope.empty() || !scope.fid.empty();
  if (is_given) wait.scope = std::move(scope);
  return wait;
}

WaitLeaf ReadElementState(JsonReader& in) {
  return ElementStateWait{.target = ReadWaitTarget(in),
                          .attribute = in.OptionalString("attribute").value_or(""),
                          .property = in.OptionalString("property").value_or(""),
                          .equals = in.OptionalRawValue("equals"),
                          .matches = in.OptionalString("matches")};
}

WaitLeaf ReadCount(JsonReader& in) {
  return CountWait{.target = ReadWaitTarget(in),
                   .op = in.OptionalEnum("op", kCountOps).value_or(CountOp::kEqual),
                   .n = static_cast<int>(in.Integer("n", kWaitInts))};
}

WaitLeaf ReadDialogWait(JsonReader& in) {
  return DialogWait{in.OptionalEnum("type", kDialogTypes)};
}

WaitLeaf ReadDownload(JsonReader& in) {
  return DownloadWait{
      in.OptionalEnum("state", kDownloadStates).value_or(DownloadState::kCompleted)};
}

WaitLeaf ReadConsole(JsonReader& in) {
  return ConsoleWait{.level = in.OptionalEnum("level", kConsoleLevels),
                     .message = ReadPattern(in, "pattern", PatternMode::kSubstring)};
}

WaitLeaf ReadMessage(JsonReader& in) {
  return MessageWait{ReadPattern(in, "pattern", PatternMode::kSubstring)};
}

WaitLeaf ReadNothing(JsonReader&) {
  return std::monostate();
}

struct KindReader {
  WaitKind kind;
  WaitLeaf (*read)(JsonReader&);
};

constexpr KindReader kKindReaders[] = {
    {WaitKind::kSelector, ReadSelectorWait},
    {WaitKind::kUrl, ReadUrl},
    {WaitKind::kLoadState, ReadLoadState},
    {WaitKind::kNetworkIdle, ReadQuiet},
    {WaitKind::kResponse, ReadResponse},
    {WaitKind::kRequest, ReadRequest},
    {WaitKind::kFunction, ReadFunction},
    {WaitKind::kDomQuiet, ReadQuiet},
    {WaitKind::kText, ReadTextWait},
    {WaitKind::kElementState, ReadElementState},
    {WaitKind::kCount, ReadCount},
    {WaitKind::kDialog, ReadDialogWait},
    {WaitKind::kDownload, ReadDownload},
    {WaitKind::kConsole, ReadConsole},
    {WaitKind::kStateChange, ReadNothing},
    {WaitKind::kFrame, ReadUrl},
    {WaitKind::kWebSocketFrame, ReadMessage},
    {WaitKind::kPopup, ReadNothing},
    {WaitKind::kAll, ReadNothing},
    {WaitKind::kAny, ReadNothing},
    {WaitKind::kNot, ReadNothing},
};

KindAlias ReadKind(JsonReader& in) {
  const std::string name = in.String("kind");
  for (const WaitTraits& row : AllWaitKinds()) {
    if (row.name == name) return {row.name, row.kind, std::nullopt};
  }
  for (const KindAlias& alias : kWaitAliases) {
    if (alias.name == name) return alias;
  }
  in.Reject("kind", "is not a known condition");
  return {{}, WaitKind::kStateChange, std::nullopt};
}

std::optional<std::chrono::milliseconds> ReadTimeout(JsonReader& in) {
  const auto timeout = in.OptionalMilliseconds("timeout_ms");
  const auto older_name = in.OptionalMilliseconds("max_wait_ms");
  if (timeout && older_name) in.Reject("max_wait_ms", "is given together with timeout_ms");
  return timeout ? timeout : older_name;
}

WaitCondition ReadNode(JsonReader& in, int depth);

std::vector<WaitCondition> ReadChildren(JsonReader& in, int depth) {
  if (depth >= kMaxWaitDepth) {
    in.Reject("children", fmt::format("are nested deeper than {}", kMaxWaitDepth));
  }
  return in.Objects("children", [depth](JsonReader& child) { return ReadNode(child, depth + 1); },
                    {1, kMaxWaitLeaves});
}

WaitCondition ReadNode(JsonReader& in, int depth) {
  const KindAlias named = ReadKind(in);
  WaitCondition node{
      .kind = named.kind, .leaf = std::monostate(), .children = {}, .timeout = ReadTimeout(in)};
  const auto read = kKindReaders[std::to_underlying(node.kind)].read;
  if (node.is_composite()) {
    node.children = ReadChildren(in, depth);
  } else {
    node.leaf = in.Has("payload") ? in.Object("payload", read) : read(in);
  }
  if (auto* selector = std::get_if<SelectorWait>(&node.leaf); selector && named.state) {
    selector->state = *named.state;
  }
  return node;
}

void WritePattern(json::object& out, std::string_view key, const Pattern& pattern) {
  out[key] = pattern.text();
  out["mode"] = NameIn(kPatternModes, pattern.mode());
}

// What a condition's payload holds; one function per leaf.
struct LeafWriter {
  json::object& out;
  WaitKind kind;

  void operator()(std::monostate) const {}
  void operator()(const SelectorWait& wait) const {
    WriteWaitTarget(wait.target, out);
    out["state"] = NameIn(kElementConditions, wait.state);
  }
  void operator()(const UrlWait& wait) const { WritePattern(out, "url_pattern", wait.url); }
  void operator()(const LoadStateWait& wait) const {
    out["state"] = NameIn(kLoadStates, wait.state);
  }
  void operator()(const QuietWait& wait) const { out["quiet_ms"] = wait.quiet.count(); }
  void operator()(const ExchangeWait& wait) const {
    if (!wait.method.empty()) out["method"] = wait.method;
    if (wait.url) WritePattern(out, "url_pattern", *wait.url);
    if (kind == WaitKind::kRequest) return;
    out["status_min"] = wait.status_min;
    out["status_max"] = wait.status_max;
  }
  void operator()(const FunctionWait& wait) const {
    out["expression"] = wait.expression;
    if (wait.arg) out["arg"] = *wait.arg;
  }
  void operator()(const TextWait& wait) const {
    if (wait.scope) WriteWaitTarget(*wait.scope, out);
    out["text"] = wait.text.text;
    out["mode"] = NameIn(kTextModes, wait.text.mode);
    if (wait.absent) out["absent"] = true;
  }
  void operator()(const ElementStateWait& wait) const {
    WriteWaitTarget(wait.target, out);
    if (!wait.attribute.empty()) out["attribute"] = wait.attribute;
    if (!wait.property.empty()) out["property"] = wait.property;
    if (wait.equals) out["equals"] = *wait.equals;
    if (wait.matches) out["matches"] = *wait.matches;
  }
  void operator()(const CountWait& wait) const {
    WriteWaitTarget(wait.target, out);
    out["op"] = NameIn(kCountOps, wait.op);
    out["n"] = wait.n;
  }
  void operator()(const DialogWait& wait) const {
    if (wait.type) out["type"] = NameIn(kDialogTypes, *wait.type);
  }
  void operator()(const DownloadWait& wait) const {
    out["state"] = NameIn(kDownloadStates, wait.state);
  }
  void operator()(const ConsoleWait& wait) const {
    if (wait.level) out["level"] = NameIn(kConsoleLevels, *wait.level);
    if (wait.message) WritePattern(out, "pattern", *wait.message);
  }
  void operator()(const MessageWait& wait) const {
    if (wait.message) WritePattern(out, "pattern", *wait.message);
  }
};

}  // namespace

WaitCondition ReadWaitCondition(JsonReader& in) {
  return ReadNode(in, 1);
}

Result<WaitCondition> WaitCondition::FromJson(const json::value& value, std::string path) {
  const std::string where = path;
  TRY_ASSIGN(WaitCondition condition,
             ReadJson(value, std::move(path), ReadWaitCondition, ErrorCode::kInvalidWaitCondition));
  if (auto valid = condition.Validate(); !valid) {
    return Fail(where.empty() ? std::move(valid).error() : std::move(valid).error().In(where));
  }
  return condition;
}

json::object WaitCondition::ToJson() const {
  json::object out{{"kind", WaitKindName(kind)}};
  if (is_composite()) {
    json::array& list = out["children"].emplace_array();
    for (const WaitCondition& child : children) list.emplace_back(child.ToJson());
  } else {
    json::object payload;
    std::visit(LeafWriter{payload, kind}, leaf);
    out["payload"] = std::move(payload);
  }
  if (timeout) out["timeout_ms"] = timeout->count();
  return out;
}

}  // namespace falconer::model
