#include "model/state/state.h"

#include "base/json/canonical_json.h"
#include "base/sha256.h"
#include "model/network.h"
#include "model/state/state_fields.h"

namespace falconer::model {
namespace {

constexpr std::size_t kHashDigits = 24;

constexpr EnumName<Section> kSectionNames[] = {
    {Section::kPage, "page"},           {Section::kFrames, "frames"},
    {Section::kElements, "elements"},   {Section::kTexts, "texts"},
    {Section::kForms, "forms"},         {Section::kErrors, "errors"},
    {Section::kDialogs, "dialogs"},     {Section::kTabs, "tabs"},
    {Section::kDownloads, "downloads"}, {Section::kConsole, "console_errors"},
    {Section::kNetwork, "network"},
};
static_assert(std::size(kSectionNames) == kSectionCount);

Result<std::string> ShortHash(const json::value& value) {
  TRY_ASSIGN(const std::string text, CanonicalJson(value));
  return Sha256Hex(text).substr(0, kHashDigits);
}

void WriteLists(json::object& out, const StructuredState& state, FieldSet set) {
  ForEachList([&](const auto& section) {
    const auto& list = state.*section.list;
    if (!list.empty()) out.emplace(SectionName(section.section), Encode(list, set));
  });
}

json::object WriteHashes(const SectionHashes& hashes) {
  json::object out;
  for (const auto& [section, name] : kSectionNames) {
    const std::string& hash = hashes[static_cast<std::size_t>(section)];
    if (!hash.empty()) out.emplace(name, hash);
  }
  return out;
}

Decoded ReadHashes(const json::value& in, SectionHashes& out) {
  const json::object* object = in.if_object();
  if (object == nullptr) return WrongType("object", in);
  for (const json::key_value_pair& member : *object) {
    const std::optional<Section> section = ValueIn(kSectionNames, member.key());
    Decoded done = std::unexpected(DecodeFailure{.path = "", .why = "unknown section"});
    if (section) done = Decode(member.value(), out[static_cast<std::size_t>(*section)]);
    if (!done) return std::unexpected(std::move(done).error().At(member.key()));
  }
  return {};
}

// One member of the JSON of a state: an id, the hashes, a list, or else a single value.
Decoded ReadMember(const json::key_value_pair& member, StructuredState& out) {
  const std::string_view key = member.key();
  const json::value& value = member.value();
  std::optional<Decoded> done;
  if (key == "state_id") done = Decode(value, out.state_id);
  if (key == "prev_state_id") done = Decode(value, out.prev_state_id);
  if (key == "revision") done = Decode(value, out.revision);
  if (key == "hashes") done = ReadHashes(value, out.hashes);
  ForEachList([&](const auto& section) {
    if (key == SectionName(section.section)) done = Decode(value, out.*section.list);
  });
  if (!done) return DecodeField(out, key, value);
  if (*done) return {};
  return std::unexpected(std::move(*done).error().At(key));
}

}  // namespace

std::string_view SectionName(Section section) {
  return NameIn(kSectionNames, section);
}

NetworkState NetworkState::Of(const NetworkSummary& summary) {
  NetworkState out{.requests = summary.requests,
                   .responses = summary.responses,
                   .failed = summary.failed,
                   .client_errors = summary.client_errors,
                   .server_errors = summary.server_errors,
                   .silent_failures = summary.silent_failures,
                   .dropped = summary.dropped};
  for (const NetworkEvent& event : summary.failures) {
    out.failures.push_back({.route_key = event.route_key,
                            .status = event.status,
                            .status_class = event.status_class(),
                            .error_signature = event.error_signature,
                            .latency_ms = event.latency ? event.latency->count() : 0});
  }
  return out;
}

json::object StructuredState::ToJson() const {
  json::object out{
      {"state_id", state_id}, {"prev_state_id", prev_state_id}, {"revision", revision}};
  WriteTo(out, *this, FieldSet::kAll);
  WriteLists(out, *this, FieldSet::kAll);
  out.emplace("hashes", WriteHashes(hashes));
  return out;
}

json::object StructuredState::ToModelJson(Places places) const {
  const FieldSet set = places == Places::kShow ? FieldSet::kModelWithPlaces : FieldSet::kModel;
  json::object out{{"state_id", state_id}};
  WriteTo(out, *this, set);
  WriteLists(out, *this, set);
  return out;
}

Result<StructuredState> StructuredState::FromJson(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr) return Fail(WrongType("object", value).error().ToError("state"));
  StructuredState state;
  for (const json::key_value_pair& member : *object) {
    Decoded done = ReadMember(member, state);
    if (!done) return Fail(std::move(done).error().ToError("state"));
  }
  return state;
}

Result<std::string> HashSection(const StructuredState& state, Section section) {
  if (section == Section::kPage) return ShortHash(Write(state, FieldSet::kContent));
  if (section == Section::kNetwork) return ShortHash(Write(state.network, FieldSet::kContent));
  json::value content;
  ForEachList([&](const auto& row) {
    if (row.section == section) content = Encode(state.*row.list, FieldSet::kContent);
  });
  return ShortHash(content);
}

Result<void> Seal(StructuredState& state) {
  json::object content;
  for (const auto& [section, name] : kSectionNames) {
    TRY_ASSIGN(std::string hash, HashSection(state, section));
    if (IsContent(section)) content.emplace(name, hash);
    state.hashes[static_cast<std::size_t>(section)] = std::move(hash);
  }
  TRY_ASSIGN(const std::string id, ShortHash(content));
  state.state_id = "s_" + id;
  return {};
}

}  // namespace falconer::model
