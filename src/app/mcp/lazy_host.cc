#include "app/mcp/lazy_host.h"

#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "app/host/control_settings.h"
#include "app/host/redaction_host.h"
#include "base/log.h"

namespace falconer::app {

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
    host_->WarmUp();
  }
  RedactionHost& redaction = host_->redaction();
  return api::ToolRooms{.runtime = &host_->runtime(),
                        .caller = host_->local_caller(),
                        .redactor = &redaction.redactor(),
                        .quarantine = redaction.quarantine(),
                        .panel = &host_->panel()};
}

Task<api::AnswerBudget> LazyHost::Budget() {
  if (!host_) co_return api::AnswerBudget::Of(QuotaFrom(program_.settings()));
  co_return api::AnswerBudget::Of(co_await host_->QuotaOf(host_->local_caller().tenant));
}

Task<void> LazyHost::Stop(CallContext ctx) {
  is_stopped_ = true;
  co_await tasks_.Join();
  if (host_) co_await host_->Stop(std::move(ctx));
  approvals_.Detach();
}

}  // namespace falconer::app
