#include "agent/nodes/mcp_node.h"

#include <algorithm>
#include <utility>

#include "agent/nodes/mcp_tools.h"
#include "agent/nodes/node_child.h"
#include "base/log.h"

namespace falconer::agent {
namespace {

constexpr std::chrono::milliseconds kLongestPause = std::chrono::seconds(10);
constexpr int kMostPages = 32;

json::object CallParams(const Correlation& ids, NodeCall call) {
  return {{"name", call.tool},
          {"arguments", std::move(call.arguments)},
          {"_meta",
           {{"progressToken", call.invocation},
            {"falconer/session", ids.session.value()},
            {"falconer/turn", ids.turn.value()},
            {"falconer/invocation", call.invocation},
            {"falconer/epoch", call.epoch}}}};
}

// Whether it says something about the server, and not about who asked.
bool IsServersFault(const CallContext& ctx, const Error& error) {
  return ctx.StillWanted("a node").has_value() || error.code() == ErrorCode::kToolUnavailable;
}

// Set as long as somebody starts the server, however that ends.
class StartMark {
 public:
  StartMark(bool& mark, Notifier& changed) : mark_(mark), changed_(changed) { mark_ = true; }
  ~StartMark() {
    mark_ = false;
    changed_.NotifyAll();
  }
  StartMark(const StartMark&) = delete;
  StartMark& operator=(const StartMark&) = delete;

