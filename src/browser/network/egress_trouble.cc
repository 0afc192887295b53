#include "browser/network/egress_trouble.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/text.h"
#include "browser/network/egress_door.h"
#include "model/default_port.h"
#include "model/url.h"

namespace falconer::browser {
namespace {

using model::EgressEntry;

constexpr std::string_view kEgressUse = "egress";
constexpr std::string_view kByteLimit = "byte_limit";

// What the browser would have said had it gone to the host itself.
struct NetErrorRow {
  std::string_view reason;
  std::string_view net_error;
};

constexpr NetErrorRow kNetErrors[] = {
    {"name_not_resolved", "net::ERR_NAME_NOT_RESOLVED"},
    {"name_not_resolved_timeout", "net::ERR_NAME_NOT_RESOLVED"},
    {"host_not_reached", "net::ERR_CONNECTION_REFUSED"},
    {"host_not_reached_timeout", "net::ERR_CONNECTION_TIMED_OUT"},
    {"host_timeout", "net::ERR_CONNECTION_TIMED_OUT"},
    {"host_broke_off", "net::ERR_EMPTY_RESPONSE"},
    {"malformed_answer", "net::ERR_INVALID_HTTP_RESPONSE"},
    {"upstream_proxy", "net::ERR_PROXY_CONNECTION_FAILED"},
    {"upstream_proxy_timeout", "net::ERR_PROXY_CONNECTION_FAILED"},
};
constexpr std::string_view kOtherNetError = "net::ERR_FAILED";

std::string_view NetErrorFor(std::string_view reason) {
  const auto* row = std::ranges::find(kNetErrors, reason, &NetErrorRow::reason);
  return row == std::end(kNetErrors) ? kOtherNetError : row->net_error;
}

std::uint16_t PortOf(const model::UrlParts& parts) {
  const auto given = ParseWhole<int>(parts.port);
  return given ? static_cast<std::uint16_t>(*given) : model::DefaultPort(parts.scheme);
}

json::object DetailsOf(const EgressEntry& entry, const std::string& url) {
  json::object details{{"url", url},
                       {"use", kEgressUse},
                       {"host", entry.host},
                       {"rule", entry.rule},
                       {"reason", entry.reason}};
  if (!entry.decision.empty()) details["decision"] = entry.decision;
  return details;
}

Error ErrorOf(const EgressEntry& entry, const std::string& url) {
  if (entry.reason == kByteLimit) {
    return Error(ErrorCode::kBudgetExceeded,
                 url + ": the session has used up the bytes it may exchange with hosts",
                 DetailsOf(entry, url));
  }
  if (entry.outcome == EgressOutcome::kRefused) {
    return Error(ErrorCode::kSecurityDomainBlock,
                 fmt::format("{} is refused: {}{}", url, entry.reason,
                             entry.rule.empty() ? "" : fmt::format(" ({})", entry.rule)),
                 DetailsOf(entry, url));
  }
  const std::string_view net_error = NetErrorFor(entry.reason);
  return Error(ErrorCode::kNavigationFailed, fmt::format("{}: {}", url, net_error),
               {{"net_error", net_error}, {"reason", entry.reason}});
}

std::string UrlOf(const EgressEntry& entry) {
  return fmt::format("{}://{}:{}/", entry.kind == "connect" ? "https" : "http", entry.host,
                     entry.port);
}

}  // namespace

model::EgressMark EgressMarkOf(const Session& session) {
  const auto& door = session.options().egress;
  return door ? door->Mark(session.id()) : model::EgressMark();
}

std::vector<model::RefusedEvidence> EgressRefusals(const Session& session,
                                                   const model::EgressMark& since) {
  std::vector<model::RefusedEvidence> refused;
  const auto& door = session.options().egress;
  if (!door || door->Mark(session.id()).refused == since.refused) return refused;
  for (EgressEntry& entry : door->Since(session.id(), since).entries) {
    if (entry.outcome != EgressOutcome::kRefused) continue;
    model::RefusedEvidence evidence{.use = std::string(kEgressUse),
                                    .url = UrlOf(entry),
                                    .rule = std::move(entry.rule),
                                    .reason = std::move(entry.reason)};
    // A page asks again and again: once is enough to know.
    if (std::ranges::find(refused, evidence) == refused.end())
      refused.push_back(std::move(evidence));
  }
  return refused;
}

std::optional<Error> EgressTroubleAt(const Session& session, const model::EgressMark& since,
                                     const std::string& url, std::optional<int> status) {
  constexpr int kFirstBadStatus = 400;
  const auto& door = session.options().egress;
  if (!door || status.value_or(kFirstBadStatus) < kFirstBadStatus) return std::nullopt;
  const model::UrlParts parts = model::SplitUrl(url);
  const auto report = door->Since(session.id(), since);
  const EgressEntry* entry = report.Trouble(parts.host, PortOf(parts));
  if (entry == nullptr || (status && entry->status != *status)) return std::nullopt;
  return ErrorOf(*entry, url);
}

}  // namespace falconer::browser
