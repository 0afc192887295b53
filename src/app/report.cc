#include "app/report.h"

#include <algorithm>
#include <fmt/format.h>

#include "api/mcp/stdio_server.h"
#include "base/settings/settings.h"
#include "base/utf8.h"
#include "model/plain_text.h"

namespace falconer::app {
namespace {

struct HintRow {
  ErrorCode code;
  std::string_view hint;
};

constexpr std::string_view kFallback =
    "`falconer doctor` checks this machine; if it finds nothing, this is worth a report";

constexpr HintRow kHints[] = {
    {ErrorCode::kInvalidArgument, "`falconer COMMAND --help` shows what a command takes"},
    {ErrorCode::kInvalidSetting, "`falconer config docs` lists every setting and what it allows"},
    {ErrorCode::kNotFound,
     "check how the name or the path is written; relative paths start at the current folder"},
    {ErrorCode::kAlreadyExists, "choose another name, or remove what is there first"},
    {ErrorCode::kIoError, "check that the folder may be written and has space: `falconer doctor`"},
    {ErrorCode::kBrowserLaunchFailed, "`falconer doctor` tries the browser and names the cure"},
    {ErrorCode::kBrowserGone,
     "the browser ended by itself, often for lack of memory; `falconer doctor` checks the machine"},
    {ErrorCode::kTabCrashed, "the page's process ended, often for lack of memory"},
    {ErrorCode::kTimeout, "a slow machine needs more time: --set timeouts.default=60s"},
    {ErrorCode::kWaitTimeout, "a slow machine needs more time: --set timeouts.default=60s"},
    {ErrorCode::kNetworkError, "check the address, and that connections to it are allowed"},
    {ErrorCode::kNavigationFailed,
     "check that there is such a page: its address, the server behind it, the tab's history"},
    {ErrorCode::kCancelled, "nothing is left running"},
    {ErrorCode::kRuntimePaused,
     "`falconer health` says who paused it and why; `falconer resume` ends the pause"},
    {ErrorCode::kQuotaSessionLimit, "`falconer quota get` shows the limits and what is in use"},
    {ErrorCode::kQuotaActionRate, "`falconer quota get` shows the limits and what is in use"},
    {ErrorCode::kPolicyRateLimit,
     "wait as long as it says, or raise the rule's rate_limit: docs/policy.md"},
    {ErrorCode::kPolicyDenied,
     "`falconer policy explain` shows what every rule says about it; policy.file names the policy"},
    {ErrorCode::kSecurityDomainBlock,
     "policy.allow_domains and policy.deny_domains say which hosts are allowed"},
    {ErrorCode::kSecurityApprovalRequired,
     "send it as an action: then somebody is asked, and `falconer approvals list` shows it"},
    {ErrorCode::kUnauthorized,
     "the key must be the one it was made with, in a file that only this user may read (chmod "
     "600)"},
    {ErrorCode::kTokenInvalid,
     "`falconer token verify` says what is wrong with it; `falconer keys list` whose are accepted"},
    {ErrorCode::kTokenExpired,
     "`falconer token issue` makes a new one; the clocks of this machine and the issuer must "
     "agree"},
    {ErrorCode::kTokenRevoked, "`falconer token issue` makes a new one, once the reason is gone"},
    {ErrorCode::kTokenReplayed,
     "what changes most may be done once with a token: `falconer token issue` makes another"},
    {ErrorCode::kTokenWrongAudience, "tokens.audience says whom accepted tokens must be for"},
    {ErrorCode::kTokenWrongIssuer, "tokens.issuer says whose tokens are accepted"},
    {ErrorCode::kCapabilityMissing,
     "`falconer token issue --capability NAME` makes a token that allows it"},
    {ErrorCode::kConstraintViolated,
     "`falconer token verify` shows the token's limits; another token may have wider ones"},
    {ErrorCode::kApprovalDenied, "`falconer approvals list --state all` shows who decided and why"},
    {ErrorCode::kApprovalTimeout,
     "`falconer approvals list` shows what waits; approvals.timeout says how long it does"},
    {ErrorCode::kProviderError, "the model's server broke or is not there: agent.providers"},
    {ErrorCode::kProviderOverloaded, "wait a little, or add a second row to agent.providers"},
    {ErrorCode::kProviderBlocked,
     "the reason says why: check key, model and plan of that row of agent.providers; what a model "
     "refuses stays refused"},
    {ErrorCode::kProviderAnswerInvalid,
     "the model's answer cannot be used: check kind and url of that row of agent.providers"},
    {ErrorCode::kCircuitOpen,
     "`falconer breakers list` shows what is down; `falconer breakers reset` tries it at once"},
    {ErrorCode::kLedgerDamaged, "`falconer audit verify` shows everything that is wrong with it"},
    {ErrorCode::kStoreDamaged,
     "put the file back from a backup; the ledger is not affected. A vault without a backup is "
     "moved away and filled anew: `falconer secrets add`"},
};

struct DetailHintRow {
  std::string_view detail;
  std::string_view value;  // empty: any
  std::string_view hint;   // {} is the value
};

constexpr std::string_view kProxyHint =
    "the proxy does not answer as one; `falconer config show` says what proxy.server is";

constexpr DetailHintRow kDetailHints[] = {
    {kSettingDetail, "browser.launch_timeout",
     "a slow machine needs more time: --set {}=2m; `falconer doctor` checks the machine"},
    {kSettingDetail, "serve.port",
     "another program has that port, or this user may not take it: --set {}=PORT"},
    {kSettingDetail, "browser.attach_url",
     "{} must name the debugging port of a browser that runs; when it is empty, one is started"},
    {kApprovalDetail, "",
     "`falconer approvals show {}` says who may decide and how it ended; `falconer approvals list "
     "--state all` names all of them"},
    {kDisplayDetail, "",
     "start an X server there, or correct DISPLAY; without --visible no display is needed"},
    {kLimitDetail, "", "raise the limit in the shell that starts Falconer: {}"},
    {kSettingsFileDetail, "",
     "{} must be a file that this user may read; --config names another one"},
    {api::kStreamDetail, api::kClientStream,
     "the client closed its end or does not read; nothing is left running"},
    {api::kStreamDetail, "", "start Falconer with standard {} open, on a pipe or a file"},
    {kReasonDetail, "address_not_public",
     "what is not on the public internet must be named in policy.allow_domains, by its name and by "
     "its address"},
    {kReasonDetail, "byte_limit",
     "egress.max_bytes_up and egress.max_bytes_down say how much a session may exchange"},
    {kKeyDetail, kVaultKey,
     "put the key back from a backup: nothing else opens the vault. Without one, move key and "
     "vault "
     "away and fill a new one: `falconer secrets add`"},
    {kKeyDetail, kRedactionKey,
     "put redaction.key back from a backup, or move it away: a new one is made, and what is masked "
     "from then on has other digests"},
    {kKeyDetail, kLedgerKey,
     "put both files of the ledger's key back from a backup: no other key can continue its chains. "
     "Without one, begin anew in another data.dir; the old one stays checkable with the public "
     "key"},
    {kKeyDetail, kTokenKeys,
     "put keys/tokens back from a backup, or move it away: `falconer token keygen` makes a new "
     "key, "
     "and tokens of the old ones are refused"},
    {kNetErrorDetail, "net::ERR_PROXY_CONNECTION_FAILED", kProxyHint},
    {kNetErrorDetail, "net::ERR_TUNNEL_CONNECTION_FAILED", kProxyHint},
    {kNetErrorDetail, "net::ERR_SOCKS_CONNECTION_FAILED", kProxyHint},
    {kNetErrorDetail, "net::ERR_NO_SUPPORTED_PROXIES", kProxyHint},
    {kNetErrorDetail, "net::ERR_PROXY_AUTH_UNSUPPORTED", kProxyHint},
    {kNetErrorDetail, "net::ERR_PROXY_CERTIFICATE_INVALID", kProxyHint},
    {kNetErrorDetail, "net::ERR_NAME_NOT_RESOLVED",
     "no host has this name: check how the address is written, and this machine's name service"},
    {kNetErrorDetail, "", "check that the address is right and that a server answers there"},
};

}  // namespace

std::string_view HintFor(ErrorCode code) {
  for (const HintRow& row : kHints) {
    if (row.code == code) return row.hint;
  }
  return kFallback;
}

std::optional<std::string> ExactHintFor(const Error& error) {
  for (const DetailHintRow& row : kDetailHints) {
    const json::value* found = error.details().if_contains(row.detail);
    if (found == nullptr || !found->is_string()) continue;
    const std::string_view value = found->get_string();
    if (row.value.empty() || row.value == value) return fmt::format(fmt::runtime(row.hint), value);
  }
  return std::nullopt;
}

std::string HintFor(const Error& error) {
  return ExactHintFor(error).value_or(std::string(HintFor(error.code())));
}

Error WithDetail(const Error& error, std::string_view key, std::string_view value) {
  json::object details = error.details();
  details[key] = value;
  return {error.code(), error.message(), std::move(details)};
}

Error AboutKey(const Error& error, std::string_view which) {
  constexpr ErrorCode kBeyondRepair[] = {ErrorCode::kInvalidArgument, ErrorCode::kNotFound,
                                         ErrorCode::kLedgerDamaged};
  const bool is_lost = std::ranges::find(kBeyondRepair, error.code()) != std::end(kBeyondRepair);
  return is_lost ? WithDetail(error, kKeyDetail, which) : error;
}

void PrintJson(Terminal& terminal, const json::value& value) {
  // Only strings hold bytes that are no characters, and these never hide a quote: the text may be
  // mended as a whole.
  terminal.Print(MendedUtf8(json::serialize(value)));
}

void PrintError(Terminal& terminal, OutputForm form, const Error& error) {
  PrintError(terminal, form, error, HintFor(error));
}

void PrintError(Terminal& terminal, OutputForm form, const Error& error, std::string_view hint) {
  if (form == OutputForm::kJson) {
    json::object body = error.ToJson();
    body["hint"] = hint;
    return PrintJson(terminal, json::object{{"ok", false}, {"error", std::move(body)}});
  }
  // Messages may quote what others wrote.
  terminal.Complain("error: " + model::PlainText(Describe(error)));
  terminal.Complain("hint:  " + std::string(hint));
}

}  // namespace falconer::app
