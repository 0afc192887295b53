#include "predict/act/scene.h"

#include <algorithm>
#include <utility>

namespace falconer::predict {
namespace {

// Steps that are looked for beforehand, where what comes next is prepared.
constexpr std::size_t kMostPrepared = 16;

const engine::ProbeFinding kNeedsNone = {.matches = 1, .is_usable = true};

bool NeedsElement(const WorkflowStep& step) {
  return !SelectorsOf(step).empty();
}

// What must be looked for: nothing is known of it.
struct Unknown {
  std::vector<engine::ProbedTarget> targets;
  std::vector<std::size_t> open;  // which of the scene each is; more targets are only prepared
};

Unknown TakeKnown(RunFrame& frame, const std::string& url, Scene& scene) {
  Unknown unknown;
  for (std::size_t i = 0; i < scene.open.size(); ++i) {
    const WorkflowStep& step = scene.open[i].step;
    if (!NeedsElement(step)) {
      scene.findings[i] = kNeedsNone;
      continue;
    }
    engine::ProbedTarget target = ProbedOf(step);
    if (auto found = frame.probes().Find(url, target)) {
      scene.findings[i] = *std::move(found);
      continue;
    }
    unknown.targets.push_back(std::move(target));
    unknown.open.push_back(i);
  }
  return unknown;
}

void AddLater(RunFrame& frame, std::vector<engine::ProbedTarget>& targets) {
  if (frame.order().limits.preparing == Preparing::kNothing) return;
  for (const WorkflowStep& step : frame.way().Later(kMostPrepared)) {
    if (NeedsElement(step)) targets.push_back(ProbedOf(step));
  }
}

// False when the run ended. Without a page nothing is there.
Task<bool> LookFor(RunFrame* frame, Unknown unknown, Scene* scene) {
  if (unknown.targets.empty()) {
    if (!scene->open.empty()) ++frame->numbers().probes_saved;
    co_return true;
  }
  const std::string url = frame->rooms().page.Url();
  if (url.empty()) co_return true;
  AddLater(*frame, unknown.targets);
  ++frame->numbers().probes;
  const auto found = co_await frame->rooms().page.Probe(frame->ctx(), unknown.targets);
  if (!found) {
    frame->EndFor(found.error());
    co_return false;
  }
  for (std::size_t i = 0; i < unknown.open.size() && i < found->size(); ++i)
    scene->findings[unknown.open[i]] = (*found)[i];
  if (frame->order().limits.preparing != Preparing::kNothing)
    frame->probes().Keep(url, unknown.targets, *found);
  co_return true;
}

model::CapabilitySet NeedsOn(RunFrame& frame, const WorkflowStep& step,
                             const model::Fingerprint* element) {
  const json::value* spec = step.contract.if_contains("action_spec");
  const auto read = model::ActionSpec::FromJson(spec == nullptr ? json::value() : *spec);
  // What cannot be read is refused as incomplete.
  if (!read) return {};
  return frame.rooms().page.NeedsOf(*read, element);
}

bool MayBeAnother(RunFrame& frame, const WorkflowStep& step, const engine::ProbeFinding& finding) {
  if (finding.ref.empty()) return false;
  return frame.way().freedom() == Freedom::kFree || SelectorsOf(step).front() != finding.selector;
}

}  // namespace

Task<std::optional<Scene>> ObserveScene(RunFrame* frame) {
  Scene scene{.open = frame->way().Open(frame->Place())};
  if (frame->is_imagined()) {
    scene.findings.assign(scene.open.size(), kNeedsNone);
  } else {
    scene.findings.resize(scene.open.size());
    Unknown unknown = TakeKnown(*frame, frame->rooms().page.Url(), scene);
    if (!co_await LookFor(frame, std::move(unknown), &scene)) co_return std::nullopt;
  }
  for (std::size_t i = 0; i < scene.open.size(); ++i) {
    if (scene.findings[i].is_usable) scene.present.push_back(i);
  }
  scene.guesses = frame->way().Guesses(frame->Place(), scene.open, scene.present);
  co_return scene;
}

model::CapabilitySet NeedsOf(RunFrame& frame, const WorkflowStep& step) {
  return NeedsOn(frame, step, step.element ? &*step.element : nullptr);
}

Validation ValidateIn(RunFrame& frame, const Scene& scene, std::size_t open) {
  const WorkflowStep& step = scene.open[open].step;
  const model::CapabilitySet needs = NeedsOf(frame, step);
  return Validate({.step = step,
                   .finding = &scene.findings[open],
                   .freedom = frame.way().freedom(),
                   .needs = needs,
                   .known = needs});
}

Validation ValidateOn(RunFrame& frame, const WorkflowStep& step, const model::Fingerprint& now) {
  return Validate({.step = step,
                   .freedom = frame.way().freedom(),
                   .needs = NeedsOn(frame, step, &now),
                   .known = NeedsOf(frame, step)});
}

Task<Validation> ValidateNow(RunFrame* frame, const Scene* scene, std::size_t open) {
  const WorkflowStep& step = scene->open[open].step;
  const engine::ProbeFinding& finding = scene->findings[open];
  Validation found = ValidateIn(*frame, *scene, open);
  if (!found.is_valid() || !MayBeAnother(*frame, step, finding)) co_return found;
  const auto seen = co_await frame->rooms().page.Elements(frame->ctx());
  if (!seen) {
    frame->EndFor(seen.error());
    co_return found;
  }
  const auto now = std::ranges::find(*seen, finding.ref, &engine::SeenElement::ref);
  if (now != seen->end()) co_return ValidateOn(*frame, step, now->fingerprint);
  if (frame->way().freedom() == Freedom::kNamed) co_return found;
  co_return Validation{Validity::kMissing, ""};
}

json::array CandidatesIn(RunFrame& frame, const Scene& scene) {
  json::array out;
  for (const Guess& guess : scene.guesses) {
    if (!guess.open) continue;
    out.push_back(json::object{{"intent", scene.open[*guess.open].step.intent},
                               {"confidence", guess.confidence},
                               {"source", guess.source},
                               {"present", true},
                               {"reason", ValidateIn(frame, scene, *guess.open).reason()}});
  }
  for (std::size_t i = 0; i < scene.open.size(); ++i) {
    if (std::ranges::find(scene.present, i) != scene.present.end()) continue;
    out.push_back(json::object{{"intent", scene.open[i].step.intent},
                               {"present", false},
                               {"reason", ValidateIn(frame, scene, i).reason()}});
  }
  return out;
}

}  // namespace falconer::predict
