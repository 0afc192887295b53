// VerificationRule to and from JSON.

#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "model/contract/rule.h"

namespace falconer::model {
namespace {

Pattern CompileAt(JsonReader& in, std::string_view key, const std::string& text, PatternMode mode) {
  Result<Pattern> pattern = Pattern::Compile(text, mode);
  if (pattern) return *std::move(pattern);
  in.Reject(key, pattern.error().message());
  return {};
}

PatternMode ReadMode(JsonReader& in, PatternMode usual) {
  return in.OptionalEnum("mode", kPatternModes).value_or(usual);
}

std::optional<Pattern> ReadRegex(JsonReader& in, std::string_view key) {
  const std::optional<std::string> text = in.OptionalString(key);
  if (!text) return std::nullopt;
  return CompileAt(in, key, *text, PatternMode::kRegex);
}

// Of several matches one is enough for a rule, unless its author says otherwise.
Target ReadRuleTarget(JsonReader& in) {
  Target target = ReadTarget(in);
  if (!in.Has("strict")) target.strictness = Strictness::kFirst;
  return target;
}

CountCheck ReadCountCheck(JsonReader& in) {
  return {.op = in.OptionalEnum("op", kCountOps).value_or(CountOp::kEqual),
          .n = in.Integer("n", kRuleCounts)};
}

ValueCheck ReadCheck(JsonReader& in) {
  return {.expected = in.OptionalRawValue("expected"),
          .matches = ReadRegex(in, "matches"),
          .absent = in.OptionalBool("absent").value_or(false)};
}

ExchangeFilter ReadFilter(JsonReader& in) {
  std::string method = ToUpper(in.OptionalString("method").value_or(""));
  const PatternMode mode = ReadMode(in, PatternMode::kRegex);
  const std::string text = in.String("url_pattern");
  return {.method = std::move(method),
          .url = in.failed() ? Pattern() : CompileAt(in, "url_pattern", text, mode)};
}

RulePayload ReadNoPayload(JsonReader&) {
  return std::monostate();
}

RulePayload ReadElement(JsonReader& in) {
  return ElementRule{
      .target = ReadRuleTarget(in),
      .state = in.OptionalEnum("state", kElementConditions).value_or(ElementCondition::kAttached),
      .count = in.OptionalObject("count", ReadCountCheck)};
}

RulePayload ReadTextRule(JsonReader& in) {
  TextRule rule{.target = ReadRuleTarget(in)};
  const PatternMode mode =
      in.OptionalEnum("mode", kTextRuleModes).value_or(PatternMode::kSubstring);
  const std::string expected = in.String("expected");
  // The empty text is a fair thing to expect of an element, and no pattern to compile.
  const bool is_empty = expected.empty() && mode == PatternMode::kExact;
  if (!in.failed() && !is_empty) rule.expected = CompileAt(in, "expected", expected, mode);
  const bool normalizes = in.OptionalBool("normalize").value_or(true);
  rule.spaces = normalizes ? Spaces::kNormalized : Spaces::kAsTheyAre;
  rule.absent = in.OptionalBool("absent").value_or(false);
  return rule;
}

RulePayload ReadAttribute(JsonReader& in) {
  return ElementValueRule{
      .target = ReadRuleTarget(in), .name = in.String("attribute"), .check = ReadCheck(in)};
}

RulePayload ReadProperty(JsonReader& in) {
  return ElementValueRule{
      .target = ReadRuleTarget(in), .name = in.String("property"), .check = ReadCheck(in)};
}

RulePayload ReadCountRule(JsonReader& in) {
  return CountRule{.target = ReadRuleTarget(in), .check = ReadCountCheck(in)};
}

RulePayload ReadNetworkStatus(JsonReader& in) {
  const NetworkStatusRule usual;
  return NetworkStatusRule{
      .filter = ReadFilter(in),
      .status_min =
          static_cast<int>(in.OptionalInteger("status_min", kStatuses).value_or(usual.status_min)),
      .status_max =
          static_cast<int>(in.OptionalInteger("status_max", kStatuses).value_or(usual.status_max))};
}

JsonPointer ReadPointer(JsonReader& in) {
  const std::string text = in.String("pointer");
  Result<JsonPointer> pointer = JsonPointer::Parse(text);
  if (pointer) return *std::move(pointer);
  in.Reject("pointer", pointer.error().message());
  return {};
}

RulePayload ReadJsonField(JsonReader& in) {
  JsonFieldRule rule{.filter = ReadFilter(in), .pointer = ReadPointer(in)};
  rule.value = in.OptionalRawValue("value");
  rule.op =
      in.OptionalEnum("op", kFieldOps).value_or(rule.value ? FieldOp::kEqual : FieldOp::kExists);
  if (rule.op == FieldOp::kMatches) rule.pattern = ReadRegex(in, "value");
  rule.requires_no_silent_failure = in.OptionalBool("require_no_silent_failure").value_or(false);
  return rule;
}

RulePayload ReadFile(JsonReader& in) {
  FileRule rule{.artifact_id = in.OptionalString("artifact_id").value_or("")};
  const PatternMode mode = ReadMode(in, PatternMode::kGlob);
  if (const auto name = in.OptionalString("name_pattern")) {
    rule.name = CompileAt(in, "name_pattern", *name, mode);
  }
  rule.min_size = in.OptionalInteger("min_size", kFileSizes).value_or(rule.min_size);
  rule.mime = in.OptionalString("mime").value_or("");
  rule.sha256 = in.OptionalString("sha256").value_or("");
  return rule;
}

RulePayload ReadUrlRule(JsonReader& in) {
  const PatternMode mode = ReadMode(in, PatternMode::kGlob);
  const std::string text = in.String("pattern");
  return UrlRule{in.failed() ? Pattern() : CompileAt(in, "pattern", text, mode)};
}

RulePayload ReadCookie(JsonReader& in) {
  return CookieRule{.name = in.String("name"),
                    .domain = in.OptionalString("domain").value_or(""),
                    .check = ReadCheck(in)};
}

RulePayload ReadConsoleRule(JsonReader& in) {
  ConsoleRule rule{.level = in.OptionalEnum("level", kCleanLevels).value_or(ConsoleLevel::kError)};
  const PatternMode mode = ReadMode(in, PatternMode::kSubstring);
  const auto allow = in.OptionalStrings("allow", {0, kMaxConsoleAllowed});
  for (const std::string& text : allow.value_or(std::vector<std::string>())) {
    rule.allow.push_back(CompileAt(in, fmt::format("allow[{}]", rule.allow.size()), text, mode));
  }
  return rule;
}

RulePayload ReadInvariant(JsonReader& in) {
  return InvariantRule{in.Enum("name", kInvariants)};
}

Mask ReadMask(JsonReader& in) {
  if (!in.Has("selector")) return ReadRect(in);
  Result<NamedSelector> selector = MakeNamedSelector(in.String("selector"));
  if (selector) return *std::move(selector);
  in.Reject(std::move(selector).error().In(in.path() + ".selector"));
  return Rect{};
}

RulePayload ReadVisual(JsonReader& in) {
  const VisualRule usual;
  return VisualRule{
      .expect = in.OptionalEnum("expect", kVisualExpectations).value_or(usual.expect),
      .region = in.OptionalObject("region", ReadRect),
      .masks = in.OptionalObjects("masks", ReadMask, {0, kMaxMasks}),
      .pixel_threshold = static_cast<int>(
          in.OptionalInteger("pixel_threshold", kPixelThresholds).value_or(usual.pixel_threshold)),
      .similarity_threshold = in.OptionalNumber("similarity_threshold", kSimilarities)
                                  .value_or(usual.similarity_threshold)};
}

RulePayload ReadStateHash(JsonReader& in) {
  return StateHashRule{in.String("expected_hash_after")};
}

struct PayloadReader {
  RuleType type;
  RulePayload (*read)(JsonReader&);
};

constexpr PayloadReader kPayloadReaders[] = {
    {RuleType::kElementPresent, ReadElement},
    {RuleType::kTextState, ReadTextRule},
    {RuleType::kAttributeState, ReadAttribute},
    {RuleType::kPropertyState, ReadProperty},
    {RuleType::kComputedStyle, ReadProperty},
    {RuleType::kCount, ReadCountRule},
    {RuleType::kNetworkStatus, ReadNetworkStatus},
    {RuleType::kJsonField, ReadJsonField},
    {RuleType::kFileExists, ReadFile},
    {RuleType::kUrlPattern, ReadUrlRule},
    {RuleType::kCookie, ReadCookie},
    {RuleType::kConsoleClean, ReadConsoleRule},
    {RuleType::kNoNewErrors, ReadNoPayload},
    {RuleType::kInvariant, ReadInvariant},
    {RuleType::kVisualChange, ReadVisual},
    {RuleType::kStateHash, ReadStateHash},
};

void WriteMode(json::object& out, const Pattern& pattern, PatternMode usual) {
  if (pattern.mode() != usual) out["mode"] = NameIn(kPatternModes, pattern.mode());
}

void WriteTargetTo(json::object& out, const Target& target) {
  WriteTarget(target, kTargetKeys, out);
  out.erase("strict");
  if (target.strictness == Strictness::kStrict) out["strict"] = true;
}

void WriteCount(json::object& out, const CountCheck& check) {
  if (check.op != CountOp::kEqual) out["op"] = NameIn(kCountOps, check.op);
  out["n"] = check.n;
}

void WriteCheck(json::object& out, const ValueCheck& check) {
  if (check.expected) out["expected"] = *check.expected;
  if (check.matches) out["matches"] = check.matches->text();
  if (check.absent) out["absent"] = true;
}

void WriteFilter(json::object& out, const ExchangeFilter& filter) {
  if (!filter.method.empty()) out["method"] = filter.method;
  out["url_pattern"] = filter.url.text();
  WriteMode(out, filter.url, PatternMode::kRegex);
}

json::object MaskJson(const Mask& mask) {
  if (const auto* rect = std::get_if<Rect>(&mask)) return RectJson(*rect);
  return {{"selector", std::get<NamedSelector>(mask).text}};
}

// The mirror of the readers above; one function per payload.
struct PayloadWriter {
  json::object& out;
  RuleType type;

