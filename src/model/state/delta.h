#pragma once
// StateDelta: what has to be done to one state to get the next. It stands alone: it names its base,
// and whoever holds that base can rebuild the next state exactly. A delta that had to be cut says
// so and is refused by Apply: then a full state is needed.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "model/state/state.h"

namespace falconer::model {

// Changed fields of one item: their new values, null where the default is back.
struct ItemUpdate {
  std::string key;
  json::object fields;
  bool operator==(const ItemUpdate&) const = default;
};

template <typename T>
struct ItemAdd {
  std::size_t index = 0;  // in the new list
  T item;
  bool operator==(const ItemAdd&) const = default;
};

// How a list changes. Items are named by their key (ref, fid, id), or by "#" and their position in
// the old list where they have none. Applied in this order: remove, update, order, add.
template <typename T>
struct ListDelta {
  // The new list as a whole; then there is nothing else.
  std::optional<std::vector<T>> replace;
  std::vector<std::string> removed;
  std::vector<ItemUpdate> updated;
  // The keys of all that stays, in their new order; empty when the order stays too.
  std::vector<std::string> order;
  std::vector<ItemAdd<T>> added;  // ascending by index

  std::size_t size() const {
    return removed.size() + updated.size() + added.size() + (order.empty() ? 0 : 1) +
           (replace ? 1 : 0);
  }
  bool empty() const { return size() == 0; }
  bool operator==(const ListDelta&) const = default;
};

struct HashChange {
  Section section = Section::kPage;
  std::string from;
  std::string to;
  bool operator==(const HashChange&) const = default;
};

struct StateDelta {
  std::string prev_state_id;
  std::string new_state_id;
  std::uint64_t prev_revision = 0;
  std::uint64_t new_revision = 0;
  // The new state as a whole: there was no base, or nothing of it is left. Excludes the rest.
  std::optional<StructuredState> full;
  std::vector<Section> changed_sections;
  std::vector<HashChange> hash_changes;
  json::object page;  // changed single values, the network summary among them
  ListDelta<FrameState> frames;
  ListDelta<ElementState> elements;
  ListDelta<TextState> texts;
  ListDelta<FormState> forms;
  ListDelta<ErrorState> errors;
  ListDelta<DialogState> dialogs;
  ListDelta<TabState> tabs;
  ListDelta<DownloadEntry> downloads;
  ListDelta<ConsoleEntry> console_errors;
  bool truncated = false;
  std::size_t omitted_ops = 0;
  std::size_t token_estimate = 0;  // characters of ToModelJson divided by four

  bool is_full() const { return full.has_value(); }
  bool is_empty() const { return !full && changed_sections.empty(); }

  json::object ToJson() const;
  // What a model may see: no hints, no hashes, and updates of places only if asked for.
  json::object ToModelJson(Places places = Places::kOmit) const;
  // Strict. Fails with kInvalidArgument that names the field.
  static Result<StateDelta> FromJson(const json::value& value);
  bool operator==(const StateDelta&) const = default;
};

struct DeltaLimits {
  // More changes than this in one list cut the delta; 0 is no limit.
  std::size_t ops_per_section = 0;
};

// The delta from `prev` (null: there is none) to `next`; both must be sealed. Full when there is no
// base, when the tab differs, or when the page is another one: no element of the base is left, or
// it had none and the address differs in more than its fragment.
StateDelta Diff(const StructuredState* prev, const StructuredState& next, DeltaLimits limits = {});

// The state that `delta` leads to from `prev`: equal to the `next` it was made from, with prev's id
// as its prev_state_id. Fails with kPreconditionFailed when `prev` is not the base or the delta is
// truncated (details: "resync": true), and with kInvalidArgument when the delta does not fit the
// base or does not lead to the content it names.
Result<StructuredState> Apply(const StructuredState& prev, const StateDelta& delta);

}  // namespace falconer::model
