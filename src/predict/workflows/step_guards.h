#pragma once
// Guards of steps: what a careful author would have asked for, from what was seen to happen.

#include <optional>
#include <span>
#include <string>

#include "base/json/json.h"

namespace falconer::predict {

// The address as a glob that matches what is the same page the next time; "" for what is no http
// address.
std::string AddressGlob(std::string_view url, std::span<const std::string> typed = {});

// Two globs, or page patterns, as one: a part of the path that differs is *. "" when they differ in
// more.
std::string CommonAddress(std::string_view a, std::string_view b);
// The same for addresses of two things of one kind: some of the path is the same. The part before
// the one that differs says what kind.
struct KindOfAddress {
  std::string common;
  std::string kind;  // "product"
};
std::optional<KindOfAddress> SameKindOfAddress(std::string_view a, std::string_view b);

// Guards for the contract's action; `leads_to` is the glob of the page it led to, "" where it
// stayed, or nobody knows. Guards that are there already are replaced.
void PutGuards(json::object& contract, const std::string& leads_to);

// The contract's members that guard what happens after its action.
inline constexpr std::string_view kGuardMembers[] = {"wait_conditions", "expected_postconditions",
                                                     "verification_rules"};
bool HasGuard(const json::object& contract);

}  // namespace falconer::predict
