#include "app/egress/policy_egress_rule.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "policy/address_class.h"

namespace falconer::app {
namespace {

constexpr std::size_t kDecisionBytes = 8;

net::EgressVerdict Allowed() {
  return {.is_allowed = true};
}

net::EgressVerdict Refused(std::string_view rule, std::string_view reason) {
  return {.is_allowed = false,
          .rule = std::string(rule),
          .reason = std::string(reason),
          .id = "egr_" + RandomHex(kDecisionBytes)};
}

policy::IpAddress IpOf(const boost::asio::ip::address& address) {
  policy::IpAddress ip;
  if (address.is_v4()) {
    std::ranges::copy(address.to_v4().to_bytes(), ip.bytes.begin());
  } else {
    ip.family = policy::IpAddress::Family::kV6;
    std::ranges::copy(address.to_v6().to_bytes(), ip.bytes.begin());
  }
  return ip;
}

struct SchemeRow {
  net::EgressKind kind;
  std::string_view scheme;
};

constexpr SchemeRow kSchemes[] = {
    {net::EgressKind::kHttp, "http"},
    {net::EgressKind::kConnect, "https"},
    {net::EgressKind::kWebSocket, "ws"},
};

browser::EgressPlace PlaceOf(const net::EgressAsk& ask) {
  const SchemeRow& row = *std::ranges::find(kSchemes, ask.kind, &SchemeRow::kind);
  return {.scheme = std::string(row.scheme),
          .host = ask.host,
          .port = ask.port,
          .method = ask.kind == net::EgressKind::kConnect ? "" : ask.method};
}

}  // namespace

net::EgressVerdict PolicyEgressRule::DecideHost(const net::EgressAsk& ask) {
  const auto verdict = rules_.DecideHost(ask.host, ask.port);
  if (!verdict.allowed) return Refused(verdict.rule, verdict.reason);
  const auto judge = JudgeOf(ask.session);
  if (!judge) return Allowed();
  const browser::EgressOpinion opinion = judge->Judge(PlaceOf(ask));
  return opinion.is_allowed ? Allowed() : Refused(opinion.rule, opinion.reason);
}

void PolicyEgressRule::Govern(const SessionId& session,
                              std::shared_ptr<const browser::EgressJudge> judge) {
  const std::lock_guard lock(mutex_);
  judges_[session] = std::move(judge);
}

void PolicyEgressRule::Forget(const SessionId& session) {
  const std::lock_guard lock(mutex_);
  judges_.erase(session);
}

std::shared_ptr<const browser::EgressJudge> PolicyEgressRule::JudgeOf(const SessionId& session) {
  const std::lock_guard lock(mutex_);
  const auto found = judges_.find(session);
  return found == judges_.end() ? nullptr : found->second;
}

net::EgressVerdict PolicyEgressRule::DecideAddress(const net::EgressAsk& ask,
                                                   const boost::asio::ip::address& address) {
  const auto verdict = rules_.DecideAddress(ask.host, ask.port, IpOf(address));
  return verdict.allowed ? Allowed() : Refused(verdict.rule, verdict.reason);
}

}  // namespace falconer::app
