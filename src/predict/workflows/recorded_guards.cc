#include "predict/workflows/recorded_guards.h"

#include <algorithm>

namespace falconer::predict {
namespace {

constexpr std::string_view kSessionsOwn[] = {
    "eid",    "target_eid",          "fid",    "target_fid", "artifact_id",
    "sha256", "expected_hash_after", "region", "masks"};
constexpr std::string_view kSelectorMembers[] = {"selector", "candidates", "selector_candidates"};

bool IsAmongKeys(std::span<const std::string_view> keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

// False for what cannot be said again. A guard is not deep.
bool MakeTemplate(json::value& value, std::string_view key, const RecordedTexts& texts) {
  if (json::object* object = value.if_object()) {
    return std::ranges::all_of(*object, [&](auto& member) {
      return !IsAmongKeys(kSessionsOwn, member.key()) &&
             MakeTemplate(member.value(), member.key(), texts);
    });
  }
  if (json::array* array = value.if_array()) {
    return std::ranges::all_of(*array,
                               [&](json::value& one) { return MakeTemplate(one, key, texts); });
  }
  json::string* text = value.if_string();
  if (text == nullptr) return true;
  const bool is_selector = IsAmongKeys(kSelectorMembers, key);
  const std::string open = is_selector ? texts.Selector(*text) : texts.Template(*text);
  if (is_selector && open.empty()) return false;
  *text = open;
  return true;
}

void AddTemplate(json::array& list, json::value guard, const RecordedTexts& texts) {
  if (MakeTemplate(guard, "", texts)) list.push_back(std::move(guard));
}

}  // namespace

json::object GuardsOf(const RecordedStep& done, const RecordedTexts& texts) {
  json::array waits;
  for (const model::WaitCondition& wait : done.waits) AddTemplate(waits, wait.ToJson(), texts);
  json::array rules;
  for (const model::VerificationRule& rule : done.rules) AddTemplate(rules, rule.ToJson(), texts);
  json::object out;
  if (!waits.empty()) out["wait_conditions"] = std::move(waits);
  if (!rules.empty()) out["verification_rules"] = std::move(rules);
  return out;
}

}  // namespace falconer::predict
