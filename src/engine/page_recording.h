#pragma once
// PageRecording: one recording of a session's pages while it lasts: who acts there at each moment,
// and under which name it is told.

#include <memory>
#include <string>
#include <vector>

#include "browser/recorder/input_recorder.h"
#include "engine/page_recorder.h"
#include "engine/workflow_session.h"

namespace falconer::engine {

class PageRecording {
 public:
  // Begins at once. `session` has its browser open and must outlive this.
  PageRecording(Executor executor, Clock& clock, WorkflowSession& session, RecordedSink sink);
  PageRecording(const PageRecording&) = delete;
  PageRecording& operator=(const PageRecording&) = delete;

  browser::InputRecorder& recorder() { return recorder_; }
  // From now on this is who acts.
  void HandTo(const ActingNow& acting);

 private:
  int HandOf(const ActingNow& acting);
  void Tell(browser::PageInput input);

  RecordedSink sink_;
  // Of everybody who has taken over meanwhile.
  std::vector<std::string> people_;
  browser::InputRecorder recorder_;
};

// A turn acts in the session for as long as this lives. `session` must outlive it.
class TurnActs {
 public:
  // `person` is the caller's, "" for an agent.
  TurnActs(WorkflowSession& session, const std::string& person);
  ~TurnActs();
  TurnActs(const TurnActs&) = delete;
  TurnActs& operator=(const TurnActs&) = delete;

 private:
  WorkflowSession& session_;
};

}  // namespace falconer::engine
