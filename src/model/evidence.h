#pragma once
// ActionOutcome: what the driver observed while it did one action. Facts only; a part that was not
// observed is absent, not guessed.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/json/json.h"
#include "model/action/action_type.h"
#include "model/action/wait.h"
#include "model/geometry.h"

namespace falconer::model {

// The element that was acted on.
struct MatchedElement {
  std::string ref;
  std::string role;
  std::string name;
  std::string description;
  std::string frame;
  bool operator==(const MatchedElement&) const = default;
};

// Where the input went.
struct HitEvidence {
  bool delivered = false;   // the element itself saw the trusted event
  std::string interceptor;  // what took it instead
  bool operator==(const HitEvidence&) const = default;
};

// One try that did not succeed, and how long it took.
struct AttemptEvidence {
  ErrorCode cause = ErrorCode::kActionExecutionFailed;
  std::chrono::milliseconds waited{0};
  bool operator==(const AttemptEvidence&) const = default;
};

struct NavigationEvidence {
  bool requested = false;
  bool committed = false;
  std::string url;
  int status = 0;      // 0 when there was no answer or no request (same document)
  std::string loader;  // id of the document's load
  bool operator==(const NavigationEvidence&) const = default;
};

struct DialogEvidence {
  DialogType type = DialogType::kAlert;
  std::string message;
  bool operator==(const DialogEvidence&) const = default;
};

// A request that a rule of the session did not let leave.
struct RefusedEvidence {
  std::string use;  // "navigation", "redirect", "frame", "popup", "subresource", "download"
  std::string url;
  std::string rule;    // "" when nothing but the absence of a rule decided
  std::string reason;  // a stable word
  bool operator==(const RefusedEvidence&) const = default;
};

inline constexpr std::size_t kMaxRefusedEvidence = 20;

struct ArtifactEvidence {
  std::uint64_t bytes = 0;
  std::string mime;
  std::string sha256;
  std::string path;  // relative to the folder of artifacts
  bool operator==(const ArtifactEvidence&) const = default;
};

enum class Phase : std::uint8_t { kBind, kPrepare, kAct, kSettle, kRead };

inline constexpr EnumName<Phase> kPhases[] = {
    {Phase::kBind, "bind"},     {Phase::kPrepare, "prepare"}, {Phase::kAct, "act"},
    {Phase::kSettle, "settle"}, {Phase::kRead, "read"},
};

struct PhaseTime {
  Phase phase = Phase::kBind;
  std::chrono::microseconds took{0};
  bool operator==(const PhaseTime&) const = default;
};

struct ActionOutcome {
  ActionType type = ActionType::kWaitOnly;
  std::optional<MatchedElement> element;
  std::optional<Point> point;  // in the viewport of the tab
  std::optional<HitEvidence> hit;
  std::vector<AttemptEvidence> attempts;
  std::optional<NavigationEvidence> navigation;
  std::optional<DialogEvidence> dialog;
  std::vector<TabId> popups;
  std::vector<std::string> downloads;       // their ids
  std::vector<RefusedEvidence> refused;     // the first kMaxRefusedEvidence
  std::optional<std::size_t> value_length;  // of what was typed; never the value
  std::optional<json::value> extracted;
  std::optional<ArtifactEvidence> artifact;
  std::vector<PhaseTime> timings;

  json::object ToJson() const;
  bool operator==(const ActionOutcome&) const = default;
};

}  // namespace falconer::model
