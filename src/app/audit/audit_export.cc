// audit export and archive.

#include <fmt/format.h>

#include "app/audit/audit_commands.h"
#include "app/audit/audit_input.h"
#include "app/desk/option_values.h"
#include "ledger/archive.h"
#include "ledger/export.h"

namespace falconer::app {
namespace {

Result<ledger::ExportFormat> FormatOf(const Arguments& arguments) {
  const auto format = ValueIn(ledger::kExportFormats, arguments.format);
  if (format) return *format;
  return Fail(ErrorCode::kInvalidArgument,
              "--format: \"" + arguments.format + "\" is neither json nor csv");
}

Result<json::object> Export(const Arguments& arguments) {
  if (arguments.export_file.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--output: say which file to write");
  }
  ledger::ExportInput input{.output = arguments.export_file};
  TRY_ASSIGN(input.format, FormatOf(arguments));
  TRY_ASSIGN(input.filter, FilterOf(arguments));
  TRY_ASSIGN(const AuditChain chain, ChainOf(arguments));
  TRY_ASSIGN(input.chain, VerifyInputOf(arguments, chain));
  TRY_ASSIGN(const auto key, ledger::SigningKey::LoadOrCreate(chain.data_folder));
  return ledger::ExportRecords(input, key, SystemClock().WallNow());
}

Result<std::vector<ledger::ArchivedSegment>> Archive(const Arguments& arguments) {
  if (arguments.archive.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--archive: say which folder to move to");
  }
  TRY_ASSIGN(const AuditChain chain, ChainOf(arguments));
  TRY_ASSIGN(const auto key, ledger::SigningKey::LoadOrCreate(chain.data_folder));
  return ledger::ArchiveChain(chain.paths, key, arguments.archive);
}

}  // namespace

int RunAuditExport(const Arguments& arguments, Terminal& terminal) {
  auto metadata = Export(arguments);
  if (!metadata) return Refuse(arguments, terminal, metadata.error());
  const bool is_valid = metadata->at("chainValid").as_bool();
  if (arguments.wants_json) {
    PrintJson(terminal, json::object{{"ok", is_valid}, {"metadata", *std::move(metadata)}});
  } else {
    terminal.Print(fmt::format("{}: {} records{}", arguments.export_file.string(),
                               metadata->at("count").to_number<std::uint64_t>(),
                               is_valid ? "" : "; the chain has findings: falconer audit verify"));
  }
  return is_valid ? kExitOk : kExitFailed;
}

int RunAuditArchive(const Arguments& arguments, Terminal& terminal) {
  const auto moved = Archive(arguments);
  if (!moved) return Refuse(arguments, terminal, moved.error());
  if (!arguments.wants_json) {
    for (const ledger::ArchivedSegment& row : *moved) {
      terminal.Print(fmt::format("{}  records {} to {}", row.file, row.first_seq, row.last_seq));
    }
    terminal.Print(
        fmt::format("{} segments moved to {}", moved->size(), arguments.archive.string()));
    return kExitOk;
  }
  json::array rows;
  for (const ledger::ArchivedSegment& row : *moved) {
    rows.push_back(
        json::object{{"file", row.file}, {"first_seq", row.first_seq}, {"last_seq", row.last_seq}});
  }
  PrintJson(terminal, json::object{{"ok", true}, {"moved", std::move(rows)}});
  return kExitOk;
}

}  // namespace falconer::app
