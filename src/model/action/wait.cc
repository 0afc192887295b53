// The table of wait kinds and the rules of a WaitCondition.

#include "model/action/wait.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "model/action/action.h"

namespace falconer::model {
namespace {

using enum WaitKind;
using enum WaitPlace;

constexpr std::size_t kMaxNameLength = 64;

template <typename T, std::size_t I = 0>
constexpr std::size_t LeafIndex() {
  if constexpr (std::is_same_v<std::variant_alternative_t<I, WaitLeaf>, T>) {
    return I;
  } else {
    return LeafIndex<T, I + 1>();
  }
}

constexpr std::size_t kNoLeaf = LeafIndex<std::monostate>();

constexpr WaitTraits kKinds[] = {
    {kSelector, "selector", kPage, LeafIndex<SelectorWait>()},
    {kUrl, "url", kDriver, LeafIndex<UrlWait>()},
    {kLoadState, "load_state", kDriver, LeafIndex<LoadStateWait>()},
    {kNetworkIdle, "network_idle", kDriver, LeafIndex<QuietWait>()},
    {kResponse, "response", kDriver, LeafIndex<ExchangeWait>()},
    {kRequest, "request", kDriver, LeafIndex<ExchangeWait>()},
    {kFunction, "function", kPage, LeafIndex<FunctionWait>()},
    {kDomQuiet, "dom_quiet", kPage, LeafIndex<QuietWait>()},
    {kText, "text", kPage, LeafIndex<TextWait>()},
    {kElementState, "element_state", kPage, LeafIndex<ElementStateWait>()},
    {kCount, "count", kPage, LeafIndex<CountWait>()},
    {kDialog, "dialog", kDriver, LeafIndex<DialogWait>()},
    {kDownload, "download", kDriver, LeafIndex<DownloadWait>()},
    {kConsole, "console", kDriver, LeafIndex<ConsoleWait>()},
    {kStateChange, "state_change", kPage, kNoLeaf},
    {kFrame, "frame", kDriver, LeafIndex<UrlWait>()},
    {kWebSocketFrame, "websocket_frame", kDriver, LeafIndex<MessageWait>()},
    {kPopup, "popup", kDriver, kNoLeaf},
    {kAll, "all", kComposite, kNoLeaf},
    {kAny, "any", kComposite, kNoLeaf},
    {kNot, "not", kComposite, kNoLeaf},
};

std::unexpected<Error> RefuseWait(std::string message) {
  return Fail(ErrorCode::kInvalidWaitCondition, std::move(message));
}

Result<void> CheckTarget(const Target& target) {
  if (target.point || target.position) return RefuseWait("target: a wait is about an element");
  if (auto valid = target.Validate(); !valid) return RefuseWait(valid.error().message());
  return {};
}

Result<void> CheckWaitRange(std::string_view what, Bounds<std::int64_t> bounds,
                            std::int64_t value) {
  if (bounds.Contains(value)) return {};
  return RefuseWait(fmt::format("{}: must be between {} and {}", what, bounds.min, bounds.max));
}

// One rule per leaf.
struct LeafRules {
  template <typename NoRule>
  Result<void> operator()(const NoRule&) const {
    return {};
  }

  Result<void> operator()(const SelectorWait& wait) const { return CheckTarget(wait.target); }

  Result<void> operator()(const UrlWait& wait) const {
    if (wait.url.text().empty()) return RefuseWait("url_pattern: is empty");
    return {};
  }

  Result<void> operator()(const QuietWait& wait) const {
    return CheckWaitRange("quiet_ms", kQuietMs, wait.quiet.count());
  }

  Result<void> operator()(const ExchangeWait& wait) const {
    TRY(CheckWaitRange("status_min", kStatuses, wait.status_min));
    TRY(CheckWaitRange("status_max", kStatuses, wait.status_max));
    if (wait.status_min > wait.status_max) return RefuseWait("status_min: is above status_max");
    if (wait.method.size() <= kMaxNameLength && std::ranges::all_of(wait.method, IsLetter)) {
      return {};
    }
    return RefuseWait("method: is not a method");
  }

