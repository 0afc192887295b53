// The rules of an ActionSpec. One function per rule; Validate lists them.

#include "model/action/action.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.h"
#include "base/utf8.h"
#include "model/url.h"

namespace falconer::model {
namespace {

constexpr std::size_t kMaxIdLength = 64;
constexpr std::size_t kMaxPathLength = 255;
constexpr std::size_t kMaxAttributeLength = 64;

std::unexpected<Error> RefuseAction(std::string_view field, std::string_view why) {
  return std::unexpected(
      Error(ErrorCode::kInvalidActionSpec, fmt::format("{}: {}", field, why), {{"field", field}}));
}

template <typename T, typename U>
Result<void> CheckBounds(std::string_view field, const Bounds<T>& bounds,
                         const std::optional<U>& value) {
  if (!value || bounds.Contains(static_cast<T>(*value))) return {};
  return RefuseAction(field, fmt::format("must be between {} and {}", bounds.min, bounds.max));
}

Result<void> CheckLength(std::string_view field, std::size_t limit, std::string_view text) {
  if (!IsValidUtf8(text)) return RefuseAction(field, "is not UTF-8");
  if (Utf8Length(text) > limit) return RefuseAction(field, fmt::format("is longer than {}", limit));
  return {};
}

std::string Names(ActionFieldSet fields) {
  std::vector<std::string_view> names;
  for (const EnumName<ActionField>& row : AllActionFields()) {
    if (fields.Contains(row.value)) names.push_back(row.name);
  }
  return fmt::format("{}", fmt::join(names, " or "));
}

Result<void> CheckFields(const ActionSpec& spec) {
  const ActionTraits& traits = spec.traits();
  const ActionFieldSet given = spec.fields();
  for (const auto& [field, name] : AllActionFields()) {
    if (traits.required.Contains(field) && !given.Contains(field)) {
      return RefuseAction(name, fmt::format("is required by {}", traits.name));
    }
    if (given.Contains(field) && !traits.allowed().Contains(field)) {
      return RefuseAction(name, fmt::format("is not used by {}", traits.name));
    }
  }
  if (!traits.any_of.empty() && !given.Intersects(traits.any_of)) {
    return RefuseAction(Names(traits.any_of), fmt::format("is required by {}", traits.name));
  }
  return {};
}

Result<void> CheckTargets(const ActionSpec& spec) {
  if (spec.target) TRY(spec.target->Validate());
  if (spec.drag_to) {
    if (auto valid = spec.drag_to->Validate(); !valid) {
      return Fail(std::move(valid).error().In("drag_to"));
    }
  }
  if (spec.type == ActionType::kDownloadTrigger && spec.target && spec.url) {
    return RefuseAction("url", "is given together with a target");
  }
  return {};
}

Result<void> CheckUrls(const ActionSpec& spec) {
  for (const auto& [field, url] : {std::pair("url", &spec.url), {"referrer", &spec.referrer}}) {
    if (!*url) continue;
    if (auto valid = CheckWebUrl(**url); !valid)
      return RefuseAction(field, valid.error().message());
  }
  return {};
}

// A secret is for one document, so it must be said which: where the focus happens to be may be
// another's.
Result<void> CheckSecret(const ActionSpec& spec) {
  if (!IsSecretName(spec.text->value))
    return RefuseAction("text.secret", "is not the name of a secret");
  if (!spec.text->field.empty() && !IsSecretName(spec.text->field))
    return RefuseAction("text.field", "is not the name of a field");
  if (!spec.target) return RefuseAction("text.secret", "needs a target to be typed into");
  return {};
}

Result<void> CheckTexts(const ActionSpec& spec) {
  if (spec.text) {
    TRY(CheckLength("text", kMaxTextLength, spec.text->value));
    if (spec.text->is_secret()) TRY(CheckSecret(spec));
  }
  if (spec.tab_id.value().size() > kMaxIdLength) return RefuseAction("tab_id", "is not an id");
  if (!spec.key) return {};
  const Result<KeyChord> chord = ParseKeyChord(*spec.key);
  if (!chord) return RefuseAction("key", chord.error().message());
  if (!chord->modifiers.empty()) return RefuseAction("key", "name the modifiers in modifiers");
  return {};
}

Result<void> CheckScripts(const ActionSpec& spec) {
  if (spec.js_expression) {
    if (Trim(*spec.js_expression).empty()) return RefuseAction("js_expression", "is empty");
    TRY(CheckLength("js_expression", kMaxScriptLength, *spec.js_expression));
  }
  if (spec.js_argument && json::serialize(*spec.js_argument).size() > kMaxScriptArgument) {
    return RefuseAction("js_argument", fmt::format("is larger than {} bytes", kMaxScriptArgument));
  }
  return {};
}

Result<void> CheckNumbers(const ActionSpec& spec) {
  TRY(CheckBounds("click_count", kClickCounts, spec.click_count));
  if (spec.delay) TRY(CheckBounds("delay_ms", kDelayMs, std::optional(spec.delay->count())));
  if (!spec.timeout) return {};
  return CheckBounds("timeout_ms", kTimeoutMs, std::optional(spec.timeout->count()));
}

Result<void> CheckScroll(const ActionSpec& spec) {
  if (!spec.scroll) return {};
  const ScrollSpec& scroll = *spec.scroll;
  const bool moves = scroll.dx != 0 || scroll.dy != 0;
  if (moves == scroll.to.has_value()) return RefuseAction("scroll", "give either a distance or to");
  if (!kCoordinates.Contains(scroll.dx) || !kCoordinates.Contains(scroll.dy)) {
    return RefuseAction("scroll", "the distance is too large");
  }
  if (scroll.to == ScrollTo::kIntoView && !spec.target) {
    return RefuseAction("scroll.to", "into_view needs a target");
  }
  return {};
}

Result<void> CheckSelectValues(const ActionSpec& spec) {
  if (spec.select_values.size() > kMaxSelectValues) {
    return RefuseAction("select_values", fmt::format("has more than {}", kMaxSelectValues));
  }
  for (const SelectValue& one : spec.select_values) {
    const int ways =
        int{one.value.has_value()} + int{one.label.has_value()} + int{one.index.has_value()};
    if (ways != 1) return RefuseAction("select_values", "each needs one of value, label and index");
    if (one.index && *one.index < 0) return RefuseAction("select_values", "an index is from 0 up");
    TRY(CheckLength("select_values", kMaxTextLength, one.value.value_or("")));
    TRY(CheckLength("select_values", kMaxTextLength, one.label.value_or("")));
  }
  return {};
}

// No way out of the folder, and no name that means something else on another system.
bool IsInnerPath(std::string_view path) {
  if (path.size() > kMaxPathLength || !IsValidUtf8(path)) return false;
  if (path.find_first_of("\\:\t\n\r") != path.npos || HasControl(path)) return false;
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == path.npos) return true;
    path.remove_prefix(slash + 1);
  }
}

