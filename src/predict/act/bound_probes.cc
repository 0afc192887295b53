#include "predict/act/bound_probes.h"

#include <algorithm>

#include "model/state/delta.h"

namespace falconer::predict {
namespace {

// What may change of an element that is used as before.
constexpr std::string_view kHarmlessFields[] = {
    "value_hint", "filled", "focused", "invalid", "checked", "options", "bbox", "description",
};

std::string KeyOfTarget(const engine::ProbedTarget& target) {
  std::string key = target.frame;
  for (const std::string& selector : target.selectors) key += "\n" + selector;
  return key;
}

bool IsHarmless(const model::ItemUpdate& update) {
  return std::ranges::all_of(update.fields, [](const auto& field) {
    return std::ranges::find(kHarmlessFields, std::string_view(field.key())) !=
           std::end(kHarmlessFields);
  });
}

// No element came, went or changed its place in the order.
bool IsSameList(const model::ListDelta<model::ElementState>& elements) {
  return !elements.replace && elements.removed.empty() && elements.added.empty() &&
         elements.order.empty() && std::ranges::all_of(elements.updated, IsHarmless);
}

}  // namespace

bool KeepsElements(const model::ActionExecutionResult& result) {
  if (!result.state_delta) return false;
  const auto delta = model::StateDelta::FromJson(*result.state_delta);
  if (!delta || delta->is_full() || delta->truncated) return false;
  return !delta->page.contains("url") && delta->frames.empty() && delta->dialogs.empty() &&
         delta->tabs.empty() && IsSameList(delta->elements);
}

void BoundProbes::Keep(const std::string& url, const std::vector<engine::ProbedTarget>& targets,
                       const std::vector<engine::ProbeFinding>& findings) {
  if (url != url_) found_.clear();
  url_ = url;
  for (std::size_t i = 0; i < targets.size() && i < findings.size(); ++i) {
    if (findings[i].is_usable) found_[KeyOfTarget(targets[i])] = findings[i];
  }
}

std::optional<engine::ProbeFinding> BoundProbes::Find(const std::string& url,
                                                      const engine::ProbedTarget& target) const {
  if (url != url_) return std::nullopt;
  const auto found = found_.find(KeyOfTarget(target));
  return found == found_.end() ? std::nullopt : std::optional(found->second);
}

void BoundProbes::After(const model::ActionExecutionResult& result) {
  if (!KeepsElements(result)) found_.clear();
}

}  // namespace falconer::predict
