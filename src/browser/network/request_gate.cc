#include "browser/network/request_gate.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <ranges>
#include <utility>

#include "base/log.h"
#include "base/text.h"
#include "base/utf8.h"
#include "browser/context/storage_state.h"
#include "browser/network/request_content.h"
#include "model/url.h"

namespace falconer::browser {
namespace {

constexpr std::size_t kMostRefusals = 256;
constexpr std::string_view kDocument = "Document";

constexpr std::string_view kWithoutSockets =
    "for (const name of ['WebSocket', 'WebSocketStream', 'WebTransport']) delete self[name]";

// Documents that the browser makes without asking the network, so that nobody could hold them.
constexpr std::string_view kUnheldSchemes[] = {"data",
                                               "blob",
                                               "file",
                                               "filesystem",
                                               "view-source",
                                               "chrome",
                                               "devtools",
                                               "chrome-untrusted",
                                               "chrome-extension"};

// What a page is read without.
constexpr std::string_view kNoWords[] = {"Image", "Media", "Font"};

bool HasNoWords(const std::string& resource_type) {
  return std::ranges::find(kNoWords, resource_type) != std::end(kNoWords);
}

bool IsUnheld(const std::string& url) {
  return std::ranges::find(kUnheldSchemes, model::SplitUrl(url).scheme) != std::end(kUnheldSchemes);
}

std::string HeaderOf(const cdp::PausedRequest& request, std::string_view name) {
  const json::value* value = request.headers.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

std::string Bounded(const std::string& url) {
  return std::string(Utf8Prefix(url, model::kMaxUrlLength));
}

cdp::NetworkConditions Unthrottled(std::string url_pattern, SocketRule::Effect effect) {
  return {.url_pattern = std::move(url_pattern),
          .latency = 0,
          .download_throughput = -1,
          .upload_throughput = -1,
          .offline = effect == SocketRule::Effect::kRefuse};
}

}  // namespace

bool RefusedRequest::is_page() const {
  using enum RequestUse;
  return facts.use == kNavigation || facts.use == kRedirect || facts.use == kPopup;
}

Error RefusalError(const RequestFacts& facts, const RequestVerdict& verdict) {
  return Error(ErrorCode::kSecurityDomainBlock,
               fmt::format("{} is refused: {}{}", facts.url, verdict.reason,
                           verdict.rule.empty() ? "" : fmt::format(" ({})", verdict.rule)),
               {{"url", std::string_view(facts.url)},
                {"use", NameIn(kRequestUses, facts.use)},
                {"rule", std::string_view(verdict.rule)},
                {"reason", std::string_view(verdict.reason)}});
}

RequestGate::RequestGate(const SessionOptions& options, Place place)
    : options_(options), place_(std::move(place)), auth_(options) {
}

RequestGate::~RequestGate() {
  if (place_.holds != nullptr)
    place_.holds->EndOf(this, HoldEnding::kTabGone, "what it belongs to is closed");
}

void RequestGate::Follow(const std::shared_ptr<cdp::Session>& session, Holds holds) {
  const bool has_rule = options_.request_rule != nullptr;
  if (!has_rule && !auth_.is_needed()) return;
  // The subscriptions live in the session's own lists: a strong reference would keep it for ever.
  cdp::Session* raw = session.get();
  auto& list = following_[raw];
  if (has_rule) {
    list.push_back(session->On<cdp::NetworkWebSocketCreated>(
        [this, raw](const auto& event) { OnSocket(*raw, event); }));
    list.push_back(session->On<cdp::NetworkWebSocketHandshakeResponseReceived>(
        [this, raw](const auto& event) { OnSocketOpen(*raw, event.request_id); }));
    list.push_back(session->On<cdp::PageFrameNavigated>(
        [this, raw](const auto& event) { OnCommit(*raw, event.frame); }));
    HoldSockets(session, holds);
  }
  if (holds == Holds::kSocketsOnly) return;
  list.push_back(session->On<cdp::FetchRequestPaused>(
      [this, raw](const auto& event) { OnPaused(*raw, event); }));
  auth_.Follow(session);
  session->Post(cdp::FetchEnable{.patterns = {{cdp::RequestPattern{.url_pattern = "*"}}},
                                 .handle_auth_requests = auth_.is_needed()});
}

void RequestGate::Unfollow(const cdp::Session& session) {
  auth_.Unfollow(session);
  following_.erase(&session);
  // A worker's requests are stopped with those of its page, and may have gone with it.
  if (place_.holds != nullptr) place_.holds->Recheck(this);
}

void RequestGate::HoldSockets(const std::shared_ptr<cdp::Session>& session, Holds holds) {
  if (holds != Holds::kRequestsNoSockets) return SendSocketRules(*session);
  // Before the worker's own script, also each time it is started again.
  const auto take_away = [raw = session.get()] {
    raw->PostUpkeep(
        cdp::RuntimeEvaluate{.expression = std::string(kWithoutSockets), .silent = true});
  };
  take_away();
  following_[session.get()].push_back(session->On<cdp::InspectorTargetReloadedAfterCrash>(
      [take_away](const auto&) { take_away(); }));
}

// Rules of conditions with no limits leave alone what they match; the last ones match every socket.
void RequestGate::SendSocketRules(cdp::Session& session) const {
  std::vector<cdp::NetworkConditions> conditions;
  for (SocketRule& rule : options_.request_rule->SocketRules()) {
    conditions.push_back(Unthrottled(std::move(rule.url_pattern), rule.effect));
  }
  for (const char* every : {"ws://*:*/*", "wss://*:*/*"}) {
    conditions.push_back(Unthrottled(every, SocketRule::Effect::kRefuse));
  }
  // Refused while the domain is off, and harmless when it is on already.
  session.Post(cdp::NetworkEnable{});
  session.Post(cdp::NetworkEmulateNetworkConditionsByRule{.matched_network_conditions =
                                                              std::move(conditions)});
}

void RequestGate::OnPaused(cdp::Session& session, const cdp::FetchRequestPaused& event) {
  if (!options_.request_rule) {
    session.Post(cdp::FetchContinueRequest{.request_id = event.request_id});
    return;
  }
  if (options_.parts == PageParts::kWords && HasNoWords(event.resource_type))
    return LeaveOut(session, event);
  RequestFacts facts = FactsOf(session, event);
  if (options_.request_rule->WantsContent(facts)) AddContent(event.request, facts);
  RequestVerdict verdict = options_.request_rule->Decide(facts);
  if (verdict.is_allowed()) return Continue(session, event, facts);
  if (verdict.effect == RequestVerdict::Effect::kHold) {
    AddContent(event.request, facts);
    if (place_.holds != nullptr &&
        place_.holds->HasLetGo(session, event.network_id.value_or(""), facts)) {
      return Continue(session, event, facts);
    }
    const std::string_view obstacle = Hold(session, event, facts, verdict);
    if (obstacle.empty()) return;
    verdict = RequestVerdict::Refuse(std::move(verdict.rule), std::string(obstacle));
  }
  Refuse(session, event, std::move(facts), std::move(verdict));
}

// Nobody refused it: nobody was asked.
void RequestGate::LeaveOut(cdp::Session& session, const cdp::FetchRequestPaused& event) {
  session.Post(
      cdp::FetchFailRequest{.request_id = event.request_id, .error_reason = "BlockedByClient"});
}

void RequestGate::Continue(cdp::Session& session, const cdp::FetchRequestPaused& event,
                           const RequestFacts& facts) {
  // The browser forgets them when its network process ends; no document runs without them.
  if (event.resource_type == kDocument) SendSocketRules(session);
  if (place_.holds != nullptr) {
    if (!facts.redirect_of.empty()) {
      place_.holds->NoteHop({.session_id = session.id(),
                             .request_id = event.request_id,
                             .network_id = event.network_id.value_or(""),
                             .digest = facts.redirect_of});
    }
    place_.holds->backstop().NoteAllowed(event.request);
  }
  session.Post(cdp::FetchContinueRequest{.request_id = event.request_id});
}

void RequestGate::Refuse(cdp::Session& session, const cdp::FetchRequestPaused& event,
                         RequestFacts facts, RequestVerdict verdict) {
  const bool is_page = event.resource_type == kDocument && facts.use != RequestUse::kFrame;
  // A page that is aborted leaves the tab where it was; one that is blocked is replaced by an error
  // page, and what was filled in is lost.
  session.Post(cdp::FetchFailRequest{.request_id = event.request_id,
                                     .error_reason = is_page ? "Aborted" : "BlockedByClient"});
  if (place_.network != nullptr && event.network_id) place_.network->NoteRefused(*event.network_id);
  Note(std::move(facts), std::move(verdict));
}

std::string_view RequestGate::Hold(cdp::Session& session, const cdp::FetchRequestPaused& event,
                                   RequestFacts& facts, const RequestVerdict& verdict) {
  if (place_.holds == nullptr || !options_.request_rule->MayHold())
    return RequestHolds::kCannotHold;
  if (const auto obstacle = place_.holds->Obstacle(facts); !obstacle.empty()) return obstacle;
  const std::string network_id = event.network_id.value_or("");
  RequestHolds::Stopped stopped{.session = session.shared_from_this(),
                                .request_id = event.request_id,
                                .network_id = network_id,
                                .owner = this};
  stopped.on_release = [this, raw = &session, is_document = event.resource_type == kDocument] {
    if (is_document) SendSocketRules(*raw);
  };
  stopped.on_refused = [this, network_id](const HeldRequest& held, const RequestVerdict& refusal) {
    if (place_.network != nullptr && !network_id.empty()) place_.network->NoteRefused(network_id);
    Note(held.facts, refusal);
  };
  place_.holds->Keep(std::move(stopped), std::move(facts), verdict);
  return "";
}

// For what nobody stops: it cannot be held either.
RequestVerdict RequestGate::DecideUnheld(const RequestFacts& facts) {
  RequestVerdict verdict = options_.request_rule->Decide(facts);
  if (verdict.effect != RequestVerdict::Effect::kHold) return verdict;
  return RequestVerdict::Refuse(std::move(verdict.rule), std::string(RequestHolds::kCannotHold));
}

// The browser has been told which sockets to keep from connecting: this is the evidence of it.
void RequestGate::OnSocket(const cdp::Session& session, const cdp::NetworkWebSocketCreated& event) {
  RequestFacts facts{
      .url = Bounded(event.url), .initiator_origin = InitiatorOf(session, ""), .tab = place_.tab};
  auto verdict = DecideUnheld(facts);
  if (verdict.is_allowed()) return;
  if (place_.network != nullptr) place_.network->LogRefusedSocket(event.request_id, facts.url);
  refused_sockets_.push_back(event.request_id);
  if (refused_sockets_.size() > kMostRefusals) refused_sockets_.pop_front();
  Note(std::move(facts), std::move(verdict));
}

// Nothing kept it away: the network process has ended under this page, and the rules with it. The
// page loses what it was not to have.
void RequestGate::OnSocketOpen(cdp::Session& session, const std::string& request_id) {
  if (std::ranges::find(refused_sockets_, request_id) == refused_sockets_.end()) return;
  LOG(error, "gate.socket_opened", {"tab", place_.tab.value()});
  SendSocketRules(session);
  session.PostUpkeep(cdp::PageNavigate{.url = std::string(model::kBlankUrl)});
}

// A document that no request announced is asked about when it appears, and taken away again.
void RequestGate::OnCommit(cdp::Session& session, const cdp::Frame& frame) {
  if (!IsUnheld(frame.url)) return;
  const bool is_page = frame.id == place_.main_frame_id;
  RequestFacts facts{.use = is_page ? RequestUse::kNavigation : RequestUse::kFrame,
                     .url = Bounded(frame.url),
                     .initiator_origin = InitiatorOf(session, frame.parent_id.value_or(frame.id)),
                     .frame_id = frame.id,
                     .tab = place_.tab};
  auto verdict = DecideUnheld(facts);
  if (verdict.is_allowed()) return;
  session.PostUpkeep(cdp::PageNavigate{.url = std::string(model::kBlankUrl), .frame_id = frame.id});
  Note(std::move(facts), std::move(verdict));
}

RequestFacts RequestGate::FactsOf(const cdp::Session& session,
                                  const cdp::FetchRequestPaused& event) {
  RequestFacts facts{.use = UseOf(event),
                     .method = event.request.method,
                     .url = event.request.url,
                     .frame_id = event.frame_id,
                     .tab = place_.tab,
                     .resource_type = ToLower(event.resource_type)};
  if (event.redirected_request_id && place_.holds != nullptr)
    facts.redirect_of = place_.holds->RedirectOf(session, *event.redirected_request_id);
  // The document of the frame is the one that is being replaced: who asked is in the request.
  const bool is_document = event.resource_type == kDocument;
  facts.initiator_origin = is_document ? OriginOf(HeaderOf(event.request, "Referer"))
                                       : InitiatorOf(session, event.frame_id);
  if (!facts.initiator_origin.empty() || place_.frames == nullptr) return facts;
  // A frame is its page's doing, also when the page keeps its name to itself (no-referrer).
  const auto frame = place_.frames->Find(event.frame_id);
  if (frame && frame->parent) facts.initiator_origin = InitiatorOf(session, frame->parent->id);
  return facts;
}

RequestUse RequestGate::UseOf(const cdp::FetchRequestPaused& event) {
  if (event.resource_type != kDocument) return RequestUse::kSubresource;
  if (event.frame_id != place_.main_frame_id) return RequestUse::kFrame;
  if (event.redirected_request_id) return RequestUse::kRedirect;
  const auto origin = std::exchange(place_.origin, Place::Origin::kCaller);
  return origin == Place::Origin::kPopup ? RequestUse::kPopup : RequestUse::kNavigation;
}

std::string RequestGate::InitiatorOf(const cdp::Session& session,
                                     const std::string& frame_id) const {
  if (place_.frames != nullptr) {
    auto frame = place_.frames->Find(frame_id);
    if (!frame && frame_id.empty()) frame = place_.frames->Find(session.target().target_id);
    if (frame && frame->document) return frame->document->origin;
  }
  return OriginOf(session.target().url);
}

Result<void> RequestGate::MayOpen(const std::string& url) {
  if (!options_.request_rule) return {};
  RequestFacts facts{.use = RequestUse::kNavigation,
                     .url = url,
                     .frame_id = place_.main_frame_id,
                     .tab = place_.tab};
  // One that the rule wants held is stopped on its way, if the network is asked for it at all.
  auto verdict = IsUnheld(url) ? DecideUnheld(facts) : options_.request_rule->Decide(facts);
  if (verdict.effect != RequestVerdict::Effect::kRefuse) return {};
  Error refusal = RefusalError(facts, verdict);
  Note(std::move(facts), std::move(verdict));
  return std::unexpected(std::move(refusal));
}

void RequestGate::Note(RequestFacts facts, RequestVerdict verdict) {
  facts.url = Bounded(facts.url);
  // What was refused is remembered for its address, not for what it would have said.
  facts.headers.clear();
  facts.body.clear();
  const RequestOwner owner =
      options_.request_rule ? options_.request_rule->owner() : RequestOwner();
  LOG(info, "request.refused", {"session", owner.session.value()}, {"turn", owner.turn.value()},
      {"tab", facts.tab.value()}, {"use", NameIn(kRequestUses, facts.use)}, {"rule", verdict.rule},
      {"reason", verdict.reason});
  if (refused_.size() == kMostRefusals) refused_.pop_front();
  refused_.push_back(
      {.seq = ++last_seq_, .facts = std::move(facts), .verdict = std::move(verdict)});
  // A copy: whoever listens may cause more of them.
  on_refused_.Emit(RefusedRequest(refused_.back()));
}

std::vector<RefusedRequest> RequestGate::Since(std::uint64_t seq) const {
  std::vector<RefusedRequest> newer;
  std::ranges::copy_if(refused_, std::back_inserter(newer),
                       [seq](const RefusedRequest& refused) { return refused.seq > seq; });
  return newer;
}

std::optional<RefusedRequest> RequestGate::PageSince(std::uint64_t seq) const {
  for (const RefusedRequest& refused : std::views::reverse(refused_)) {
    if (refused.seq <= seq) break;
    if (refused.is_page()) return refused;
  }
  return std::nullopt;
}

}  // namespace falconer::browser
