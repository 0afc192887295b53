#include "engine/replay/replay_trace.h"

#include <utility>

#include "engine/replay/replay.h"
#include "ledger/chain_paths.h"

namespace falconer::engine {
namespace {

struct FieldRow {
  std::string_view field;
  std::string_view as;
};

// What of a record is worth a line; the rest is in the ledger.
constexpr FieldRow kOfRecord[] = {{"workflow", "workflow"}, {"run", "run"},
                                  {"step", "step"},         {"agent", "agent"},
                                  {"plan", "plan"},         {"end", "end"},
                                  {"success", "success"},   {"failure_code", "failure_code"}};
constexpr FieldRow kOfDecision[] = {
    {"gate", "gate"}, {"outcome_kind", "verdict"}, {"reason", "reason"}, {"code", "code"}};
constexpr FieldRow kOfResult[] = {{"attempts", "attempts"},
                                  {"escalation", "escalation"},
                                  {"pre_state_id", "pre_state_id"},
                                  {"post_state_id", "post_state_id"},
                                  {"evidence_digest", "evidence_digest"},
                                  {"timings_us", "timings_us"}};
constexpr FieldRow kOfOutcome[] = {
    {"rule_type", "rule"}, {"severity", "severity"}, {"verdict", "verdict"}, {"detail", "detail"}};

template <std::size_t N>
void Copy(json::object& out, const json::object& from, const FieldRow (&rows)[N]) {
  for (const FieldRow& row : rows) {
    if (const json::value* value = from.if_contains(row.field)) out[row.as] = *value;
  }
}

template <std::size_t N>
json::array CopyList(const json::object& from, std::string_view key, const FieldRow (&rows)[N]) {
  json::array out;
  const json::value* list = from.if_contains(key);
  if (list == nullptr || !list->is_array()) return out;
  for (const json::value& one : list->get_array()) {
    json::object entry;
    if (const json::object* object = one.if_object()) Copy(entry, *object, rows);
    out.push_back(std::move(entry));
  }
  return out;
}

void AddResult(json::object& out, const json::object& payload) {
  const json::value* result = payload.if_contains("result");
  if (result == nullptr || !result->is_object()) return;
  Copy(out, result->get_object(), kOfResult);
  const json::value* report = result->get_object().if_contains("verification");
  if (report == nullptr || !report->is_object()) return;
  out["rules"] = CopyList(report->get_object(), "outcomes", kOfOutcome);
}

json::object EventOf(const EvidenceRecord& record, std::string_view what) {
  return {
      {"record", record.seq}, {"what", what}, {"time_ms", record.wall_ms}, {"hash", record.hash}};
}

}  // namespace

json::object TraceOf(const TurnEvidence& evidence, const TurnReplay& replay) {
  json::object out{{"title", replay.Title()}};
  if (const EvidenceRecord* asked = evidence.asked()) {
    Copy(out, asked->payload, kOfRecord);
    out["gates"] = CopyList(asked->payload, "decisions", kOfDecision);
  }
  if (evidence.closed) {
    Copy(out, evidence.closed->payload, kOfRecord);
    AddResult(out, evidence.closed->payload);
  }
  json::array& events = out["events"].emplace_array();
  if (evidence.refusal) events.emplace_back(EventOf(*evidence.refusal, "refused"));
  if (evidence.opened) events.emplace_back(EventOf(*evidence.opened, "opened"));
  if (evidence.closed) events.emplace_back(EventOf(*evidence.closed, "closed"));
  out["replay"] = replay.ToJson();
  return out;
}

Result<json::object> ReplayTrace(const std::filesystem::path& data_folder, const TenantId& tenant,
                                 const std::string& turn_or_run, TracePage page) {
  const auto paths = ledger::ChainPaths::Of(data_folder, tenant);
  TRY_ASSIGN(auto reader, ledger::ChainReader::Open(paths.folder));
  TRY_ASSIGN(const Evidence evidence,
             GatherEvidence(reader, {turn_or_run, page.cursor, page.limit}));
  const ReplayReport report = Replay(evidence, tenant);
  json::array turns;
  for (std::size_t i = 0; i < evidence.turns.size(); ++i)
    turns.emplace_back(TraceOf(evidence.turns[i], report.turns[i]));
  return json::object{{"id", turn_or_run},
                      {"found_by", report.found_by},
                      {"tenant", tenant.value()},
                      {"status", NameIn(kReplayStatuses, report.status())},
                      {"turns", std::move(turns)},
                      {"next", report.next == 0 ? json::value(nullptr) : json::value(report.next)}};
}

}  // namespace falconer::engine
