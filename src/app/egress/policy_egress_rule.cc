#include "app/egress/policy_egress_rule.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "policy/address_class.h"
#include "policy/host_name.h"

namespace falconer::app {
namespace {

using policy::AddressClass;

constexpr std::size_t kDecisionBytes = 8;
constexpr std::string_view kDeniedByRule = "denied_by_rule";
constexpr std::string_view kNotPublic = "address_not_public";

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

std::string HostText(const policy::IpAddress& ip) {
  return ip.family == policy::IpAddress::Family::kV6 ? "[" + ip.ToText() + "]" : ip.ToText();
}

// Where a name may lead whose host is meant in person: into a private network, and for names that
// can be nowhere else ("localhost") there.
bool MayLeadTo(std::string_view host, AddressClass where) {
  if (where == AddressClass::kPrivate || where == AddressClass::kCarrierNat) return true;
  return policy::ClassOfName(host) == where;
}

}  // namespace

net::EgressVerdict PolicyEgressRule::DecideHost(const net::EgressAsk& ask) {
  const auto verdict = rules_.DecideHost(ask.host, ask.port);
  return verdict.allowed ? Allowed() : Refused(verdict.rule, verdict.reason);
}

net::EgressVerdict PolicyEgressRule::DecideAddress(const net::EgressAsk& ask,
                                                   const boost::asio::ip::address& address) {
  const policy::IpAddress ip = IpOf(address);
  const auto as_host = rules_.DecideHost(HostText(ip), ask.port);
  if (as_host.reason == kDeniedByRule) return Refused(as_host.rule, as_host.reason);
  const AddressClass where = policy::ClassOf(ip);
  if (where == AddressClass::kPublic || as_host.allowed) return Allowed();
  if (rules_.NamesHost(ask.host, ask.port) && MayLeadTo(ask.host, where)) return Allowed();
  return Refused(NameIn(policy::kAddressClasses, where), kNotPublic);
}

}  // namespace falconer::app
