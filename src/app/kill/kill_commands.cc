#include "app/kill/kill_commands.h"

#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/desk/control_desk.h"
#include "app/desk/desk_work.h"
#include "app/desk/option_values.h"
#include "app/kill/evidence.h"

namespace falconer::app {
namespace {

struct KillScene {
  ControlDesk* desk;
  const Arguments* arguments;
  std::string reason;
};

Task<Result<json::object>> PauseEverything(KillScene* scene) {
  CO_TRY_ASSIGN(store::SqliteStore* const store, scene->desk->store());
  CO_TRY(co_await store->OrderPause({TenantId(), scene->reason, OperatorName()}));
  co_return json::object();
}

Task<Result<json::object>> RevokeTokens(KillScene* scene) {
  CO_TRY_ASSIGN(store::SqliteStore* const store, scene->desk->store());
  CO_TRY_ASSIGN(const std::uint64_t count,
                co_await store->RevokeIssued({TenantId(), AgentId(), scene->reason}));
  co_return json::object{{"revoked", count}};
}

std::filesystem::path EvidenceFolder(const KillScene& scene) {
  if (!scene.arguments->out.empty()) return scene.arguments->out;
  const std::time_t now = std::chrono::system_clock::to_time_t(scene.desk->clock().WallNow());
  return scene.desk->settings().data.dir / "evidence" /
         fmt::format("{:%Y-%m-%dT%H-%M-%SZ}", fmt::gmtime(now));
}

// Everything that is on record until now is signed before it is copied. A chain that cannot be is
// copied as it is.
Task<Result<void>> SignChains(KillScene* scene) {
  CO_TRY_ASSIGN(ledger::Ledger* const ledger, scene->desk->ledger());
  CO_TRY_ASSIGN(const auto tenants, ledger::ListChains(ledger->data_folder()));
  Result<void> signed_all;
  for (const TenantId& tenant : tenants) {
    const auto checkpoint = co_await ledger->AddCheckpoint(tenant);
    if (!checkpoint) signed_all = std::unexpected(checkpoint.error());
  }
  co_return signed_all;
}

// What was saved is said, also when not all went well.
std::unexpected<Error> WithEvidence(const Error& error, const json::object& evidence) {
  return Fail(Error(error.code(), std::string(error.message()), evidence));
}

Task<Result<json::object>> ExportLedger(KillScene* scene) {
  const std::filesystem::path folder = EvidenceFolder(*scene);
  const auto begun =
      co_await scene->desk->Record(TenantId(), "kill_export_begun", {{"folder", folder.string()}});
  const auto is_signed = co_await SignChains(scene);
  const std::filesystem::path& data = scene->desk->settings().data.dir;
  CO_TRY_ASSIGN(const auto key, ledger::SigningKey::LoadOrCreate(data));
  CO_TRY_ASSIGN(json::object evidence, ExportEvidence({data, folder, scene->reason, OperatorName()},
                                                      key, scene->desk->clock().WallNow()));
  if (!begun) co_return WithEvidence(begun.error(), evidence);
  if (!is_signed) co_return WithEvidence(is_signed.error(), evidence);
  if (IsTrueAt(evidence, "complete")) co_return evidence;
  co_return WithEvidence(
      Error(ErrorCode::kLedgerDamaged, "a chain could not be copied, or has findings"), evidence);
}

struct KillStep {
  std::string_view name;
  std::string_view event;
  Task<Result<json::object>> (*run)(KillScene* scene);
};

// What stops harm comes first.
constexpr KillStep kKillSteps[] = {
    {"pause", "kill_pause", &PauseEverything},
    {"revoke", "kill_revoke", &RevokeTokens},
    {"export", "kill_export", &ExportLedger},
};

// What of a step is on record: enough to find the rest by.
json::object KillNote(const KillScene& scene, const Result<json::object>& done) {
  json::object note{{"ok", done.has_value()}, {"reason", scene.reason}};
  if (!done) {
    note["error_code"] = done.error().name();
    return note;
  }
  for (const char* key : {"revoked", "folder", "manifest_sha256"}) {
    if (const json::value* value = done->if_contains(key)) note[key] = *value;
  }
  return note;
}

Task<json::object> RunStep(KillScene* scene, const KillStep* step) {
  auto done = co_await step->run(scene);
  const auto recorded =
      co_await scene->desk->Record(TenantId(), std::string(step->event), KillNote(*scene, done));
  json::object out{{"step", step->name}, {"ok", done && recorded}};
  if (!done) {
    out["error"] = done.error().ToJson();
  } else {
    for (json::key_value_pair& member : *done) out[member.key()] = std::move(member.value());
  }
  if (!recorded) out["not_recorded"] = recorded.error().ToJson();
  co_return out;
}

Task<Result<void>> RunSteps(KillScene* scene, json::array* steps) {
  for (const KillStep& step : kKillSteps) {
    json::object done = co_await RunStep(scene, &step);
    steps->push_back(std::move(done));
  }
  co_return Result<void>();
}

constexpr std::string_view kHowToResume =
    "to go on: `falconer resume` ends the pause, `falconer token issue` makes new tokens";

std::string StepText(const json::object& step) {
  if (const json::value* error = step.if_contains("error")) {
    return fmt::format("{}: {}", TextAt(error->as_object(), "code"),
                       TextAt(error->as_object(), "message"));
  }
  if (const json::value* error = step.if_contains("not_recorded")) {
    return fmt::format("done, but not on record: {}", TextAt(error->as_object(), "message"));
  }
  if (const json::value* count = step.if_contains("revoked")) {
    return fmt::format("every token issued until now is revoked for good; {} were in force",
                       count->to_number<std::uint64_t>());
  }
  if (!step.contains("folder")) {
    return "everything: nothing new begins, what has begun is broken off within a second";
  }
  return fmt::format("{} files in {}, manifest sha256 {}",
                     step.at("files").to_number<std::uint64_t>(), TextAt(step, "folder"),
                     TextAt(step, "manifest_sha256"));
}

int PrintKill(const Arguments& arguments, Terminal& terminal, json::array steps) {
  const bool is_done = std::ranges::all_of(
      steps, [](const json::value& step) { return IsTrueAt(step.as_object(), "ok"); });
  const int code = is_done ? kExitOk : kExitFailed;
  if (arguments.wants_json) {
    PrintJson(terminal, json::object{{"ok", is_done}, {"steps", std::move(steps)}});
    return code;
  }
  for (const json::value& value : steps) {
    const json::object& step = value.as_object();
    const bool is_ok = IsTrueAt(step, "ok");
    terminal.Print(fmt::format(
        "{} {:<6} {}",
        is_ok ? terminal.Paint(Ink::kGreen, "ok    ") : terminal.Paint(Ink::kRed, "FAILED"),
        TextAt(step, "step"), StepText(step)));
  }
  terminal.Print(std::string(kHowToResume));
  return code;
}

}  // namespace

int RunKill(const Arguments& arguments, Terminal& terminal) {
  auto program = Program::Create(arguments, LogReader::kPerson);
  if (!program) return Refuse(arguments, terminal, program.error());
  const auto reason = ReasonOf(arguments);
  if (!reason) return Refuse(arguments, terminal, reason.error());
  auto desk = ControlDesk::Open(**program);
  if (!desk) return Refuse(arguments, terminal, desk.error());
  KillScene scene{desk->get(), &arguments, *reason};
  json::array steps;
  const Result<void> done = (*program)->Run(RunSteps(&scene, &steps));
  if (!done) return Refuse(arguments, terminal, done.error());
  return PrintKill(arguments, terminal, std::move(steps));
}

}  // namespace falconer::app