 private:
  bool& mark_;
  Notifier& changed_;
};

}  // namespace

McpNode::McpNode(const Executor& executor, Clock& clock, NodeSpec spec, const NodeHost& host,
                 McpRestart restart)
    : Node(std::move(spec)),
      clock_(clock),
      executor_(executor),
      host_(host),
      restart_(restart),
      breaker_(clock, restart.crashes),
      pause_(restart.first_pause),
      probes_(executor) {
}

McpNode::~McpNode() {
  if (connection_) connection_->OnOver(nullptr);
}

Task<Result<std::vector<NodeToolSpec>>> McpNode::List(CallContext ctx) {
  const CallContext in_time = ctx.WithTimeout(spec().limits.timeout);
  CO_TRY_ASSIGN(const Connection connection, co_await Connect(in_time));
  std::vector<NodeToolSpec> out;
  std::string cursor;
  for (int page = 0; page < kMostPages && out.size() < kMaxMcpTools; ++page) {
    json::object params;
    if (!cursor.empty()) params["cursor"] = cursor;
    CO_TRY_ASSIGN(const McpReply reply,
                  co_await AskInTime(in_time, connection, "tools/list", std::move(params)));
    TakeMcpTools(spec(), reply.result, out);
    cursor = TextAt(reply.result, "nextCursor");
    if (cursor.empty()) break;
  }
  co_return out;
}

Task<ToolResult> McpNode::Call(CallContext ctx, NodeCall call) {
  const CallContext in_time = ctx.WithTimeout(spec().limits.timeout);
  auto connection = co_await Connect(in_time);
  if (!connection) co_return NodeFailure({.node = spec().name}, WhyOver(ctx, connection.error()));
  const auto cpu_before = (*connection)->child().use().cpu_time;
  auto reply = co_await AskInTime(in_time, *connection, "tools/call",
                                  CallParams(ctx.ids(), std::move(call)));
  if (!reply) reply = Fail(WhyOver(ctx, reply.error()));
  co_return ResultOf(*connection, cpu_before, reply);
}

Task<Result<McpNode::Connection>> McpNode::Connect(CallContext ctx) {
  while (true) {
    if (is_stopped_)
      co_return Fail(ErrorCode::kToolUnavailable, "the node " + spec().name + " is shut down");
    if (connection_ && !connection_->is_over()) co_return connection_;
    if (!is_starting_) break;
    CO_TRY(co_await changed_.Until(ctx, [this] { return !is_starting_; }, "a node to start"));
  }
  const StartMark mark(is_starting_, changed_);
  co_return co_await Start(ctx);
}

Result<void> McpNode::MayStart() {
  const auto entered = breaker_.Enter();
  if (entered) return {};
  return Fail(Error(entered.error().code(), "the node " + spec().name + " has ended too often",
                    entered.error().details()));
}

Task<Result<McpNode::Connection>> McpNode::Start(CallContext ctx) {
  CO_TRY(MayStart());
  // Nobody signals it: it is the pause that is over.
  Alarm pause(ctx.executor(), ctx.clock());
  const CallContext until = ctx.WithDeadline(Deadline::At(earliest_start_));
  while (clock_.Now() < earliest_start_ && ctx.StillWanted("a node"))
    static_cast<void>(co_await until.Wait(&pause, "a node's pause"));
  auto child = co_await ChildOfNode(ctx, &spec(), &host_);
  auto opened = child ? co_await McpConnection::Open(ctx, spec().name, *std::move(child))
                      : Result<Connection>(Fail(child.error()));
  breaker_.EndProbe();
  if (!opened) {
    if (IsServersFault(ctx, opened.error())) OnCrash();
    co_return Fail(opened.error());
  }
  // Stop() has not seen this one.
  if (is_stopped_) {
    co_await (*opened)->Close(ctx);
    co_return Fail(ErrorCode::kToolUnavailable, "the node " + spec().name + " is shut down");
  }
  connection_ = *opened;
  connection_->OnOver([this] { OnCrash(); });
  LOG(info, "node.started", {"node", spec().name});
  co_return connection_;
}

void McpNode::OnCrash() {
  LOG(warn, "node.crashed", {"node", spec().name});
  breaker_.NoteDown();
  earliest_start_ = clock_.Now() + pause_;
  pause_ = std::min(pause_ * 2, kLongestPause);
}

Task<Result<McpReply>> McpNode::AskInTime(CallContext ctx, Connection connection,
                                          std::string method, json::object params) {
  auto reply = co_await connection->Ask(ctx, std::move(method), std::move(params));
  if (reply) {
    breaker_.NoteUp();
    pause_ = restart_.first_pause;
  } else if (!connection->is_over() && !is_stopped_) {
    probes_.Spawn("node.probe", Probe(connection));
  }
  co_return reply;
}

Task<void> McpNode::Probe(Connection connection) {
  const CallContext ctx = CallContext(executor_, clock_).WithTimeout(spec().limits.grace);
  const auto reply = co_await connection->Ask(ctx, "ping", {});
  if (!reply)
    connection->Abort(Error(ErrorCode::kToolUnavailable,
                            "the node " + spec().name + " does not answer any more"));
}

// The reason of ctx, or that the node's own time is over.
Error McpNode::WhyOver(const CallContext& ctx, const Error& error) const {
  const Result<void> wanted = ctx.StillWanted("a node");
  if (!wanted) return wanted.error();
  if (error.code() != ErrorCode::kTimeout) return error;
  return {ErrorCode::kToolTimeout, "the node " + spec().name + " took longer than " +
                                       std::to_string(spec().limits.timeout.count()) + " ms"};
}

ToolResult McpNode::ResultOf(const Connection& connection, std::chrono::milliseconds cpu_before,
                             const Result<McpReply>& reply) const {
  NodeUse use{.node = spec().name,
              .used = connection->child().use(),
              .bounds = connection->child().bounds()};
  use.used.cpu_time = std::max(use.used.cpu_time - cpu_before, std::chrono::milliseconds(0));
  return reply ? McpResult(use, *reply) : NodeFailure(use, reply.error());
}

Task<void> McpNode::Stop(CallContext ctx) {
  is_stopped_ = true;
  co_await probes_.Stop();
  const Connection connection = std::exchange(connection_, nullptr);
  if (connection) co_await connection->Close(ctx);
}

}  // namespace falconer::agent
