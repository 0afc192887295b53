#include "browser/waits/wait_manager.h"

#include <algorithm>
#include <utility>

#include "base/async/task_scope.h"
#include "browser/waits/wait_node.h"

namespace falconer::browser {
namespace {

using model::WaitKind;
using model::WaitPlace;

// Looking once still takes the page's time to answer.
constexpr auto kOneLook = std::chrono::seconds(2);

enum class Look { kOnce, kUntilDeadline };

// `look` is for the nodes that do not say how long they wait.
std::unique_ptr<WaitNode> Grow(const model::WaitCondition& condition, Look look) {
  auto node = std::make_unique<WaitNode>();
  node->condition = condition;
  node->outcome.kind = condition.kind;
  if (condition.timeout)
    look = condition.timeout->count() == 0 ? Look::kOnce : Look::kUntilDeadline;
  node->looks_once = look == Look::kOnce;
  const Look inside = condition.kind == WaitKind::kNot ? Look::kOnce : look;
  for (const model::WaitCondition& child : condition.children)
    node->children.push_back(Grow(child, inside));
  return node;
}

// The time a node has. What the driver sees needs none to be looked at.
CallContext TimeOf(const WaitNode& node, const CallContext& ctx) {
  if (!node.looks_once || node.condition.is_composite()) {
    return node.condition.timeout && !node.looks_once ? ctx.WithTimeout(*node.condition.timeout)
                                                      : ctx;
  }
  const bool in_page = TraitsOf(node.condition.kind).place == WaitPlace::kPage;
  return ctx.WithTimeout(in_page ? Duration(kOneLook) : Duration::zero());
}

Task<Result<void>> ArmNode(CallContext ctx, WaitScope* scope, WaitNode* node) {
  SetTraps(*scope, *node);
  if (node->condition.kind == WaitKind::kStateChange)
    CO_TRY(co_await TakeBaseline(ctx, scope, node));
  for (const auto& child : node->children) CO_TRY(co_await ArmNode(ctx, scope, child.get()));
  co_return Result<void>();
}

// Why nobody can know whether the node would have come true; null when it just did not.
const Error* FindUnknowable(const WaitNode& node) {
  if (!node.is_decided || node.outcome.satisfied) return nullptr;
  if (node.outcome.error && node.outcome.error->code() != ErrorCode::kWaitTimeout)
    return &*node.outcome.error;
  for (const auto& child : node.children) {
    if (const Error* why = FindUnknowable(*child)) return why;
  }
  return nullptr;
}

}  // namespace

struct ArmedWait::Impl {
  WaitScope scope;
  std::unique_ptr<WaitNode> root;
  // Waiting tasks live here and are called off together.
  CancelSource losers;
  Notifier progress;