  void operator()(std::monostate) const {}
  void operator()(const ElementRule& rule) const {
    WriteTargetTo(out, rule.target);
    if (rule.state != ElementCondition::kAttached) {
      out["state"] = NameIn(kElementConditions, rule.state);
    }
    if (rule.count) WriteCount(out["count"].emplace_object(), *rule.count);
  }
  void operator()(const TextRule& rule) const {
    WriteTargetTo(out, rule.target);
    out["expected"] = rule.expected.text();
    if (rule.expected.mode() != PatternMode::kSubstring) {
      out["mode"] = NameIn(kTextRuleModes, rule.expected.mode());
    }
    if (rule.spaces == Spaces::kAsTheyAre) out["normalize"] = false;
    if (rule.absent) out["absent"] = true;
  }
  void operator()(const ElementValueRule& rule) const {
    WriteTargetTo(out, rule.target);
    out[type == RuleType::kAttributeState ? "attribute" : "property"] = rule.name;
    WriteCheck(out, rule.check);
  }
  void operator()(const CountRule& rule) const {
    WriteTargetTo(out, rule.target);
    WriteCount(out, rule.check);
  }
  void operator()(const NetworkStatusRule& rule) const {
    const NetworkStatusRule usual;
    WriteFilter(out, rule.filter);
    if (rule.status_min != usual.status_min) out["status_min"] = rule.status_min;
    if (rule.status_max != usual.status_max) out["status_max"] = rule.status_max;
  }
  void operator()(const JsonFieldRule& rule) const {
    WriteFilter(out, rule.filter);
    out["pointer"] = rule.pointer.text();
    const bool is_usual = rule.op == (rule.value ? FieldOp::kEqual : FieldOp::kExists);
    if (!is_usual) out["op"] = NameIn(kFieldOps, rule.op);
    if (rule.value) out["value"] = *rule.value;
    if (rule.requires_no_silent_failure) out["require_no_silent_failure"] = true;
  }
  void operator()(const FileRule& rule) const {
    if (!rule.artifact_id.empty()) out["artifact_id"] = rule.artifact_id;
    if (rule.name) {
      out["name_pattern"] = rule.name->text();
      WriteMode(out, *rule.name, PatternMode::kGlob);
    }
    if (rule.min_size != FileRule().min_size) out["min_size"] = rule.min_size;
    if (!rule.mime.empty()) out["mime"] = rule.mime;
    if (!rule.sha256.empty()) out["sha256"] = rule.sha256;
  }
  void operator()(const UrlRule& rule) const {
    out["pattern"] = rule.url.text();
    WriteMode(out, rule.url, PatternMode::kGlob);
  }
  void operator()(const CookieRule& rule) const {
    out["name"] = rule.name;
    if (!rule.domain.empty()) out["domain"] = rule.domain;
    WriteCheck(out, rule.check);
  }
  void operator()(const ConsoleRule& rule) const {
    if (rule.level != ConsoleLevel::kError) out["level"] = NameIn(kCleanLevels, rule.level);
    if (rule.allow.empty()) return;
    json::array& allow = out["allow"].emplace_array();
    for (const Pattern& pattern : rule.allow) allow.emplace_back(pattern.text());
    WriteMode(out, rule.allow.front(), PatternMode::kSubstring);
  }
  void operator()(const InvariantRule& rule) const { out["name"] = NameIn(kInvariants, rule.name); }
  void operator()(const VisualRule& rule) const {
    const VisualRule usual;
    if (rule.expect != usual.expect) out["expect"] = NameIn(kVisualExpectations, rule.expect);
    if (rule.region) out["region"] = RectJson(*rule.region);
    if (!rule.masks.empty()) {
      json::array& masks = out["masks"].emplace_array();
      for (const Mask& mask : rule.masks) masks.emplace_back(MaskJson(mask));
    }
    if (rule.pixel_threshold != usual.pixel_threshold) {
      out["pixel_threshold"] = rule.pixel_threshold;
    }
    if (rule.similarity_threshold != usual.similarity_threshold) {
      out["similarity_threshold"] = rule.similarity_threshold;
    }
  }
  void operator()(const StateHashRule& rule) const {
    out["expected_hash_after"] = rule.expected_hash_after;
  }
};

RuleType ReadRuleType(JsonReader& in) {
  const std::string name = in.String("rule_type");
  for (const RuleTraits& row : AllRuleTypes()) {
    if (row.name == name) return row.type;
  }
  in.Reject("rule_type", "is not a known rule");
  return RuleType::kNoNewErrors;
}

}  // namespace

VerificationRule ReadRule(JsonReader& in) {
  VerificationRule rule{.type = ReadRuleType(in)};
  rule.severity = in.OptionalEnum("severity", kSeverities).value_or(Severity::kHard);
  // What is wrong with a payload is reported by the reader that read it, so that the path is right.
  const auto read = [&rule](JsonReader& payload) {
    rule.payload = kPayloadReaders[std::to_underlying(rule.type)].read(payload);
    if (payload.failed()) return rule.payload;
    if (const auto flaw = FlawOf(rule)) payload.Reject(flaw->field, flaw->why);
    return rule.payload;
  };
  rule.payload = in.Has("payload") ? in.Object("payload", read) : read(in);
  return rule;
}

Result<VerificationRule> VerificationRule::FromJson(const json::value& value, std::string path) {
  return ReadJson(value, std::move(path), ReadRule, ErrorCode::kInvalidContract);
}

json::object VerificationRule::PayloadJson() const {
  json::object out;
  std::visit(PayloadWriter{out, type}, payload);
  return out;
}

json::object VerificationRule::ToJson() const {
  json::object out{{"rule_type", traits().name}};
  if (severity != Severity::kHard) out["severity"] = NameIn(kSeverities, severity);
  if (json::object written = PayloadJson(); !written.empty()) out["payload"] = std::move(written);
  return out;
}

}  // namespace falconer::model
