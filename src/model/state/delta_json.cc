// The wire form of StateDelta: per section a list of operations, in the order in which they apply.

#include "model/state/delta.h"
#include "model/state/delta_list.h"

namespace falconer::model {
namespace {

template <typename T>
void WriteUpdates(const ListDelta<T>& delta, FieldSet set, json::array& out) {
  for (const ItemUpdate& update : delta.updated) {
    json::object fields = FilterFields<T>(update.fields, set);
    if (fields.empty()) continue;
    out.push_back(
        json::object{{"op", "update"}, {"key", update.key}, {"fields", std::move(fields)}});
  }
}

template <typename T>
json::array WriteOps(const ListDelta<T>& delta, FieldSet set) {
  json::array out;
  if (delta.replace) {
    out.push_back(json::object{{"op", "replace"}, {"items", Encode(*delta.replace, set)}});
  }
  for (const std::string& key : delta.removed) {
    out.push_back(json::object{{"op", "remove"}, {"key", key}});
  }
  WriteUpdates(delta, set, out);
  if (!delta.order.empty()) {
    out.push_back(json::object{{"op", "order"}, {"keys", Encode(delta.order, set)}});
  }
  for (const ItemAdd<T>& add : delta.added) {
    out.push_back(
        json::object{{"op", "add"}, {"index", add.index}, {"item", Write(add.item, set)}});
  }
  return out;
}

json::object WriteSections(const StateDelta& delta, FieldSet set) {
  json::object out;
  ForEachDelta([&](const auto& row) {
    json::array ops = WriteOps(delta.*row.delta, set);
    if (!ops.empty()) out.emplace(SectionName(row.section), std::move(ops));
  });
  return out;
}

json::array WriteNames(const std::vector<Section>& sections) {
  json::array out;
  for (const Section section : sections) out.emplace_back(SectionName(section));
  return out;
}

void WriteEnd(json::object& out, const StateDelta& delta) {
  if (delta.truncated) {
    out.emplace("truncated", true);
    out.emplace("omitted_ops", delta.omitted_ops);
  }
}

std::optional<Section> SectionNamed(std::string_view name) {
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    if (SectionName(static_cast<Section>(i)) == name) return static_cast<Section>(i);
  }
  return std::nullopt;
}

// Reads what a reader of one operation asked for and reports the rest to it.
template <typename T>
void ReadInto(JsonReader& in, std::string_view key, T& out) {
  const Decoded done = Decode(in.RawValue(key), out);
  if (done || in.failed()) return;
  in.Reject(key, done.error().path.empty() ? done.error().why : done.error().Message());
}

enum class Op : std::uint8_t { kReplace, kRemove, kUpdate, kOrder, kAdd };

constexpr EnumName<Op> kOps[] = {
    {Op::kReplace, "replace"}, {Op::kRemove, "remove"}, {Op::kUpdate, "update"},
    {Op::kOrder, "order"},     {Op::kAdd, "add"},
};

template <typename T>
bool ReadOp(JsonReader& in, ListDelta<T>& out) {
  switch (in.Enum("op", kOps)) {
    case Op::kReplace:
      ReadInto(in, "items", out.replace.emplace());
      break;
    case Op::kRemove:
      out.removed.push_back(in.String("key"));
      break;
    case Op::kUpdate:
      out.updated.push_back({.key = in.String("key"), .fields = in.RawObject("fields")});
      break;
    case Op::kOrder:
      out.order = in.Strings("keys");
      break;
    case Op::kAdd:
      ReadInto(in, "index", out.added.emplace_back().index);
      ReadInto(in, "item", out.added.back().item);
      break;
  }
  return true;
}

bool ReadSections(JsonReader& in, StateDelta& out) {
  ForEachDelta([&](const auto& row) {
    in.OptionalObjects(SectionName(row.section),
                       [&](JsonReader& op) { return ReadOp(op, out.*row.delta); });
  });
  return true;
}

void ReadSectionNames(JsonReader& in, std::vector<Section>& out) {
  for (const std::string& name : in.Strings("changed_sections")) {
    const std::optional<Section> section = SectionNamed(name);
    if (!section) return in.Reject("changed_sections", "unknown section " + name);
    out.push_back(*section);
  }
}

bool ReadHashChange(JsonReader& in, StateDelta& out) {
  const std::optional<Section> section = SectionNamed(in.String("section"));
  if (!section) in.Reject("section", "unknown section");
  out.hash_changes.push_back({.section = section.value_or(Section::kPage),
                              .from = in.OptionalString("from").value_or(""),
                              .to = in.OptionalString("to").value_or("")});
  return true;
}

StateDelta ReadDelta(JsonReader& in) {
  StateDelta out{.prev_state_id = in.OptionalString("prev_state_id").value_or(""),
                 .new_state_id = in.String("new_state_id")};
  ReadInto(in, "prev_revision", out.prev_revision);
  ReadInto(in, "new_revision", out.new_revision);
  if (const std::optional<json::value> full = in.OptionalRawValue("full")) {
    Result<StructuredState> state = StructuredState::FromJson(*full);
    if (!state) {
      in.Reject(std::move(state).error());
    } else {
      out.full = *std::move(state);
    }
  }
  ReadSectionNames(in, out.changed_sections);
  in.OptionalObjects("section_hash_changes",
                     [&](JsonReader& change) { return ReadHashChange(change, out); });
  out.page = in.OptionalRawObject("page").value_or(json::object());
  in.OptionalObject("ops", [&](JsonReader& ops) { return ReadSections(ops, out); });
  out.truncated = in.OptionalBool("truncated").value_or(false);
  out.omitted_ops =
      static_cast<std::size_t>(in.OptionalInteger("omitted_ops", {.min = 0}).value_or(0));
  out.token_estimate = static_cast<std::size_t>(in.Integer("token_estimate", {.min = 0}));
  return out;
}

}  // namespace

json::object StateDelta::ToJson() const {
  json::object out{{"prev_state_id", prev_state_id},
                   {"new_state_id", new_state_id},
                   {"prev_revision", prev_revision},
                   {"new_revision", new_revision}};
  if (full) out.emplace("full", full->ToJson());
  out.emplace("changed_sections", WriteNames(changed_sections));
  json::array& hashes = out["section_hash_changes"].emplace_array();
  for (const HashChange& change : hash_changes) {
    hashes.push_back(json::object{
        {"section", SectionName(change.section)}, {"from", change.from}, {"to", change.to}});
  }
  if (!page.empty()) out.emplace("page", page);
  out.emplace("ops", WriteSections(*this, FieldSet::kAll));
  WriteEnd(out, *this);
  out.emplace("token_estimate", token_estimate);
  return out;
}

json::object StateDelta::ToModelJson(Places places) const {
  const FieldSet set = places == Places::kShow ? FieldSet::kModelWithPlaces : FieldSet::kModel;
  json::object out{{"prev_state_id", prev_state_id}, {"new_state_id", new_state_id}};
  if (full) {
    out.emplace("full", full->ToModelJson(places));
    return out;
  }
  json::object shown = FilterFields<StructuredState>(page, set);
  if (!shown.empty()) out.emplace("page", std::move(shown));
  for (json::key_value_pair& section : WriteSections(*this, set)) {
    out.emplace(section.key(), std::move(section.value()));
  }
  WriteEnd(out, *this);
  return out;
}

Result<StateDelta> StateDelta::FromJson(const json::value& value) {
  return ReadJson(value, "delta", ReadDelta);
}

}  // namespace falconer::model
