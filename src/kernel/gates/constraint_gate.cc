#include "kernel/gates/constraint_gate.h"

#include <utility>

#include "base/check.h"
#include "base/json/json_reader.h"
#include "kernel/gates/domain_gate.h"
#include "kernel/gates/token_gate.h"
#include "policy/tokens/constraint_checks.h"

namespace falconer::kernel {
namespace {

ConstraintFacts ReadConstraintFacts(JsonReader& in) {
  return {.token = in.String("token"),
          .urls = in.Strings("urls"),
          .issued_s = in.Integer("issued_s"),
          .now_ms = in.Integer("now_ms")};
}

std::vector<std::string> UrlsOf(const GateInput& input) {
  std::vector<std::string> urls;
  for (const std::string* url : {&input.navigate_url, &input.page_url}) {
    if (!url->empty()) urls.push_back(*url);
  }
  return urls;
}

}  // namespace

json::object ConstraintFacts::ToJson() const {
  json::object out{{"token", token}, {"issued_s", issued_s}, {"now_ms", now_ms}};
  json::array cut_urls;
  for (const std::string& url : urls) {
    cut_urls.emplace_back(std::string_view(url).substr(0, kMaxFactUrl));
    if (url.size() > kMaxFactUrl) out["cut"] = true;
  }
  out["urls"] = std::move(cut_urls);
  return out;
}

Result<ConstraintFacts> ConstraintFacts::FromJson(const json::object& object) {
  if (object.contains("cut")) return Fail(ErrorCode::kNotFound, "an address was too long to keep");
  return ReadJson(object, "facts", ReadConstraintFacts);
}

Verdict DecideConstraint(const policy::VerifiedToken& token, const ConstraintFacts& facts) {
  const WallTime now{std::chrono::milliseconds(facts.now_ms)};
  // Nothing is spent yet: an amount is asked for when something leaves that spends it.
  const policy::TokenDemand demand{.urls = facts.urls};
  const auto inside = policy::CheckConstraints(token.claims, demand, now);
  if (inside) return Verdict::Admit("within_constraints");
  return Verdict::Reject(TokenReason(inside.error()), inside.error());
}

Task<Verdict> ConstraintGate::Check(CallContext /*ctx*/, const GateInput* input) {
  CHECK(input->admission != nullptr && input->admission->token,
        "the token gate has admitted a token");
  const AdmittedToken& admitted = *input->admission->token;
  const auto now =
      std::chrono::duration_cast<std::chrono::milliseconds>(clock_.WallNow().time_since_epoch());
  const ConstraintFacts facts{.token = admitted.digest,
                              .urls = UrlsOf(*input),
                              .issued_s = policy::ToTokenTime(admitted.token.claims.issued),
                              .now_ms = now.count()};
  Verdict verdict = DecideConstraint(admitted.token, facts);
  verdict.facts = facts.ToJson();
  co_return verdict;
}

}  // namespace falconer::kernel
