#include "browser/recorder/input_recorder.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "browser/frames/injected_bundle.h"

namespace falconer::browser {
namespace {

// Only this world has it: pages can neither call nor see it.
constexpr std::string_view kTell = "__falconer_tell";
constexpr std::size_t kMostDocuments = 512;
constexpr std::size_t kLongestMessage = 256 << 10;
// Within that time a second press makes a double one of the first.
constexpr auto kDoublePress = std::chrono::milliseconds(500);
// Who has just done something in a page may have gone back or forward by it.
constexpr auto kCausing = std::chrono::seconds(1);
constexpr auto kFlushing = std::chrono::seconds(1);

// The main frame has the script already.
cdp::PageAddScriptToEvaluateOnNewDocument RecordingScript() {
  return {.source = "if(window!==top){" + std::string(InjectedBundle()) +
                    "}globalThis.__falconer?.call(\"record\",{})",
          .world_name = std::string(kReadyWorld),
          .run_immediately = true};
}

std::string CallOf(std::string_view name, const json::object& args) {
  return "globalThis.__falconer?.call(\"" + std::string(name) + "\"," + json::serialize(args) + ")";
}

bool IsSamePlace(const PageInput& a, const PageInput& b) {
  return a.tab == b.tab && a.spec.target == b.spec.target && a.spec.button == b.spec.button;
}

bool IsDoublePressOf(const PageInput& next, const PageInput& press) {
  return next.spec.type == model::ActionType::kClick && IsSamePlace(next, press) &&
         next.spec.click_count.value_or(1) > press.spec.click_count.value_or(1);
}

}  // namespace

InputRecorder::InputRecorder(Executor executor, Clock& clock, std::shared_ptr<Session> session,
                             PageInputSink sink)
    : executor_(std::move(executor)),
      clock_(clock),
      session_(std::move(session)),
      sink_(std::move(sink)),
      tasks_(executor_) {
  TabManager& tabs = session_->tabs();
  subscriptions_.push_back(tabs.on_page_session().Subscribe(
      [this](const std::shared_ptr<cdp::Session>& opened) { Hear(opened); }));
  subscriptions_.push_back(
      tabs.on_opened().Subscribe([this](const std::shared_ptr<Tab>& tab) { Watch(*tab); }));
  subscriptions_.push_back(
      tabs.on_closed().Subscribe([this](const TabId& id) { watched_.erase(id); }));
  for (const auto& tab : tabs.all()) {
    for (const auto& frame : tab->frames().All()) Hear(frame->session);
    Watch(*tab);
  }
}

InputRecorder::~InputRecorder() {
  End();
}

void InputRecorder::Hear(const std::shared_ptr<cdp::Session>& session) {
  if (heard_.contains(session.get())) return;
  Heard& heard = heard_[session.get()];
  heard.session = session;
  heard.subscriptions.push_back(session->On<cdp::RuntimeBindingCalled>(
      [this, raw = session.get()](const auto& event) { OnTold(*raw, event); }));
  heard.subscriptions.push_back(session->OnClosed([this, raw = session.get()](const Error&) {
    // The subscription that is being told goes with the others: it must outlive this call.
    const auto keep_alive = heard_.extract(raw);
    changes_.NotifyAll();
  }));
  session->Post(cdp::RuntimeAddBinding{.name = std::string(kTell),
                                       .execution_context_name = std::string(kReadyWorld)});
  tasks_.Spawn("recorder.script",
               AwaitScript(this, alive_, session.get(), session->Post(RecordingScript())));
}

Task<void> InputRecorder::AwaitScript(
    InputRecorder* self, std::weak_ptr<void> alive, const cdp::Session* session,
    cdp::PendingReply<cdp::PageAddScriptToEvaluateOnNewDocument> added) {
  const auto reply = co_await added.Wait(CallContext(self->executor_, self->clock_));
  if (alive.expired()) co_return;
  const auto found = self->heard_.find(session);
  if (found == self->heard_.end()) co_return;
  found->second.is_in_force = true;
  if (reply) found->second.script = reply->identifier;
  self->changes_.NotifyAll();
}

void InputRecorder::Watch(Tab& tab) {
  Watched& watched = watched_[tab.id()];
  if (watched.navigation) return;
  watched.documents =
      tab.frames().on_document().Subscribe([this, &tab](const Frame& frame) { Renew(tab, frame); });
  const auto hand = std::make_shared<int>(kWindowHand);
  watched.navigation = std::make_unique<NavigationWatch>(
      tab,
      NavigationWatch::Hooks{
          .has_acted = [this] { return HasJustActed(); },
          .has_acted_elsewhere = [this] { return is_last_elsewhere_ && HasJustActed(); },
          .began = [this, hand] { *hand = hand_; },
          .came = [this, hand, id = tab.id()](
                      const OwnNavigation& navigation) { TellNavigation(id, *hand, navigation); }});
}

bool InputRecorder::HasJustActed() const {
  return last_input_ && clock_.Now() - *last_input_ < kCausing;
}

// A document that takes over the world of a frame's first one gets no script by itself, and what
// that one listened to is gone.
void InputRecorder::Renew(Tab& tab, const Frame& frame) {
  for (const ReadyWorlds::World& world : tab.frames().ready_worlds().all()) {
    if (world.frame_id != frame.id) continue;
    world.session->PostUpkeep(cdp::RuntimeEvaluate{.expression = CallOf("record_anew", {}),
                                                   .unique_context_id = world.unique_context_id,
                                                   .silent = true});
  }
}

Task<Result<void>> InputRecorder::Begun(CallContext ctx) {
  CO_TRY(co_await changes_.Until(
      std::move(ctx),
      [this] {
        return std::ranges::all_of(heard_,
                                   [](const auto& each) { return each.second.is_in_force; });
      },
      "the pages to be recorded"));
  co_return session_->Alive();
}

std::vector<cdp::PendingReply<cdp::RuntimeEvaluate>> InputRecorder::Call(const std::string& call) {
  std::vector<cdp::PendingReply<cdp::RuntimeEvaluate>> pending;
  for (const auto& tab : session_->tabs().all()) {
    for (const ReadyWorlds::World& world : tab->frames().ready_worlds().all()) {
      pending.push_back(world.session->PostUpkeep(cdp::RuntimeEvaluate{
          .expression = call, .unique_context_id = world.unique_context_id, .silent = true}));
    }
  }
  return pending;
}

Task<void> InputRecorder::Flush(CallContext ctx) {
  const CallContext soon = ctx.WithTimeout(kFlushing);
  for (const auto& pending : Call(CallOf("record_flush", {}))) co_await pending.Wait(soon);
  LetGo();
}

void InputRecorder::HandOver(int to) {
  const int from = std::exchange(hand_, to);
  if (from != to) Call(CallOf("record_hand", {{"from", from}, {"to", to}}));
}

void InputRecorder::End() {
  if (std::exchange(is_over_, true)) return;
  subscriptions_.clear();
  watched_.clear();
  LetGo();
  Call(CallOf("record_end", {}));
  for (const auto& [raw, heard] : heard_) {
    if (!heard.session->is_open()) continue;
    heard.session->Post(cdp::RuntimeRemoveBinding{.name = std::string(kTell)});
    if (!heard.script.empty())
      heard.session->Post(cdp::PageRemoveScriptToEvaluateOnNewDocument{.identifier = heard.script});
  }
  heard_.clear();
}

void InputRecorder::OnTold(const cdp::Session& session, const cdp::RuntimeBindingCalled& event) {
  if (event.name != kTell || event.payload.size() > kLongestMessage) return;
  const auto message = ParseJsonObject(event.payload);
  if (!message) return;
  const std::string document = TextAt(*message, "document");
  if (TextAt(*message, "kind") == "here")
    return Introduce(session, event.execution_context_id, document);
  const auto from = documents_.find(document);
  if (from != documents_.end()) Tell(from->second, *message);
}

void InputRecorder::Introduce(const cdp::Session& session, std::int64_t context,
                              const std::string& document) {
  for (const auto& tab : session_->tabs().all()) {
    const auto frame = tab->frames().FindByReadyContext(session, context);
    if (!frame) continue;
    if (oldest_.size() == kMostDocuments) {
      documents_.erase(oldest_.front());
      oldest_.pop_front();
    }
    documents_[document] = {.place = ScriptCall::Into(frame), .tab = tab->id()};
    oldest_.push_back(document);
    return;
  }
}

// An address of the document itself changes without it: where the tab was is asked now.
void InputRecorder::Tell(const ToldFrom& from, const json::object& message) {
  auto input = ReadPageInput(message, from, *session_);
  if (!input) {
    LOG(debug, "recorder.unread", {"why", input.error().message()});
    return;
  }
  if (!input->hand) input->hand = hand_;
  if (*input->hand == kAgentHand) return;
  const auto tab = session_->tabs().Find(from.tab);
  const bool is_main = from.place.frame->is_main();
  is_last_elsewhere_ = tab && from.place.frame->session != (*tab)->session();
  input->url = is_main ? from.place.document->url : tab ? (*tab)->url() : "";
  Pass(*std::move(input));
}

void InputRecorder::TellNavigation(const TabId& tab, int hand, const OwnNavigation& navigation) {
  if (hand == kAgentHand) return;
  PageInput input{.spec = {.type = navigation.is_reload ? model::ActionType::kReload
                                                        : model::ActionType::kNavigate},
                  .element = {},
                  .hand = hand,
                  .tab = tab};
  if (!navigation.is_reload) input.spec.url = navigation.url;
  input.url = navigation.url;
  Pass(std::move(input));
}

void InputRecorder::Pass(PageInput input) {
  last_input_ = clock_.Now();
  if (press_ && IsDoublePressOf(input, *press_)) press_.reset();
  LetGo();
  if (input.spec.type != model::ActionType::kClick) return sink_(std::move(input));
  press_ = std::move(input);
  tasks_.Spawn("recorder.press", LetGoLater(this, alive_, ++presses_));
}

void InputRecorder::LetGo() {
  if (auto press = std::exchange(press_, std::nullopt)) sink_(*std::move(press));
}

Task<void> InputRecorder::LetGoLater(InputRecorder* self, std::weak_ptr<void> alive,
                                     std::uint64_t number) {
  Alarm later(self->executor_, self->clock_);
  co_await later.Wait(Deadline::After(self->clock_.Now(), kDoublePress));
  if (!alive.expired() && self->presses_ == number) self->LetGo();
}

}  // namespace falconer::browser
