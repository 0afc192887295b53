#include "api/tools/view_guard.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.h"
#include "base/random.h"
#include "policy/injection/provenance.h"

namespace falconer::api {
namespace {

using policy::InjectionDecision;
using policy::Surface;

// Shorter texts say nothing to anybody.
constexpr std::size_t kShortestJudged = 12;
constexpr std::size_t kMostRemembered = 4096;
// Longer ones are rarely said again, and a few of them would fill the memory.
constexpr std::size_t kLongestRemembered = 4096;
// Enough to name a text among all that were put away, and few tokens.
constexpr std::size_t kShownDigest = 16;
constexpr std::size_t kWordBytes = 4;

// Texts that are shown otherwise are judged otherwise.
std::string SightKey(std::string_view text, const model::TextVisibility& seen) {
  if (seen == model::TextVisibility()) return std::string(text);
  return fmt::format("{}\n{} {} {} {}{}{}{}{}{}{}", text, seen.font_px.value_or(-1),
                     seen.opacity.value_or(-1), seen.contrast_ratio.value_or(-1),
                     int{seen.is_displayed}, int{seen.is_clipped_away}, int{seen.is_off_screen},
                     int{seen.is_covered}, int{seen.is_aria_hidden}, int{seen.is_empty_box},
                     int{seen.is_attribute});
}

}  // namespace

void ViewGuard::Use(const policy::Redactor* redactor, const policy::Quarantine* quarantine) {
  redactor_ = redactor;
  quarantine_ = quarantine;
}

void ViewGuard::Redact(std::string& text) const {
  if (redactor_ != nullptr) redactor_->RedactText(Surface::kModel, text);
}

std::string ViewGuard::Judged(std::string text, const model::TextVisibility& visibility) const {
  const auto filtered =
      quarantine_->Filter(text, visibility, {.origin = policy::TextOrigin::kPage});
  if (!filtered) {
    LOG(error, "quarantine.not_kept", {"why", filtered.error().message()});
    return "[filtered_instruction]";
  }
  if (!filtered->digest.empty())
    return fmt::format("[filtered_instruction {}]", filtered->digest.substr(0, kShownDigest));
  if (filtered->verdict.decision != InjectionDecision::kSuspicious) return text;
  return fmt::format("[suspicious: {}] {}", fmt::join(filtered->verdict.flags, " "), text);
}

std::string ViewGuard::Clean(std::string_view text, const model::TextVisibility& visibility) {
  std::string clean(text);
  Redact(clean);
  if (quarantine_ == nullptr || clean.size() < kShortestJudged) return clean;
  const std::string key = SightKey(clean, visibility);
  if (const auto known = judged_.find(key); known != judged_.end())
    return known->second.is_same ? clean : known->second.shown;
  std::string shown = Judged(clean, visibility);
  if (key.size() > kLongestRemembered) return shown;
  if (judged_.size() >= kMostRemembered) judged_.clear();
  const bool is_same = shown == clean;
  judged_.emplace(key, Seen{is_same, is_same ? std::string() : shown});
  return shown;
}

void ViewGuard::CleanIn(std::string& text, const model::TextVisibility& visibility) {
  if (!text.empty()) text = Clean(text, visibility);
}

void ViewGuard::CleanItem(model::FrameState& frame) {
  CleanIn(frame.title);
}

void ViewGuard::CleanItem(model::ElementState& element) {
  CleanIn(element.name, element.unseen.value_or(model::TextVisibility()));
  CleanIn(element.description, {.is_attribute = true});
  for (std::string* text :
       {&element.value_hint, &element.placeholder, &element.href, &element.group}) {
    CleanIn(*text);
  }
  for (model::OptionState& option : element.options) CleanIn(option.label);
}

void ViewGuard::CleanItem(model::TextState& text) {
  CleanIn(text.text, text.unseen.value_or(model::TextVisibility()));
}

void ViewGuard::CleanItem(model::FormState& form) {
  CleanIn(form.name);
}

void ViewGuard::CleanItem(model::ErrorState& error) {
  CleanIn(error.text, error.unseen.value_or(model::TextVisibility()));
}

void ViewGuard::CleanItem(model::DialogState& dialog) {
  CleanIn(dialog.message);
  CleanIn(dialog.default_prompt);
}

void ViewGuard::CleanItem(model::TabState& tab) {
  CleanIn(tab.url);
  CleanIn(tab.title);
}

void ViewGuard::CleanItem(model::DownloadEntry& download) {
  CleanIn(download.name);
}

void ViewGuard::CleanItem(model::ConsoleEntry& entry) {
  CleanIn(entry.message);
}

void ViewGuard::Clean(model::StructuredState& state) {
  CleanIn(state.url);
  CleanIn(state.title);
  for (auto& item : state.frames) CleanItem(item);
  for (auto& item : state.elements) CleanItem(item);
  for (auto& item : state.texts) CleanItem(item);
  for (auto& item : state.forms) CleanItem(item);
  for (auto& item : state.errors) CleanItem(item);
  for (auto& item : state.dialogs) CleanItem(item);
  for (auto& item : state.tabs) CleanItem(item);
  for (auto& item : state.downloads) CleanItem(item);
  for (auto& item : state.console_errors) CleanItem(item);
}

template <typename T>
void ViewGuard::CleanList(model::ListDelta<T>& list) {
  if (list.replace) {
    for (T& item : *list.replace) CleanItem(item);
  }
  for (model::ItemUpdate& update : list.updated) Clean(update.fields);
  for (model::ItemAdd<T>& added : list.added) CleanItem(added.item);
}

void ViewGuard::Clean(model::StateDelta& delta) {
  if (delta.full) return Clean(*delta.full);
  Clean(delta.page);
  CleanList(delta.frames);
  CleanList(delta.elements);
  CleanList(delta.texts);
  CleanList(delta.forms);
  CleanList(delta.errors);
  CleanList(delta.dialogs);
  CleanList(delta.tabs);
  CleanList(delta.downloads);
  CleanList(delta.console_errors);
}

void ViewGuard::Clean(json::value& value) {
  if (json::string* text = value.if_string()) {
    *text = Clean(std::string_view(*text));
  } else if (json::array* list = value.if_array()) {
    for (json::value& element : *list) Clean(element);
  } else if (json::object* object = value.if_object()) {
    Clean(*object);
  }
}

void ViewGuard::Clean(json::object& object) {
  for (auto& member : object) Clean(member.value());
}

void ViewGuard::Clean(model::ActionExecutionResult& result) {
  if (result.failure) CleanIn(result.failure->message);
  if (result.outcome) Clean(*result.outcome);
  if (result.network_summary) Clean(*result.network_summary);
  if (!result.verification) return;
  for (model::RuleOutcome& outcome : result.verification->outcomes) CleanIn(outcome.detail);
}

void ViewGuard::Finish(ToolAnswer& answer) const {
  const std::size_t at = std::min(answer.page_at.value_or(answer.text.size()), answer.text.size());
  std::string ours = answer.text.substr(0, at);
  std::string theirs = answer.text.substr(at);
  Redact(ours);
  Redact(theirs);
  // Words of a page that our sentences quote must not look like marks either.
  ours = policy::WithoutMarks(ours);
  if (!theirs.empty()) {
    theirs = policy::MarkText(theirs, {.origin = policy::TextOrigin::kPage}, RandomHex(kWordBytes));
  }
  if (!theirs.empty()) answer.page_at = ours.size();
  answer.text = std::move(ours) + std::move(theirs);
  if (answer.failure) {
    std::string message = answer.failure->error.message();
    Redact(message);
    answer.failure->error = Error(answer.failure->error.code(), policy::WithoutMarks(message));
  }
}

}  // namespace falconer::api