  Result<void> operator()(const FunctionWait& wait) const {
    if (Trim(wait.expression).empty()) return RefuseWait("expression: is empty");
    if (Utf8Length(wait.expression) > kMaxScriptLength) {
      return RefuseWait(fmt::format("expression: is longer than {}", kMaxScriptLength));
    }
    if (wait.arg && json::serialize(*wait.arg).size() > kMaxScriptArgument) {
      return RefuseWait(fmt::format("arg: is larger than {} bytes", kMaxScriptArgument));
    }
    return {};
  }

  Result<void> operator()(const TextWait& wait) const {
    if (Trim(wait.text.text).empty()) return RefuseWait("text: is empty");
    if (Utf8Length(wait.text.text) > kMaxTextLength) {
      return RefuseWait(fmt::format("text: is longer than {}", kMaxTextLength));
    }
    if (wait.scope) TRY(CheckTarget(*wait.scope));
    return {};
  }

  Result<void> operator()(const ElementStateWait& wait) const {
    TRY(CheckTarget(wait.target));
    if (wait.attribute.empty() == wait.property.empty()) {
      return RefuseWait("element_state: give either an attribute or a property");
    }
    if (wait.equals && wait.matches)
      return RefuseWait("element_state: give either equals or matches");
    if (wait.equals && (wait.equals->is_object() || wait.equals->is_array())) {
      return RefuseWait("equals: expected a single value");
    }
    if (std::max(wait.attribute.size(), wait.property.size()) > kMaxNameLength) {
      return RefuseWait("element_state: the name is too long");
    }
    return {};
  }

  Result<void> operator()(const CountWait& wait) const {
    if (!wait.target.eid.empty()) return RefuseWait("count: needs a selector");
    TRY(CheckTarget(wait.target));
    return CheckWaitRange("n", {0, 1'000'000}, wait.n);
  }
};

Result<void> CheckNode(const WaitCondition& node) {
  if (node.leaf.index() != TraitsOf(node.kind).leaf)
    return RefuseWait("payload: is of another kind");
  if (node.timeout) TRY(CheckWaitRange("timeout_ms", kWaitTimeoutMs, node.timeout->count()));
  if (node.is_composite() == node.children.empty()) {
    return RefuseWait("children: belong to all, any and not, and only there");
  }
  if (node.kind == kNot && node.children.size() != 1) return RefuseWait("not: takes one child");
  TRY(std::visit(LeafRules(), node.leaf));
  for (const WaitCondition& child : node.children) TRY(CheckNode(child));
  return {};
}

}  // namespace

const WaitTraits& TraitsOf(WaitKind kind) {
  return kKinds[std::to_underlying(kind)];
}

std::span<const WaitTraits> AllWaitKinds() {
  return kKinds;
}

std::string_view WaitKindName(WaitKind kind) {
  return TraitsOf(kind).name;
}

int WaitCondition::depth() const {
  int deepest = 0;
  for (const WaitCondition& child : children) deepest = std::max(deepest, child.depth());
  return deepest + 1;
}

std::size_t WaitCondition::leaf_count() const {
  if (children.empty()) return 1;
  std::size_t count = 0;
  for (const WaitCondition& child : children) count += child.leaf_count();
  return count;
}

bool WaitCondition::has_script() const {
  return kind == kFunction || std::ranges::any_of(children, &WaitCondition::has_script);
}

Result<void> WaitCondition::Validate() const {
  if (depth() > kMaxWaitDepth) {
    return RefuseWait(fmt::format("conditions are nested deeper than {}", kMaxWaitDepth));
  }
  if (leaf_count() > kMaxWaitLeaves) {
    return RefuseWait(fmt::format("there are more than {} conditions", kMaxWaitLeaves));
  }
  return CheckNode(*this);
}

}  // namespace falconer::model
