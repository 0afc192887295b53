#include "engine/replay/replay_scope.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/json/canonical_json.h"
#include "base/utf8.h"
#include "kernel/gates/admitted.h"
#include "policy/redaction/mask.h"
#include "policy/redaction/redactor.h"

namespace falconer::engine {
namespace {

constexpr std::size_t kBrief = 120;

std::string TextOf(const json::value& value) {
  // What has no canonical form equals nothing but itself.
  return CanonicalJson(value).value_or(json::serialize(value));
}

// As it is written where nothing is known of secrets in use.
json::value Scrubbed(json::value value) {
  static const policy::Redactor redactor;
  redactor.RedactJson(policy::Surface::kLedger, value);
  return value;
}

}  // namespace

Result<policy::VerifiedToken> TokenOnRecord(const ReplayScope& scope, const std::string& digest,
                                            WallTime issued) {
  const auto found = scope.snapshots.find(digest);
  if (found == scope.snapshots.end())
    return Fail(ErrorCode::kNotFound, "what the token allows is not on record: " + digest);
  return kernel::AdmittedToken::Parse(found->second, scope.tenant, issued);
}

Result<policy::Policy> PolicyOnRecord(const ReplayScope& scope, const std::string& digest) {
  const auto found = scope.snapshots.find(digest);
  if (found == scope.snapshots.end())
    return Fail(ErrorCode::kNotFound, "the policy is not on record: " + digest);
  return kernel::AdmittedPolicy::Parse(found->second);
}

Sameness Compare(const json::value& recorded, const json::value& now) {
  const std::string text = TextOf(recorded);
  if (text == TextOf(now) || text == TextOf(Scrubbed(now))) return Sameness::kSame;
  return HasScrubbed(recorded) ? Sameness::kWithheld : Sameness::kDifferent;
}

bool HasScrubbed(const json::value& value) {
  if (const json::string* text = value.if_string()) return policy::MayHoldMask(*text);
  if (const json::array* list = value.if_array()) {
    return std::ranges::any_of(*list, [](const json::value& one) { return HasScrubbed(one); });
  }
  if (const json::object* object = value.if_object()) {
    return std::ranges::any_of(*object, [](const auto& one) { return HasScrubbed(one.value()); });
  }
  return false;
}

void Report(ReplayScope& scope, std::string decision, DivergenceClass how,
            const json::value& recorded, const json::value& now) {
  Sameness sameness = Compare(recorded, now);
  if (sameness == Sameness::kDifferent && !scope.is_contract_whole) sameness = Sameness::kWithheld;
  switch (sameness) {
    case Sameness::kSame:
      return scope.out.Reproduced(std::move(decision), Brief(recorded));
    case Sameness::kWithheld:
      return scope.out.Missing(std::move(decision), "a part of it was scrubbed as a secret");
    case Sameness::kDifferent:
      return scope.out.Diverged(std::move(decision), how,
                                fmt::format("recorded {}, now {}", Brief(recorded), Brief(now)));
  }
}

std::string DifferingFields(const json::object& recorded, const json::object& now) {
  std::string names;
  const auto add = [&names](std::string_view name) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  };
  for (const auto& [key, value] : recorded) {
    const json::value* other = At(now, key);
    if (other == nullptr || TextOf(value) != TextOf(*other)) add(key);
  }
  for (const auto& [key, value] : now) {
    if (At(recorded, key) == nullptr) add(key);
  }
  return names;
}

const json::value* At(const json::object& object, std::string_view key) {
  return object.if_contains(key);
}

std::string Brief(const json::value& value) {
  return value.is_string() ? Brief(std::string_view(value.get_string())) : Brief(TextOf(value));
}

std::string Brief(std::string_view text) {
  if (text.size() <= kBrief) return std::string(text);
  return std::string(Utf8Prefix(text, kBrief)) + "...";
}

}  // namespace falconer::engine
