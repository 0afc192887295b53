#include "kernel/gates/domain_gate.h"

#include <fmt/format.h>
#include <utility>

#include "model/url.h"

namespace falconer::kernel {
namespace {

Verdict Refuse(std::string_view what, const std::string& url, const policy::DomainVerdict& found) {
  // The host is enough to say which rule is missing; the rest of an address may hold secrets.
  const std::string host = model::SplitUrl(url).host;
  return Verdict::Reject(
      found.reason, Error(ErrorCode::kSecurityDomainBlock,
                          fmt::format("{} host {} is not allowed: {}", what, host, found.reason),
                          {{"host", host}, {"reason", found.reason}, {"rule", found.rule}}));
}

DomainFacts ReadDomainFacts(JsonReader& in) {
  return {.navigate_url = in.OptionalString("navigate_url").value_or(""),
          .page_url = in.OptionalString("page_url").value_or(""),
          .rules = in.String("rules")};
}

void PutUrl(json::object& out, std::string_view key, const std::string& url) {
  if (url.empty()) return;
  out[key] = std::string_view(url).substr(0, kMaxFactUrl);
  if (url.size() > kMaxFactUrl) out["cut"] = true;
}

}  // namespace

json::object DomainFacts::ToJson() const {
  json::object out{{"rules", rules}};
  PutUrl(out, "navigate_url", navigate_url);
  PutUrl(out, "page_url", page_url);
  return out;
}

Result<DomainFacts> DomainFacts::FromJson(const json::object& object) {
  if (object.contains("cut")) return Fail(ErrorCode::kNotFound, "an address was too long to keep");
  return ReadJson(object, "facts", ReadDomainFacts);
}

Verdict DecideDomain(const policy::DomainRules& rules, const DomainFacts& facts) {
  if (!facts.navigate_url.empty()) {
    const auto found = rules.Decide(policy::UseKind::kNavigate, facts.navigate_url, facts.page_url);
    if (!found.allowed) return Refuse("target", facts.navigate_url, found);
    return Verdict::Admit(found.reason);
  }
  // An action on a page that is no longer allowed, or never was, must not go on there.
  if (facts.page_url.empty()) return Verdict::Admit("no_page");
  const auto found = rules.Decide(policy::UseKind::kNavigate, facts.page_url, "");
  if (!found.allowed) return Refuse("page", facts.page_url, found);
  return Verdict::Admit(found.reason);
}

Task<Verdict> DomainGate::Check(CallContext /*ctx*/, const GateInput* input) {
  const auto rules = source_.RulesFor(input->tenant);
  if (input->admission != nullptr) input->admission->rules = rules;
  const DomainFacts facts{
      .navigate_url = input->navigate_url, .page_url = input->page_url, .rules = rules->digest()};
  Verdict verdict = DecideDomain(*rules, facts);
  verdict.facts = facts.ToJson();
  co_return verdict;
}

}  // namespace falconer::kernel
