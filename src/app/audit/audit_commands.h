#pragma once
// `falconer audit ...`: reading and checking the ledger. None of it needs a running Falconer, and
// only `archive` changes anything.

#include "app/command.h"

namespace falconer::app {

int RunAuditList(const Arguments& arguments, Terminal& terminal);
int RunAuditShow(const Arguments& arguments, Terminal& terminal);
int RunAuditQuery(const Arguments& arguments, Terminal& terminal);
// kExitFailed when there are findings.
int RunAuditVerify(const Arguments& arguments, Terminal& terminal);
int RunAuditProve(const Arguments& arguments, Terminal& terminal);
int RunAuditExport(const Arguments& arguments, Terminal& terminal);
int RunAuditArchive(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kTenantOption = {
    "--tenant", "NAME", "Whose chain; may be left out when there is only one.", &Arguments::tenant};
inline constexpr OptionRow kArchiveOption = {
    "--archive", "DIR", "Where archived segments of the chain are.", &Arguments::archive};
inline constexpr OptionRow kKeyOption = {
    "--key", "FILE", "Public key (PEM); the one in the data folder when not given.",
    &Arguments::key};
inline constexpr OptionRow kSeqOption = {"SEQ", "SEQ", "The number of the record.",
                                         &Arguments::seq};
inline constexpr OptionRow kAgentOption = {"--agent", "NAME", "Only records of this agent.",
                                           &Arguments::agent};
inline constexpr OptionRow kSessionOption = {"--session", "ID", "Only records of this session.",
                                             &Arguments::session};
inline constexpr OptionRow kPlanOption = {"--plan", "HASH", "Only records of this plan.",
                                          &Arguments::plan};
inline constexpr OptionRow kRunOption = {"--run", "ID", "Only records of this run.",
                                         &Arguments::run};
inline constexpr OptionRow kWorkflowOption = {"--workflow", "ID", "Only records of this workflow.",
                                              &Arguments::workflow};
inline constexpr OptionRow kActionOption = {
    "--action", "ID", "Only records whose action_id begins like this.", &Arguments::action};
inline constexpr OptionRow kKindOption = {
    "--kind", "KIND", "Only this kind: turn_closed, refusal, decision, ...", &Arguments::kind};
inline constexpr OptionRow kStartOption = {
    "--start", "TIME", "Not before: 2026-01-31, 2026-01-31T10:00:00Z or milliseconds since 1970.",
    &Arguments::start};
inline constexpr OptionRow kEndOption = {"--end", "TIME", "Before this time.", &Arguments::end};

inline constexpr OptionRow kAuditListOptions[] = {kArchiveOption};
inline constexpr OptionRow kAuditShowOptions[] = {kSeqOption, kTenantOption, kArchiveOption};
inline constexpr OptionRow kAuditQueryOptions[] = {
    kTenantOption,
    kArchiveOption,
    kAgentOption,
    kSessionOption,
    kPlanOption,
    kRunOption,
    kWorkflowOption,
    kActionOption,
    kKindOption,
    kStartOption,
    kEndOption,
    {"--limit", "N", "Most records of a page, 1 to 1000; 50 when not given.", &Arguments::limit},
    {"--cursor", "SEQ", "Begin at this record; the answer names the next page's.",
     &Arguments::cursor},
};
inline constexpr OptionRow kAuditVerifyOptions[] = {
    kTenantOption,
    kArchiveOption,
    kKeyOption,
    {"--checkpoint", "FILE", "A checkpoint kept from earlier; the chain must still agree with it.",
     &Arguments::checkpoint},
    {"--since", "FILE", "A checkpoint that is trusted: check only what came after it.",
     &Arguments::since},
    {"--allow-unsigned", "", "Records behind the last checkpoint are no finding, as after a crash.",
     &Arguments::allows_unsigned},
};
inline constexpr OptionRow kAuditProveOptions[] = {kSeqOption, kTenantOption, kArchiveOption,
                                                   kKeyOption};
inline constexpr OptionRow kAuditExportOptions[] = {
    kTenantOption,
    kArchiveOption,
    kAgentOption,
    kSessionOption,
    kPlanOption,
    kRunOption,
    kWorkflowOption,
    kActionOption,
    kKindOption,
    kStartOption,
    kEndOption,
    {"--format", "FORMAT", "json (one record per line) or csv.", &Arguments::format},
    {"--output", "FILE", "Where to; must be given.", &Arguments::export_file},
};
inline constexpr OptionRow kAuditArchiveOptions[] = {
    kTenantOption,
    {"--archive", "DIR", "Where to; must be given. One folder per chain.", &Arguments::archive},
};

}  // namespace falconer::app