bool IsArtifactId(std::string_view id) {
  return id.size() <= kMaxIdLength &&
         std::ranges::all_of(id, [](char c) { return IsLetterOrDigit(c) || c == '_' || c == '-'; });
}

Result<void> CheckFiles(const ActionSpec& spec) {
  if (spec.files.size() > kMaxFiles) {
    return RefuseAction("files", fmt::format("has more than {}", kMaxFiles));
  }
  for (const UploadFile& file : spec.files) {
    if (file.artifact_id.empty() == file.path.empty()) {
      return RefuseAction("files", "each needs either an artifact_id or a path");
    }
    if (!IsArtifactId(file.artifact_id)) return RefuseAction("files.artifact_id", "is not an id");
    if (!file.path.empty() && !IsInnerPath(file.path)) {
      return RefuseAction("files.path", "must be relative and stay in the folder of artifacts");
    }
  }
  return {};
}

Result<void> CheckExtract(const ActionSpec& spec) {
  if (!spec.extract) return {};
  const ExtractSpec& extract = *spec.extract;
  const bool wants_attribute = extract.what == ExtractWhat::kAttribute;
  if (wants_attribute == extract.attribute.empty()) {
    return RefuseAction("extract.attribute", "goes together with what = attribute");
  }
  TRY(CheckLength("extract.attribute", kMaxAttributeLength, extract.attribute));
  TRY(CheckBounds("extract.limit", kExtractLimits, std::optional(extract.limit)));
  return CheckBounds("extract.max_chars", kExtractChars, std::optional(extract.max_chars));
}

