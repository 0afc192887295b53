// audit list, show and query.

#include <chrono>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <limits>

#include "app/audit/audit_commands.h"
#include "app/audit/audit_input.h"
#include "app/desk/option_values.h"
#include "model/plain_text.h"

namespace falconer::app {
namespace {

std::string TimeText(std::int64_t wall_ms) {
  const std::time_t seconds = wall_ms / 1000;
  return fmt::format("{:%Y-%m-%d %H:%M:%S}Z", fmt::gmtime(seconds));
}

std::string FieldText(const json::object& payload, std::string_view field) {
  const json::value* value = payload.if_contains(field);
  if (value == nullptr) return "";
  return value->is_string() ? std::string(value->get_string()) : json::serialize(*value);
}

// One line for people: number, time, kind, and what the payload says about whose turn it was.
std::string LineOf(const json::object& record) {
  const json::object& payload = record.at("payload").as_object();
  std::string out = fmt::format("{:>8}  {}  {:<15}", record.at("seq").to_number<std::uint64_t>(),
                                TimeText(record.at("time_ms").as_int64()),
                                std::string_view(record.at("kind").as_string()));
  for (const char* field : {"workflow", "turn_id", "agent", "action_id", "failure_code"}) {
    const std::string text = FieldText(payload, field);
    if (!text.empty()) out += fmt::format("  {}={}", field, text);
  }
  return model::PlainLine(out);
}

Result<json::object> Summary(const AuditChain& chain, const Arguments& arguments) {
  TRY_ASSIGN(auto reader, ledger::ChainReader::Open(chain.paths.folder, arguments.archive));
  TRY_ASSIGN(const std::uint64_t last, reader.LastSeq());
  json::object out{{"tenant", chain.tenant.value()},
                   {"folder", chain.paths.folder.string()},
                   {"first_seq", reader.first_seq()},
                   {"last_seq", last}};
  if (last < reader.first_seq()) return out;
  TRY_ASSIGN(const ledger::StoredRecord newest, reader.At(last));
  out["newest_ms"] = newest.view().fields.wall_ms;
  return out;
}

Result<json::array> Summaries(const Arguments& arguments) {
  TRY_ASSIGN(const std::vector<AuditChain> chains, ChainsOf(arguments));
  json::array rows;
  for (const AuditChain& chain : chains) {
    TRY_ASSIGN(json::object row, Summary(chain, arguments));
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<json::object> OneRecord(const Arguments& arguments) {
  TRY_ASSIGN(const std::uint64_t seq,
             NumberOf("SEQ", arguments.seq, 1, std::numeric_limits<std::int64_t>::max()));
  TRY_ASSIGN(const AuditChain chain, ChainOf(arguments));
  TRY_ASSIGN(auto reader, ledger::ChainReader::Open(chain.paths.folder, arguments.archive));
  TRY_ASSIGN(const ledger::StoredRecord record, reader.At(seq));
  return ledger::RecordToJson(record.view());
}

struct Page {
  json::array records;
  std::uint64_t next = 0;
};

Result<Page> OnePage(const Arguments& arguments) {
  TRY_ASSIGN(const ledger::RecordFilter filter, FilterOf(arguments));
  TRY_ASSIGN(const std::uint64_t limit, NumberOf("--limit", arguments.limit, 1, 1000));
  TRY_ASSIGN(const std::uint64_t cursor,
             NumberOf("--cursor", arguments.cursor, 1, std::numeric_limits<std::int64_t>::max()));
  TRY_ASSIGN(const AuditChain chain, ChainOf(arguments));
  TRY_ASSIGN(auto reader, ledger::ChainReader::Open(chain.paths.folder, arguments.archive));
  TRY_ASSIGN(const ledger::RecordPage found, reader.Query(filter, cursor, limit));
  Page page{.next = found.next};
  for (const ledger::StoredRecord& record : found.records) {
    TRY_ASSIGN(json::object row, ledger::RecordToJson(record.view()));
    page.records.push_back(std::move(row));
  }
  return page;
}

}  // namespace

int RunAuditList(const Arguments& arguments, Terminal& terminal) {
  auto rows = Summaries(arguments);
  if (!rows) return Refuse(arguments, terminal, rows.error());
  if (arguments.wants_json) {
    PrintJson(terminal, json::object{{"ok", true}, {"chains", *std::move(rows)}});
    return kExitOk;
  }
  if (rows->empty()) terminal.Print("the data folder has no ledger yet");
  for (const json::value& row : *rows) {
    const json::value* newest = row.as_object().if_contains("newest_ms");
    terminal.Print(fmt::format("{:<24}  records {} to {}  newest {}",
                               std::string_view(row.at("tenant").as_string()),
                               row.at("first_seq").to_number<std::uint64_t>(),
                               row.at("last_seq").to_number<std::uint64_t>(),
                               newest == nullptr ? "none" : TimeText(newest->as_int64())));
  }
  return kExitOk;
}

int RunAuditShow(const Arguments& arguments, Terminal& terminal) {
  auto record = OneRecord(arguments);
  if (!record) return Refuse(arguments, terminal, record.error());
  if (arguments.wants_json) {
    PrintJson(terminal, json::object{{"ok", true}, {"record", *std::move(record)}});
    return kExitOk;
  }
  terminal.Print(LineOf(*record));
  terminal.Print(fmt::format("hash      {}", std::string_view(record->at("hash").as_string())));
  terminal.Print(fmt::format("previous  {}", std::string_view(record->at("previous").as_string())));
  for (const auto& [field, value] : record->at("payload").as_object()) {
    terminal.Print(
        model::PlainLine(fmt::format("  {}: {}", std::string_view(field), json::serialize(value))));
  }
  return kExitOk;
}

int RunAuditQuery(const Arguments& arguments, Terminal& terminal) {
  auto page = OnePage(arguments);
  if (!page) return Refuse(arguments, terminal, page.error());
  const json::value next = page->next == 0 ? json::value(nullptr) : json::value(page->next);
  if (arguments.wants_json) {
    PrintJson(terminal,
              json::object{{"ok", true}, {"records", std::move(page->records)}, {"next", next}});
    return kExitOk;
  }
  for (const json::value& record : page->records) terminal.Print(LineOf(record.as_object()));
  if (page->next != 0) terminal.Print(fmt::format("more: --cursor {}", page->next));
  return kExitOk;
}

}  // namespace falconer::app
