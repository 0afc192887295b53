#pragma once
// `falconer token ...`: making, checking, listing and revoking capability tokens. None of it needs
// a running Falconer; one that runs sees what is changed here at its next check.

#include "app/command.h"

namespace falconer::app {

// A key: the first one signs, others are ready to (`falconer keys`).
int RunTokenKeygen(const Arguments& arguments, Terminal& terminal);
int RunTokenIssue(const Arguments& arguments, Terminal& terminal);
// kExitFailed when the token is refused. Uses nothing up.
int RunTokenVerify(const Arguments& arguments, Terminal& terminal);
int RunTokenRevoke(const Arguments& arguments, Terminal& terminal);
int RunTokenRevokeAgent(const Arguments& arguments, Terminal& terminal);
int RunTokenRevokeAll(const Arguments& arguments, Terminal& terminal);
int RunTokenList(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kTokenTenantOption = {
    "--tenant", "NAME", "Whose tokens; the tenant of the settings when not given.",
    &Arguments::tenant};
inline constexpr OptionRow kAlgorithmOption = {
    "--algorithm", "NAME", "RS256 (when not given), ES256 or EdDSA.", &Arguments::algorithm};
inline constexpr OptionRow kReasonOption = {
    "--reason", "TEXT", "Why; whoever uses the token is told.", &Arguments::reason};

inline constexpr OptionRow kTokenKeygenOptions[] = {
    kAlgorithmOption,
    {"--kid", "NAME", "The key's name; made from the key when not given.", &Arguments::key_name},
};
inline constexpr OptionRow kTokenIssueOptions[] = {
    {"--agent", "NAME", "Who gets it; must be given.", &Arguments::agent},
    {"--capability", "NAME", "What it allows: READ, NAVIGATE, SUBMIT, ... Repeatable.",
     &Arguments::capabilities},
    {"--domain", "HOST", "Only there: example.com, *.example.com. Repeatable.",
     &Arguments::domains},
    {"--max-purchase", "AMOUNT", "Most that one purchase may cost, such as 150EUR.",
     &Arguments::max_purchase},
    {"--no-pii", "", "Keep it away from personal data, whatever it allows.", &Arguments::bars_pii},
    {"--ttl", "TIME", "How long it lives; five minutes, or less where capabilities ask for less.",
     &Arguments::lifetime},
    {"--auth", "PROOF", "What the person proved: passkey, passkey+biometric or passkey+hardware.",
     &Arguments::proof},
    {"--tier", "NAME", "The agent's tier, for policies that ask for it.", &Arguments::tier},
    {"--plan", "ID", "The plan it is for.", &Arguments::plan},
    kTokenTenantOption,
};
inline constexpr OptionRow kTokenVerifyOptions[] = {
    {"TOKEN", "TOKEN|-", "The token; - reads it from standard input.", &Arguments::token},
    {"--capability", "NAME", "Must allow this too. Repeatable.", &Arguments::capabilities},
    {"--url", "URL", "Must hold there too. Repeatable.", &Arguments::urls},
    {"--amount", "AMOUNT", "Must allow to spend this too, such as 12.50EUR.", &Arguments::amount},
};
inline constexpr OptionRow kTokenRevokeOptions[] = {
    {"ID", "JTI", "The token's id (jti).", &Arguments::token_id},
    kReasonOption,
};
inline constexpr OptionRow kTokenRevokeAgentOptions[] = {
    {"AGENT", "NAME", "Whose tokens.", &Arguments::agent},
    kTokenTenantOption,
    kReasonOption,
};
inline constexpr OptionRow kTokenRevokeAllOptions[] = {
    {"--tenant", "NAME", "Only those of this tenant; of every tenant when not given.",
     &Arguments::tenant},
    kReasonOption,
};
inline constexpr OptionRow kTokenListOptions[] = {
    {"--tenant", "NAME", "Only those of this tenant.", &Arguments::tenant},
    {"--agent", "NAME", "Only those of this agent.", &Arguments::agent},
    {"--limit", "N", "Most rows, 1 to 1000; 50 when not given.", &Arguments::limit},
};

}  // namespace falconer::app
