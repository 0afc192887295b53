#include "predict/act/prepare_next.h"

#include "model/url.h"

namespace falconer::predict {
namespace {

constexpr std::size_t kStepsAhead = 3;

std::string OriginOf(const std::string& url) {
  const model::UrlParts parts = model::SplitUrl(url);
  if (parts.host.empty()) return "";
  const std::string port = parts.port.empty() ? "" : ":" + parts.port;
  return parts.scheme + "://" + parts.host + port + "/";
}

// What most likely follows, where nobody asked for a workflow.
std::optional<WorkflowStep> Following(RunFrame& frame, const OpenStep& now, double least) {
  const RunPlace place = frame.Place();
  std::vector<std::uint64_t> history(place.history.begin(), place.history.end());
  history.push_back(now.symbol);
  const auto next = frame.rooms().learnt.Predict({.history = history, .most = 1});
  if (next.empty() || next.front().symbol == kBoundary || next.front().confidence < least)
    return std::nullopt;
  return frame.rooms().learnt.StepOf(next.front().symbol);
}

std::vector<WorkflowStep> Ahead(RunFrame& frame, const OpenStep& now, double least) {
  if (frame.way().freedom() == Freedom::kNamed) return frame.way().Later(kStepsAhead);
  auto next = Following(frame, now, least);
  return next ? std::vector{*std::move(next)} : std::vector<WorkflowStep>();
}

}  // namespace

std::string LeadsTo(const WorkflowStep& step) {
  const json::value* spec = step.contract.if_contains("action_spec");
  if (spec == nullptr || !spec->is_object()) return "";
  std::string url = TextAt(spec->get_object(), "url");
  if (url.empty() && step.element) {
    const auto href = step.element->attributes.find("href");
    if (href != step.element->attributes.end()) url = href->second;
  }
  return model::CheckWebUrl(url) ? url : "";
}

void PrepareNext(RunFrame& frame, const OpenStep& now, double confidence) {
  const RunLimits& limits = frame.order().limits;
  if (limits.preparing == Preparing::kNothing || confidence < limits.prepare_from) return;
  const std::string here = OriginOf(frame.rooms().page.Url());
  const std::string there = OriginOf(LeadsTo(now.step));
  for (const WorkflowStep& step : Ahead(frame, now, limits.prepare_from)) {
    const std::string origin = OriginOf(LeadsTo(step));
    if (!origin.empty() && origin != here && origin != there) frame.rooms().page.Warm(origin);
  }
}

}  // namespace falconer::predict
