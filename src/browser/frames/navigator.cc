#include "browser/frames/navigator.h"

#include <charconv>
#include <utility>

#include "browser/waits/load_waits.h"

namespace falconer::browser {
namespace {

constexpr double kCandidateConfidence = 0.7;

json::object ByRef(const std::string& ref) {
  return {{"ref", std::string_view(ref)}};
}

// The element that holds a frame is waited for like any other: pages add frames late.
Task<Result<void>> WaitForOwner(CallContext ctx, ScriptCall place, model::Selector selector,
                                MissingFrame missing) {
  const json::object target{{"steps", selector.ToJson()}};
  const auto found = co_await CallScript(
      ctx, place, "wait",
      {{"id", NewCallId()},
       {"timeout_ms", missing == MissingFrame::kFail ? 0 : PageTimeout(ctx)},
       {"condition",
        {{"kind", "selector"}, {"state", "attached"}, {"strict", true}, {"target", target}}}});
  if (!found && found.error().code() == ErrorCode::kWaitTimeout) {
    co_return Fail(ErrorCode::kElementNotFound, "no frame matches " + selector.ToString());
  }
  CO_TRY(found);
  co_return Result<void>();
}

// The id of the frame that the element holds.
Task<Result<std::string>> FrameInside(CallContext ctx, ScriptCall place, model::Selector selector) {
  const json::object target{{"steps", selector.ToJson()}};
  CO_TRY_ASSIGN(const auto object,
                co_await CallScriptForElement(ctx, place, "element", {{"target", target}}));
  const auto session = place.frame->session;
  CO_TRY_ASSIGN(const auto described,
                co_await session->Send(ctx, cdp::DOMDescribeNode{.object_id = object}));
  session->Post(cdp::RuntimeReleaseObject{.object_id = object});
  if (!described.node.frame_id) {
    co_return Fail(ErrorCode::kWrongElement, selector.ToString() + " is not a frame");
  }
  co_return *described.node.frame_id;
}

}  // namespace

std::optional<std::uint32_t> DocumentOfRef(std::string_view ref) {
  if (!ref.starts_with('d')) return std::nullopt;
  std::uint32_t ordinal = 0;
  const auto [end, error] = std::from_chars(ref.data() + 1, ref.data() + ref.size(), ordinal);
  if (error != std::errc() || end == ref.data() + ref.size() || *end != 'e') return std::nullopt;
  return ordinal;
}

Result<std::shared_ptr<Tab>> Navigator::TabFor(const TabId& id) const {
  TRY(session_.Alive());
  TRY_ASSIGN(auto tab, id.empty() ? session_.tabs().Active() : session_.tabs().Find(id));
  return tab;
}

Task<Result<BoundTarget>> Navigator::Bind(CallContext ctx, std::shared_ptr<Tab> tab,
                                          model::Target target, MissingFrame missing) {
  if (!target.eid.empty()) co_return BindRef(tab, target.eid);
  if (target.point) {
    co_return BoundTarget{.tab = tab,
                          .place = ScriptCall::Into(tab->frames().main()),
                          .argument = {{"point", model::PointJson(*target.point)}}};
  }
  const auto selectors = target.Selectors();
  if (selectors.empty()) co_return Fail(ErrorCode::kInvalidActionSpec, "the target names nothing");
  co_return co_await BindSelector(std::move(ctx), std::move(tab), {std::move(target.fid), missing},
                                  selectors.front().parsed, target.strictness);
}

Task<Result<std::vector<BoundTarget>>> Navigator::BindCandidates(CallContext ctx,
                                                                 std::shared_ptr<Tab> tab,
                                                                 model::Target target) {
  std::vector<BoundTarget> bound;
  const auto selectors = target.Selectors();
  if (selectors.size() < 2) {
    CO_TRY_ASSIGN(auto only, co_await Bind(std::move(ctx), std::move(tab), std::move(target)));
    bound.push_back(std::move(only));
    co_return bound;
  }
  std::optional<Error> failure;
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    auto candidate = co_await BindSelector(ctx, tab, {target.fid, MissingFrame::kWaitFor},
                                           selectors[i].parsed, target.strictness);
    if (!candidate) {
      failure = std::move(candidate).error();
      continue;
    }
    if (i > 0) candidate->confidence = kCandidateConfidence;
    bound.push_back(*std::move(candidate));
  }
  if (bound.empty()) co_return std::unexpected(*std::move(failure));
  co_return bound;
}

