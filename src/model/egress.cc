#include "model/egress.h"

#include <ranges>
#include <utility>

namespace falconer::model {
namespace {

bool IsTrouble(EgressOutcome outcome) {
  using enum EgressOutcome;
  return outcome == kRefused || outcome == kFailed || outcome == kCut;
}

}  // namespace

json::object EgressEntry::ToJson() const {
  json::object out{{"number", number}, {"host", host}, {"port", port}, {"kind", kind}};
  const std::pair<std::string_view, const std::string*> texts[] = {{"method", &method},
                                                                   {"address", &address},
                                                                   {"reason", &reason},
                                                                   {"rule", &rule},
                                                                   {"decision", &decision}};
  for (const auto& [name, text] : texts) {
    if (!text->empty()) out[name] = *text;
  }
  out["bytes_up"] = bytes_up;
  out["bytes_down"] = bytes_down;
  out["outcome"] = NameIn(kEgressOutcomes, outcome);
  if (status != 0) out["status"] = status;
  return out;
}

const EgressEntry* EgressReport::Trouble(std::string_view host, std::uint16_t port) const {
  for (const EgressEntry& entry : std::views::reverse(entries)) {
    if (entry.host == host && entry.port == port && IsTrouble(entry.outcome)) return &entry;
  }
  return nullptr;
}

json::object EgressReport::Summary() const {
  json::object out{{"requests", requests},
                   {"refused", refused},
                   {"bytes_up", bytes_up},
                   {"bytes_down", bytes_down}};
  if (dropped > 0) out["dropped"] = dropped;
  json::array refusals;
  for (const EgressEntry& entry : entries) {
    if (entry.outcome != EgressOutcome::kRefused) continue;
    if (refusals.size() == kMaxEgressRefusals) break;
    refusals.push_back(entry.ToJson());
  }
  if (!refusals.empty()) out["refusals"] = std::move(refusals);
  return out;
}

}  // namespace falconer::model
