#include "engine/replay/evidence.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/hex.h"
#include "base/json/canonical_json.h"
#include "base/sha256.h"

namespace falconer::engine {
namespace {

using ledger::RecordKind;

struct KindRow {
  RecordKind kind;
  std::optional<EvidenceRecord> TurnEvidence::* place;
};

constexpr KindRow kPlaces[] = {
    {RecordKind::kTurnOpened, &TurnEvidence::opened},
    {RecordKind::kTurnClosed, &TurnEvidence::closed},
    {RecordKind::kRefusal, &TurnEvidence::refusal},
    {RecordKind::kView, &TurnEvidence::view},
};

// What a name may be the name of; the narrowest counts.
constexpr std::string_view kNames[] = {"turn_id", "run", "action_id", "workflow"};
constexpr std::size_t kNoName = std::size(kNames);

const KindRow* PlaceOf(RecordKind kind) {
  for (const KindRow& row : kPlaces) {
    if (row.kind == kind) return &row;
  }
  return nullptr;
}

std::size_t NameOf(const json::object& payload, std::string_view id) {
  const auto* found = std::ranges::find_if(
      kNames, [&](std::string_view key) { return TextAt(payload, key) == id; });
  return static_cast<std::size_t>(found - std::begin(kNames));
}

void Shelve(SnapshotShelf& shelf, const json::object& payload) {
  const json::value* list = payload.if_contains("snapshots");
  if (list == nullptr || !list->is_array()) return;
  for (const json::value& one : list->get_array()) {
    const json::object* snapshot = one.if_object();
    const json::value* content = snapshot == nullptr ? nullptr : snapshot->if_contains("content");
    if (content == nullptr || !content->is_object()) continue;
    const auto canonical = CanonicalJson(*content);
    const std::string digest = TextAt(*snapshot, "digest");
    if (canonical && Sha256Hex(*canonical) == digest) shelf[digest] = content->get_object();
  }
}

// A turn belongs to the page its first record is on.
bool IsOfEarlierPage(const json::object& payload, std::uint64_t cursor) {
  const json::value* opened = payload.if_contains("opened");
  return opened != nullptr && opened->is_int64() &&
         static_cast<std::uint64_t>(opened->get_int64()) < cursor;
}

class Gathering {
 public:
  Gathering(ledger::ChainReader& reader, const EvidenceQuestion& question)
      : reader_(reader), question_(question) {}

  Result<Evidence> Go();

 private:
  Result<void> Look(std::uint64_t seq);
  Result<EvidenceRecord> Keep(const ledger::RecordView& view, json::object payload);
  Result<void> Add(const KindRow& row, const ledger::RecordView& view, json::object payload);
  bool IsFull(const std::string& turn) const;
  void Restart(std::size_t name);

  ledger::ChainReader& reader_;
  const EvidenceQuestion& question_;
  std::size_t name_ = kNoName;
  std::map<std::string, std::size_t, std::less<>> by_turn_;
  Evidence found_;
};

Result<Evidence> Gathering::Go() {
  TRY_ASSIGN(const std::uint64_t last, reader_.LastSeq());
  // From the first record on: snapshots stand before the records that need them.
  for (std::uint64_t seq = reader_.first_seq(); seq <= last; ++seq) TRY(Look(seq));
  if (found_.turns.empty()) {
    return Fail(ErrorCode::kNotFound,
                fmt::format("the ledger has no turn, run, action or workflow {}", question_.id));
  }
  found_.found_by = kNames[name_];
  return std::move(found_);
}

Result<void> Gathering::Look(std::uint64_t seq) {
  TRY_ASSIGN(const ledger::StoredRecord record, reader_.At(seq));
  const ledger::RecordView view = record.view();
  const KindRow* row = PlaceOf(view.fields.kind);
  const bool is_snapshot = view.fields.kind == RecordKind::kSnapshot;
  // Most records are about something else, and a search is cheaper than reading them.
  const bool may_be_meant = row != nullptr && view.fields.payload.contains(question_.id);
  if (!is_snapshot && !may_be_meant) return {};
  auto payload = ParseJsonObject(view.fields.payload);
  if (!payload) return Fail(std::move(payload).error().In(fmt::format("record {}", seq)));
  if (is_snapshot) {
    Shelve(found_.snapshots, *payload);
    return {};
  }
  if (seq < question_.cursor) return {};
  return Add(*row, view, *std::move(payload));
}

Result<EvidenceRecord> Gathering::Keep(const ledger::RecordView& view, json::object payload) {
  EvidenceRecord record{.seq = view.fields.seq,
                        .wall_ms = view.fields.wall_ms,
                        .hash = ToHex(view.hash),
                        .is_linked = true,
                        .payload = std::move(payload)};
  if (record.seq <= reader_.first_seq()) return record;
  TRY_ASSIGN(const ledger::StoredRecord before, reader_.At(record.seq - 1));
  record.is_linked = before.view().hash == view.fields.previous;
  return record;
}

// A narrower name was found: what the wider one brought is not meant.
void Gathering::Restart(std::size_t name) {
  name_ = name;
  by_turn_.clear();
  found_.turns.clear();
  found_.next = 0;
}

bool Gathering::IsFull(const std::string& turn) const {
  return found_.turns.size() >= question_.limit && !by_turn_.contains(turn);
}

Result<void> Gathering::Add(const KindRow& row, const ledger::RecordView& view,
                            json::object payload) {
  const std::size_t name = NameOf(payload, question_.id);
  if (name < name_) Restart(name);
  if (name != name_ || name == kNoName) return {};
  if (IsOfEarlierPage(payload, question_.cursor)) return {};
  const std::string turn = TextAt(payload, "turn_id");
  if (IsFull(turn)) {
    if (found_.next == 0) found_.next = view.fields.seq;
    return {};
  }
  TRY_ASSIGN(EvidenceRecord record, Keep(view, std::move(payload)));
  const bool is_new = turn.empty() || !by_turn_.contains(turn);
  if (is_new) found_.turns.emplace_back();
  TurnEvidence& turn_place = is_new ? found_.turns.back() : found_.turns[by_turn_.at(turn)];
  if (is_new && !turn.empty()) by_turn_[turn] = found_.turns.size() - 1;
  auto& place = turn_place.*row.place;
  if (place) {
    turn_place.repeated.push_back(record.seq);
  } else {
    place = std::move(record);
  }
  return {};
}

}  // namespace

const EvidenceRecord* TurnEvidence::asked() const {
  if (opened) return &*opened;
  return refusal ? &*refusal : nullptr;
}

std::vector<const EvidenceRecord*> TurnEvidence::all() const {
  std::vector<const EvidenceRecord*> records;
  for (const auto* one : {&opened, &closed, &refusal, &view}) {
    if (*one) records.push_back(&**one);
  }
  return records;
}

Result<Evidence> GatherEvidence(ledger::ChainReader& reader, const EvidenceQuestion& question) {
  if (question.id.empty()) return Fail(ErrorCode::kInvalidArgument, "the name is empty");
  return Gathering(reader, question).Go();
}

}  // namespace falconer::engine
