#include "engine/page_recording.h"

#include <algorithm>
#include <utility>

namespace falconer::engine {

PageRecording::PageRecording(Executor executor, Clock& clock, WorkflowSession& session,
                             RecordedSink sink)
    : sink_(std::move(sink)),
      recorder_(std::move(executor), clock, session.kit->session,
                [this](browser::PageInput input) { Tell(std::move(input)); }) {
  HandTo(session.acting);
}

int PageRecording::HandOf(const ActingNow& acting) {
  if (!acting.has_turn) return browser::kWindowHand;
  if (acting.person.empty()) return browser::kAgentHand;
  auto known = std::ranges::find(people_, acting.person);
  if (known == people_.end()) known = people_.insert(people_.end(), acting.person);
  return browser::kFirstPersonHand + static_cast<int>(known - people_.begin());
}

void PageRecording::HandTo(const ActingNow& acting) {
  recorder_.HandOver(HandOf(acting));
}

void PageRecording::Tell(browser::PageInput input) {
  const int person = input.hand.value_or(browser::kWindowHand) - browser::kFirstPersonHand;
  const bool is_known = person >= 0 && std::cmp_less(person, people_.size());
  sink_({.spec = std::move(input.spec),
         .element = std::move(input.element),
         .is_secret = input.is_secret,
         .person = is_known ? people_[static_cast<std::size_t>(person)] : "",
         .tab = std::move(input.tab),
         .url = std::move(input.url)});
}

TurnActs::TurnActs(WorkflowSession& session, const std::string& person) : session_(session) {
  session_.acting = {.has_turn = true, .person = person};
  if (const auto recording = session_.recording.lock()) recording->HandTo(session_.acting);
}

TurnActs::~TurnActs() {
  session_.acting = {};
  if (const auto recording = session_.recording.lock()) recording->HandTo(session_.acting);
}

}  // namespace falconer::engine
