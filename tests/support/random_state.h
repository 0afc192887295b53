#pragma once
// Random states and random changes of them, the same for the same seed.

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/state/state.h"

namespace falconer::test {

class RandomState {
 public:
  explicit RandomState(std::uint64_t seed) : random_(seed) {}

  model::StructuredState Make() {
    model::StructuredState state;
    state.tab_id = "t1";
    state.revision = Below(1000);
    ChangePage(state);
    for (std::size_t i = 0, n = Below(30); i < n; ++i) state.elements.push_back(Element());
    for (std::size_t i = 0, n = Below(20); i < n; ++i) state.texts.push_back(Text());
    for (std::size_t i = 0, n = Below(4); i < n; ++i) state.forms.push_back(Form());
    for (std::size_t i = 0, n = Below(4); i < n; ++i) state.errors.push_back(ErrorOf());
    for (std::size_t i = 0, n = Below(3); i < n; ++i) state.frames.push_back(Frame());
    for (std::size_t i = 0, n = Below(3); i < n; ++i) state.tabs.push_back(Tab());
    for (std::size_t i = 0, n = Below(3); i < n; ++i) state.downloads.push_back(Download());
    return state;
  }

  // A few changes of every sort.
  void Mutate(model::StructuredState& state) {
    if (OneIn(3)) ChangePage(state);
    MutateList(state.elements, [&] { return Element(); }, [&](auto& item) { Change(item); });
    MutateList(state.texts, [&] { return Text(); }, [&](auto& item) { item.text = Word(); });
    MutateList(state.forms, [&] { return Form(); }, [&](auto& item) { item.submit = Word(); });
    MutateList(state.errors, [&] { return ErrorOf(); }, [&](auto& item) { item.text = Word(); });
    MutateList(state.frames, [&] { return Frame(); }, [&](auto& item) { item.title = Word(); });
    MutateList(state.tabs, [&] { return Tab(); }, [&](auto& item) { item.active = !item.active; });
    MutateList(state.downloads, [&] { return Download(); }, [&](auto& item) { ++item.received; });
    MutateList(state.dialogs, [&] { return Dialog(); }, [&](auto& item) { item.message = Word(); });
    MutateList(state.console_errors, [&] { return Console(); }, [](auto& item) { ++item.count; });
    // Keys that are no keys: missing, twice, or like a position.
    if (OneIn(10) && !state.elements.empty()) Pick(state.elements).ref = OneIn(2) ? "" : "#1";
    if (OneIn(10) && !state.forms.empty()) state.forms.push_back(state.forms.front());
  }

 private:
  std::size_t Below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  bool OneIn(std::size_t n) { return Below(n) == 0; }

  template <typename T>
  T& Pick(std::vector<T>& list) {
    return list[Below(list.size())];
  }

  // Few different words, so that equal texts and values are common.
  std::string Word() {
    static const std::vector<std::string> kWords = {
        "", "Save", "Delete", "größer", "\xF0\x9F\x98\x80", "a\"b\\c", "line\nbreak", "0", "text"};
    return kWords[Below(kWords.size())];
  }
  std::string Fresh(const char* prefix) { return prefix + std::to_string(++last_); }

  void ChangePage(model::StructuredState& state) {
    state.url = "https://example.com/" + Word();
    state.title = Word();
    state.phase = static_cast<model::PagePhase>(Below(3));
    state.focus = Word();
    state.scroll.y = static_cast<double>(Below(5000)) / 7;
    state.network.requests += Below(3);
    if (OneIn(4)) state.network.failures.push_back({.route_key = Word(), .status = 500});
    state.budget.elements = {.total = Below(100), .omitted = Below(10)};
  }

  void Change(model::ElementState& item) {
    switch (Below(9)) {
      case 0:
        item.name = Word();
        break;
      case 1:
        item.value_hint = Word();
        break;
      case 2:
        item.enabled = !item.enabled;
        break;
      case 3:
        item.checked = static_cast<model::Toggle>(Below(3));
        break;
      case 4:
        item.checked.reset();
        break;
      case 5:
        item.bbox[Below(4)] = static_cast<double>(Below(10'000)) / 10'000;
        break;
      case 6:
        item.options.push_back({.label = Word(), .selected = OneIn(2)});
        break;
      case 7:
        item.level = static_cast<int>(Below(5));
        break;
      default:
        item.selector_hints.push_back(Word());
        break;
    }
  }

  model::ElementState Element() {
    model::ElementState item{
        .ref = Fresh("d1e"), .role = "button", .name = Word(), .tag = "button"};
    for (std::size_t i = 0, n = Below(4); i < n; ++i) Change(item);
    return item;
  }
  model::TextState Text() {
    model::TextState item{
        .kind = static_cast<model::TextKind>(Below(7)), .level = Below(3), .text = Word()};
    if (OneIn(4)) item.unseen = {.font_px = 1.5, .is_covered = OneIn(2)};
    return item;
  }
  model::FormState Form() {
    return {.ref = Fresh("d1e"), .name = Word(), .fields = {Word(), Word()}, .invalid = {Word()}};
  }
  model::ErrorState ErrorOf() {
    return {.ref = Fresh("d1e"), .kind = model::ErrorKind::kField, .text = Word()};
  }
  model::FrameState Frame() { return {.fid = Fresh("f"), .origin = Word(), .title = Word()}; }
  model::TabState Tab() { return {.tab_id = Fresh("t"), .url = Word(), .active = OneIn(2)}; }
  model::DownloadEntry Download() {
    return {.id = Fresh("dl_"), .name = Word(), .total = Below(9)};
  }
  model::DialogState Dialog() { return {.type = "alert", .message = Word()}; }
  model::ConsoleEntry Console() { return {.kind = "error", .message = Word()}; }

  template <typename T, typename New, typename Edit>
  void MutateList(std::vector<T>& list, New make, Edit edit) {
    if (OneIn(3))
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(Below(list.size() + 1)), make());
    if (!list.empty() && OneIn(3)) edit(Pick(list));
    if (!list.empty() && OneIn(4))
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(Below(list.size())));
    if (!list.empty() && OneIn(6)) std::swap(Pick(list), Pick(list));
    if (OneIn(40)) std::shuffle(list.begin(), list.end(), random_);
    if (OneIn(60)) list.clear();
  }

  std::mt19937_64 random_;
  std::uint64_t last_ = 0;
};

}  // namespace falconer::test
