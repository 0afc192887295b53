#include "engine/replay/observation_bound.h"

#include "base/sha256.h"

namespace falconer::engine {
namespace {

// About how long its text is, as soon as it is known to be too long.
std::size_t LengthOf(const json::value& value) {
  constexpr std::size_t kScalar = 8;
  std::size_t length = kScalar;
  if (const json::string* text = value.if_string()) return text->size() + kScalar;
  if (const json::array* list = value.if_array()) {
    for (const json::value& one : *list) {
      length += LengthOf(one);
      if (length > kMaxObservation) break;
    }
  }
  if (const json::object* object = value.if_object()) {
    for (const auto& [key, one] : *object) {
      length += key.size() + LengthOf(one);
      if (length > kMaxObservation) break;
    }
  }
  return length;
}

void Bound(json::value& observed) {
  if (LengthOf(observed) <= kMaxObservation) return;
  const std::string text = json::serialize(observed);
  observed = {{"cut", {{"bytes", text.size()}, {"sha256", Sha256Hex(text)}}}};
}

// In outcomes that stand somewhere as JSON.
void BoundQuoted(json::value* list) {
  if (list == nullptr || !list->is_array()) return;
  for (json::value& one : list->get_array()) {
    json::object* outcome = one.if_object();
    json::value* observed = outcome == nullptr ? nullptr : outcome->if_contains("observed");
    if (observed != nullptr) Bound(*observed);
  }
}

}  // namespace

void BoundObservations(model::ActionExecutionResult& result) {
  if (result.verification) {
    for (model::RuleOutcome& outcome : result.verification->outcomes) Bound(outcome.observed);
  }
  if (result.failure) BoundQuoted(result.failure->details.if_contains("rules"));
  json::value* before = result.metadata.if_contains("preconditions");
  if (before != nullptr && before->is_object())
    BoundQuoted(before->get_object().if_contains("outcomes"));
}

bool IsCut(const json::value& observed) {
  const json::object* object = observed.if_object();
  return object != nullptr && object->size() == 1 && object->contains("cut");
}

}  // namespace falconer::engine
