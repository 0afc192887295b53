#include "app/command.h"

#include <fmt/format.h>

#include "app/act/act.h"
#include "app/audit/audit_commands.h"
#include "app/config_commands.h"
#include "app/demo/demo.h"
#include "app/doctor/doctor.h"
#include "app/mcp/mcp_command.h"
#include "app/replay/replay_command.h"
#include "app/schema_command.h"
#include "app/suggest.h"
#include "app/version.h"
#include "base/settings/settings_table.h"

namespace falconer::app {
namespace {

constexpr OptionRow kCommon[] = {
    {"--json", "", "Answer with one JSON object on one line.", &Arguments::wants_json},
    {"--config", "FILE", "Read settings from this YAML file.", &Arguments::config},
    {"--set", "KEY=VALUE", "Set one setting; wins over file and environment. Repeatable.",
     &Arguments::settings},
};

constexpr OptionRow kDemoOptions[] = {
    {"--visible", "", "Show the window of the full Chromium (needs a display).",
     &Arguments::is_visible},
    {"--keep-open", "", "Leave the browser open until Enter (or the end of input).",
     &Arguments::stays_open},
    {"--output", "DIR", "Where the screenshot goes; falconer-demo when not given.",
     &Arguments::output},
};

constexpr OptionRow kFileOption[] = {
    {"FILE", "FILE", "The settings file to check.", &Arguments::file},
};

constexpr Command kCommands[] = {
    {"demo", "Drive a real browser through a small order form and show every step.",
     "  falconer demo\n"
     "  falconer demo --visible --keep-open\n"
     "  falconer demo --json --output /tmp/demo",
     kDemoOptions, &RunDemo},
    {"act", "Carry out contracts or a plan: admitted, verified, and recorded in the ledger.",
     "  falconer act contract.json\n"
     "  falconer act plan.json --json > result.json\n"
     "  falconer act - --dry-run\n"
     "  falconer act contract.json --set policy.allow_domains=127.0.0.1",
     kActOptions, &RunAct, kActNotes},
    {"mcp", "Serve agents over standard input and output (Model Context Protocol).",
     "  falconer mcp\n"
     "  falconer mcp --tools contract,audit\n"
     "  falconer mcp --set policy.allow_domains=example.com",
     kMcpOptions, &RunMcp},
    {"doctor",
     "Check that this machine can run browsers, and say how to cure what is wrong.",
     "  falconer doctor\n"
     "  falconer doctor --json\n"
     "  falconer doctor --set browser.path=/opt/chromium/chrome",
     {},
     &RunDoctor},
    {"config show",
     "The settings in effect, each with where it was said; secrets are masked.",
     "  falconer config show\n"
     "  falconer config show --config falconer.yaml --json",
     {},
     &RunConfigShow},
    {"config schema",
     "JSON Schema of the settings file, for editors and checks.",
     "  falconer config schema > falconer.schema.json",
     {},
     &RunConfigSchema},
    {"config validate", "Check a settings file without starting anything.",
     "  falconer config validate falconer.yaml", kFileOption, &RunConfigValidate},
    {"config docs",
     "Every setting as a Markdown page.",
     "  falconer config docs > docs/config.md",
     {},
     &RunConfigDocs},
    {"schema contract",
     "JSON Schema of a contract: what execute takes.",
     "  falconer schema contract > contract.schema.json",
     {},
     &RunSchemaContract},
    {"schema plan",
     "JSON Schema of a task plan.",
     "  falconer schema plan > plan.schema.json",
     {},
     &RunSchemaPlan},
    {"schema result",
     "JSON Schema of a result: what execute answers.",
     "  falconer schema result > result.schema.json",
     {},
     &RunSchemaResult},
    {"schema plan-result",
     "JSON Schema of what a task plan is answered with.",
     "  falconer schema plan-result > plan-result.schema.json",
     {},
     &RunSchemaPlanResult},
    {"replay", "Evaluate every recorded decision of a turn or a run again, from the ledger alone.",
     "  falconer replay s3f2a90c1d4e.t000004\n"
     "  falconer replay nightly-run --tenant acme --json\n"
     "  falconer replay nightly-run --expect PLAN:plan.budgets",
     kReplayOptions, &RunReplay,
     "Exit codes:\n"
     "  0 every decision is reproduced, or differs as expected, 1 a decision comes out\n"
     "  differently, 2 wrong usage or settings, 3 evidence is missing, or there is\n"
     "  nothing of that name."},
    {"audit list", "The chains of the ledger and their newest records.",
     "  falconer audit list\n"
     "  falconer audit list --json",
     kAuditListOptions, &RunAuditList},
    {"audit show", "One record of the ledger, checked against its hash.",
     "  falconer audit show 17\n"
     "  falconer audit show 17 --tenant acme --json",
     kAuditShowOptions, &RunAuditShow},
    {"audit query", "Records that match, in pages.",
     "  falconer audit query --workflow orders --limit 20\n"
     "  falconer audit query --kind refusal --start 2026-01-01 --json\n"
     "  falconer audit query --agent shopper --cursor 51",
     kAuditQueryOptions, &RunAuditQuery},
    {"audit verify", "Check every record, hash and signature; exit code 1 when something is wrong.",
     "  falconer audit verify\n"
     "  falconer audit verify --tenant acme --checkpoint kept.txt --json\n"
     "  falconer audit verify --since kept.txt --key auditor.pub",
     kAuditVerifyOptions, &RunAuditVerify},
    {"audit prove", "Proof that a record is under the newest signed checkpoint, as JSON.",
     "  falconer audit prove 17 > proof.json\n"
     "  falconer audit prove 17 --tenant acme",
     kAuditProveOptions, &RunAuditProve},
    {"audit export", "Records that match as a file, with signed metadata beside it.",
     "  falconer audit export --output turns.json --workflow orders\n"
     "  falconer audit export --output all.csv --format csv",
     kAuditExportOptions, &RunAuditExport},
    {"audit archive", "Move closed and signed segments to another folder.",
     "  falconer audit archive --archive /mnt/old\n"
     "  falconer audit archive --tenant acme --archive /mnt/old",
     kAuditArchiveOptions, &RunAuditArchive},
    {"version",
     "The version of this program.",
     "  falconer version\n"
     "  falconer version --json",
     {},
     &RunVersion},
};

std::vector<std::string> SettingKeys() {
  std::vector<std::string> keys;
  for (const SettingRow& row : AllSettings()) keys.emplace_back(row.key);
  return keys;
}

Result<std::pair<std::string, std::string>> ParseAssignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("--set {}: expected key=value, such as timeouts.default=30s", text));
  }
  std::string key = text.substr(0, equals);
  if (SettingNamed(key) == nullptr) {
    const auto meant = Closest(key, SettingKeys());
    return Fail(ErrorCode::kInvalidSetting,
                fmt::format("--set: there is no setting \"{}\"{}", key,
                            meant ? fmt::format("; did you mean {}?", *meant) : ""));
  }
  return std::pair(std::move(key), text.substr(equals + 1));
}

}  // namespace

std::span<const Command> AllCommands() {
  return kCommands;
}

std::span<const OptionRow> CommonOptions() {
  return kCommon;
}

Result<SettingsInput> SettingsInputFrom(const Arguments& arguments) {
  SettingsInput input{.environment = arguments.environment};
  if (!arguments.config.empty()) input.file = arguments.config;
  for (const std::string& text : arguments.settings) {
    TRY_ASSIGN(auto assignment, ParseAssignment(text));
    input.flags.push_back(std::move(assignment));
  }
  return input;
}

}  // namespace falconer::app
