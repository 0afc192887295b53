#include "browser/stream/live_stream.h"

#include <algorithm>
#include <utility>

#include "base/async/task_scope.h"

namespace falconer::browser {
namespace {

// How often it is looked at whether viewers keep up.
constexpr auto kStretch = std::chrono::seconds(2);

StreamStatus NotShown(StreamState state, const Error& why) {
  return {.state = state, .reason = std::string(why.name()), .tab = TabId()};
}

// Null when there is none.
std::shared_ptr<Tab> ActiveOf(Session& session) {
  const auto active = session.tabs().Active();
  return active ? *active : nullptr;
}

}  // namespace

LiveStream::LiveStream(Executor executor, Clock& clock, SessionManager& sessions, SessionKey key,
                       const StreamOptions& options)
    : executor_(std::move(executor)),
      clock_(clock),
      sessions_(sessions),
      key_(std::move(key)),
      options_(options),
      pace_(options.quality, options.max_fps),
      stretch_began_(clock.Now()),
      opened_(sessions.on_opened().Subscribe([this](const SessionKey& opened) {
        if (opened == key_) changes_.NotifyAll();
      })) {
}

std::shared_ptr<LiveViewer> LiveStream::Join() {
  auto viewer = std::make_shared<LiveViewer>(options_.queue, [this] { ForgetGone(); });
  viewers_.push_back(viewer);
  const bool is_same = shown_.lock() == sessions_.Find(key_);
  if (!is_same) status_ = StreamStatus();
  viewer->Tell(status_);
  if (last_ && is_same && status_.state == StreamState::kLive) viewer->Offer(last_);
  changes_.NotifyAll();
  return viewer;
}

void LiveStream::ForgetGone() {
  std::erase_if(viewers_, [](const auto& viewer) { return viewer.expired(); });
  changes_.NotifyAll();
}

std::shared_ptr<Session> LiveStream::OpenSession() const {
  auto session = sessions_.Find(key_);
  return session && session->is_open() ? session : nullptr;
}

Task<void> LiveStream::Run() {
  is_running_ = true;
  while (is_wanted()) {
    if (const auto session = OpenSession()) {
      co_await ShowSession(session);
    } else {
      co_await AwaitBrowser();
    }
  }
  is_running_ = false;
}

Task<void> LiveStream::AwaitBrowser() {
  Tell(NotShown(StreamState::kLost, Error(ErrorCode::kBrowserGone, "the browser is gone")));
  const CallContext ctx = CallContext(executor_, clock_).WithTimeout(options_.lost_time);
  const auto back = co_await changes_.Until(
      ctx, [this] { return !is_wanted() || OpenSession() != nullptr; }, "the browser");
  if (!back) End(Error(ErrorCode::kSessionClosed, "the session did not get another browser"));
}

Task<void> LiveStream::ShowSession(std::shared_ptr<Session> session) {
  const auto following = Follow(*session);
  shown_ = session;
  while (is_wanted() && session->is_open()) {
    const auto tab = session->tabs().Active();
    const auto alive = tab ? (*tab)->Alive() : std::unexpected(tab.error());
    if (alive) {
      co_await ShowTab(session, *tab);
    } else {
      co_await AwaitPage(session, alive.error());
    }
  }
  const auto alive = session->Alive();
  // One that is lost with its browser may get another; one that was closed is over.
  if (!alive && alive.error().code() == ErrorCode::kSessionClosed) End(alive.error());
}

std::vector<Subscription> LiveStream::Follow(Session& session) {
  std::vector<Subscription> following;
  following.push_back(session.OnClosed([this](const Error&) { changes_.NotifyAll(); }));
  following.push_back(session.tabs().on_active().Subscribe([this] { changes_.NotifyAll(); }));
  return following;
}

Task<void> LiveStream::AwaitPage(std::shared_ptr<Session> session, Error why) {
  Tell(NotShown(StreamState::kNoPage, why));
  const std::shared_ptr<Tab> shown = ActiveOf(*session);
  CancelSource over;
  TaskScope scope(executor_);
  const CallContext ctx(executor_, clock_);
  if (shown) scope.Spawn("stream.page", WakeWhenBack(ctx.WithCancel(over.token()), shown));
  const auto is_changed = [this, session, shown] {
    const auto now = ActiveOf(*session);
    return !is_wanted() || !session->is_open() || now != shown || (now && now->Alive());
  };
  static_cast<void>(co_await changes_.Until(ctx, is_changed, "a page"));
  over.Cancel(Error(ErrorCode::kCancelled, "nobody waits for the tab"));
  co_await scope.Join();
}

// A tab that crashed comes back by loading something.
Task<void> LiveStream::WakeWhenBack(CallContext ctx, std::shared_ptr<Tab> tab) {
  const auto back = co_await tab->changes().Until(
      std::move(ctx), [tab] { return tab->Alive().has_value(); }, "the tab to come back");
  if (back) changes_.NotifyAll();
}

Task<void> LiveStream::ShowTab(std::shared_ptr<Session> session, std::shared_ptr<Tab> tab) {
  const bool is_seen = status_.state == StreamState::kLive && status_.tab == tab->id();
  if (!is_seen) Tell({.state = StreamState::kStarting, .reason = "", .tab = tab->id()});
  TabCast cast(tab, pace_, options_.max_width,
               {.show = [this, tab](ShownPicture picture) { Show(*tab, std::move(picture)); },
                .hide = [this, tab](const Error& why) { Hide(*tab, why); }});
  CancelSource over;
  TaskScope scope(executor_);
  scope.Spawn("stream.tab", cast.Run(CallContext(executor_, clock_).WithCancel(over.token())));
  const auto crashed = tab->OnCrashed([this] { changes_.NotifyAll(); });
  const auto closed = tab->OnClosed([this] { changes_.NotifyAll(); });
  const auto is_over = [this, session, tab] {
    return !is_wanted() || !session->is_open() || ActiveOf(*session) != tab || !tab->Alive();
  };
  static_cast<void>(
      co_await changes_.Until(CallContext(executor_, clock_), is_over, "another tab"));
  over.Cancel(Error(ErrorCode::kCancelled, "the tab is shown no longer"));
  co_await scope.Join();
}

void LiveStream::Show(const Tab& tab, ShownPicture picture) {
  shown_url_ = tab.url();
  last_ = MakeLiveFrame({.seq = ++last_seq_,
                         .taken = clock_.WallNow(),
                         .width = picture.size.width,
                         .height = picture.size.height,
                         .jpeg = picture.jpeg});
  Tell({.state = StreamState::kLive,
        .reason = "",
        .tab = tab.id(),
        .view_width = picture.view_width,
        .view_height = picture.view_height});
  // A copy: a viewer may leave when it is offered something.
  const auto viewers = viewers_;
  for (const auto& weak : viewers)
    if (const auto viewer = weak.lock()) viewer->Offer(last_);
  KeepPace();
}

// A page whose next one is held stays as it is seen: people look at it while they decide. A picture
// of another page would deceive them.
void LiveStream::Hide(const Tab& tab, const Error& why) {
  const bool is_seen = status_.state == StreamState::kLive && shown_url_ == tab.url();
  if (why.code() == ErrorCode::kPageHeld && is_seen) return;
  Tell(NotShown(StreamState::kHidden, why));
}

void LiveStream::Tell(StreamStatus status) {
  if (status == status_) return;
  status_ = std::move(status);
  const auto viewers = viewers_;
  for (const auto& weak : viewers)
    if (const auto viewer = weak.lock()) viewer->Tell(status_);
}

void LiveStream::KeepPace() {
  if (clock_.Now() - stretch_began_ < kStretch) return;
  stretch_began_ = clock_.Now();
  std::vector<ViewerShare> shares;
  for (const auto& weak : viewers_)
    if (const auto viewer = weak.lock()) shares.push_back(viewer->TakeShare());
  pace_.Note(shares);
}

void LiveStream::End(Error why) {
  if (end_) return;
  Tell(NotShown(StreamState::kEnded, why));
  end_ = why;
  const auto viewers = viewers_;
  for (const auto& weak : viewers)
    if (const auto viewer = weak.lock()) viewer->End(why);
  changes_.NotifyAll();
}

StreamInfo LiveStream::Info() const {
  std::uint64_t dropped = 0;
  for (const auto& weak : viewers_)
    if (const auto viewer = weak.lock()) dropped += viewer->queue().dropped();
  return {.status = status_,
          .viewers = viewers_.size(),
          .frames = last_seq_,
          .dropped = dropped,
          .quality = pace_.quality(),
          .max_fps = std::chrono::duration<double>(std::chrono::seconds(1)) /
                     std::chrono::duration<double>(pace_.interval())};
}

}  // namespace falconer::browser
