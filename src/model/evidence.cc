#include "model/evidence.h"

namespace falconer::model {
namespace {

json::object ElementJson(const MatchedElement& element) {
  return {{"ref", element.ref},
          {"role", element.role},
          {"name", element.name},
          {"description", element.description},
          {"frame", element.frame}};
}

json::object HitJson(const HitEvidence& hit) {
  json::object out{{"delivered", hit.delivered}};
  if (!hit.interceptor.empty()) out["interceptor"] = hit.interceptor;
  return out;
}

json::array AttemptsJson(const std::vector<AttemptEvidence>& attempts) {
  json::array out;
  for (const AttemptEvidence& attempt : attempts) {
    out.push_back({{"cause", TraitsOf(attempt.cause).name}, {"waited_ms", attempt.waited.count()}});
  }
  return out;
}

json::object NavigationJson(const NavigationEvidence& navigation) {
  json::object out{{"requested", navigation.requested},
                   {"committed", navigation.committed},
                   {"url", navigation.url}};
  if (navigation.status != 0) out["status"] = navigation.status;
  if (!navigation.loader.empty()) out["loader"] = navigation.loader;
  return out;
}

json::object EvidenceArtifactJson(const ArtifactEvidence& artifact) {
  return {{"bytes", artifact.bytes},
          {"mime", artifact.mime},
          {"sha256", artifact.sha256},
          {"path", artifact.path}};
}

json::array PopupsJson(const std::vector<TabId>& popups) {
  json::array out;
  for (const TabId& tab : popups) out.emplace_back(tab.value());
  return out;
}

json::array RefusedJson(const std::vector<RefusedEvidence>& refused) {
  json::array out;
  for (const RefusedEvidence& request : refused) {
    out.push_back({{"use", request.use},
                   {"url", request.url},
                   {"rule", request.rule},
                   {"reason", request.reason}});
  }
  return out;
}

json::object TimingsJson(const std::vector<PhaseTime>& timings) {
  json::object out;
  for (const PhaseTime& time : timings) {
    json::value& total = out[NameIn(kPhases, time.phase)];
    // A phase runs once per attempt; the times add up.
    total = (total.is_int64() ? total.get_int64() : 0) + time.took.count();
  }
  return out;
}

}  // namespace

json::object ActionOutcome::ToJson() const {
  json::object out{{"action_type", ActionName(type)}};
  if (element) out["element"] = ElementJson(*element);
  if (point) out["point"] = PointJson(*point);
  if (hit) out["hit"] = HitJson(*hit);
  if (!attempts.empty()) out["attempts"] = AttemptsJson(attempts);
  if (navigation) out["navigation"] = NavigationJson(*navigation);
  if (dialog) {
    out["dialog"] = {{"type", NameIn(kDialogTypes, dialog->type)}, {"message", dialog->message}};
  }
  if (!popups.empty()) out["popups"] = PopupsJson(popups);
  if (!downloads.empty()) out["downloads"] = json::array(downloads.begin(), downloads.end());
  if (!refused.empty()) out["refused"] = RefusedJson(refused);
  if (value_length) out["value_length"] = *value_length;
  if (extracted) out["extracted"] = *extracted;
  if (artifact) out["artifact"] = EvidenceArtifactJson(*artifact);
  if (!timings.empty()) out["timings_us"] = TimingsJson(timings);
  return out;
}

}  // namespace falconer::model
