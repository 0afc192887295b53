#include "browser/state/structured_state_extractor.h"

#include <algorithm>
#include <utility>

#include "base/async/task_scope.h"
#include "base/log.h"
#include "browser/frames/frame_geometry.h"
#include "browser/state/frame_state.h"
#include "browser/waits/load_waits.h"

namespace falconer::browser {
namespace {

// Frames have a third of everything, so that a payment form in a frame is never crowded out by the
// page around it.
constexpr std::size_t kFrameShare = 3;
// Pages have dozens of frames that nobody sees; those that are seen are looked for among so many.
constexpr std::size_t kMostLocated = 32;
// A frame that does not answer must not keep the rest of the state away.
constexpr auto kFrameTime = std::chrono::seconds(2);
constexpr std::size_t kMostConsoleErrors = 10;
constexpr model::Rect kWhole = {0, 0, 1, 1};

StateLimits ShareOfFrames(const StateLimits& all) {
  return {.frames = all.frames,
          .elements = all.elements / kFrameShare,
          .texts = all.texts / kFrameShare,
          .forms = all.forms / kFrameShare,
          .errors = all.errors / kFrameShare};
}

StateLimits Without(const StateLimits& all, const StateLimits& share) {
  return {.frames = all.frames,
          .elements = all.elements - share.elements,
          .texts = all.texts - share.texts,
          .forms = all.forms - share.forms,
          .errors = all.errors - share.errors};
}

json::object StateArguments(model::StateScope scope, std::size_t offset,
                            const StateLimits& limits) {
  return {{"mode", NameIn(model::kStateScopes, scope)},
          {"offset", offset},
          {"limits",
           {{"elements", limits.elements},
            {"texts", limits.texts},
            {"forms", limits.forms},
            {"errors", limits.errors}}}};
}

bool Overlaps(const model::Rect& box, const Viewport& viewport) {
  return box.x < viewport.width && box.y < viewport.height && box.x + box.width > 0 &&
         box.y + box.height > 0;
}

// Where the frame is. One without a box (hidden, or not laid out yet) is out of view.
Task<void> Locate(CallContext ctx, const Viewport* viewport, FrameReading* reading) {
  const auto place = co_await MapToTab(std::move(ctx), reading->frame);
  reading->is_in_view = place && Overlaps(place->Apply(kWhole), *viewport);
  if (place) reading->place = *place;
}

Task<Result<void>> ReadFrame(CallContext ctx, json::object arguments, FrameReading* reading) {
  CO_TRY_ASSIGN(const auto answer,
                co_await CallScript(std::move(ctx), ScriptCall::Into(reading->frame), "state",
                                    std::move(arguments)));
  CO_TRY_ASSIGN(reading->answer, model::FrameProjection::FromJson(answer));
  co_return Result<void>();
}

// A frame that cannot be read is left out of the state, and counted.
Task<void> TryReadFrame(CallContext ctx, json::object arguments, FrameReading* reading) {
  const auto read = co_await ReadFrame(std::move(ctx), std::move(arguments), reading);
  if (!read)
    LOG(debug, "state.frame_unread", {"frame", reading->frame->fid},
        {"why", read.error().message()});
}

std::vector<FrameReading> ChildFrames(Tab& tab) {
  std::vector<FrameReading> readings;
  for (auto& frame : tab.frames().All()) {
    if (!frame->is_main() && readings.size() < kMostLocated)
      readings.push_back({.frame = std::move(frame)});
  }
  return readings;
}

Task<void> LocateChildren(CallContext ctx, Viewport viewport, std::vector<FrameReading>* readings) {
  TaskScope tasks(ctx.executor());
  for (FrameReading& reading : *readings)
    tasks.Spawn("state.locate", Locate(ctx, &viewport, &reading));
  co_await tasks.Join();
}

std::vector<FrameReading> SeenFirst(std::vector<FrameReading> all, std::size_t most) {
  std::vector<FrameReading> first;
  for (const bool is_seen : {true, false}) {
    for (FrameReading& reading : all) {
      if (reading.is_in_view == is_seen && first.size() < most) first.push_back(std::move(reading));
    }
  }
  return first;
}

Task<void> ReadChildren(CallContext ctx, json::object arguments,
                        std::vector<FrameReading>* readings) {
  TaskScope tasks(ctx.executor());
  for (FrameReading& reading : *readings)
    tasks.Spawn("state.frame", TryReadFrame(ctx, arguments, &reading));
  co_await tasks.Join();
}

template <typename T>
void Bound(std::vector<T>& list, std::size_t most, model::SectionBudget& budget) {
  if (list.size() <= most) return;
  budget.omitted += list.size() - most;
  list.resize(most);
}

// Of a frame that is out of sight only the errors are told; the rest is counted.
void LeaveOutTheUnseen(model::FrameProjection& answer) {
  Bound(answer.elements, 0, answer.budget.elements);
  Bound(answer.texts, 0, answer.budget.texts);
  Bound(answer.forms, 0, answer.budget.forms);
}

}  // namespace

Task<Result<model::StructuredState>> StructuredStateExtractor::Read(CallContext ctx,
                                                                    std::shared_ptr<Tab> tab,
                                                                    StateRequest request) {
  CO_TRY_ASSIGN(auto reading, co_await ReadMarked(std::move(ctx), std::move(tab), request));
  co_return std::move(reading.state);
}

Task<Result<StateReading>> StructuredStateExtractor::ReadMarked(
    CallContext ctx, std::shared_ptr<Tab> tab, StateRequest request,
    std::optional<PageReading> just_read) {
  for (int tries = 1;; ++tries) {
    CO_TRY(tab->Alive());
    CO_TRY(co_await WaitForPendingNavigation(ctx, tab));
    const auto page = ScriptCall::Into(tab->frames().main());
    StateReading reading;
    const auto read =
        co_await ReadPage(ctx, tab, request, std::exchange(just_read, std::nullopt), &reading);
    if (read) co_return reading;
    if (!IsDocumentGone(read.error().code()) || tries == kMostPages)
      co_return std::unexpected(read.error());
    CO_TRY(co_await WaitUntilReplaced(ctx, tab, page));
  }
}

Task<Result<void>> StructuredStateExtractor::ReadPage(CallContext ctx, std::shared_ptr<Tab> tab,
                                                      StateRequest request,
                                                      std::optional<PageReading> just_read,
                                                      StateReading* into) {
  model::StructuredState& state = into->state;
  state.tab_id = tab->id().value();
  state.url = tab->url();
  if (!tab->dialogs().open())
    CO_TRY(co_await ReadFrames(ctx, tab, request, std::move(just_read), into));
  AddActivity(*tab, state);
  co_await AddTabs(ctx, tab, &state);
  co_return model::Seal(state);
}

Task<Result<void>> StructuredStateExtractor::ReadFrames(CallContext ctx, std::shared_ptr<Tab> tab,
                                                        StateRequest request,
                                                        std::optional<PageReading> just_read,
                                                        StateReading* into) {
  model::StructuredState* state = &into->state;
  auto children = ChildFrames(*tab);
  const StateLimits for_frames =
      children.empty() ? StateLimits{0, 0, 0, 0, 0} : ShareOfFrames(request.limits);
  FrameReading main{.frame = tab->frames().main()};
  into->mark = {.document = main.frame->document,
                .arguments = StateArguments(request.scope, request.offset,
                                            Without(request.limits, for_frames))};
  if (just_read && just_read->document == main.frame->document) {
    main.answer = std::move(just_read->answer);
  } else {
    CO_TRY(co_await ReadFrame(ctx, into->mark.arguments, &main));
  }
  into->mark.content_hash = main.answer->content_hash;
  const CallContext short_time =
      ctx.WithTimeout(std::min<Duration>(ctx.TimeLeft() / 2, kFrameTime));
  co_await LocateChildren(short_time, tab->viewport(), &children);
  children = SeenFirst(std::move(children), request.limits.frames - 1);
  co_await ReadChildren(short_time, StateArguments(request.scope, 0, for_frames), &children);
  TakePage(*main.answer, *state);
  JoinReading(std::move(main), request.limits.elements, *state);
  for (FrameReading& child : children) {
    if (!child.answer) continue;
    if (request.scope == model::StateScope::kViewport && !child.is_in_view)
      LeaveOutTheUnseen(*child.answer);
    JoinReading(std::move(child), request.limits.elements - state->elements.size(), *state);
  }
  Bound(state->texts, request.limits.texts, state->budget.texts);
  Bound(state->forms, request.limits.forms, state->budget.forms);
  Bound(state->errors, request.limits.errors, state->budget.errors);
  const std::size_t total = tab->frames().All().size();
  state->budget.frames = {.total = total, .omitted = total - std::min(total, state->frames.size())};
  co_return Result<void>();
}

Task<void> StructuredStateExtractor::AddTabs(CallContext ctx, std::shared_ptr<Tab> tab,
                                             model::StructuredState* state) {
  if (session_.tabs().all().size() == 1) {
    state->tabs.push_back(
        {.tab_id = tab->id().value(), .url = state->url, .title = state->title, .active = true});
    co_return;
  }
  const auto tabs = co_await session_.tabs().List(std::move(ctx));
  if (!tabs) co_return;
  for (const TabInfo& info : *tabs) {
    state->tabs.push_back({.tab_id = info.id.value(),
                           .url = info.url,
                           .title = info.title,
                           .active = info.is_active});
  }
}

void StructuredStateExtractor::AddActivity(Tab& tab, model::StructuredState& state) const {
  if (const auto& dialog = tab.dialogs().open()) {
    state.dialogs.push_back({.type = dialog->type,
                             .message = dialog->message,
                             .default_prompt = dialog->default_prompt});
  }
  state.network = model::NetworkState::Of(tab.network().Summary(0));
  for (const ConsoleEntry& entry : tab.console().EntriesSince(0)) {
    if (entry.level != "error") continue;
    if (state.console_errors.size() == kMostConsoleErrors)
      state.console_errors.erase(state.console_errors.begin());
    state.console_errors.push_back(
        {.kind = std::string(ConsoleKindName(entry.kind)), .message = entry.message});
  }
  for (const Download& download : session_.downloads().all()) {
    state.downloads.push_back({.id = download.id,
                               .name = download.name,
                               .state = std::string(DownloadStateName(download.state)),
                               .received = download.received,
                               .total = download.total,
                               .sha256 = download.sha256});
  }
}

Task<Result<json::object>> StructuredStateExtractor::Find(CallContext ctx, std::shared_ptr<Tab> tab,
                                                          std::string words, int limit) {
  CO_TRY(tab->Alive());
  CO_TRY(co_await WaitForPendingNavigation(ctx, tab));
  co_return co_await CallScript(ctx, ScriptCall::Into(tab->frames().main()), "find",
                                {{"text", std::string_view(words)}, {"limit", limit}});
}

}  // namespace falconer::browser
