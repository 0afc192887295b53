#pragma once
// Target: which element, or which place, an action or a wait is about.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json_reader.h"
#include "model/geometry.h"
#include "model/selector/selector.h"

namespace falconer::model {

inline constexpr std::size_t kMaxCandidates = 8;

// A selector together with the text its author wrote.
struct NamedSelector {
  std::string text;
  Selector parsed;
  bool operator==(const NamedSelector& other) const { return parsed == other.parsed; }
};

// Parses and applies the limits on what callers may send: length and breadth. Fails with
// kInvalidSelector.
Result<NamedSelector> MakeNamedSelector(std::string text);

// What happens when a selector matches several elements.
enum class Strictness : std::uint8_t { kStrict, kFirst };

// One way of naming: `eid`, selectors, or `point`. Candidates are further selectors, tried in order
// when what comes before them matches nothing; they may also stand alone.
struct Target {
  std::string eid;  // ref of an element in a state
  std::string fid;  // frame to look in; "" is the main frame
  std::optional<NamedSelector> selector;
  std::vector<NamedSelector> candidates;
  std::optional<Point> point;     // in the viewport of the tab
  std::optional<Point> position;  // where on the element, from its padding box's corner
  Strictness strictness = Strictness::kStrict;

  bool empty() const;
  // The selectors to try, in order.
  std::vector<NamedSelector> Selectors() const;
  // Fails with kInvalidActionSpec when no or more than one way of naming is used.
  Result<void> Validate() const;
  // {"eid","fid","selector","candidates","x","y","position","strict"}; members at their defaults
  // are left out.
  json::object ToJson() const;
  bool operator==(const Target&) const = default;
};

// Names of a target's fields on the wire; an action spreads them among its own.
struct TargetKeys {
  std::string_view eid, fid, selector, candidates;
};

inline constexpr TargetKeys kTargetKeys = {"eid", "fid", "selector", "candidates"};
inline constexpr TargetKeys kFlatTargetKeys = {"target_eid", "target_fid", "selector",
                                               "selector_candidates"};

// Reads the fields of a target; nothing is required. What is wrong is reported to `in`.
Target ReadTarget(JsonReader& in, const TargetKeys& keys = kTargetKeys);
// Writes what ReadTarget reads.
void WriteTarget(const Target& target, const TargetKeys& keys, json::object& out);

}  // namespace falconer::model