Result<void> CheckScreenshot(const ActionSpec& spec) {
  if (!spec.screenshot) return {};
  const ScreenshotSpec& shot = *spec.screenshot;
  const int areas = int{spec.target.has_value()} + int{shot.full_page} + int{shot.clip.has_value()};
  if (areas > 1) return RefuseAction("screenshot", "give one of target, full_page and clip");
  if (shot.quality && shot.format == ImageFormat::kPng) {
    return RefuseAction("screenshot.quality", "does not go with png");
  }
  if (shot.clip && (shot.clip->width <= 0 || shot.clip->height <= 0)) {
    return RefuseAction("screenshot.clip", "has no area");
  }
  TRY(CheckBounds("screenshot.quality", kQualities, shot.quality));
  TRY(CheckBounds("screenshot.max_width", kPictureWidths, shot.max_width));
  return CheckBounds("screenshot.scale", kScales, std::optional(shot.scale));
}

Result<void> CheckRest(const ActionSpec& spec) {
  if (spec.pdf) TRY(CheckBounds("pdf.scale", kPdfScales, std::optional(spec.pdf->scale)));
  if (spec.snapshot) {
    TRY(CheckBounds("snapshot.offset", kOffsets, std::optional(spec.snapshot->offset)));
  }
  if (spec.dialog && spec.dialog->prompt_text) {
    if (!spec.dialog->accept) return RefuseAction("dialog.prompt_text", "needs accept");
    TRY(CheckLength("dialog.prompt_text", kMaxTextLength, *spec.dialog->prompt_text));
  }
  if (!spec.viewport) return {};
  TRY(CheckBounds("viewport.width", kViewportSizes, std::optional(spec.viewport->width)));
  TRY(CheckBounds("viewport.height", kViewportSizes, std::optional(spec.viewport->height)));
  return CheckBounds("viewport.scale", kScales, std::optional(spec.viewport->scale));
}

}  // namespace

ActionFieldSet ActionSpec::fields() const {
  using F = ActionField;
  const std::pair<F, bool> given[] = {
      {F::kTarget, target.has_value()},
      {F::kText, text.has_value()},
      {F::kUrl, url.has_value()},
      {F::kKey, key.has_value()},
      {F::kModifiers, !modifiers.empty()},
      {F::kButton, button.has_value()},
      {F::kClickCount, click_count.has_value()},
      {F::kDelay, delay.has_value()},
      {F::kClearFirst, clear_first},
      {F::kScroll, scroll.has_value()},
      {F::kDragTo, drag_to.has_value()},
      {F::kSelectValues, !select_values.empty()},
      {F::kFiles, !files.empty()},
      {F::kJsExpression, js_expression.has_value()},
      {F::kJsArgument, js_argument.has_value()},
      {F::kExtract, extract.has_value()},
      {F::kScreenshot, screenshot.has_value()},
      {F::kPdf, pdf.has_value()},
      {F::kSnapshot, snapshot.has_value()},
      {F::kDialog, dialog.has_value()},
      {F::kViewport, viewport.has_value()},
      {F::kTabId, !tab_id.empty()},
      {F::kWaitUntil, wait_until.has_value()},
      {F::kForce, force},
      {F::kReferrer, referrer.has_value()},
      {F::kTimeout, timeout.has_value()},
  };
  ActionFieldSet set;
  for (const auto& [field, is_given] : given) {
    if (is_given) set.Add(field);
  }
  return set;
}

Result<void> ActionSpec::Validate() const {
  constexpr Result<void> (*kRules[])(const ActionSpec&) = {
      CheckFields, CheckTargets,      CheckUrls,  CheckTexts,   CheckScripts,    CheckNumbers,
      CheckScroll, CheckSelectValues, CheckFiles, CheckExtract, CheckScreenshot, CheckRest,
  };
  for (const auto rule : kRules) TRY(rule(*this));
  return {};
}

}  // namespace falconer::model
