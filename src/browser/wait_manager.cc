#include "browser/wait_manager.h"

#include <algorithm>
#include <utility>

#include "base/task_scope.h"
#include "browser/wait_node.h"

namespace falconer::browser {
namespace {

using model::WaitKind;
using model::WaitPlace;

std::unique_ptr<WaitNode> Grow(const model::WaitCondition& condition) {
  auto node = std::make_unique<WaitNode>();
  node->condition = condition;
  node->outcome.kind = condition.kind;
  for (const model::WaitCondition& child : condition.children) node->children.push_back(Grow(child));
  return node;
}

Task<Result<void>> ArmNode(CallContext ctx, WaitScope* scope, WaitNode* node) {
  SetTraps(*scope, *node);
  if (node->condition.kind == WaitKind::kStateChange) CO_TRY(co_await TakeBaseline(ctx, scope, node));
  for (const auto& child : node->children) CO_TRY(co_await ArmNode(ctx, scope, child.get()));
  co_return Result<void>();
}

bool IsUnknowable(const Error& error) {
  return error.code() != ErrorCode::kTimeout && error.code() != ErrorCode::kWaitTimeout;
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

void ArmedWait::Impl::Decide(WaitNode& node, Result<json::value> result, TimePoint started, TimePoint now) {
  if (std::exchange(node.is_decided, true)) return;
  node.outcome.satisfied = result.has_value();
  node.outcome.waited = std::chrono::duration_cast<std::chrono::milliseconds>(now - started);
  if (result) {
    node.outcome.observed = *std::move(result);
  } else {
    node.outcome.error = std::move(result).error();
  }
  progress.NotifyAll();
}

Task<void> ArmedWait::Impl::RunLeaf(CallContext ctx, WaitNode* node) {
  const TimePoint started = ctx.clock().Now();
  const bool in_page = TraitsOf(node->condition.kind).place == WaitPlace::kPage;
  auto result = in_page ? co_await WaitInPage(ctx, &scope, node) : co_await WaitInDriver(ctx, &scope, node);
  Decide(*node, std::move(result), started, ctx.clock().Now());
}

// Holds when the child's time is over and it has not come true.
Task<void> ArmedWait::Impl::RunNot(CallContext ctx, WaitNode* node, TaskScope* tasks) {
  const TimePoint started = ctx.clock().Now();
  WaitNode* child = node->children.front().get();
  const auto patience = child->condition.timeout.value_or(std::chrono::milliseconds(0));
  // Looking once still takes a round trip to the page.
  constexpr auto kOneLook = std::chrono::milliseconds(250);
  Start(ctx.WithTimeout(std::max<Duration>(patience, kOneLook)), child, tasks);
  const auto decided = co_await progress.Until(ctx, [child] { return child->is_decided; }, "not");
  if (decided && child->outcome.satisfied) {
    Decide(*node, Fail(ErrorCode::kWaitTimeout, "what should not be so is so"), started, ctx.clock().Now());
  } else {
    Decide(*node, json::value(), started, ctx.clock().Now());
  }
}

void ArmedWait::Impl::Start(const CallContext& ctx, WaitNode* node, TaskScope* tasks) {
  const CallContext own = node->condition.timeout ? ctx.WithTimeout(*node->condition.timeout) : ctx;
  if (node->condition.kind == WaitKind::kNot) return tasks->Spawn("wait.not", RunNot(own, node, tasks));
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
    Decide(node, Fail(ErrorCode::kWaitTimeout, wants_all ? "not every part came true" : "no part came true"), started, now);
  }
  return node.is_decided;
}

namespace {

// The outcomes of the children, gathered into their parents'.
model::WaitOutcome Gather(WaitNode& node) {
  for (const auto& child : node.children) node.outcome.children.push_back(Gather(*child));
  if (!node.is_decided) node.outcome.error = Error(ErrorCode::kCancelled, "no longer needed");
  return std::move(node.outcome);
}

const Error* FindUnknowable(const WaitNode& node) {
  if (node.is_decided && node.outcome.error && IsUnknowable(*node.outcome.error)) return &*node.outcome.error;
  return nullptr;
}

}  // namespace

ArmedWait::ArmedWait(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ArmedWait::~ArmedWait() = default;

Task<Result<model::WaitOutcome>> ArmedWait::Wait(CallContext ctx) {
  Impl& impl = *impl_;
  WaitNode& root = *impl.root;
  const TimePoint started = ctx.clock().Now();
  TaskScope tasks(ctx.executor());
  const auto link = ctx.cancel().OnCancel([&] { impl.losers.Cancel(Error(ErrorCode::kCancelled, "the wait was cancelled")); });
  impl.Start(ctx.WithCancel(impl.losers.token()), &root, &tasks);
  const auto decided = co_await impl.progress.Until(
      ctx.WithDeadline(Deadline::Never()), [&] { return impl.Settle(root, started, ctx.clock().Now()); }, "the condition");
  impl.losers.Cancel(Error(ErrorCode::kCancelled, "no longer needed"));
  co_await tasks.Stop();
  CO_TRY(decided);
  CO_TRY(ctx.cancel().Check());
  if (const Error* why = FindUnknowable(root)) co_return std::unexpected(*why);
  co_return Gather(root);
}

Task<Result<std::unique_ptr<ArmedWait>>> WaitManager::Arm(CallContext ctx, std::shared_ptr<Tab> tab,
                                                          model::WaitCondition condition) {
  CO_TRY(condition.Validate());
  auto impl = std::make_unique<ArmedWait::Impl>(
      ArmedWait::Impl{.scope = {.session = session_, .navigator = navigator_, .tab = std::move(tab)}, .root = Grow(condition)});
  CO_TRY(co_await ArmNode(std::move(ctx), &impl->scope, impl->root.get()));
  co_return std::unique_ptr<ArmedWait>(new ArmedWait(std::move(impl)));
}

}  // namespace falconer::browser
