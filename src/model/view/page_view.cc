#include "model/view/page_view.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "model/view/element_line.h"

namespace falconer::model {
namespace {

constexpr std::size_t kLongestUrl = 160;

std::string PageLine(const StructuredState& state) {
  std::string line =
      fmt::format("page {} {}", Quoted(state.title, 80), Quoted(state.url, kLongestUrl));
  if (state.phase != PagePhase::kComplete) line += " loading";
  return line;
}

std::string DialogLine(const DialogState& dialog) {
  return fmt::format("dialog {} {} waits for an answer", dialog.type, Quoted(dialog.message));
}

std::string TabLine(const TabState& tab) {
  return fmt::format("tab {}{} {} {}", tab.tab_id, tab.active ? "*" : "", Quoted(tab.title, 60),
                     Quoted(tab.url, kLongestUrl));
}

std::string DownloadLine(const DownloadEntry& download) {
  return fmt::format("download {} {} {}", download.id, Quoted(download.name, 80), download.state);
}

// What the state itself could not hold.
void AddOmitted(std::vector<ViewLine>& lines, const BudgetState& budget) {
  const std::pair<std::size_t, std::string_view> omitted[] = {{budget.elements.omitted, "elements"},
                                                              {budget.texts.omitted, "texts"},
                                                              {budget.frames.omitted, "frames"}};
  std::string note;
  for (const auto& [count, name] : omitted) {
    if (count > 0) note += fmt::format("{} {} {}", note.empty() ? "" : ",", count, name);
  }
  if (!note.empty()) lines.push_back({Weight::kAlert, "further down:" + note});
}

template <typename T>
void AddNew(std::vector<ViewLine>& lines, const ListDelta<T>& list, Weight weight,
            std::string (*write)(const T&)) {
  if (list.replace) {
    for (const T& item : *list.replace) lines.push_back({weight, "+ " + write(item)});
  }
  for (const ItemAdd<T>& added : list.added) lines.push_back({weight, "+ " + write(added.item)});
}

void AddRemoved(std::vector<ViewLine>& lines, const std::vector<std::string>& refs, Weight weight) {
  if (refs.empty()) return;
  lines.push_back({weight, fmt::format("- {}", fmt::join(refs, " "))});
}

void AddElements(std::vector<ViewLine>& lines, const ListDelta<ElementState>& list) {
  for (const ItemUpdate& update : list.updated) {
    const std::string change = ElementChange(update.key, update.fields);
    if (!change.empty()) lines.push_back({Weight::kControl, "~ " + change});
  }
  AddNew(lines, list, Weight::kControl, ElementLine);
  AddRemoved(lines, list.removed, Weight::kDetail);
}

void AddTexts(std::vector<ViewLine>& lines, const ListDelta<TextState>& list) {
  for (const ItemUpdate& update : list.updated) {
    const json::value* text = update.fields.if_contains("text");
    if (text != nullptr && text->is_string())
      lines.push_back({Weight::kText, "~ " + Quoted(text->get_string())});
  }
  AddNew(lines, list, Weight::kText, TextLine);
}

void AddPage(std::vector<ViewLine>& lines, const json::object& page) {
  std::string line;
  for (const std::string_view field : {"title", "url"}) {
    const json::value* value = page.if_contains(field);
    if (value != nullptr && value->is_string())
      line += fmt::format(" {} {}", field, Quoted(value->get_string(), kLongestUrl));
  }
  if (!line.empty()) lines.push_back({Weight::kIdentity, "page" + line});
}

}  // namespace

std::string Quoted(std::string_view text, std::size_t limit) {
  std::string out = "\"";
  const std::string_view shown = Utf8Prefix(text, limit);
  for (const char c : shown) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  return out + (shown.size() < text.size() ? "...\"" : "\"");
}

std::vector<ViewLine> StateView(const StructuredState& state) {
  std::vector<ViewLine> lines = {{Weight::kIdentity, PageLine(state)}};
  for (const DialogState& dialog : state.dialogs)
    lines.push_back({Weight::kAlert, DialogLine(dialog)});
  for (const ErrorState& error : state.errors) lines.push_back({Weight::kAlert, ErrorLine(error)});
  if (state.tabs.size() > 1) {
    for (const TabState& tab : state.tabs) lines.push_back({Weight::kDetail, TabLine(tab)});
  }
  for (const ElementState& element : state.elements)
    lines.push_back({Weight::kControl, ElementLine(element)});
  for (const TextState& text : state.texts) lines.push_back({Weight::kText, TextLine(text)});
  for (const DownloadEntry& download : state.downloads)
    lines.push_back({Weight::kDetail, DownloadLine(download)});
  AddOmitted(lines, state.budget);
  return lines;
}

std::vector<ViewLine> DeltaView(const StateDelta& delta) {
  if (delta.full) return StateView(*delta.full);
  std::vector<ViewLine> lines;
  AddPage(lines, delta.page);
  AddNew(lines, delta.dialogs, Weight::kAlert, DialogLine);
  AddNew(lines, delta.errors, Weight::kAlert, ErrorLine);
  if (!delta.errors.removed.empty())
    lines.push_back({Weight::kDetail, fmt::format("- {} errors", delta.errors.removed.size())});
  AddElements(lines, delta.elements);
  AddTexts(lines, delta.texts);
  AddNew(lines, delta.tabs, Weight::kDetail, TabLine);
  AddNew(lines, delta.downloads, Weight::kDetail, DownloadLine);
  if (delta.truncated) lines.push_back({Weight::kAlert, "more changed than is told here"});
  if (lines.empty()) lines.push_back({Weight::kIdentity, "nothing changed"});
  return lines;
}

}  // namespace falconer::model
