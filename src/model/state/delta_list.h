#pragma once
// Differences of lists and their application, for every list of a state alike.

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/state/delta.h"
#include "model/state/state_fields.h"

namespace falconer::model {

// The key of an item that has one of its own.
inline std::string_view KeyOf(const FrameState& item) {
  return item.fid;
}
inline std::string_view KeyOf(const ElementState& item) {
  return item.ref;
}
inline std::string_view KeyOf(const FormState& item) {
  return item.ref;
}
inline std::string_view KeyOf(const ErrorState& item) {
  return item.ref;
}
inline std::string_view KeyOf(const TabState& item) {
  return item.tab_id;
}
inline std::string_view KeyOf(const DownloadEntry& item) {
  return item.id;
}

template <typename T>
concept Keyed = requires(const T& item) { KeyOf(item); };

inline constexpr std::size_t kUnmatched = static_cast<std::size_t>(-1);

// For every item of the new list its position in the old one, or kUnmatched.
using Matching = std::vector<std::size_t>;

// Positions by key: an open hash table, since most lists are compared once and thrown away.
class KeyIndex {
 public:
  explicit KeyIndex(std::size_t count)
      : slots_(std::bit_ceil(2 * count + 1)), mask_(slots_.size() - 1) {}

  // False when the key is there already.
  bool Add(std::string_view key, std::size_t position) {
    Slot& slot = slots_[SlotOf(key)];
    if (slot.position != kUnmatched) return false;
    slot = {.key = key, .position = position};
    return true;
  }
  // kUnmatched when the key is not there.
  std::size_t Find(std::string_view key) const { return slots_[SlotOf(key)].position; }

 private:
  struct Slot {
    std::string_view key;
    std::size_t position = kUnmatched;
  };

  std::size_t SlotOf(std::string_view key) const {
    std::size_t at = std::hash<std::string_view>{}(key)&mask_;
    while (slots_[at].position != kUnmatched && slots_[at].key != key) at = (at + 1) & mask_;
    return at;
  }

  std::vector<Slot> slots_;
  std::size_t mask_;
};

// Nothing when a key is missing, looks like a position, or is there twice: then keys cannot name
// the items.
template <Keyed T>
std::optional<KeyIndex> IndexByKey(const std::vector<T>& list) {
  KeyIndex index(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view key = KeyOf(list[i]);
    if (key.empty() || key.front() == '#' || !index.Add(key, i)) return std::nullopt;
  }
  return index;
}

template <Keyed T>
std::optional<Matching> MatchByKey(const std::vector<T>& prev, const std::vector<T>& next) {
  const std::optional<KeyIndex> old_index = IndexByKey(prev);
  if (!old_index || !IndexByKey(next)) return std::nullopt;
  Matching matching;
  matching.reserve(next.size());
  for (const T& item : next) matching.push_back(old_index->Find(KeyOf(item)));
  return matching;
}

// Beyond this many comparisons the list is sent whole.
inline constexpr std::size_t kMaxComparisons = 40'000;

// Lengths of the longest common subsequences of all pairs of tails, row by row.
class TailLengths {
 public:
  template <typename T>
  TailLengths(std::span<const T> prev, std::span<const T> next)
      : width_(next.size() + 1), lengths_((prev.size() + 1) * width_, 0) {
    for (std::size_t i = prev.size(); i-- > 0;) {
      for (std::size_t j = next.size(); j-- > 0;) {
        At(i, j) = prev[i] == next[j] ? At(i + 1, j + 1) + 1 : std::max(At(i + 1, j), At(i, j + 1));
      }
    }
  }

