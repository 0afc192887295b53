#pragma once
// Validator: whether what was predicted may be carried out now: it is complete, its element is
// there and can be used, and it is nothing that prediction leaves to people. What it risks is
// judged by the gates, as for any caller.

#include <optional>
#include <string>

#include "engine/look.h"
#include "predict/act/step_contract.h"

namespace falconer::predict {

// Whether somebody asked for a workflow by its name, or the prediction alone says what is done.
enum class Freedom : std::uint8_t { kNamed, kFree };

struct NextCandidate {
  const WorkflowStep& step;  // its parameters bound
  // Of its element on the page now; null when that was not looked for.
  const engine::ProbeFinding* finding = nullptr;
  Freedom freedom = Freedom::kNamed;
  // What it would need, as far as that can be foreseen.
  model::CapabilitySet needs = {};
  // What it needed on the element that it was learnt from.
  model::CapabilitySet known = {};
};

enum class Validity : std::uint8_t {
  kValid,
  kIncomplete,     // a parameter or a field is missing
  kUnknownAction,  // no action has that name
  kMissing,        // its element is not there
  kAmbiguous,      // several elements are there
  kNotUsable,      // it is there, but hidden or disabled
  kUnsafe,         // more than prediction alone may do, or than the element it was learnt from
};

inline constexpr EnumName<Validity> kValidities[] = {
    {Validity::kValid, "valid"},
    {Validity::kIncomplete, "incomplete"},
    {Validity::kUnknownAction, "unknown_action"},
    {Validity::kMissing, "element_missing"},
    {Validity::kAmbiguous, "element_ambiguous"},
    {Validity::kNotUsable, "element_not_usable"},
    {Validity::kUnsafe, "unsafe_filtered"},
};

struct Validation {
  Validity validity = Validity::kValid;
  std::string about;  // what is missing, or what it would need

  bool is_valid() const { return validity == Validity::kValid; }
  // The stable word, with what it is about: "unsafe_filtered: PURCHASE".
  std::string reason() const;
};

Validation Validate(const NextCandidate& candidate);

// What is done by prediction alone; whatever needs more is asked about.
inline constexpr model::CapabilitySet kDoneFreely = {
    model::Capability::kRead, model::Capability::kNavigate, model::Capability::kInteract,
    model::Capability::kWrite};

// What nothing that took an element's place may need, unless that one did.
inline constexpr model::CapabilitySet kGrave = {
    model::Capability::kPurchase, model::Capability::kAuth, model::Capability::kDelete,
    model::Capability::kAdmin};

// The first {name} that is left in its action; "" when all are bound.
std::string OpenParameterOf(const WorkflowStep& step);

}  // namespace falconer::predict
