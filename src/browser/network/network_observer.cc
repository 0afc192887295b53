#include "browser/network/network_observer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/utf8.h"
#include "model/url.h"

namespace falconer::browser {
namespace {

using model::NetworkEvent;
using model::NetworkEventKind;
using Stage = NetworkRequest::Stage;

constexpr std::size_t kMostSockets = 256;
constexpr int kFirstErrorStatus = 400;
constexpr std::string_view kTargetGone = "target_gone";

bool IsWorker(SourceKind kind) {
  return kind != SourceKind::kPage && kind != SourceKind::kFrame;
}

std::chrono::milliseconds Milliseconds(double seconds) {
  return std::chrono::milliseconds(std::max<std::int64_t>(0, std::llround(seconds * 1000)));
}

std::string Signature(const cdp::NetworkLoadingFailed& event) {
  if (event.blocked_reason) return model::ErrorSignature("blocked: " + *event.blocked_reason);
  return model::ErrorSignature(event.error_text);
}

// A page that did not want the rest of an answer has got it all the same; so has one whose answer
// has no body, and a document that became a download.
bool IsUnread(const NetworkRequest& request, const cdp::NetworkLoadingFailed& event) {
  return request.stage == NetworkRequest::Stage::kAnswered &&
         event.error_text == "net::ERR_ABORTED";
}

}  // namespace

NetworkObserver::NetworkObserver(Clock& clock, Notifier& changes, Options options)
    : clock_(clock),
      changes_(changes),
      options_(options),
      log_(options.ring),
      requests_(clock, options.max_requests),
      sockets_(kMostSockets),
      bodies_(clock, options.bodies,
              [this](std::uint64_t seq, const auto& judgement) { OnBodyRead(seq, judgement); }) {
}

NetworkObserver::~NetworkObserver() = default;

void NetworkObserver::Follow(const std::shared_ptr<cdp::Session>& session, SourceKind kind) {
  const auto [place, is_new] = sources_.try_emplace(session.get());
  if (!is_new) return;
  Source& source = place->second;
  source.session = session;
  source.kind = kind;
  FollowRequests(*session, source);
  sockets_.Follow(*session, source.subscriptions);
  if (!IsWorker(kind)) FollowPage(*session, source);
  source.subscriptions.push_back(
      session->OnClosed([this, raw = session.get()](const Error&) { Unfollow(*raw); }));
}

// A source lives as long as its subscriptions: it owns them, and the table never moves it.
void NetworkObserver::FollowRequests(cdp::Session& session, Source& source) {
  auto& list = source.subscriptions;
  list.push_back(session.On<cdp::NetworkRequestWillBeSent>(
      [this, &source](const auto& e) { OnRequest(source, e); }));
  list.push_back(session.On<cdp::NetworkRequestServedFromCache>([this, &source](const auto& e) {
    if (NetworkRequest* request = Touch(source, e.request_id)) request->from_cache = true;
  }));
  list.push_back(session.On<cdp::NetworkResponseReceived>(
      [this, &source](const auto& e) { OnResponse(source, e); }));
  list.push_back(session.On<cdp::NetworkLoadingFinished>(
      [this, &source](const auto& e) { OnFinished(source, e); }));
  list.push_back(session.On<cdp::NetworkLoadingFailed>(
      [this, &source](const auto& e) { OnFailed(source, e); }));
  list.push_back(session.On<cdp::InspectorTargetCrashed>(
      [this, raw = &session](const auto&) { OnGone(*raw); }));
}

void NetworkObserver::FollowPage(cdp::Session& session, Source& source) {
  auto& list = source.subscriptions;
  list.push_back(session.On<cdp::PageFrameNavigated>(
      [this, &source](const auto& e) { OnCommit(source, e.frame); }));
  list.push_back(session.On<cdp::PageLifecycleEvent>(
      [this, &source](const auto& e) { OnLifecycle(source, e); }));
  list.push_back(session.On<cdp::PageFrameDetached>([this](const auto& e) {
    if (e.reason == "swap") return;
    requests_.Abandon([&](const NetworkRequest& r) { return r.frame_id == e.frame_id; });
    changes_.NotifyAll();
  }));
  list.push_back(session.On<cdp::PageJavascriptDialogOpening>([this, raw = &session](const auto&) {
    bodies_.Hold(*raw);
    changes_.NotifyAll();
  }));
  list.push_back(session.On<cdp::PageJavascriptDialogClosed>(
      [this, raw = &session](const auto&) { bodies_.Resume(*raw); }));
}

void NetworkObserver::Unfollow(const cdp::Session& session) {
  // Kept to the end of the call: it may be one of its own subscriptions that called us.
  const auto source = sources_.extract(&session);
  if (!source.empty()) OnGone(session);
}

NetworkRequest* NetworkObserver::Touch(const Source& source, std::string_view request_id) {
  NetworkRequest* request = requests_.Find(request_id);
  if (request != nullptr) request->session = source.session;
  return request;
}

void NetworkObserver::OnRequest(const Source& source, const cdp::NetworkRequestWillBeSent& event) {
  // Data addresses carry their answer with them; nothing goes over the network.
  if (event.request.url.starts_with("data:")) return;
  NetworkRequest* known = Touch(source, event.request_id);
  if (known != nullptr && event.redirect_response) {
    Answer(*known, *event.redirect_response, event.timestamp);
  }
  // Two processes may speak of the same request.
  if (known != nullptr && !known->is_done() && !event.redirect_response) return;
  const auto session = source.session.lock();
  NetworkRequest request{.id = event.request_id,
                         .loader_id = event.loader_id,
                         .frame_id = event.frame_id.value_or(
                             session ? session->target().parent_frame_id.value_or("") : ""),
                         .method = event.request.method,
                         .url = std::string(Utf8Prefix(event.request.url, model::kMaxUrlLength)),
                         .type = event.type.value_or("Other"),
                         .source = source.kind,
                         .session = source.session,
                         .sent_at = event.timestamp};
  request.holds_idle = IsWaitedFor(request);
  const bool is_navigation = request.is_document() && !event.redirect_response;
  Log(Describe(requests_.Open(std::move(request)), NetworkEventKind::kRequest));
  if (is_navigation) on_document_request_.Emit(event.frame_id.value_or(""), event.loader_id);
  changes_.NotifyAll();
}

void NetworkObserver::OnResponse(const Source& source, const cdp::NetworkResponseReceived& event) {
  if (event.response.url.starts_with("data:")) return;
  NetworkRequest* request = Touch(source, event.request_id);
  if (request == nullptr) {
    request =
        &requests_.Open({.id = event.request_id,
                         .loader_id = event.loader_id,
                         .frame_id = event.frame_id.value_or(""),
                         .url = std::string(Utf8Prefix(event.response.url, model::kMaxUrlLength)),
                         .type = event.type,
                         .source = source.kind,
                         .session = source.session,
                         .sent_at = event.timestamp,
                         .holds_idle = false});
  }
  if (request->stage != Stage::kSent) return;
  request->type = event.type;
  Answer(*request, event.response, event.timestamp);
  if (request->content_type == "text/event-stream") requests_.StopHolding(*request);
  if (request->is_document())
    on_document_response_.Emit(event.loader_id, static_cast<int>(event.response.status));
  changes_.NotifyAll();
}

void NetworkObserver::Answer(NetworkRequest& request, const cdp::Response& response, double at) {
  request.stage = Stage::kAnswered;
  request.status = static_cast<int>(response.status);
  request.content_type = response.mime_type.value_or("");
  request.from_cache = request.from_cache || response.from_disk_cache.value_or(false);
  NetworkEvent event = Describe(request, NetworkEventKind::kResponse);
  event.latency = Milliseconds(at - request.sent_at);
  request.response_seq = log_.last_seq() + 1;
  Log(std::move(event));
}

void NetworkObserver::OnFinished(const Source& source, const cdp::NetworkLoadingFinished& event) {
  NetworkRequest* request = Touch(source, event.request_id);
  if (request == nullptr || request->is_done()) return;
  Complete(*request, static_cast<std::size_t>(std::max(0.0, event.encoded_data_length)));
}

// A process that has just started may not tell that its first document has arrived; a document that
// has been parsed to its end has.
void NetworkObserver::OnLifecycle(const Source& source, const cdp::PageLifecycleEvent& event) {
  if (event.name != "DOMContentLoaded") return;
  NetworkRequest* request = requests_.Find(event.loader_id);
  if (request == nullptr || request->stage != Stage::kAnswered) return;
  request->session = source.session;
  Complete(*request, 0);
}

void NetworkObserver::Complete(NetworkRequest& request, std::size_t encoded_bytes) {
  const bool was_answered = request.stage == Stage::kAnswered;
  requests_.Finish(request);
  if (was_answered) bodies_.OnComplete(request, encoded_bytes);
  changes_.NotifyAll();
}

void NetworkObserver::OnFailed(const Source& source, const cdp::NetworkLoadingFailed& event) {
  NetworkRequest* request = Touch(source, event.request_id);
  const bool is_refused = refused_.erase(event.request_id) > 0;
  if (request == nullptr || request->is_done()) return;
  if (IsUnread(*request, event)) return LeaveUnread(*request, event.error_text);
  FailRequest(*request, is_refused ? std::string(model::kBlockedByRule) : Signature(event));
  changes_.NotifyAll();
}

void NetworkObserver::LeaveUnread(NetworkRequest& request, const std::string& reason) {
  const bool is_document = request.is_document();
  const std::string loader = request.loader_id;
  Complete(request, 0);
  // It will never be shown, whoever has it now.
  if (is_document) on_document_failed_.Emit(loader, reason);
}

void NetworkObserver::NoteRefused(const std::string& request_id) {
  if (refused_.size() >= options_.max_requests) refused_.clear();
  refused_.insert(request_id);
}

void NetworkObserver::LogRefusedSocket(const std::string& request_id, const std::string& url) {
  NetworkEvent event =
      Describe({.id = request_id, .method = "GET", .url = url, .type = "WebSocket"},
               NetworkEventKind::kRequestFailed);
  event.error_signature = model::kBlockedByRule;
  Log(std::move(event));
  changes_.NotifyAll();
}

void NetworkObserver::FailRequest(NetworkRequest& request, std::string signature) {
  requests_.Finish(request);
  request.has_failed = true;
  NetworkEvent event = Describe(request, NetworkEventKind::kRequestFailed);
  const std::string reason = signature;
  event.error_signature = std::move(signature);
  const bool is_document = request.is_document();
  const std::string loader = request.loader_id;
  Log(std::move(event));
  if (is_document) on_document_failed_.Emit(loader, reason);
}

// The browser says nothing more about what the old document had under way.
void NetworkObserver::OnCommit(const Source& source, const cdp::Frame& frame) {
  const bool is_whole_page = source.kind == SourceKind::kPage && !frame.parent_id;
  requests_.Abandon([&](const NetworkRequest& request) {
    if (IsWorker(request.source) || request.loader_id == frame.loader_id) return false;
    if (request.frame_id != frame.id) return is_whole_page;
    // A newer navigation of the same frame that waits for its answer.
    return !request.is_document() || request.stage != Stage::kSent;
  });
  changes_.NotifyAll();
}

void NetworkObserver::OnGone(const cdp::Session& session) {
  bodies_.OnSessionGone(session);
  std::vector<std::string> lost;
  for (const NetworkRequest& request : requests_.all()) {
    if (!request.is_done() && request.session.lock().get() == &session) lost.push_back(request.id);
  }
  for (const std::string& id : lost) {
    if (NetworkRequest* request = requests_.Find(id))
      FailRequest(*request, std::string(kTargetGone));
  }
  changes_.NotifyAll();
}

void NetworkObserver::OnBodyRead(std::uint64_t seq,
                                 const std::optional<model::BodyJudgement>& judgement) {
  if (judgement) Note(seq, *judgement);
  changes_.NotifyAll();
}

void NetworkObserver::Note(std::uint64_t seq, const model::BodyJudgement& judgement) {
  NetworkEvent* event = log_.Find(seq);
  if (event == nullptr) return;
  event->json_shape_hash = judgement.json_shape_hash;
  event->silent_failure = judgement.failure && event->status < kFirstErrorStatus;
  event->error_signature = judgement.failure.value_or("");
  // A copy: whoever listens may cause new events.
  on_judged_.Emit(NetworkEvent(*event));
}

NetworkEvent NetworkObserver::Describe(const NetworkRequest& request, NetworkEventKind kind) const {
  return {.ts = std::chrono::duration_cast<std::chrono::milliseconds>(
              clock_.WallNow().time_since_epoch()),
          .kind = kind,
          .method = request.method,
          .url = request.url,
          .route_key = model::RouteKey(request.url),
          .status = request.status,
          .content_type = request.content_type,
          .resource_type = request.type,
          .request_id = request.id,
          .frame = request.frame_id,
          .from_worker = IsWorker(request.source),
          .from_cache = request.from_cache};
}

void NetworkObserver::Log(NetworkEvent event) {
  const NetworkEvent& logged = log_.Append(std::move(event));
  if (!on_event_.empty()) on_event_.Emit(NetworkEvent(logged));
}

model::NetworkSummary NetworkObserver::Summary(std::uint64_t since_seq) const {
  return model::Summarize(EventsSince(since_seq), log_.DroppedSince(since_seq));
}

bool NetworkObserver::IsSettled(std::uint64_t since_seq) const {
  if (bodies_.IsReadingAfter(since_seq)) return false;
  for (const NetworkRequest& request : requests_.all()) {
    const bool is_coming = request.stage == Stage::kAnswered && request.response_seq > since_seq;
    if (is_coming && bodies_.IsWanted(request)) return false;
  }
  return true;
}

Task<Result<void>> NetworkObserver::Settled(CallContext ctx, std::uint64_t since_seq) {
  return changes_.Until(
      std::move(ctx), [this, since_seq] { return IsSettled(since_seq); },
      "the bodies of responses");
}

Task<Result<Body>> NetworkObserver::ReadBody(CallContext ctx, std::string request_id) {
  const auto is_over = [&] {
    const NetworkRequest* request = requests_.Find(request_id);
    return bodies_.FindKept(request_id) || request == nullptr || request->is_done();
  };
  CO_TRY(co_await changes_.Until(ctx, is_over, "the response to be complete"));
  if (const Body* kept = bodies_.FindKept(request_id)) co_return *kept;
  const NetworkRequest* request = requests_.Find(request_id);
  if (request == nullptr)
    co_return Fail(ErrorCode::kNotFound, "no request " + request_id + " is known");
  if (request->has_failed)
    co_return Fail(ErrorCode::kNetworkError, "request " + request_id + " failed");
  const auto session = request->session.lock();
  if (!session)
    co_return Fail(ErrorCode::kTargetDetached, "the target of request " + request_id + " is gone");
  co_return co_await NetworkBodies::Fetch(std::move(ctx), session, request_id,
                                          options_.bodies.max_body_bytes);
}

}  // namespace falconer::browser
