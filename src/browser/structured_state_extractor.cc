#include "browser/structured_state_extractor.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/task_scope.h"
#include "browser/frame_geometry.h"
#include "browser/frame_state.h"
#include "browser/load_waits.h"

namespace falconer::browser {
namespace {

// Frames share what the main frame leaves: a third of the elements, so that a payment form in a
// frame is never crowded out by the page around it.
constexpr std::size_t kFrameShare = 3;
constexpr std::size_t kMostConsoleErrors = 10;
constexpr model::Rect kWhole = {0, 0, 1, 1};

json::object StateArguments(const StateRequest& request, std::size_t elements) {
  return {{"mode", NameIn(model::kStateScopes, request.scope)},
          {"offset", request.offset},
          {"limits",
           {{"elements", elements}, {"texts", request.limits.texts}, {"forms", request.limits.forms}, {"errors", request.limits.errors}}}};
}

bool Overlaps(const model::Rect& box, const Viewport& viewport) {
  return box.x < viewport.width && box.y < viewport.height && box.x + box.width > 0 && box.y + box.height > 0;
}

// Where the frame is. One without a box (hidden, or not laid out yet) is out of view.
Task<void> Locate(CallContext ctx, const Viewport* viewport, FrameReading* reading) {
  const auto place = co_await MapToTab(std::move(ctx), reading->frame);
  reading->is_in_view = place && Overlaps(place->Apply(kWhole), *viewport);
  if (place) reading->place = *place;
}

Task<Result<void>> ReadFrame(CallContext ctx, json::object arguments, FrameReading* reading) {
  CO_TRY_ASSIGN(const auto answer, co_await CallScript(std::move(ctx), ScriptCall::Into(reading->frame), "state",
                                                       std::move(arguments)));
  CO_TRY_ASSIGN(reading->answer, model::FrameProjection::FromJson(answer));
  co_return Result<void>();
}

// A frame that cannot be read is left out of the state, and counted.
Task<void> TryReadFrame(CallContext ctx, json::object arguments, FrameReading* reading) {
  const auto read = co_await ReadFrame(std::move(ctx), std::move(arguments), reading);
  if (!read) LOG(debug, "state.frame_unread", {"frame", reading->frame->fid}, {"why", read.error().message()});
}

// All frames at once; one that does not answer in time costs nobody else anything.
Task<void> ReadChildren(CallContext ctx, std::shared_ptr<Tab> tab, json::object arguments, std::vector<FrameReading>* readings) {
  TaskScope tasks(ctx.executor());
  const Viewport viewport = tab->viewport();
  for (FrameReading& reading : *readings) {
    tasks.Spawn("state.locate", Locate(ctx, &viewport, &reading));
    tasks.Spawn("state.frame", TryReadFrame(ctx, arguments, &reading));
  }
  co_await tasks.Join();
}

std::vector<FrameReading> ChildFrames(Tab& tab, std::size_t most) {
  std::vector<FrameReading> readings;
  for (auto& frame : tab.frames().All()) {
    if (!frame->is_main() && readings.size() < most) readings.push_back({.frame = std::move(frame)});
  }
  return readings;
}

}  // namespace

Task<Result<model::StructuredState>> StructuredStateExtractor::Read(CallContext ctx, std::shared_ptr<Tab> tab, StateRequest request) {
  CO_TRY(tab->Alive());
  CO_TRY(co_await WaitForPendingNavigation(ctx, tab));
  model::StructuredState state;
  state.tab_id = tab->id().value();
  state.url = tab->url();
  if (!tab->dialogs().open()) {
    auto children = ChildFrames(*tab, request.limits.frames - 1);
    const std::size_t for_frames = children.empty() ? 0 : request.limits.elements / kFrameShare;
    FrameReading main{.frame = tab->frames().main()};
    CO_TRY(co_await ReadFrame(ctx, StateArguments(request, request.limits.elements - for_frames), &main));
    if (!children.empty()) co_await ReadChildren(ctx, tab, StateArguments({.scope = request.scope, .limits = request.limits}, for_frames), &children);
    TakePage(*main.answer, state);
    JoinReading(std::move(main), request.limits.elements, state);
    state.budget.frames = {.total = tab->frames().All().size()};
    for (FrameReading& child : children) {
      const bool is_wanted = request.scope == model::StateScope::kPage || child.is_in_view;
      const std::size_t room = request.limits.elements - std::min(request.limits.elements, state.elements.size());
      if (child.answer) JoinReading(std::move(child), is_wanted ? room : 0, state);
    }
    state.budget.frames.omitted = state.budget.frames.total - state.frames.size();
  }
  AddActivity(*tab, state);
  co_await AddTabs(ctx, tab, &state);
  CO_TRY(model::Seal(state));
  co_return state;
}

Task<void> StructuredStateExtractor::AddTabs(CallContext ctx, std::shared_ptr<Tab> tab, model::StructuredState* state) {
  if (session_.tabs().all().size() == 1) {
    state->tabs.push_back({.tab_id = tab->id().value(), .url = state->url, .title = state->title, .active = true});
    co_return;
  }
  const auto tabs = co_await session_.tabs().List(std::move(ctx));
  if (!tabs) co_return;
  for (const TabInfo& info : *tabs) {
    state->tabs.push_back({.tab_id = info.id.value(), .url = info.url, .title = info.title, .active = info.is_active});
  }
}

void StructuredStateExtractor::AddActivity(Tab& tab, model::StructuredState& state) const {
  if (const auto& dialog = tab.dialogs().open()) {
    state.dialogs.push_back({.type = dialog->type, .message = dialog->message, .default_prompt = dialog->default_prompt});
  }
  state.network = model::NetworkState::Of(tab.network().Summary(0));
  for (const ConsoleEntry& entry : tab.console().EntriesSince(0)) {
    if (entry.level != "error") continue;
    if (state.console_errors.size() == kMostConsoleErrors) state.console_errors.erase(state.console_errors.begin());
    state.console_errors.push_back({.kind = std::string(ConsoleKindName(entry.kind)), .message = entry.message});
  }
  for (const Download& download : session_.downloads().all()) {
    state.downloads.push_back({.id = download.id, .name = download.name, .state = std::string(DownloadStateName(download.state)),
                               .received = download.received, .total = download.total, .sha256 = download.sha256});
  }
}

Task<Result<json::object>> StructuredStateExtractor::Find(CallContext ctx, std::shared_ptr<Tab> tab, std::string words, int limit) {
  CO_TRY(tab->Alive());
  CO_TRY(co_await WaitForPendingNavigation(ctx, tab));
  co_return co_await CallScript(ctx, ScriptCall::Into(tab->frames().main()), "find", {{"text", std::string_view(words)}, {"limit", limit}});
}

}  // namespace falconer::browser
