#pragma once
// FactView: the facts of one decision in the forms that questions ask for, each made at most once.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/policy_facts.h"
#include "policy/host_name.h"
#include "policy/rules/condition.h"
#include "policy/rules/time_zone.h"

namespace falconer::policy {

// A host as a fact: there is none, it cannot be read, or it is this.
struct HostView {
  enum class State : std::uint8_t { kNone, kUnreadable, kKnown };
  State state = State::kNone;
  Host host;
  std::uint16_t port = 0;
};

class FactView {
 public:
  // Both MUST outlive the view.
  FactView(const model::PolicyFacts& facts, const std::vector<TimeZone>& zones);

  // The addresses it is about, each of which is judged: its own, and that of the frame which the
  // element is in.
  static std::vector<std::string_view> PlacesOf(const model::PolicyFacts& facts);
  // Which of them is judged now; its own when nobody says. MUST outlive the view.
  void set_place(std::string_view url);

  // Which of the needed capabilities is judged now.
  model::Capability capability() const { return capability_; }
  void set_capability(model::Capability capability) { capability_ = capability; }

  const model::PolicyFacts& facts() const { return facts_; }
  const HostView& HostOf(HostFact fact);
  // In the form of its row; nothing when there is no such fact.
  std::optional<std::string_view> TextOf(TextFact fact);
  LocalTime TimeIn(std::size_t zone);
  // Of a purchase nobody knows the amount of.
  bool lacks_amount() const;

 private:
  std::string_view UrlOf(HostFact fact) const;
  std::optional<std::string_view> RawText(TextFact fact);

  const model::PolicyFacts& facts_;
  const std::vector<TimeZone>& zones_;
  std::string_view place_;
  model::Capability capability_ = model::Capability::kRead;
  std::array<std::optional<HostView>, kHostFactCount> hosts_;
  std::array<std::optional<std::string>, kTextFactCount> folded_;
  std::optional<std::string> path_;
  std::vector<std::optional<LocalTime>> times_;
};

}  // namespace falconer::policy
