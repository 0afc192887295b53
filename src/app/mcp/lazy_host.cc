#include "app/mcp/lazy_host.h"

#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "app/host/control_settings.h"
#include "app/host/redaction_host.h"
#include "base/log.h"

namespace falconer::app {
namespace {

// Who takes longer to say which tools he has is left out.
constexpr auto kNodesTime = std::chrono::seconds(30);

}  // namespace

LazyHost::LazyHost(Program& program, ClientApprovals& approvals, HostWishes wishes)
    : program_(program),
      approvals_(approvals),
      wishes_(std::move(wishes)),
      tasks_(program.executor()) {
}

LazyHost::~LazyHost() = default;

void LazyHost::OpenSoon() {
  tasks_.Spawn("host.open", OpenNext(this));
}

Task<void> LazyHost::OpenNext(LazyHost* self) {
  co_await boost::asio::post(self->program_.executor(), boost::asio::use_awaitable);
  if (self->is_stopped_) co_return;
  if (const auto rooms = self->Rooms(); !rooms)
    LOG(warn, "host.not_opened", {"why", Describe(rooms.error())});
}

Result<api::ToolRooms> LazyHost::Rooms() {
  if (is_stopped_) return Fail(ErrorCode::kSessionClosed, "the server is going down");
  if (!host_) {
    TRY_ASSIGN(host_, RuntimeHost::Open(program_, wishes_));
    approvals_.Attach(host_->approvals());
    if (wishes_.browser == BrowserStart::kAtOnce) host_->WarmUp();
  }
  RedactionHost& redaction = host_->redaction();
  return api::ToolRooms{.runtime = &host_->runtime(),
                        .caller = host_->local_caller(),
                        .redactor = &redaction.redactor(),
                        .quarantine = redaction.quarantine(),
                        .panel = &host_->panel(),
                        .ghost = &host_->ghost(),
                        .crawls = &host_->crawls(),
                        .predict = &host_->predict()};
}

Task<api::AnswerBudget> LazyHost::Budget() {
  if (!host_) co_return api::AnswerBudget::Of(QuotaFrom(program_.settings()));
  co_return api::AnswerBudget::Of(co_await host_->QuotaOf(host_->local_caller().tenant));
}

Task<Result<policy::SecretText>> LazyHost::KeyOf(LazyHost* self, CallContext ctx,
                                                 policy::SecretReference reference,
                                                 std::string url) {
  CO_TRY_ASSIGN(const api::ToolRooms rooms, self->Rooms());
  const agent::KeySource from = agent::KeysFrom(rooms.runtime->parts().secrets);
  co_return co_await from(std::move(ctx), std::move(reference), std::move(url));
}

// Their secrets come from the runtime, which is opened when one is asked for.
agent::NodeHost LazyHost::NodeHostFrom() {
  const auto keys = [this](CallContext ctx, policy::SecretReference reference, std::string url) {
    return KeyOf(this, std::move(ctx), std::move(reference), std::move(url));
  };
  return {.keys = keys, .hidden = {program_.settings().data.dir}};
}

Task<Result<void>> LazyHost::LoadNodes(CallContext ctx) {
  const json::array& rows = program_.settings().agent.nodes;
  if (rows.empty()) co_return Result<void>();
  CO_TRY_ASSIGN(
      nodes_, agent::NodeTools::Make(program_.executor(), program_.clock(), rows, NodeHostFrom()));
  co_return co_await nodes_->Load(ctx.WithTimeout(kNodesTime));
}

Task<void> LazyHost::Stop(CallContext ctx) {
  is_stopped_ = true;
  co_await tasks_.Join();
  if (nodes_) co_await nodes_->Stop(ctx);
  if (host_) co_await host_->Stop(std::move(ctx));
  approvals_.Detach();
}

}  // namespace falconer::app
