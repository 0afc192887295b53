#pragma once
// PolicyDocument: a policy as it was written, read strictly and whole.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rules/rule.h"
#include "policy/rules/time_zone.h"

namespace falconer::policy {

inline constexpr std::size_t kMaxRulesPerSet = 1000;

// What is decided by which rules. One that a policy does not mention follows another; actions, when
// not mentioned, allow nothing.
enum class RuleSet : std::uint8_t {
  kActions,
  kNavigate,  // follows actions
  kConnect,   // subresources, fetches, sockets; follows navigate
  kRedirect,  // follows navigate
  kDownload,  // follows actions
  kUpload,    // follows actions
};

inline constexpr EnumName<RuleSet> kRuleSets[] = {
    {RuleSet::kActions, "rules"},     {RuleSet::kNavigate, "navigate"},
    {RuleSet::kConnect, "connect"},   {RuleSet::kRedirect, "redirect"},
    {RuleSet::kDownload, "download"}, {RuleSet::kUpload, "upload"},
};
inline constexpr std::size_t kRuleSetCount = std::size(kRuleSets);

// Observe: nothing is enforced, and every decision says what it would have been.
enum class PolicyMode : std::uint8_t { kEnforce, kObserve };

inline constexpr EnumName<PolicyMode> kPolicyModes[] = {
    {PolicyMode::kEnforce, "enforce"},
    {PolicyMode::kObserve, "observe"},
};

struct PolicyDocument {
  std::string name;
  std::string version;
  std::string description;
  PolicyMode mode = PolicyMode::kEnforce;
  AuditTerms audit;  // where no rule says more
  std::array<std::optional<std::vector<Rule>>, kRuleSetCount> sets;
  std::vector<TimeZone> zones;

  // Fails with kInvalidArgument for the first thing that is wrong: "line 3, column 5: path: why",
  // with line, column and path as details.
  static Result<PolicyDocument> Parse(std::string_view yaml, const std::filesystem::path& zones);

  // The same for every text that says the same, whatever its layout and comments.
  json::object ToJson() const;
};

// The set whose rules are used: itself, or the first it follows that the policy mentions.
RuleSet FollowedBy(RuleSet set, const PolicyDocument& document);

}  // namespace falconer::policy
