#include "browser/network/request_holds.h"

#include <algorithm>
#include <chrono>
#include <ranges>
#include <utility>

#include "browser/network/request_digest.h"

namespace falconer::browser {
namespace {

constexpr std::size_t kMostHops = 128;
// Nothing announces that the browser has dropped a request with what asked for it.
constexpr std::chrono::milliseconds kRecheckPauses[] = {
    std::chrono::milliseconds(0), std::chrono::milliseconds(100), std::chrono::milliseconds(500),
    std::chrono::milliseconds(2500)};
constexpr std::string_view kDocumentType = "document";

struct TargetRow {
  std::string_view type;
  HoldEnding ending;
};

// What it means that a target is gone; all others are workers.
constexpr TargetRow kTargets[] = {
    {"page", HoldEnding::kTabGone},
    {"iframe", HoldEnding::kFrameGone},
};

HoldEnding EndingWith(const cdp::Session& session, const Error& reason) {
  if (reason.code() == ErrorCode::kBrowserGone) return HoldEnding::kSessionClosed;
  const auto row = std::ranges::find(kTargets, session.target().type, &TargetRow::type);
  return row == std::end(kTargets) ? HoldEnding::kWorkerGone : row->ending;
}

std::uint64_t BytesOf(const RequestFacts& facts) {
  std::uint64_t bytes = facts.url.size() + facts.body.size();
  for (const RequestHeader& header : facts.headers) {
    bytes += header.name.size() + header.value.size();
  }
  return bytes;
}

// A document that is aborted leaves the page or frame where it was; one that is blocked is replaced
// by an error page, and what was filled in is lost.
std::string FailureOf(const HeldRequest& request) {
  return request.facts.resource_type == kDocumentType ? "Aborted" : "BlockedByClient";
}

}  // namespace

bool HeldRequest::is_page() const {
  using enum RequestUse;
  return facts.use == kNavigation || facts.use == kRedirect || facts.use == kPopup;
}

RequestHolds::RequestHolds(Executor executor, Clock& clock,
                           std::shared_ptr<RequestBackstop> backstop, Limits limits)
    : clock_(clock),
      ctx_(executor, clock),
      backstop_(std::move(backstop)),
      limits_(limits),
      alive_(std::make_shared<char>()),
      tasks_(std::move(executor)) {
}

RequestHolds::~RequestHolds() = default;

std::string_view RequestHolds::Obstacle(const RequestFacts& facts) const {
  if (holds_.size() >= limits_.most) return kTooMany;
  if (BytesOf(facts) > limits_.bytes - bytes_) return kTooLarge;
  return "";
}

void RequestHolds::Keep(Stopped stopped, RequestFacts facts, RequestVerdict verdict) {
  const HoldId id = ++last_id_;
  Hold hold{.bytes = BytesOf(facts)};
  std::string digest = RequestDigest(facts);
  const auto request =
      std::make_shared<const HeldRequest>(HeldRequest{.id = id,
                                                      .facts = std::move(facts),
                                                      .verdict = std::move(verdict),
                                                      .digest = std::move(digest),
                                                      .since = clock_.Now()});
  hold.request = request;
  hold.watching = Watch(id, stopped);
  hold.stopped = std::move(stopped);
  bytes_ += hold.bytes;
  backstop_->Guard(request->facts);
  holds_.emplace(id, std::move(hold));
  on_held_.Emit(*request);
}

std::vector<Subscription> RequestHolds::Watch(HoldId id, const Stopped& stopped) {
  cdp::Session& session = *stopped.session;
  std::vector<Subscription> watching;
  watching.push_back(session.OnClosed([this, id, raw = &session](const Error& reason) {
    End(id, EndingWith(*raw, reason), reason.message());
  }));
  watching.push_back(session.On<cdp::InspectorTargetCrashed>(
      [this, id](const auto&) { End(id, HoldEnding::kPageCrashed, "the page's process ended"); }));
  watching.push_back(session.On<cdp::NetworkLoadingFailed>(
      [this, id, network_id = stopped.network_id](const auto& event) {
        // What was let go may fail before the answer to that is looked at.
        if (event.request_id == network_id && Find(id))
          End(id, HoldEnding::kCancelled, event.error_text);
      }));
  watching.push_back(
      session.On<cdp::PageFrameDetached>([this, id](const auto&) { RecheckOne(id); }));
  watching.push_back(
      session.On<cdp::PageFrameNavigated>([this, id](const auto&) { RecheckOne(id); }));
  return watching;
}

Result<RequestHolds::Hold*> RequestHolds::Waiting(HoldId id) {
  const auto found = holds_.find(id);
  if (found == holds_.end())
    return Fail(ErrorCode::kNotFound, "no request is held as " + std::to_string(id));
  if (found->second.is_leaving)
    return Fail(ErrorCode::kNotFound, "request " + std::to_string(id) + " is let go already");
  return &found->second;
}

Result<void> RequestHolds::Release(HoldId id, std::string_view digest) {
  TRY_ASSIGN(Hold* const hold, Waiting(id));
  const HeldRequest& request = *hold->request;
  if (digest != request.digest) {
    return Fail(
        Error(ErrorCode::kPreconditionFailed,
              "the decision is about another request than held request " + std::to_string(id),
              {{"held", std::string_view(request.digest)}, {"decided", digest}}));
  }
  hold->is_leaving = true;
  const auto session = hold->stopped.session;
  const std::string request_id = hold->stopped.request_id;
  hold->stopped.on_release();
  NoteHop({session->id(), request_id, hold->stopped.network_id, request.digest});
  backstop_->LetPass(request.facts);
  tasks_.Spawn(
      "hold.release",
      FinishRelease(this, alive_, id,
                    session->Post(cdp::FetchContinueRequest{.request_id = request_id}), ctx_));
  return {};
}

// The browser answers at once, unless it is gone; and that ends the hold by itself.
Task<void> RequestHolds::FinishRelease(RequestHolds* self, std::weak_ptr<void> alive, HoldId id,
                                       cdp::PendingReply<cdp::FetchContinueRequest> pending,
                                       CallContext ctx) {
  const auto reply = co_await pending.Wait(std::move(ctx));
  if (alive.expired()) co_return;
  if (reply) co_return self->End(id, HoldEnding::kReleased, "");
  const bool was_gone = reply.error().code() == ErrorCode::kNotFound;
  self->End(id, was_gone ? HoldEnding::kCancelled : HoldEnding::kSessionClosed,
            reply.error().message());
}

Result<void> RequestHolds::Refuse(HoldId id, std::string why) {
  TRY(Waiting(id));
  End(id, HoldEnding::kRefused, std::move(why));
  return {};
}

void RequestHolds::End(HoldId id, HoldEnding why, std::string detail) {
  auto node = holds_.extract(id);
  if (node.empty()) return;
  // Kept to the end of the call: it may be one of its own subscriptions that called us.
  const Hold& hold = node.mapped();
  bytes_ -= hold.bytes;
  Abandon(hold);
  if (why == HoldEnding::kRefused)
    hold.stopped.on_refused(*hold.request,
                            RequestVerdict::Refuse(hold.request->verdict.rule, detail));
  on_ended_.Emit({.why = why,
                  .detail = std::move(detail),
                  .may_have_left = hold.is_leaving && why != HoldEnding::kCancelled,
                  .request = hold.request});
}

// It is failed, should the browser still have it, and guarded further: it may be on its way out
// because its target closes at this moment.
void RequestHolds::Abandon(const Hold& hold) {
  if (hold.is_leaving) return;
  backstop_->GiveUp(hold.request->facts, this);
  hold.stopped.session->Post(cdp::FetchFailRequest{.request_id = hold.stopped.request_id,
                                                   .error_reason = FailureOf(*hold.request)});
}

template <typename Which>
void RequestHolds::EndThose(Which which, HoldEnding why, const std::string& detail) {
  std::vector<HoldId> ending;
  for (const auto& [id, hold] : holds_) {
    if (which(hold)) ending.push_back(id);
  }
  for (const HoldId id : ending) End(id, why, detail);
}

void RequestHolds::EndOf(const void* owner, HoldEnding why, const std::string& detail) {
  EndThose([&](const Hold& hold) { return hold.stopped.owner == owner; }, why, detail);
}

void RequestHolds::EndTab(const TabId& tab, const std::string& detail) {
  EndThose([&](const Hold& hold) { return hold.request->facts.tab == tab; }, HoldEnding::kTabGone,
           detail);
}

void RequestHolds::EndAll(HoldEnding why, const std::string& detail) {
  EndThose([](const Hold&) { return true; }, why, detail);
}

void RequestHolds::Recheck(const void* owner) {
  for (const auto& [id, hold] : holds_) {
    if (hold.stopped.owner == owner) RecheckOne(id);
  }
}

void RequestHolds::RecheckOne(HoldId id) {
  const auto hold = Waiting(id);
  if (hold) tasks_.Spawn("hold.recheck", RunRecheck(this, alive_, id, ++(*hold)->rechecks));
}

// The browser has no body for a request that waits, but only for one that is gone does it say that
// it does not know it.
Task<void> RequestHolds::RunRecheck(RequestHolds* self, std::weak_ptr<void> alive, HoldId id,
                                    std::uint64_t recheck) {
  const CallContext ctx = self->ctx_;
  for (const Duration pause : kRecheckPauses) {
    Alarm alarm(ctx.executor(), ctx.clock());
    if (pause > Duration::zero()) co_await alarm.Wait(Deadline::After(ctx.clock().Now(), pause));
    if (alive.expired()) co_return;
    const auto hold = self->Waiting(id);
    if (!hold || (*hold)->rechecks != recheck) co_return;
    const Stopped& stopped = (*hold)->stopped;
    const auto asked =
        stopped.session->Post(cdp::FetchGetResponseBody{.request_id = stopped.request_id});
    const auto reply = co_await asked.Wait(ctx);
    if (alive.expired()) co_return;
    if (!reply && reply.error().code() == ErrorCode::kNotFound)
      co_return self->End(id, HoldEnding::kCancelled, "the page has ended what asked for it");
  }
}

std::vector<std::shared_ptr<const HeldRequest>> RequestHolds::all() const {
  std::vector<std::shared_ptr<const HeldRequest>> waiting;
  for (const auto& [id, hold] : holds_) {
    if (!hold.is_leaving) waiting.push_back(hold.request);
  }
  return waiting;
}

std::shared_ptr<const HeldRequest> RequestHolds::Find(HoldId id) const {
  const auto found = holds_.find(id);
  return found == holds_.end() || found->second.is_leaving ? nullptr : found->second.request;
}

std::shared_ptr<const HeldRequest> RequestHolds::PageOf(const TabId& tab) const {
  for (const auto& request : all()) {
    if (request->facts.tab == tab && request->is_page()) return request;
  }
  return nullptr;
}

std::string RequestHolds::RedirectOf(const cdp::Session& session,
                                     const std::string& request_id) const {
  const auto found = std::ranges::find_if(hops_, [&](const Hop& hop) {
    return hop.session_id == session.id() && hop.request_id == request_id;
  });
  return found == hops_.end() ? "" : found->digest;
}

void RequestHolds::NoteHop(Hop hop) {
  hops_.push_back(std::move(hop));
  if (hops_.size() > kMostHops) hops_.pop_front();
}

bool RequestHolds::HasLetGo(const cdp::Session& session, const std::string& network_id,
                            const RequestFacts& facts) const {
  const auto is_it = [&](const Hop& hop) {
    return hop.network_id == network_id && hop.session_id != session.id();
  };
  if (network_id.empty()) return false;
  const auto found = std::ranges::find_if(hops_, is_it);
  if (found == hops_.end()) return false;
  const std::string digest = RequestDigest(facts);
  return std::ranges::any_of(hops_,
                             [&](const Hop& hop) { return is_it(hop) && hop.digest == digest; });
}

}  // namespace falconer::browser
