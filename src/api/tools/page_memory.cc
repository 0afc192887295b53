#include "api/tools/page_memory.h"

#include <algorithm>
#include <utility>

namespace falconer::api {
namespace {

bool IsBehindDialog(const model::StructuredState& state) {
  return !state.dialogs.empty() && state.elements.empty() && state.texts.empty();
}

model::StateDelta DialogOnly(const model::StructuredState& now) {
  model::StateDelta delta{.new_state_id = now.state_id, .new_revision = now.revision};
  for (const model::DialogState& dialog : now.dialogs)
    delta.dialogs.added.push_back({.index = delta.dialogs.added.size(), .item = dialog});
  return delta;
}

}  // namespace

model::StateDelta PageMemory::News(const std::string& session, const model::StructuredState& now) {
  if (IsBehindDialog(now)) return DialogOnly(now);
  const Tabs& tabs = told_[session];
  const auto known = tabs.find(now.tab_id);
  model::StateDelta delta = model::Diff(known == tabs.end() ? nullptr : &known->second, now);
  Shown(session, now);
  return delta;
}

void PageMemory::Shown(const std::string& session, model::StructuredState state) {
  Tabs& tabs = told_[session];
  // Tabs that are gone never come back.
  std::erase_if(tabs, [&state](const auto& entry) {
    return std::ranges::find(state.tabs, entry.first, &model::TabState::tab_id) == state.tabs.end();
  });
  const std::string tab = state.tab_id;
  tabs.insert_or_assign(tab, std::move(state));
}

void PageMemory::Forget(const std::string& session) {
  told_.erase(session);
}

}  // namespace falconer::api