  std::uint32_t& At(std::size_t i, std::size_t j) { return lengths_[i * width_ + j]; }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> lengths_;
};

// Matches equal items without changing their order, as many as possible. Nothing when that would
// take too long.
template <typename T>
std::optional<Matching> MatchByContent(const std::vector<T>& prev, const std::vector<T>& next) {
  const std::size_t shorter = std::min(prev.size(), next.size());
  std::size_t head = 0;
  while (head < shorter && prev[head] == next[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && prev[prev.size() - 1 - tail] == next[next.size() - 1 - tail]) {
    ++tail;
  }
  const std::span<const T> old_part = std::span(prev).subspan(head, prev.size() - head - tail);
  const std::span<const T> new_part = std::span(next).subspan(head, next.size() - head - tail);
  if (old_part.size() * new_part.size() > kMaxComparisons) return std::nullopt;
  Matching matching(next.size(), kUnmatched);
  for (std::size_t i = 0; i < head; ++i) matching[i] = i;
  for (std::size_t i = 1; i <= tail; ++i) matching[next.size() - i] = prev.size() - i;
  TailLengths lengths(old_part, new_part);
  for (std::size_t i = 0, j = 0; i < old_part.size() && j < new_part.size();) {
    if (old_part[i] == new_part[j]) {
      matching[head + j++] = head + i++;
    } else if (lengths.At(i + 1, j) >= lengths.At(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
  return matching;
}

inline std::string PositionKey(std::size_t position) {
  return "#" + std::to_string(position);
}

// Writes down what a matching means. `name` gives the key of an old item by its position.
template <typename T, typename Name>
ListDelta<T> Describe(const std::vector<T>& prev, const std::vector<T>& next,
                      const Matching& matching, Name name) {
  ListDelta<T> delta;
  std::vector<bool> stays(prev.size(), false);
  std::size_t last = 0;
  bool in_order = true;
  for (std::size_t i = 0; i < next.size(); ++i) {
    const std::size_t from = matching[i];
    if (from == kUnmatched) {
      delta.added.push_back({.index = i, .item = next[i]});
      continue;
    }
    stays[from] = true;
    in_order = in_order && from >= last;
    last = from;
    if (prev[from] == next[i]) continue;
    delta.updated.push_back({.key = name(from), .fields = DiffFields(prev[from], next[i])});
  }
  for (std::size_t i = 0; i < prev.size(); ++i) {
    if (!stays[i]) delta.removed.push_back(name(i));
  }
  if (in_order) return delta;
  for (const std::size_t from : matching) {
    if (from != kUnmatched) delta.order.push_back(name(from));
  }
  return delta;
}

template <typename T>
ListDelta<T> DiffList(const std::vector<T>& prev, const std::vector<T>& next) {
  if (prev == next) return {};
  if constexpr (Keyed<T>) {
    if (const auto matching = MatchByKey(prev, next)) {
      return Describe(prev, next, *matching,
                      [&](std::size_t i) { return std::string(KeyOf(prev[i])); });
    }
  }
  if (const auto matching = MatchByContent(prev, next)) {
    return Describe(prev, next, *matching, PositionKey);
  }
  return {.replace = next};
}

// Applies a delta to one list. Every key must name an item, every index must fit.
template <typename T>
class ListPatch {
 public:
  explicit ListPatch(const std::vector<T>& prev) : prev_(prev), index_(prev.size()) {}

  Decoded Apply(const ListDelta<T>& delta, std::vector<T>& out) {
    if (delta.replace) {
      out = *delta.replace;
      return {};
    }
    IndexKeys();
    kept_.assign(prev_.size(), true);
    out = prev_;
    for (const std::string& key : delta.removed) {
      const std::optional<std::size_t> at = Take(key);
      if (!at) return Misfit(key);
    }
    for (const ItemUpdate& update : delta.updated) {
      const std::optional<std::size_t> at = Find(update.key);
      if (!at) return Misfit(update.key);
      Decoded done = ApplyFields(out[*at], update.fields);
      if (!done) return std::unexpected(std::move(done).error().At(update.key));
    }
    Decoded done = Arrange(delta.order, out);
    return done ? Insert(delta.added, out) : done;
  }

 private:
  static std::unexpected<DecodeFailure> Misfit(const std::string& key) {
    return std::unexpected(DecodeFailure{.path = key, .why = "names nothing in the base"});
  }

  void IndexKeys() {
    if constexpr (Keyed<T>) {
      for (std::size_t i = 0; i < prev_.size(); ++i) index_.Add(KeyOf(prev_[i]), i);
    }
  }

  // The position of an item that is still there.
  std::optional<std::size_t> Find(std::string_view key) const {
    const std::size_t at = key.starts_with('#')
                               ? ParseWhole<std::size_t>(key.substr(1)).value_or(kUnmatched)
                               : index_.Find(key);
    if (at >= prev_.size() || !kept_[at]) return std::nullopt;
    return at;
  }

  std::optional<std::size_t> Take(std::string_view key) {
    const std::optional<std::size_t> at = Find(key);
    if (at) kept_[*at] = false;
    return at;
  }

  // Leaves in `out` what was kept, in the order given.
  Decoded Arrange(const std::vector<std::string>& order, std::vector<T>& out) {
    std::vector<T> kept;
    if (order.empty()) {
      for (std::size_t i = 0; i < prev_.size(); ++i) {
        if (kept_[i]) kept.push_back(std::move(out[i]));
      }
    } else if (order.size() !=
               static_cast<std::size_t>(std::count(kept_.begin(), kept_.end(), true))) {
      return std::unexpected(DecodeFailure{.path = "order", .why = "does not name all that stays"});
    }
    for (const std::string& key : order) {
      const std::optional<std::size_t> at = Take(key);
      if (!at) return Misfit(key);
      kept.push_back(std::move(out[*at]));
    }
    out = std::move(kept);
    return {};
  }

  static Decoded Insert(const std::vector<ItemAdd<T>>& added, std::vector<T>& out) {
    std::vector<T> whole;
    whole.reserve(out.size() + added.size());
    auto next_kept = out.begin();
    for (const ItemAdd<T>& add : added) {
      while (whole.size() < add.index && next_kept != out.end()) {
        whole.push_back(std::move(*next_kept++));
      }
      if (whole.size() != add.index) {
        return std::unexpected(DecodeFailure{.path = "add", .why = "index does not fit the base"});
      }
      whole.push_back(add.item);
    }
    std::move(next_kept, out.end(), std::back_inserter(whole));
    out = std::move(whole);
    return {};
  }

  const std::vector<T>& prev_;
  KeyIndex index_;
  std::vector<bool> kept_;
};

// The lists of a state beside their deltas.
template <typename T>
struct DeltaSection {
  using Item = T;
  Section section;
  std::vector<T> StructuredState::* list;
  ListDelta<T> StateDelta::* delta;
};

inline constexpr auto kDeltaSections = std::tuple(
    DeltaSection{Section::kFrames, &StructuredState::frames, &StateDelta::frames},
    DeltaSection{Section::kElements, &StructuredState::elements, &StateDelta::elements},
    DeltaSection{Section::kTexts, &StructuredState::texts, &StateDelta::texts},
    DeltaSection{Section::kForms, &StructuredState::forms, &StateDelta::forms},
    DeltaSection{Section::kErrors, &StructuredState::errors, &StateDelta::errors},
    DeltaSection{Section::kDialogs, &StructuredState::dialogs, &StateDelta::dialogs},
    DeltaSection{Section::kTabs, &StructuredState::tabs, &StateDelta::tabs},
    DeltaSection{Section::kDownloads, &StructuredState::downloads, &StateDelta::downloads},
    DeltaSection{Section::kConsole, &StructuredState::console_errors, &StateDelta::console_errors});
static_assert(std::tuple_size_v<decltype(kDeltaSections)> ==
              std::tuple_size_v<decltype(kListSections)>);

template <typename Visit>
constexpr void ForEachDelta(Visit&& visit) {
  std::apply([&](const auto&... section) { (visit(section), ...); }, kDeltaSections);
}

}  // namespace falconer::model
