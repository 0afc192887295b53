#include "app/token/token_desk.h"

#include <ctime>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/desk_work.h"
#include "base/units.h"

namespace falconer::app {

policy::TokenRules TokenRulesFrom(const Settings& settings) {
  const auto& from = settings.tokens;
  return {.issuer = from.issuer,
          .audience = from.audience,
          .skew = std::chrono::duration_cast<std::chrono::seconds>(from.skew),
          .default_tenant = TenantId(settings.tenant),
          .currency = from.currency};
}

TokenDesk::TokenDesk(Program& program)
    : program_(program),
      key_folder_(policy::KeyFolder::PathIn(program.settings().data.dir)),
      keys_(key_folder_, program.clock()) {
}

Result<std::unique_ptr<TokenDesk>> TokenDesk::Open(Program& program) {
  const std::filesystem::path& data = program.settings().data.dir;
  std::error_code failed;
  std::filesystem::create_directories(data, failed);
  if (failed) {
    return Fail(ErrorCode::kIoError, "cannot create " + data.string() + ": " + failed.message());
  }
  std::unique_ptr<TokenDesk> desk(new TokenDesk(program));
  TRY_ASSIGN(desk->store_, store::SqliteStore::Open(data / "control.db", program.clock()));
  TRY_ASSIGN(desk->redaction_, RedactionHost::Open(program.settings()));
  TRY_ASSIGN(desk->ledger_, ledger::Ledger::Open(data, *desk->store_, desk->redaction_->scrubber(),
                                                 program.clock()));
  return desk;
}

Task<Result<void>> TokenDesk::Record(std::string_view event, json::object what) {
  what["event"] = event;
  ledger::RecordInput input{ledger::RecordKind::kToken, std::move(what)};
  CO_TRY(co_await ledger_->Append(tenant(), std::move(input)));
  co_return Result<void>();
}

int RunTokenWork(const Arguments& arguments, Terminal& terminal, TokenWork work, TokenPrint print) {
  return RunDeskWork<TokenDesk>(arguments, terminal, work, print);
}

std::string IsoTime(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", fmt::gmtime(seconds));
}

Result<std::optional<std::chrono::seconds>> SecondsOf(std::string_view option,
                                                      const std::string& text) {
  if (text.empty()) return std::optional<std::chrono::seconds>();
  const auto duration = ParseDuration(text);
  if (duration && duration->count() % 1000 == 0) {
    return std::chrono::duration_cast<std::chrono::seconds>(*duration);
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("{}: \"{}\" is no duration of whole seconds, such as 90s", option, text));
}

}  // namespace falconer::app
