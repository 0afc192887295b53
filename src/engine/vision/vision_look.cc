#include "engine/vision/vision_look.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/sha256.h"
#include "engine/vision/marked_view.h"
#include "engine/vision/vision_candidates.h"

namespace falconer::engine {
namespace {

constexpr ErrorCode kUnbound[] = {ErrorCode::kElementNotFound, ErrorCode::kElementAmbiguous,
                                  ErrorCode::kTargetBindFailed, ErrorCode::kNoCandidates};

json::array CandidatesJson(const std::vector<VisionCandidate>& candidates) {
  json::array out;
  for (const VisionCandidate& one : candidates) {
    out.push_back(json::object{{"number", one.number},
                               {"ref", one.ref},
                               {"role", one.role},
                               {"name", one.name},
                               {"box", model::RectJson(one.box)}});
  }
  return out;
}

json::object EvidenceOf(const VisionQuestion& question, const VisionChoice& choice) {
  json::object out{{"image_sha256", Sha256Hex(question.marked_png)},
                   {"by", choice.by},
                   {"prompt", choice.prompt},
                   {"response", choice.response},
                   {"choice", choice.number},
                   {"confidence", kVisionConfidence},
                   {"candidates", CandidatesJson(question.candidates)}};
  if (choice.point) out["point"] = model::PointJson(*choice.point);
  return out;
}

Result<std::optional<model::Target>> TargetOf(const VisionChoice& choice,
                                              const std::vector<VisionCandidate>& candidates) {
  model::Target target;
  if (choice.point) {
    target.point = choice.point;
    return target;
  }
  if (choice.number == 0) return std::nullopt;
  const auto chosen = std::ranges::find(candidates, choice.number, &VisionCandidate::number);
  if (chosen == candidates.end()) {
    return Fail(ErrorCode::kTargetBindFailed,
                fmt::format("{} was chosen of {} elements", choice.number, candidates.size()));
  }
  target.eid = chosen->ref;
  return target;
}

}  // namespace

bool IsUnbound(ErrorCode code) {
  return std::ranges::find(kUnbound, code) != std::end(kUnbound);
}

Task<Result<VisionLook>> LookForTarget(CallContext ctx, VisionScene scene) {
  const std::string wanted = WantedOf(*scene.contract);
  VisionQuestion question{
      .wanted = wanted,
      .names = NamesOf(*scene.contract),
      .candidates = CandidatesIn(*scene.state, wanted),
      .marked_png = {},
      .take_view = [ctx, tab = scene.tab](double scale) { return TakeView(ctx, tab, scale); }};
  CO_TRY_ASSIGN(const PlainView view, co_await TakeView(ctx, scene.tab, MarkedScale(*scene.tab)));
  CO_TRY_ASSIGN(question.marked_png, DrawMarks(view, question.candidates));
  CO_TRY_ASSIGN(const VisionChoice choice, co_await scene.gate->Choose(ctx, question));
  VisionLook look{.marked_png = question.marked_png, .evidence = EvidenceOf(question, choice)};
  CO_TRY_ASSIGN(look.target, TargetOf(choice, question.candidates));
  co_return look;
}

}  // namespace falconer::engine