  Task<void> RunLeaf(CallContext ctx, WaitNode* node);
  Task<void> RunNot(CallContext ctx, WaitNode* node, TaskScope* tasks);
  void Start(const CallContext& ctx, WaitNode* node, TaskScope* tasks);
  void Decide(WaitNode& node, Result<json::value> result, TimePoint started, TimePoint now);
  bool Settle(WaitNode& node, TimePoint started, TimePoint now);
};

void ArmedWait::Impl::Decide(WaitNode& node, Result<json::value> result, TimePoint started,
                             TimePoint now) {
  if (std::exchange(node.is_decided, true)) return;
  node.outcome.satisfied = result.has_value();
  node.outcome.waited = std::chrono::duration_cast<std::chrono::milliseconds>(now - started);
  if (result) {
    node.outcome.observed = *std::move(result);
  } else if (result.error().code() == ErrorCode::kTimeout) {
    node.outcome.error = Error(ErrorCode::kWaitTimeout, result.error().message());
  } else {
    node.outcome.error = std::move(result).error();
  }
  progress.NotifyAll();
}

Task<void> ArmedWait::Impl::RunLeaf(CallContext ctx, WaitNode* node) {
  const TimePoint started = ctx.clock().Now();
  const bool in_page = TraitsOf(node->condition.kind).place == WaitPlace::kPage;
  auto result =
      in_page ? co_await WaitInPage(ctx, &scope, node) : co_await WaitInDriver(ctx, &scope, node);
  Decide(*node, std::move(result), started, ctx.clock().Now());
}

// Holds when the child's time is over and it has not come true.
Task<void> ArmedWait::Impl::RunNot(CallContext ctx, WaitNode* node, TaskScope* tasks) {
  const TimePoint started = ctx.clock().Now();
  WaitNode* child = node->children.front().get();
  Start(ctx, child, tasks);
  const auto is_settled = [&] { return Settle(*child, started, ctx.clock().Now()); };
  const auto decided = co_await progress.Until(ctx, is_settled, "not");
  Result<json::value> result = json::value();
  if (const Error* why = FindUnknowable(*child)) result = std::unexpected(*why);
  if (decided && child->outcome.satisfied)
    result = Fail(ErrorCode::kWaitTimeout, "what should not be so is so");
  if (!decided && decided.error().code() != ErrorCode::kTimeout)
    result = std::unexpected(decided.error());
  Decide(*node, std::move(result), started, ctx.clock().Now());
}

void ArmedWait::Impl::Start(const CallContext& ctx, WaitNode* node, TaskScope* tasks) {
  const CallContext own = TimeOf(*node, ctx);
  if (node->condition.kind == WaitKind::kNot)
    return tasks->Spawn("wait.not", RunNot(own, node, tasks));
  if (!node->condition.is_composite()) return tasks->Spawn("wait.leaf", RunLeaf(own, node));
  for (const auto& child : node->children) Start(own, child.get(), tasks);
}

// Decides `all` and `any` from their children. True when the node is decided.
bool ArmedWait::Impl::Settle(WaitNode& node, TimePoint started, TimePoint now) {
  if (node.is_decided) return true;
  if (node.condition.kind != WaitKind::kAll && node.condition.kind != WaitKind::kAny) return false;
  const bool wants_all = node.condition.kind == WaitKind::kAll;
  std::size_t satisfied = 0;
  std::size_t decided = 0;
  for (const auto& child : node.children) {
    if (!Settle(*child, started, now)) continue;
    ++decided;
    satisfied += child->outcome.satisfied ? 1 : 0;
  }
  const std::size_t count = node.children.size();
  if (wants_all ? satisfied == count : satisfied > 0) {
    Decide(node, json::value(), started, now);
  } else if (wants_all ? satisfied < decided : decided == count) {
    Decide(
        node,
        Fail(ErrorCode::kWaitTimeout, wants_all ? "not every part came true" : "no part came true"),
        started, now);
  }
  return node.is_decided;
}

namespace {

std::optional<PageReading> FindReading(WaitNode& node) {
  if (node.reading) return std::move(node.reading);
  for (const auto& child : node.children) {
    if (auto found = FindReading(*child)) return found;
  }
  return std::nullopt;
}

// The outcomes of the children, gathered into their parents'.
model::WaitOutcome Gather(WaitNode& node) {
  for (const auto& child : node.children) node.outcome.children.push_back(Gather(*child));
  if (!node.is_decided) node.outcome.error = Error(ErrorCode::kCancelled, "no longer needed");
  return std::move(node.outcome);
}

}  // namespace

ArmedWait::ArmedWait(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
}
ArmedWait::~ArmedWait() = default;

Task<Result<model::WaitOutcome>> ArmedWait::Wait(CallContext ctx) {
  Impl& impl = *impl_;
  WaitNode& root = *impl.root;
  const TimePoint started = ctx.clock().Now();
  TaskScope tasks(ctx.executor());
  const auto link = ctx.cancel().OnCancel(
      [&] { impl.losers.Cancel(Error(ErrorCode::kCancelled, "the wait was cancelled")); });
  impl.Start(ctx.WithCancel(impl.losers.token()), &root, &tasks);
  // No deadline here: every leaf has one and says in its outcome how it ended.
  const CallContext until_decided =
      CallContext(ctx.executor(), ctx.clock()).WithCancel(ctx.cancel());
  const auto decided = co_await impl.progress.Until(
      until_decided, [&] { return impl.Settle(root, started, ctx.clock().Now()); },
      "the condition");
  // Looked for before the losers end: that they were called off says nothing.
  const Error* why = FindUnknowable(root);
  impl.losers.Cancel(Error(ErrorCode::kCancelled, "no longer needed"));
  co_await tasks.Stop();
  CO_TRY(decided);
  CO_TRY(ctx.cancel().Check());
  if (why != nullptr) co_return std::unexpected(*why);
  co_return Gather(root);
}

void ArmedWait::Notice(PageReading changed) {
  impl_->scope.noticed = std::move(changed);
}

std::optional<PageReading> ArmedWait::TakeReading() {
  return FindReading(*impl_->root);
}

Task<Result<std::unique_ptr<ArmedWait>>> WaitManager::Arm(CallContext ctx, std::shared_ptr<Tab> tab,
                                                          model::WaitCondition condition,
                                                          PageMark seen) {
  CO_TRY(condition.Validate());
  auto impl = std::make_unique<ArmedWait::Impl>(
      ArmedWait::Impl{.scope = {.session = session_,
                                .navigator = navigator_,
                                .tab = std::move(tab),
                                .seen = std::move(seen)},
                      .root = Grow(condition, Look::kUntilDeadline)});
  CO_TRY(co_await ArmNode(std::move(ctx), &impl->scope, impl->root.get()));
  co_return std::unique_ptr<ArmedWait>(new ArmedWait(std::move(impl)));
}

}  // namespace falconer::browser
