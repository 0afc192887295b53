// audit verify and prove.

#include <fmt/format.h>
#include <limits>

#include "app/audit/audit_commands.h"
#include "app/audit/audit_input.h"
#include "app/desk/option_values.h"
#include "ledger/inclusion_proof.h"

namespace falconer::app {
namespace {

// The store saw records of a chain that is no longer there.
ledger::VerifyReport GoneReport(const store::ChainHead& head) {
  ledger::VerifyReport report;
  report.findings.push_back({.kind = ledger::FindingKind::kRollback,
                             .seq = head.seq,
                             .file = head.chain,
                             .detail = "the whole chain is gone, though this record was durable"});
  return report;
}

Result<std::vector<ledger::VerifyReport>> VerifyAll(const Arguments& arguments) {
  TRY_ASSIGN(const std::vector<AuditChain> chains, ChainsOf(arguments));
  std::vector<ledger::VerifyReport> reports;
  for (const AuditChain& chain : chains) {
    TRY_ASSIGN(const ledger::VerifyInput input, VerifyInputOf(arguments, chain));
    auto report = ledger::VerifyChain(input);
    const bool is_gone = !report && report.error().code() == ErrorCode::kNotFound && input.head;
    if (!report && !is_gone) return std::unexpected(report.error());
    reports.push_back(is_gone ? GoneReport(*input.head) : *std::move(report));
    reports.back().tenant = chain.tenant;
  }
  return reports;
}

void Print(Terminal& terminal, const ledger::VerifyReport& report) {
  const std::string verdict =
      report.is_clean() ? terminal.Paint(Ink::kGreen, "ok") : terminal.Paint(Ink::kRed, "DAMAGED");
  terminal.Print(fmt::format("{}: {}, {} records checked, {} signed, {} checkpoints",
                             report.tenant.value(), verdict, report.records, report.signed_size,
                             report.checkpoints));
  for (const ledger::Finding& finding : report.findings) {
    terminal.Print(fmt::format("  {} at record {}: {} ({} byte {})",
                               ledger::FindingName(finding.kind), finding.seq, finding.detail,
                               finding.file, finding.offset));
  }
}

Result<ledger::InclusionProof> Prove(const Arguments& arguments) {
  TRY_ASSIGN(const std::uint64_t seq,
             NumberOf("SEQ", arguments.seq, 1, std::numeric_limits<std::int64_t>::max()));
  TRY_ASSIGN(const AuditChain chain, ChainOf(arguments));
  TRY_ASSIGN(const auto keys, KeysOf(arguments, chain.data_folder));
  return ledger::ProveRecord(chain.paths.folder, arguments.archive, seq, keys);
}

}  // namespace

int RunAuditVerify(const Arguments& arguments, Terminal& terminal) {
  const auto reports = VerifyAll(arguments);
  if (!reports) return Refuse(arguments, terminal, reports.error());
  bool is_clean = true;
  json::array rows;
  for (const ledger::VerifyReport& report : *reports) {
    is_clean = is_clean && report.is_clean();
    rows.push_back(report.ToJson());
    if (!arguments.wants_json) Print(terminal, report);
  }
  if (arguments.wants_json) {
    PrintJson(terminal, json::object{{"ok", is_clean}, {"chains", std::move(rows)}});
  } else if (reports->empty()) {
    terminal.Print("the data folder has no ledger yet");
  }
  return is_clean ? kExitOk : kExitFailed;
}

// The proof is for a program: it is JSON in both forms.
int RunAuditProve(const Arguments& arguments, Terminal& terminal) {
  const auto proof = Prove(arguments);
  if (!proof) return Refuse(arguments, terminal, proof.error());
  PrintJson(terminal, proof->ToJson());
  return kExitOk;
}

}  // namespace falconer::app