Result<BoundTarget> Navigator::BindRef(const std::shared_ptr<Tab>& tab,
                                       const std::string& ref) const {
  const auto ordinal = DocumentOfRef(ref);
  if (!ordinal) return Fail(ErrorCode::kInvalidActionSpec, "'" + ref + "' is not an element ref");
  auto [owner, frame] = session_.tabs().FindDocument(*ordinal);
  if (!frame) {
    return Fail(ErrorCode::kStaleRef,
                "ref " + ref + " belongs to a page that is gone; read the state again");
  }
  if (owner != tab) {
    return Fail(ErrorCode::kStaleRef, "ref " + ref + " belongs to tab " + owner->id().value() +
                                          ", not to " + tab->id().value());
  }
  return BoundTarget{.tab = tab, .place = ScriptCall::Into(frame), .argument = ByRef(ref)};
}

Task<Result<BoundTarget>> Navigator::BindSelector(CallContext ctx, std::shared_ptr<Tab> tab,
                                                  Start start, model::Selector selector,
                                                  model::Strictness strictness) {
  const model::FramePath path = model::FramePathOf(selector);
  CO_TRY_ASSIGN(const auto frame,
                co_await EnterFrames(std::move(ctx), tab, std::move(start), path.frames));
  json::object argument{{"steps", path.element.ToJson()}};
  if (strictness == model::Strictness::kFirst) argument["first"] = true;
  co_return BoundTarget{
      .tab = std::move(tab), .place = ScriptCall::Into(frame), .argument = std::move(argument)};
}

// Begins again from the top when a page on the way is replaced by another.
Task<Result<std::shared_ptr<Frame>>> Navigator::EnterFrames(CallContext ctx,
                                                            std::shared_ptr<Tab> tab, Start start,
                                                            std::vector<model::Selector> path) {
  const std::string& fid = start.fid;
  auto frame = fid.empty() ? tab->frames().main() : tab->frames().FindByFid(fid);
  std::size_t step = 0;
  while (frame && step < path.size()) {
    const auto place = ScriptCall::Into(frame);
    const auto inner = co_await EnterFrame(ctx, tab, place, path[step], start.missing);
    if (inner) {
      frame = *inner;
      ++step;
      continue;
    }
    if (!IsDocumentGone(inner.error().code())) co_return inner;
    CO_TRY(co_await WaitUntilReplaced(ctx, tab, place));
    frame = fid.empty() ? tab->frames().main() : tab->frames().FindByFid(fid);
    step = 0;
  }
  if (!frame)
    co_return Fail(ErrorCode::kFrameDetached, "tab " + tab->id().value() + " has no frame " + fid);
  co_return frame;
}

Task<Result<std::shared_ptr<Frame>>> Navigator::EnterFrame(CallContext ctx,
                                                           std::shared_ptr<Tab> tab,
                                                           ScriptCall place,
                                                           model::Selector selector,
                                                           MissingFrame missing) {
  CO_TRY(co_await WaitForOwner(ctx, place, selector, missing));
  CO_TRY_ASSIGN(const std::string id, co_await FrameInside(ctx, place, selector));
  CO_TRY(co_await tab->changes().Until(
      ctx, [&] { return place.frame->is_detached || tab->frames().Find(id) != nullptr; },
      "the frame to load"));
  const auto frame = tab->frames().Find(id);
  if (!frame) co_return Fail(ErrorCode::kFrameDetached, "the frame is gone");
  co_return frame;
}

Task<Result<json::object>> Navigator::Query(CallContext ctx, BoundTarget target, int limit) {
  json::object arguments = target.Arguments();
  arguments["limit"] = limit;
  co_return co_await CallScript(std::move(ctx), target.place, "query", std::move(arguments));
}

Task<Result<json::object>> Navigator::DescribeElement(CallContext ctx, BoundTarget target) {
  co_return co_await CallScript(std::move(ctx), target.place, "describe", target.Arguments());
}

}  // namespace falconer::browser
