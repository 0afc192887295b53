#pragma once
// `falconer policy ...`: writing, checking and trying out policies. Nothing is started and nothing
// is enforced by it.

#include "app/command.h"

namespace falconer::app {

// Writes an example to begin with; a file that is there stays.
int RunPolicyInit(const Arguments& arguments, Terminal& terminal);
// kExitUsage when the policy is invalid.
int RunPolicyValidate(const Arguments& arguments, Terminal& terminal);
// kExitFailed when the decision is not the expected one; without an expectation, when it is not
// to allow.
int RunPolicyTest(const Arguments& arguments, Terminal& terminal);
// The same decision with every condition and the fact it saw.
int RunPolicyExplain(const Arguments& arguments, Terminal& terminal);

// What it would have said about the turns on record. Reads ledgers only.
int RunPolicySimulate(const Arguments& arguments, Terminal& terminal);

// Like Refuse; a mistake in the policy is cured in the policy.
int RefusePolicy(const Arguments& arguments, Terminal& terminal, const Error& error);

inline constexpr OptionRow kPolicyFileOption = {"FILE", "FILE", "The policy.", &Arguments::file};

inline constexpr OptionRow kPolicyInitOptions[] = {
    {"FILE", "FILE", "Where to; must not exist.", &Arguments::file},
    {"--from", "NAME",
     "purchase-limit, mail-read-only, domain-allowlist or working-hours; domain-allowlist when "
     "not given.",
     &Arguments::example},
};
inline constexpr OptionRow kPolicyValidateOptions[] = {kPolicyFileOption};
inline constexpr OptionRow kPolicySimulateOptions[] = {
    kPolicyFileOption,
    {"--replay", "FOLDER", "The data folder whose ledger is asked; data.dir when not given.",
     &Arguments::recorded},
    {"--tenant", "NAME", "Only the turns of this tenant.", &Arguments::tenant},
    {"--archive", "FOLDER", "Where archived segments are.", &Arguments::archive},
};
inline constexpr OptionRow kPolicyTestOptions[] = {
    kPolicyFileOption,
    {"--rules", "SET",
     "Which rules: rules (actions), navigate, connect, redirect, download or upload; rules when "
     "not given.",
     &Arguments::rule_set},
    {"--capability", "NAME", "What is needed; that of the action when not given. Repeatable.",
     &Arguments::capabilities},
    {"--action", "TYPE", "What is done: click, type, navigate, ...", &Arguments::action},
    {"--url", "URL", "Where it is done or goes to. Once.", &Arguments::urls},
    {"--page", "URL", "The page it comes from.", &Arguments::page},
    {"--agent", "NAME", "Who does it.", &Arguments::agent},
    {"--tier", "NAME", "The agent's tier.", &Arguments::tier},
    {"--tenant", "NAME", "For whom.", &Arguments::tenant},
    {"--amount", "AMOUNT", "For how much, with its currency: \"49.90 USD\".", &Arguments::amount},
    {"--at", "TIME", "When: 2026-01-31T10:00:00Z or milliseconds since 1970; now when not given.",
     &Arguments::at},
    {"--label", "TEXT", "The name of the button that is pressed; its risk is judged.",
     &Arguments::label},
    {"--method", "METHOD", "A request with this method goes to --url; its risk is judged.",
     &Arguments::method},
    {"--expect", "DECISION", "allow, constrain, require_approval or deny.", &Arguments::outcome},
};

}  // namespace falconer::app
