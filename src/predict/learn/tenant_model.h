#pragma once
// TenantModel: what is known of what one tenant does: the predictor, the actions it speaks of, and
// what was done last in each session. In memory; what is new is taken to be kept. One thread.

#include <map>
#include <string>
#include <vector>

#include "predict/learn/predict_meter.h"
#include "predict/markov/predictor.h"
#include "predict/workflows/recorded_step.h"

namespace falconer::predict {

// A step that was done, for learning.
struct LearntStep {
  RecordedStep step;
  bool succeeded = true;
  WallTime at = {};
};

class TenantModel {
 public:
  // The meter must outlive this. Beyond so many actions those go that were not done for the longest
  // time.
  TenantModel(PredictorOptions options, PredictMeter& meter, std::size_t max_actions);

  // What was kept before.
  void Load(const store::LearntContexts& contexts, std::vector<store::KnownAction> actions);

  // Somebody did it in the session. What was done by prediction counts for how well that goes, and
  // for where the session is; it teaches nothing.
  void Note(const std::string& session, const LearntStep& done);
  // The session, or what somebody wanted in it, is over.
  void EndSequence(const std::string& session);

  // What recordings say, so many times: the steps of a workflow, from its beginning to its end.
  void Teach(const LearnedWorkflow& workflow, int times, WallTime at);

  // The symbols of what was done in the session, oldest first.
  std::vector<std::uint64_t> History(const std::string& session) const;
  const Predictor& predictor() const { return predictor_; }
  // Null for a symbol that nobody knows.
  const store::KnownAction* Find(std::uint64_t symbol) const;
  std::size_t actions() const { return actions_.size(); }

  bool has_news() const { return !news_.actions.empty() || !news_.transitions.empty(); }
  // What is to be kept since the last time; tenant and node are the caller's to fill in.
  store::LearntBatch TakeNews();
  // It could not be kept: it is taken again with what comes next.
  void GiveBack(store::LearntBatch batch);

 private:
  struct Trail {
    std::vector<std::uint64_t> symbols;  // the newest last; bounded
    // What was typed, the newest last, so that it is left out where a page repeats it; bounded.
    std::vector<RecordedStep> typing;
    WallTime last = {};
    store::DoneBy by = store::DoneBy::kAgent;  // who did the last of it
  };
  void TeachOnce(const LearnedWorkflow& workflow, WallTime at);
  Trail& TrailOf(const std::string& session);
  static store::SeenAction SeenIn(Trail& trail, const LearntStep& done);
  void Learn(Trail& trail, const store::SeenAction& seen, WallTime at);
  void Advance(Trail& trail, const store::SeenAction& seen, WallTime at);
  void Judge(const Trail& trail, std::uint64_t page, std::uint64_t came);
  void Remember(const store::SeenAction& seen);
  void ForgetOldActions();
  void NoteTransition(const Trail& trail, std::uint64_t to, store::DoneBy by);
  void Close(Trail& trail);

  PredictMeter& meter_;
  std::size_t max_actions_;
  Predictor predictor_;
  std::map<std::uint64_t, store::KnownAction> actions_;
  std::map<std::string, Trail> trails_;
  store::LearntBatch news_;
};

// How to do it again, as a document of one step; empty when the step cannot be one. What was typed
// before is not in it either.
json::object TemplateOf(const RecordedStep& step, const std::vector<RecordedStep>& typing);
// The same of a step of a workflow.
json::object TemplateOf(const LearnedWorkflow& workflow, const WorkflowStep& step);

}  // namespace falconer::predict
