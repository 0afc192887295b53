#include "model/contract/guards.h"

#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "model/url.h"

namespace falconer::model {
namespace {

using enum ActionType;

VerificationRule Soft(RuleType type, RulePayload payload) {
  return {.type = type, .severity = Severity::kSoft, .payload = std::move(payload)};
}

WaitCondition Wait(WaitKind kind, WaitLeaf leaf) {
  return {.kind = kind, .leaf = std::move(leaf), .children = {}, .timeout = std::nullopt};
}

// The expressions below are ours and compile; a failure would be caught by the test of the table.
Pattern Regex(std::string_view text) {
  return Pattern::Compile(text, PatternMode::kRegex).value_or(Pattern());
}

VerificationRule Holds(Invariant name) {
  return Soft(RuleType::kInvariant, InvariantRule{name});
}

// A target that names an element; rules cannot look at points.
std::optional<Target> ElementOf(const ActionSpec& spec) {
  if (!spec.target || spec.target->point) return std::nullopt;
  Target target = *spec.target;
  target.position.reset();
  target.strictness = Strictness::kFirst;
  return target;
}

// As the page counts: UTF-16 code units.
std::size_t PageLength(std::string_view text) {
  std::size_t units = Utf8Length(text);
  for (const char c : text) units += static_cast<unsigned char>(c) >= 0xF0 ? 1U : 0U;
  return units;
}

void GuardQuiet(DerivedGuards& guards, const ActionSpec&) {
  guards.rules.push_back(Soft(RuleType::kNoNewErrors, std::monostate()));
}

// Without an element there is no property to look at.
void GuardProperty(DerivedGuards& guards, const ActionSpec& spec, std::string name,
                   ValueCheck check) {
  std::optional<Target> target = ElementOf(spec);
  if (!target) return GuardQuiet(guards, spec);
  guards.rules.push_back(
      Soft(RuleType::kPropertyState,
           ElementValueRule{
               .target = *std::move(target), .name = std::move(name), .check = std::move(check)}));
}

// The address itself, also with the slash that browsers add. Nothing for addresses that are not
// asked for over the network, or only in part.
std::optional<Pattern> AnswerPattern(const std::optional<std::string>& url) {
  if (!url || url->contains('#') || *url == kBlankUrl) return std::nullopt;
  std::string expression = "^";
  for (const char c : *url) {
    const bool is_plain = IsLetterOrDigit(c) || static_cast<unsigned char>(c) >= 0x80;
    if (!is_plain) expression += '\\';
    expression += c;
  }
  auto pattern = Pattern::Compile(expression + "/?$", PatternMode::kRegex);
  return pattern ? std::optional(*std::move(pattern)) : std::nullopt;
}

void GuardLoad(DerivedGuards& guards, const ActionSpec& spec) {
  guards.waits.push_back(Wait(
      WaitKind::kLoadState, LoadStateWait{spec.wait_until.value_or(LoadState::kDomContentLoaded)}));
  std::optional<Pattern> url = AnswerPattern(spec.url);
  if (!url) return;
  guards.rules.push_back(Soft(
      RuleType::kNetworkStatus,
      NetworkStatusRule{
          .filter = {.method = "", .url = *std::move(url)}, .status_min = 200, .status_max = 399}));
}

void GuardHistory(DerivedGuards& guards, const ActionSpec& spec) {
  guards.waits.push_back(Wait(
      WaitKind::kLoadState, LoadStateWait{spec.wait_until.value_or(LoadState::kDomContentLoaded)}));
}

// Whatever it is that happens when something is clicked. A request covers navigations.
void GuardEffect(DerivedGuards& guards, const ActionSpec&) {
  WaitCondition any = Wait(WaitKind::kAny, std::monostate());
  any.children = {Wait(WaitKind::kStateChange, std::monostate()),
                  Wait(WaitKind::kRequest, ExchangeWait{}), Wait(WaitKind::kDialog, DialogWait{}),
                  Wait(WaitKind::kPopup, std::monostate()),
                  Wait(WaitKind::kDownload, DownloadWait{DownloadState::kStarted})};
  guards.waits.push_back(std::move(any));
  guards.rules.push_back(Soft(RuleType::kNoNewErrors, std::monostate()));
}

void GuardSubmit(DerivedGuards& guards, const ActionSpec& spec) {
  GuardEffect(guards, spec);
  guards.rules.push_back(Holds(Invariant::kNoFailedRequests));
  guards.rules.push_back(Holds(Invariant::kNoSilentFailures));
}

// A secret's length is nobody's business, and text typed behind other text has no length we know.
void GuardTyped(DerivedGuards& guards, const ActionSpec& spec) {
  if (!spec.text || spec.text->value.empty()) return GuardQuiet(guards, spec);
  GuardProperty(guards, spec, "value.length", {.matches = Regex("^[1-9]")});
}

void GuardFilled(DerivedGuards& guards, const ActionSpec& spec) {
  const bool is_literal = spec.text && spec.text->source == TextInput::Source::kLiteral;
  if (!is_literal) return GuardTyped(guards, spec);
  GuardProperty(guards, spec, "value.length", {.expected = PageLength(spec.text->value)});
}

void GuardCleared(DerivedGuards& guards, const ActionSpec& spec) {
  GuardProperty(guards, spec, "value.length", {.expected = 0});
}

void GuardSelected(DerivedGuards& guards, const ActionSpec& spec) {
  const std::size_t count = spec.select_values.size();
  GuardProperty(guards, spec, "selectedOptions.length", {.expected = count});
}

void GuardChecked(DerivedGuards& guards, const ActionSpec& spec) {
  std::optional<Target> target = ElementOf(spec);
  if (!target) return GuardQuiet(guards, spec);
  const bool is_on = spec.type == kCheck;
  guards.rules.push_back(Soft(
      RuleType::kElementPresent,
      ElementRule{.target = *std::move(target),
                  .state = is_on ? ElementCondition::kChecked : ElementCondition::kUnchecked}));
}

void GuardUploaded(DerivedGuards& guards, const ActionSpec& spec) {
  GuardProperty(guards, spec, "files.length", {.expected = spec.files.size()});
}

void GuardDownload(DerivedGuards& guards, const ActionSpec&) {
  guards.waits.push_back(Wait(WaitKind::kDownload, DownloadWait{DownloadState::kCompleted}));
  guards.rules.push_back(Soft(RuleType::kFileExists, FileRule{}));
}

void GuardArtifact(DerivedGuards& guards, const ActionSpec&) {
  guards.rules.push_back(Soft(RuleType::kFileExists, FileRule{}));
}

void GuardScript(DerivedGuards& guards, const ActionSpec&) {
  guards.rules.push_back(Soft(RuleType::kConsoleClean, ConsoleRule{}));
  guards.rules.push_back(Soft(RuleType::kNoNewErrors, std::monostate()));
}

// What only looks should leave the page where it is.
void GuardLook(DerivedGuards& guards, const ActionSpec&) {
  guards.rules.push_back(Holds(Invariant::kUrlUnchanged));
}

void GuardDialog(DerivedGuards& guards, const ActionSpec&) {
  guards.rules.push_back(Holds(Invariant::kNoDialogOpen));
}

void GuardNothing(DerivedGuards&, const ActionSpec&) {
}

struct GuardRow {
  ActionType type;
  void (*derive)(DerivedGuards&, const ActionSpec&);
};

constexpr GuardRow kGuards[] = {
    {kNavigate, GuardLoad},       {kGoBack, GuardHistory},      {kGoForward, GuardHistory},
    {kReload, GuardHistory},      {kClick, GuardEffect},        {kDoubleClick, GuardEffect},
    {kHover, GuardQuiet},         {kType, GuardTyped},          {kFill, GuardFilled},
    {kClear, GuardCleared},       {kPress, GuardEffect},        {kSelect, GuardSelected},
    {kCheck, GuardChecked},       {kUncheck, GuardChecked},     {kScroll, GuardLook},
    {kDrag, GuardEffect},         {kUpload, GuardUploaded},     {kDownloadTrigger, GuardDownload},
    {kExtract, GuardLook},        {kScreenshot, GuardArtifact}, {kPdf, GuardArtifact},
    {kSnapshot, GuardLook},       {kWaitOnly, GuardNothing},    {kCustomJsRestricted, GuardScript},
    {kNewTab, GuardDialog},       {kSwitchTab, GuardDialog},    {kCloseTab, GuardDialog},
    {kHandleDialog, GuardDialog}, {kSubmit, GuardSubmit},       {kPurchase, GuardSubmit},
    {kFocus, GuardQuiet},         {kSetViewport, GuardLook},
};

}  // namespace

json::object DerivedGuards::Summary() const {
  json::array wait_list;
  for (const WaitCondition& wait : waits) wait_list.emplace_back(wait.ToJson());
  return {{"derived", true}, {"waits", std::move(wait_list)}, {"rules", RulesJson(rules)}};
}

DerivedGuards DeriveGuards(const ActionContract& contract) {
  DerivedGuards guards;
  if (contract.has_guard()) return guards;
  const ActionSpec& spec = contract.action_spec;
  kGuards[std::to_underlying(spec.type)].derive(guards, spec);
  return guards;
}

}  // namespace falconer::model
