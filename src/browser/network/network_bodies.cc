#include "browser/network/network_bodies.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "cdp/connection.h"

namespace falconer::browser {
namespace {

template <typename List, typename T>
bool Contains(const List& list, const T& value) {
  return std::ranges::find(list, value) != std::end(list);
}

bool IsJson(std::string_view content_type) {
  return content_type == "application/json" || content_type == "text/json" ||
         content_type.ends_with("+json");
}

bool HasNoBody(const NetworkRequest& request) {
  return request.method == "HEAD" || request.status == 204 || request.status == 205 ||
         request.status == 304;
}

// Some services put a line before their JSON that keeps it from being run as a script.
std::string_view WithoutGuard(std::string_view body) {
  if (!body.starts_with(")]}'")) return body;
  const auto line_end = body.find('\n');
  return line_end == body.npos ? std::string_view() : body.substr(line_end + 1);
}

// The browser has thrown the body away, or never had one.
bool SaysGone(const Error& error) {
  return error.message().contains("No resource with given identifier found") ||
         error.message().contains("No data found for resource");
}

}  // namespace

bool BodyRule::Matches(const NetworkRequest& request) const {
  if (url && !url->Matches(request.url)) return false;
  return types.empty() || Contains(types, request.type);
}

NetworkBodies::NetworkBodies(Clock& clock, NetworkBodyLimits limits, OnRead on_read)
    : clock_(clock),
      limits_(limits),
      on_read_(std::move(on_read)),
      waiting_(limits.max_waiting, Overflow::kDropNewest),
      postponed_(limits.max_waiting, Overflow::kDropNewest),
      alive_(std::make_shared<char>()) {
}

NetworkBodies::~NetworkBodies() = default;

Subscription NetworkBodies::Want(BodyRule rule) {
  const auto id = ++last_rule_;
  rules_.emplace(id, std::move(rule));
  return Subscription([this, id, alive = std::weak_ptr<void>(alive_)] {
    if (!alive.expired()) ForgetRule(id);
  });
}

void NetworkBodies::ForgetRule(std::uint64_t id) {
  rules_.erase(id);
  if (!rules_.empty()) return;
  kept_.clear();
  kept_bytes_ = 0;
}

bool NetworkBodies::IsKeeping(const NetworkRequest& request) const {
  return std::ranges::any_of(rules_,
                             [&](const auto& rule) { return rule.second.Matches(request); });
}

bool NetworkBodies::IsJudged(const NetworkRequest& request) const {
  return limits_.judge_json && (request.type == "XHR" || request.type == "Fetch") &&
         IsJson(request.content_type) && !HasNoBody(request);
}

bool NetworkBodies::IsWanted(const NetworkRequest& request) const {
  return IsJudged(request) || IsKeeping(request);
}

void NetworkBodies::OnComplete(const NetworkRequest& request, std::size_t encoded_bytes) {
  const bool judge = IsJudged(request) && encoded_bytes <= limits_.max_judged_bytes;
  const bool keep = IsKeeping(request);
  auto session = request.session.lock();
  if ((!judge && !keep) || !session || !session->is_open()) return;
  Enqueue({.request_id = request.id,
           .session = std::move(session),
           .response_seq = request.response_seq,
           .keep = keep,
           .judge = judge});
  StartReads();
}

void NetworkBodies::Enqueue(Job job) {
  auto& queue = Contains(held_, job.session.get()) ? postponed_ : waiting_;
  if (queue.TryPush(std::move(job)) == Push::kDropped) ++dropped_;
}

void NetworkBodies::StartReads() {
  while (!waiting_.is_empty() && reads_ < limits_.max_reads) {
    const Executor& executor = waiting_.items().front().session->connection().executor();
    if (!scope_) scope_.emplace(executor);
    ++reads_;
    scope_->Spawn("network.bodies", ReadJobs(this, alive_, CallContext(executor, clock_)));
  }
}

Task<void> NetworkBodies::ReadJobs(NetworkBodies* self, std::weak_ptr<void> alive,
                                   CallContext ctx) {
  while (const auto job = self->waiting_.TryPop()) {
    self->reading_.push_back(job->response_seq);
    auto body = co_await Fetch(ctx, job->session, job->request_id, self->limits_.max_body_bytes);
    if (alive.expired()) co_return;
    std::erase(self->reading_, job->response_seq);
    self->OnJobRead(*job, std::move(body));
    // Whoever was told may have ended the observer.
    if (alive.expired()) co_return;
  }
  --self->reads_;
}

Task<Result<Body>> NetworkBodies::Fetch(CallContext ctx, std::shared_ptr<cdp::Session> session,
                                        std::string request_id, std::size_t max_bytes) {
  auto reply =
      co_await session->Send(std::move(ctx), cdp::NetworkGetResponseBody{.request_id = request_id});
  if (!reply && SaysGone(reply.error())) {
    co_return Fail(ErrorCode::kNotFound,
                   "the browser no longer has the body of request " + request_id);
  }
  if (!reply) co_return std::unexpected(std::move(reply).error());
  Body body{.bytes = std::move(reply->body)};
  if (reply->base64_encoded) {
    CO_TRY_ASSIGN(body.bytes, DecodeBase64(body.bytes));
  }
  body.is_truncated = body.bytes.size() > max_bytes;
  if (body.is_truncated) {
    body.bytes.resize(max_bytes);
    body.bytes.shrink_to_fit();
  }
  co_return body;
}

void NetworkBodies::OnJobRead(const Job& job, Result<Body> body) {
  if (!body && body.error().code() == ErrorCode::kDialogOpen) {
    if (postponed_.TryPush(Job(job)) == Push::kDropped) ++dropped_;
    return on_read_(job.response_seq, std::nullopt);
  }
  std::optional<model::BodyJudgement> judgement;
  if (body && job.judge && !body->is_truncated && body->bytes.size() <= limits_.max_judged_bytes) {
    judgement = model::JudgeJsonBody(WithoutGuard(body->bytes));
  }
  if (body && job.keep) Keep(job.request_id, *std::move(body));
  on_read_(job.response_seq, judgement);
}

void NetworkBodies::Keep(const std::string& request_id, Body body) {
  // The rule may have gone while the body was on its way.
  if (rules_.empty()) return;
  std::erase_if(kept_, [&](const Kept& kept) {
    if (kept.request_id != request_id) return false;
    kept_bytes_ -= kept.body.bytes.size();
    return true;
  });
  kept_bytes_ += body.bytes.size();
  kept_.push_back({.request_id = request_id, .body = std::move(body)});
  while (kept_.size() > limits_.max_kept || kept_bytes_ > limits_.max_kept_bytes) {
    kept_bytes_ -= kept_.front().body.bytes.size();
    kept_.pop_front();
    ++dropped_;
  }
}

void NetworkBodies::Hold(const cdp::Session& session) {
  if (!Contains(held_, &session)) held_.push_back(&session);
  EnqueueAgain(waiting_);
}

void NetworkBodies::Resume(const cdp::Session& session) {
  std::erase(held_, &session);
  EnqueueAgain(postponed_);
  StartReads();
}

void NetworkBodies::EnqueueAgain(BoundedQueue<Job>& queue) {
  for (std::size_t left = queue.size(); left > 0; --left) {
    if (auto job = queue.TryPop()) Enqueue(*std::move(job));
  }
}

void NetworkBodies::OnSessionGone(const cdp::Session& session) {
  std::erase(held_, &session);
  for (BoundedQueue<Job>* queue : {&waiting_, &postponed_}) {
    for (std::size_t left = queue->size(); left > 0; --left) {
      auto job = queue->TryPop();
      if (job && job->session.get() != &session) Enqueue(*std::move(job));
    }
  }
}

const Body* NetworkBodies::FindKept(std::string_view request_id) const {
  const auto found = std::ranges::find(kept_, request_id, &Kept::request_id);
  return found == kept_.end() ? nullptr : &found->body;
}

bool NetworkBodies::IsReadingAfter(std::uint64_t seq) const {
  return std::ranges::any_of(reading_, [seq](std::uint64_t n) { return n > seq; }) ||
         std::ranges::any_of(waiting_.items(),
                             [seq](const Job& j) { return j.response_seq > seq; });
}

}  // namespace falconer::browser
