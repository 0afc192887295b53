#pragma once
// Reads the `when` of a rule.

#include <string>

#include "policy/rules/condition.h"
#include "policy/rules/node_reader.h"
#include "policy/rules/zone_list.h"

namespace falconer::policy {

inline constexpr int kMaxConditionDepth = 8;

// What the policy says once for all its conditions.
struct ConditionDefaults {
  std::string currency;  // "" when every amount must name its own
  std::string timezone;
};

class ConditionReader {
 public:
  // Both MUST outlive the reader.
  ConditionReader(const ConditionDefaults& defaults, ZoneList& zones)
      : defaults_(defaults), zones_(zones) {}

  // "always", or a map whose members must all hold. Fails with kInvalidArgument, naming place and
  // path.
  Result<Condition> Read(const Spot& spot, int depth = 0) const;

 private:
  struct MemberRow;
  static const MemberRow kMembers[];

  // The member of a map that the spot's key names.
  Result<Condition> ReadMember(const Spot& spot, int depth) const;
  Result<Condition> ReadGroup(const Spot& spot, Condition::Kind kind, int depth) const;
  Result<Condition> ReadAmount(const Spot& spot) const;
  Result<Condition> ReadTime(const Spot& spot) const;

  const ConditionDefaults& defaults_;
  ZoneList& zones_;
};

// An amount such as "500" or "99.90", in ten-thousandths; never negative.
Result<std::int64_t> ReadTenThousandths(const Spot& spot);
// An ISO 4217 code in upper case.
Result<std::string> ReadCurrency(const Spot& spot);

}  // namespace falconer::policy
