#pragma once
// Ids as types: a SessionId can never be passed where a TabId is asked for.

#include <compare>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace falconer {

template <typename Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string value) : value_(std::move(value)) {}

  const std::string& value() const { return value_; }
  bool empty() const { return value_.empty(); }
  friend auto operator<=>(const Id&, const Id&) = default;

 private:
  std::string value_;
};

using TenantId = Id<struct TenantTag>;
using WorkflowId = Id<struct WorkflowTag>;
using RunId = Id<struct RunTag>;
using SessionId = Id<struct SessionTag>;
using TurnId = Id<struct TurnTag>;
using TabId = Id<struct TabTag>;
using TraceId = Id<struct TraceTag>;
using ActionId = Id<struct ActionTag>;
using AgentId = Id<struct AgentTag>;
using PlanId = Id<struct PlanTag>;
using StepId = Id<struct StepTag>;

}  // namespace falconer

template <typename Tag>
struct std::hash<falconer::Id<Tag>> {
  std::size_t operator()(const falconer::Id<Tag>& id) const noexcept {
    return std::hash<std::string>{}(id.value());
  }
};
