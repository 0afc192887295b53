#include "app/replay/replay_command.h"

#include <fmt/format.h>
#include <limits>
#include <utility>

#include "app/audit/audit_input.h"
#include "app/desk/option_values.h"
#include "engine/replay/replay.h"
#include "model/plain_text.h"

namespace falconer::app {
namespace {

using engine::ReplayCheck;
using engine::ReplayReport;
using engine::ReplayStatus;

struct WordRow {
  ReplayStatus status;
  std::string_view word;
  Ink ink;
};

constexpr WordRow kWords[] = {
    {ReplayStatus::kReproduced, "ok", Ink::kGreen},
    {ReplayStatus::kExpected, "expected", Ink::kYellow},
    {ReplayStatus::kMissing, "MISSING", Ink::kYellow},
    {ReplayStatus::kDiverged, "DIVERGED", Ink::kRed},
};

const WordRow& WordOf(ReplayStatus status) {
  for (const WordRow& row : kWords) {
    if (row.status == status) return row;
  }
  std::unreachable();
}

const ReplayExit& ExitOf(ReplayStatus status) {
  for (const ReplayExit& row : kReplayExits) {
    if (row.status == status) return row;
  }
  std::unreachable();
}

Result<engine::ReplayPolicy> PolicyOf(const Arguments& arguments) {
  engine::ReplayPolicy policy;
  for (const std::string& text : arguments.expected) {
    auto expected = engine::ExpectedDivergence::Parse(text);
    if (!expected) return Fail(std::move(expected).error().In("--expect"));
    policy.expected.push_back(*std::move(expected));
  }
  return policy;
}

Result<ReplayReport> ReportFor(const Arguments& arguments) {
  TRY_ASSIGN(const engine::ReplayPolicy policy, PolicyOf(arguments));
  TRY_ASSIGN(const AuditChain chain, ChainOf(arguments));
  TRY_ASSIGN(auto reader, ledger::ChainReader::Open(chain.paths.folder, arguments.archive));
  // All of it at once: what is printed can be piped, and what is not looked at proves nothing.
  const engine::EvidenceQuestion all{.id = arguments.name,
                                     .limit = std::numeric_limits<std::size_t>::max()};
  return engine::ReplayNamed(reader, chain.tenant, all, policy);
}

// "  DIVERGED  rule.1: OUTCOME: recorded text_state passed, now failed"
std::string LineOf(const Terminal& terminal, const ReplayCheck& check) {
  const WordRow& row = WordOf(check.status);
  const std::string word = terminal.Paint(row.ink, fmt::format("{:<8}", row.word));
  std::string line = fmt::format("  {}  {}", word, check.decision);
  if (check.divergence)
    line += fmt::format(": {}", NameIn(engine::kDivergenceClasses, *check.divergence));
  if (!check.detail.empty()) line += fmt::format(": {}", model::PlainLine(check.detail));
  if (check.diff_ms) line += fmt::format(" (differs by {} ms)", *check.diff_ms);
  return line;
}

void Print(Terminal& terminal, const ReplayReport& report) {
  for (const engine::TurnReplay& turn : report.turns) {
    const std::string type = turn.action_type.empty() ? "" : ", " + turn.action_type;
    terminal.Print(model::PlainLine(turn.Title() + type));
    for (const ReplayCheck& check : turn.checks) terminal.Print(LineOf(terminal, check));
  }
  for (const std::string& text : report.not_seen)
    terminal.Print(fmt::format("expected and not seen: {}", model::PlainLine(text)));
  const WordRow& row = WordOf(report.status());
  terminal.Print(fmt::format("{} {}: {}: {} ({} looked at)", report.found_by, report.id,
                             terminal.Paint(row.ink, row.word), ExitOf(report.status()).meaning,
                             report.turns.size()));
}

}  // namespace

int RunReplay(const Arguments& arguments, Terminal& terminal) {
  if (arguments.name.empty() == arguments.act.empty()) {
    return Refuse(arguments, terminal,
                  {ErrorCode::kInvalidArgument, "NAME: give either a turn or run, or --act NAME"});
  }
  if (!arguments.act.empty()) return RunActReplay(arguments, terminal);
  const auto report = ReportFor(arguments);
  if (!report) {
    const int code = Refuse(arguments, terminal, report.error());
    const bool is_absent = report.error().code() == ErrorCode::kNotFound;
    return is_absent ? ExitOf(ReplayStatus::kMissing).code : code;
  }
  const int code = ExitOf(report->status()).code;
  if (arguments.wants_json) {
    json::object answer{{"ok", code == kExitOk}};
    for (const auto& [key, value] : report->ToJson()) answer[key] = value;
    PrintJson(terminal, answer);
  } else {
    Print(terminal, *report);
  }
  return code;
}

}  // namespace falconer::app
