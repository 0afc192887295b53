#include "predict/workflows/guard_merge.h"

#include <algorithm>

#include "predict/workflows/selector_merge.h"
#include "predict/workflows/step_guards.h"
#include "predict/workflows/step_targets.h"

namespace falconer::predict {
namespace {

constexpr std::string_view kAddressMembers[] = {"url_pattern", "pattern"};
constexpr std::string_view kManySelectors[] = {"candidates", "selector_candidates"};

bool MergeGuard(json::value& left, const json::value& right, std::string_view key,
                const WorkflowDifferences& differences);

bool MergeGuardText(json::string& left, std::string_view right, std::string_view key,
                    const WorkflowDifferences& differences) {
  if (std::string_view(left) == right) return true;
  if (key == "selector") {
    const auto merged = MergeSelectors({std::string(left)}, {std::string(right)}, differences);
    if (merged.empty()) return false;
    left = merged.front();
    return true;
  }
  if (const auto known = differences.Same(left, right)) {
    left = *known;
    return true;
  }
  const bool is_address = std::ranges::find(kAddressMembers, key) != std::end(kAddressMembers);
  const std::string common = is_address ? CommonAddress(left, right) : "";
  if (common.empty()) return false;
  left = common;
  return true;
}

// Further selectors matter only where the first one finds nothing.
bool IsFurther(std::string_view key) {
  return std::ranges::find(kManySelectors, key) != std::end(kManySelectors);
}

bool MergeGuardObject(json::object& left, const json::object& right,
                      const WorkflowDifferences& differences) {
  for (const std::string_view key : kManySelectors) left.erase(key);
  const auto count = [](const json::object& object) {
    return std::ranges::count_if(object, [](const auto& one) { return !IsFurther(one.key()); });
  };
  if (count(left) != count(right)) return false;
  return std::ranges::all_of(left, [&](auto& member) {
    const json::value* other = right.if_contains(member.key());
    return other != nullptr && MergeGuard(member.value(), *other, member.key(), differences);
  });
}

// A guard is not deep.
bool MergeGuard(json::value& left, const json::value& right, std::string_view key,
                const WorkflowDifferences& differences) {
  if (left == right) return true;
  if (left.is_string() && right.is_string())
    return MergeGuardText(left.get_string(), right.get_string(), key, differences);
  if (left.is_object() && right.is_object())
    return MergeGuardObject(left.get_object(), right.get_object(), differences);
  if (!left.is_array() || !right.is_array()) return false;
  json::array& one = left.get_array();
  const json::array& other = right.get_array();
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i)
    if (!MergeGuard(one[i], other[i], key, differences)) return false;
  return true;
}

json::array ListIn(const json::object& contract, std::string_view key) {
  const json::value* list = contract.if_contains(key);
  return list != nullptr && list->is_array() ? list->get_array() : json::array();
}

// The text under `key` of the payload of the first guard in the list, when it is a glob.
std::string GlobIn(const json::object& contract, std::string_view list, std::string_view key) {
  const json::array guards = ListIn(contract, list);
  if (guards.size() != 1 || !guards[0].is_object()) return "";
  const json::value* payload = guards[0].get_object().if_contains("payload");
  if (payload == nullptr || !payload->is_object()) return "";
  const json::object& said = payload->get_object();
  return TextAt(said, "mode") == "glob" ? TextAt(said, key) : "";
}

}  // namespace

std::string LeadsToOf(const json::object& contract) {
  std::string glob = GlobIn(contract, "wait_conditions", "url_pattern");
  return glob.empty() ? GlobIn(contract, "verification_rules", "pattern") : glob;
}

bool IsDerived(const json::object& contract) {
  json::object derived = contract;
  PutGuards(derived, LeadsToOf(contract));
  return derived == contract;
}

void MergeGuards(json::object& contract, const json::object& other,
                 const WorkflowDifferences& differences) {
  for (const std::string_view key : kGuardMembers) {
    json::array kept;
    json::array right = ListIn(other, key);
    for (json::value guard : ListIn(contract, key)) {
      const json::value before = guard;
      for (std::size_t i = 0; i < right.size(); ++i) {
        guard = before;
        if (!MergeGuard(guard, right[i], "", differences)) continue;
        kept.push_back(guard);
        right.erase(right.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    }
    contract.erase(key);
    if (!kept.empty()) contract[key] = std::move(kept);
  }
}

}  // namespace falconer::predict
