#include "app/command.h"

#include <fmt/format.h>

#include "app/act/act.h"
#include "app/agent/run_command.h"
#include "app/approvals/approval_commands.h"
#include "app/audit/audit_commands.h"
#include "app/config_commands.h"
#include "app/demo/demo.h"
#include "app/doctor/doctor.h"
#include "app/jobs/job_commands.h"
#include "app/kill/kill_commands.h"
#include "app/mcp/mcp_command.h"
#include "app/policy/policy_commands.h"
#include "app/predict/eval_command.h"
#include "app/predict/predict_commands.h"
#include "app/predict/predicted_run_command.h"
#include "app/predict/record_command.h"
#include "app/predict/workflow_commands.h"
#include "app/quarantine/quarantine_commands.h"
#include "app/quota/quota_commands.h"
#include "app/replay/replay_command.h"
#include "app/schema_command.h"
#include "app/secrets/secret_commands.h"
#include "app/serve/serve_command.h"
#include "app/token/key_commands.h"
#include "app/version.h"
#include "base/settings/settings_table.h"
#include "base/suggest.h"

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
    {"demo", "Let an agent buy coffee in a shop of its own, under control, and show every step.",
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
    {"run", "Let the built-in agent carry out a task, and watch it.",
     "  falconer run \"Find the cheapest green tea and put it into the cart\"\n"
     "  falconer run \"Read the opening hours\" --domain shop.example.com --max-steps 6\n"
     "  falconer run \"Compare both offers\" --report run.html --json\n"
     "  falconer run --resume run-3f9c01d2aa54b7e0",
     kRunOptions, &RunAgent, kRunNotes},
    {"record", "Learn a workflow from what a person does in a browser.",
     "  falconer record buy-coffee --url https://shop.example.com/\n"
     "  falconer record buy-coffee --live\n"
     "  falconer record buy-coffee --visible --json",
     kRecordOptions, &RunRecord, kRecordNotes},
    {"mcp", "Serve agents over standard input and output (Model Context Protocol).",
     "  falconer mcp\n"
     "  falconer mcp --tools contract,audit\n"
     "  falconer mcp --set policy.allow_domains=example.com",
     kMcpOptions, &RunMcp},
    {"serve", "Serve agents and people over HTTP.",
     "  falconer serve\n"
     "  falconer serve --set serve.port=8080\n"
     "  falconer serve --tools all\n"
     "  falconer serve --demo --open",
     kServeOptions, &RunServe},
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
    {"replay",
     "Evaluate a turn or a run again, from the ledger alone; with --act, do a workflow again.",
     "  falconer replay s3f2a90c1d4e.t000004\n"
     "  falconer replay nightly-run --tenant acme --json\n"
     "  falconer replay nightly-run --expect PLAN:plan.budgets\n"
     "  falconer replay --act buy-coffee --param product=\"House blend\" --param e_mail=@mail.txt",
     kReplayOptions, &RunReplay, kReplayNotes},
    {"predict next", "What is mostly done next, where a session is.",
     "  falconer predict next --url https://shop.example.com/\n"
     "  falconer predict next --url https://shop.example.com/ --workflow buy-coffee --json",
     kPredictNextOptions, &RunPredictNext},
    {"predict run", "Go on by prediction alone, as long as it is sure.",
     "  falconer predict run --url https://shop.example.com/ --dry-run\n"
     "  falconer predict run --url https://shop.example.com/ --profile conservative",
     kPredictRunOptions, &RunPredictRun, kPredictRunNotes},
    {"predict top", "What follows on what most often.",
     "  falconer predict top\n"
     "  falconer predict top --limit 50 --json",
     kPredictTopOptions, &RunPredictTop},
    {"predict export", "What this node learnt, for others.",
     "  falconer predict export --output learnt.json", kPredictExportOptions, &RunPredictExport},
    {"predict merge", "Add what another node learnt; the same again changes nothing.",
     "  falconer predict merge learnt.json\n"
     "  falconer predict merge - < learnt.json",
     kPredictMergeOptions, &RunPredictMerge},
    {"predict forget",
     "Forget what was learnt of the tenant's sessions; its workflows stay.",
     "  falconer predict forget",
     {},
     &RunPredictForget},
    {"workflows list",
     "The workflows that were learnt.",
     "  falconer workflows list\n"
     "  falconer workflows list --json",
     {},
     &RunWorkflowsList},
    {"workflows show", "One workflow: its parameters, its steps, and how sure each is.",
     "  falconer workflows show buy-coffee\n"
     "  falconer workflows show buy-coffee --yaml",
     kWorkflowsShowOptions, &RunWorkflowsShow},
    {"workflows edit",
     "Edit its document as YAML, in $VISUAL or $EDITOR, and put the next version.",
     "  falconer workflows edit buy-coffee", kWorkflowsNameOptions, &RunWorkflowsEdit},
    {"workflows export", "Its document as YAML, for keeping and for other machines.",
     "  falconer workflows export buy-coffee > buy-coffee.yaml\n"
     "  falconer workflows export buy-coffee --output buy-coffee.yaml",
     kWorkflowsExportOptions, &RunWorkflowsExport},
    {"workflows import", "Put a document: a new workflow, or the next version of one.",
     "  falconer workflows import buy-coffee.yaml\n"
     "  falconer workflows import - --replace < buy-coffee.yaml",
     kWorkflowsImportOptions, &RunWorkflowsImport},
    {"workflows plan", "A workflow with its values as a task plan, for `falconer act`.",
     "  falconer workflows plan buy-coffee --param product=Huila --param full_name=@name.txt\n"
     "  falconer workflows plan open-shop | falconer act -",
     kWorkflowsPlanOptions, &RunWorkflowsPlan},
    {"workflows delete", "Forget a workflow and its recordings.",
     "  falconer workflows delete buy-coffee", kWorkflowsNameOptions, &RunWorkflowsDelete},
    {"predict eval", "How well sequences are foretold that were not learnt.",
     "  falconer predict eval sequences.txt\n"
     "  falconer predict eval sequences.txt --folds 5 --seed 7 --json",
     kPredictEvalOptions, &RunPredictEval},
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
    {"token keygen", "Make a key that signs tokens; the first one is used at once.",
     "  falconer token keygen\n"
     "  falconer token keygen --algorithm EdDSA --kid 2026-01",
     kTokenKeygenOptions, &RunTokenKeygen},
    {"token issue", "Make a capability token, noted and on record before it is printed.",
     "  falconer token issue --agent shopper --capability READ --capability NAVIGATE\n"
     "  falconer token issue --agent shopper --capability SUBMIT --domain shop.example.com --json\n"
     "  falconer token issue --agent shopper --capability PURCHASE --max-purchase 150EUR",
     kTokenIssueOptions, &RunTokenIssue},
    {"token verify", "Check a token as a running Falconer would; uses nothing up.",
     "  falconer token verify -\n"
     "  falconer token verify $TOKEN --capability SUBMIT --url https://shop.example.com/",
     kTokenVerifyOptions, &RunTokenVerify},
    {"token revoke", "Revoke one token.",
     "  falconer token revoke 5f2c0e6d9b1a4c7e8f3021d4a6b8c9e0 --reason stolen",
     kTokenRevokeOptions, &RunTokenRevoke},
    {"token revoke-agent", "Revoke everything that was issued to an agent until now.",
     "  falconer token revoke-agent shopper --reason retired", kTokenRevokeAgentOptions,
     &RunTokenRevokeAgent},
    {"token revoke-all", "Revoke everything that was issued until now.",
     "  falconer token revoke-all --reason incident\n"
     "  falconer token revoke-all --tenant acme",
     kTokenRevokeAllOptions, &RunTokenRevokeAll},
    {"token list", "Tokens that were issued here, newest first.",
     "  falconer token list\n"
     "  falconer token list --agent shopper --json",
     kTokenListOptions, &RunTokenList},
    {"keys list",
     "The keys that tokens are signed and checked with.",
     "  falconer keys list",
     {},
     &RunKeysList},
    {"keys rotate", "Sign with a new key; the old one is accepted for a while.",
     "  falconer keys rotate\n"
     "  falconer keys rotate --grace 0s",
     kKeysRotateOptions, &RunKeysRotate},
    {"keys set-primary", "Sign with another key that is there.",
     "  falconer keys set-primary 2026-02", kKeysKidOptions, &RunKeysSetPrimary},
    {"keys deprecate", "Stop accepting a key after a while.",
     "  falconer keys deprecate 2026-01 --grace 24h", kKeysDeprecateOptions, &RunKeysDeprecate},
    {"keys remove", "Forget a key at once.", "  falconer keys remove 2026-01", kKeysKidOptions,
     &RunKeysRemove},
    {"keys import", "Accept tokens of another issuer, by its public key.",
     "  falconer keys import authority.pem --kid authority-1", kKeysImportOptions, &RunKeysImport},
    {"policy init", "Write an example policy to begin with.",
     "  falconer policy init policy.yaml\n"
     "  falconer policy init policy.yaml --from purchase-limit",
     kPolicyInitOptions, &RunPolicyInit},
    {"policy validate", "Check a policy; says line, column and path of what is wrong.",
     "  falconer policy validate policy.yaml\n"
     "  falconer policy validate policy.yaml --json",
     kPolicyValidateOptions, &RunPolicyValidate},
    {"policy test", "What a policy decides; exit code 1 when it is not to allow, or not expected.",
     "  falconer policy test policy.yaml --capability SUBMIT --url https://example.com/\n"
     "  falconer policy test policy.yaml --action click --label Delete --url https://a.com/\n"
     "  falconer policy test policy.yaml --rules connect --url https://cdn.com/ --expect deny",
     kPolicyTestOptions, &RunPolicyTest},
    {"policy explain", "The same, with every condition of every rule and the fact it saw.",
     "  falconer policy explain policy.yaml --capability SUBMIT --at 2026-01-31T10:00:00Z",
     kPolicyTestOptions, &RunPolicyExplain},
    {"policy simulate", "What a policy would have said about the turns on record.",
     "  falconer policy simulate policy.yaml\n"
     "  falconer policy simulate policy.yaml --replay ~/.local/share/falconer --json",
     kPolicySimulateOptions, &RunPolicySimulate},
    {"quarantine list",
     "The texts that were put away: digests and what they were found by.",
     "  falconer quarantine list\n"
     "  falconer quarantine list --json",
     {},
     &RunQuarantineList},
    {"quarantine show", "The original of a text that was put away.",
     "  falconer quarantine show 3f9a1c2e0b7d4a68", kQuarantineShowOptions, &RunQuarantineShow,
     kQuarantineNotes},
    {"secrets add", "Put a secret, or a field of one, into the encrypted vault.",
     "  falconer secrets add shop-login --host shop.example.com < password.txt\n"
     "  falconer secrets add shop-login --field username\n"
     "  falconer secrets add shop-login --field totp < otpauth.txt\n"
     "  falconer secrets add code --host shop.example.com --ephemeral --single-use < code.txt\n"
     "  falconer secrets add login-7 --from shop-login --agent shopper --ttl 2m",
     kSecretsAddOptions, &RunSecretsAdd, kSecretsNotes},
    {"secrets list",
     "The secrets in the vault: names, hosts and fields, never values.",
     "  falconer secrets list\n"
     "  falconer secrets list --json",
     {},
     &RunSecretsList},
    {"secrets remove", "Take a secret out of the vault.", "  falconer secrets remove shop-login",
     kSecretNameOptions, &RunSecretsRemove},
    {"secrets revoke",
     "Forget the values of a secret and of what was lent from it; from then on it is refused.",
     "  falconer secrets revoke shop-login", kSecretNameOptions, &RunSecretsRevoke},
    {"secrets totp", "The one-time code of now.", "  falconer secrets totp shop-login",
     kSecretNameOptions, &RunSecretsTotp},
    {"quota get", "What a tenant may use, and what it uses now.",
     "  falconer quota get\n"
     "  falconer quota get --tenant acme --json",
     kQuotaGetOptions, &RunQuotaGet},
    {"quota set", "Give a tenant limits of its own; they hold from its next action on.",
     "  falconer quota set --tenant acme max_actions_per_minute=60 max_concurrent_sessions=4\n"
     "  falconer quota set --tenant acme max_artifact_bytes=1GiB\n"
     "  falconer quota set --tenant acme max_actions_per_minute=default",
     kQuotaSetOptions, &RunQuotaSet},
    {"breakers list", "Sites that are down or failed lately, by tenant.",
     "  falconer breakers list\n"
     "  falconer breakers list --tenant acme --json",
     kBreakersListOptions, &RunBreakersList},
    {"breakers reset", "Let actions go to a site again at once.",
     "  falconer breakers reset --domain shop.example.com\n"
     "  falconer breakers reset",
     kBreakersResetOptions, &RunBreakersReset},
    {"health",
     "How it all stands: sites that are down, open sessions, pauses.",
     "  falconer health\n"
     "  falconer health --json",
     {},
     &RunHealth},
    {"pause", "Let nothing more be done, until `falconer resume`; what is under way is broken off.",
     "  falconer pause --reason wrong-orders\n"
     "  falconer pause --tenant acme --reason refunds",
     kPauseOptions, &RunPause},
    {"resume", "End a pause.",
     "  falconer resume\n"
     "  falconer resume --tenant acme",
     kResumeOptions, &RunResume},
    {"kill", "Pause everything, revoke every token, and save the ledger as evidence.",
     "  falconer kill --reason rogue-agent\n"
     "  falconer kill --reason incident-42 --out /mnt/evidence/42 --json",
     kKillOptions, &RunKill,
     "Each step is tried whatever becomes of the others; exit code 1 when one of them\n"
     "failed. Afterwards: `falconer audit verify --set data.dir=DIR` checks the evidence,\n"
     "`falconer resume` ends the pause; tokens stay revoked."},
    {"approvals list", "What waits for people, newest first; others with --state.",
     "  falconer approvals list\n"
     "  falconer approvals list --state all --json",
     kApprovalsListOptions, &RunApprovalsList},
    {"approvals show",
     "One approval: the masked request, its effect, its risk, and who may decide.",
     "  falconer approvals show apr_0123456789abcdef01234567", kApprovalsShowOptions,
     &RunApprovalsShow},
    {"approvals approve", "Let exactly what was asked happen, once.",
     "  falconer approvals approve apr_0123456789abcdef01234567 --reason \"ordered by phone\"",
     kApprovalsApproveOptions, &RunApprovalsApprove, kApprovalsNotes},
    {"approvals deny", "Keep it from happening; one denial is enough.",
     "  falconer approvals deny apr_0123456789abcdef01234567 --reason \"wrong address\"",
     kApprovalsDenyOptions, &RunApprovalsDeny},
    {"approvals watch", "Print approvals as they come and end, until it is interrupted.",
     "  falconer approvals watch\n"
     "  falconer approvals watch --json",
     kApprovalsWatchOptions, &RunApprovalsWatch},
    {"jobs list", "Jobs that wait, run and are over, newest first.",
     "  falconer jobs list\n"
     "  falconer jobs list --state failed --json",
     kJobsListOptions, &RunJobsList},
    {"jobs show", "One job: how far it is, its callback, and what came of it.",
     "  falconer jobs show job_06512f3a9c1d20_0123456789ab --json", kJobsShowOptions, &RunJobsShow},
    {"jobs cancel", "End a job: one that waits at once, one that runs within a few seconds.",
     "  falconer jobs cancel job_06512f3a9c1d20_0123456789ab --reason \"wrong site\"",
     kJobsCancelOptions, &RunJobsCancel},
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
