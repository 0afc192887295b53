#pragma once
// Condition: what a rule asks of the facts, as a tree of all, any and not over single questions.
// docs/policy.md says how it is written.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json/json.h"
#include "model/pattern.h"
#include "model/policy_facts.h"
#include "policy/host_pattern.h"

namespace falconer::policy {

// What a question comes out as. Unknown: the fact is there and cannot be read or compared, such as
// the amount of a purchase whose price was not found, or one in another currency.
enum class Truth : std::uint8_t { kFalse, kUnknown, kTrue };

inline constexpr EnumName<Truth> kTruths[] = {
    {Truth::kFalse, "no"},
    {Truth::kUnknown, "unknown"},
    {Truth::kTrue, "yes"},
};

enum class TextFact : std::uint8_t {
  kTenant,
  kAgent,
  kAgentTier,
  kElementRole,
  kElementName,
  kElementLabel,
  kElementTag,
  kElementType,
  kElementIdentifier,
  kElementHref,
  kFormAction,
  kFormMethod,
  kFormName,
  kRequestMethod,
  kRequestPath,
  kRequestContentType,
  kRequestResourceType,
};
inline constexpr std::size_t kTextFactCount = 17;

// Words of people are compared folded (policy/rules/fold_text.h), the rest byte by byte.
enum class TextForm : std::uint8_t { kExact, kFolded };

struct TextFactRow {
  TextFact fact;
  std::string_view group;  // "element"; "" for a fact that stands alone
  std::string_view key;
  TextForm form;
};

const TextFactRow& RowOf(TextFact fact);
std::span<const TextFactRow> AllTextFacts();

enum class HostFact : std::uint8_t { kDomain, kFromDomain, kRequestHost };
inline constexpr std::size_t kHostFactCount = 3;

inline constexpr EnumName<HostFact> kHostFacts[] = {
    {HostFact::kDomain, "domain"},
    {HostFact::kFromDomain, "from_domain"},
    {HostFact::kRequestHost, "host"},
};

// All parts that are given must hold.
struct CapabilityQuestion {
  model::CapabilitySet among;
};

struct ActionQuestion {
  std::uint64_t among = 0;  // bit by ActionType
};

struct HostQuestion {
  HostFact fact = HostFact::kDomain;
  std::vector<HostPattern> in;
  std::vector<HostPattern> not_in;
  std::string matches;  // glob over the host's canonical text
};

struct TextQuestion {
  TextFact fact = TextFact::kAgent;
  std::vector<std::string> in;
  std::vector<std::string> not_in;
  std::string matches;  // glob
  std::string contains;
  std::optional<model::Pattern> regex;
};

// Limits in whatever unit the fact has.
struct NumberLimits {
  std::optional<std::int64_t> gt;
  std::optional<std::int64_t> gte;
  std::optional<std::int64_t> lt;
  std::optional<std::int64_t> lte;
  std::optional<std::int64_t> eq;

  bool empty() const { return !gt && !gte && !lt && !lte && !eq; }
  bool Contain(std::int64_t value) const;
};

struct AmountQuestion {
  NumberLimits limits;  // in ten-thousandths
  std::string currency;
  std::optional<bool> known;
};

struct BodyQuestion {
  NumberLimits limits;  // bytes
};

struct TimeQuestion {
  std::optional<int> after;   // minute of the day, included
  std::optional<int> before;  // not included; earlier than `after` means beyond midnight
  std::uint8_t days = 0;      // bit 0 is Monday; 0 is every day
  std::string zone_name;
  std::size_t zone = 0;  // in the policy's list
};

struct RiskQuestion {
  std::uint8_t among = 0;  // bit by RiskLevel
};

struct FieldQuestion {
  model::FieldKindSet among;
};

using Question =
    std::variant<std::monostate, CapabilityQuestion, ActionQuestion, HostQuestion, TextQuestion,
                 AmountQuestion, BodyQuestion, TimeQuestion, RiskQuestion, FieldQuestion>;

struct Condition {
  enum class Kind : std::uint8_t { kAlways, kAll, kAny, kNot, kQuestion };

  Kind kind = Kind::kAlways;
  std::vector<Condition> children;
  Question question;
  std::string path;  // where it stands in the policy: "rules[2].when.domain"

  // The one form that the same condition always has; what the digest is made of.
  json::value ToJson() const;
  // A question for people: as JSON text, with amounts and times as policies write them.
  std::string Asked() const;
};

}  // namespace falconer::policy
