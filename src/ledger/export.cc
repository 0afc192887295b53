#include "ledger/export.h"

#include <array>

#include "base/file.h"
#include "base/hex.h"
#include "base/json/canonical_json.h"
#include "ledger/signed_json.h"

namespace falconer::ledger {
namespace {

// The rows are gathered in memory before the file is replaced in one step.
constexpr std::size_t kPage = 1000;

constexpr std::array<std::string_view, 9> kPayloadColumns = {"turn_id", "workflow",     "run",
                                                             "agent",   "session",      "action_id",
                                                             "success", "failure_code", "plan"};

// Quotes the text, and keeps a spreadsheet from taking what a page said for a formula.
std::string Cell(std::string_view text) {
  std::string out = "\"";
  if (!text.empty() && std::string_view("=+-@\t\r").contains(text.front())) out += "'";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string CellOf(const json::object& payload, std::string_view field) {
  const json::value* value = payload.if_contains(field);
  if (value == nullptr) return "";
  return Cell(value->is_string() ? std::string(value->get_string()) : json::serialize(*value));
}

std::string CsvHeader() {
  std::string out = "seq,time_ms,kind,hash";
  for (const std::string_view column : kPayloadColumns) out += "," + std::string(column);
  return out + ",payload\n";
}

Result<std::string> CsvLine(const RecordView& record) {
  TRY_ASSIGN(const json::object payload, ParseJsonObject(record.fields.payload));
  std::string out = std::to_string(record.fields.seq) + "," +
                    std::to_string(record.fields.wall_ms) + "," +
                    RecordKindName(record.fields.kind) + "," + ToHex(record.hash);
  for (const std::string_view column : kPayloadColumns) out += "," + CellOf(payload, column);
  return out + "," + Cell(record.fields.payload) + "\n";
}

Result<std::string> JsonLine(const RecordView& record) {
  TRY_ASSIGN(const json::object object, RecordToJson(record));
  TRY_ASSIGN(std::string text, CanonicalJson(object));
  return text + "\n";
}

struct Rows {
  std::string text;
  std::uint64_t count = 0;
};

Result<Rows> Gather(const ExportInput& input) {
  TRY_ASSIGN(ChainReader reader, ChainReader::Open(input.chain.folder, input.chain.archive));
  const bool is_csv = input.format == ExportFormat::kCsv;
  Rows rows{.text = is_csv ? CsvHeader() : ""};
  std::uint64_t from = 1;
  do {
    TRY_ASSIGN(const RecordPage page, reader.Query(input.filter, from, kPage));
    for (const StoredRecord& record : page.records) {
      TRY_ASSIGN(const std::string line, is_csv ? CsvLine(record.view()) : JsonLine(record.view()));
      rows.text += line;
    }
    rows.count += page.records.size();
    from = page.next;
  } while (from != 0);
  return rows;
}

}  // namespace

Result<json::object> ExportRecords(const ExportInput& input, const SigningKey& key, WallTime now) {
  TRY_ASSIGN(const VerifyReport report, VerifyChain(input.chain));
  TRY_ASSIGN(const Rows rows, Gather(input));
  TRY(WriteFileAtomic(input.output, rows.text));
  const auto now_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  json::object metadata{{"exportedAt", now_ms},
                        {"tenant", report.tenant.value()},
                        {"filter", input.filter.ToJson()},
                        {"format", NameIn(kExportFormats, input.format)},
                        {"count", rows.count},
                        {"chainValid", report.is_clean()},
                        {"findings", report.findings.size()},
                        {"sha256", Sha256Hex(rows.text)}};
  TRY_ASSIGN(const std::string text, SignJson(metadata, key));
  TRY(WriteFileAtomic(input.output.string() + ".meta.json", text + "\n"));
  return metadata;
}

}  // namespace falconer::ledger
