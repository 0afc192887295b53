#pragma once
// PredictDesk: what is learnt of what is done in browsers, and what can be done by it: recordings,
// learned workflows, predictions, and runs that act by them. Every turn that ends is told to it
// (TurnWatch), and everything it does itself is a contract like any other. On the runtime's event
// loop.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/async/task_scope.h"
#include "engine/page_recorder.h"
#include "engine/turn_watch.h"
#include "predict/act/planner.h"
#include "predict/workflows/learned_workflow.h"
#include "predict/workflows/recorded_step.h"
#include "store/prediction_store.h"
#include "store/workflow_store.h"

namespace falconer::predict {

class NextActionAdviser;

struct PredictRules {
  // Whether turns that are committed are learnt from.
  bool learns = true;
  PredictProfile profile = PredictProfile::kBalanced;
  int max_iterations = 50;
  Duration workflow_timeout = std::chrono::minutes(5);
  // The same step on the same page so often in one run is a loop.
  int loop_limit = 3;
  // Below this confidence a model is asked, where there is one.
  double model_below = 0.7;
  // Whether what comes next is prepared while nothing happens: connections and elements only.
  bool speculates = false;
  double speculate_from = 0.8;
  std::size_t max_transitions = 1'000'000;
  double half_life_days = 90;
};

struct PredictParts {
  store::PredictionStore& learnt;
  store::WorkflowStore& workflows;
  Clock& clock;
  Executor executor;
  // Who learns: rows of several nodes can be merged.
  std::string node;
  PredictRules rules;
  // Asked when no prediction is sure enough; null for nobody.
  NextActionAdviser* adviser = nullptr;
};

// A recording that is under way.
struct OpenRecording {
  std::string id;
  std::string workflow;  // the name it is for
  std::string session;
  std::size_t steps = 0;
  std::int64_t began_ms = 0;
};

struct RecordWish {
  std::string workflow;
  std::string session;
};

struct NextQuestion {
  std::string session;
  std::string workflow;  // only steps of this learned workflow; "" for anything known
  ParameterValues values = {};
  std::size_t most = 5;
};

struct RunWish {
  std::string workflow;  // "" to go on by prediction alone
  std::string session;
  ParameterValues values = {};
  std::optional<PredictProfile> profile = std::nullopt;
  // Tells what it would do, and does nothing.
  bool dry_run = false;
  bool may_ask_model = true;
  std::optional<int> max_iterations = std::nullopt;
  // Told each step as it is over. May be empty.
  std::function<void(const json::object& step)> news = {};
  // The caller with a token that is still good, asked for each contract: a run outlives one, and
  // what may be used once is used once by each. Empty: the caller as he came.
  std::function<Result<engine::Caller>()> renew = {};
};

struct IntentWish {
  std::string session;
  std::string instruction;       // "add the first coffee to the cart"
  std::string environment = {};  // part of the cache's key
  bool dry_run = false;
};

class PredictDesk final : public engine::TurnWatch {
 public:
  explicit PredictDesk(PredictParts parts);
  ~PredictDesk() override;
  PredictDesk(const PredictDesk&) = delete;
  PredictDesk& operator=(const PredictDesk&) = delete;

  // The runtime that everything is done with, and that tells its turns to this. Called once, before
  // anything else; it must outlive everything but the destructor.
  void Use(engine::Runtime& runtime);
  // Writes what was learnt and is not kept yet.
  Task<void> Stop();

  bool WantsFingerprints(const browser::SessionKey& key) const override;
  void OnTurn(const engine::WatchedTurn& turn) override;
  void OnSessionClosed(const browser::SessionKey& key) override;

  // From now on what happens in the session belongs to the recording, whoever does it.
  // kAlreadyExists while the session is recorded; kInvalidArgument for a name that is none.
  Task<Result<OpenRecording>> BeginRecording(CallContext ctx, engine::Caller caller,
                                             RecordWish wish);
  // Ends it; with those that were made before it becomes the next version of the workflow.
  // kNotFound; kInvalidArgument when nothing was done. What cannot be kept now can be ended again.
  Task<Result<LearnedWorkflow>> EndRecording(CallContext ctx, engine::Caller caller,
                                             std::string id);
  // Ends it, and forgets it.
  Result<void> DropRecording(const engine::Caller& caller, const std::string& id);
  std::vector<OpenRecording> Recordings(const TenantId& tenant) const;

  Task<Result<std::vector<LearnedWorkflow>>> Workflows(TenantId tenant);
  // kNotFound.
  Task<Result<LearnedWorkflow>> FindWorkflow(TenantId tenant, std::string name);
  // Puts the next version; the version in the document must be the one it was made from (0 for a
  // new one): kAlreadyExists when it is not.
  Task<Result<LearnedWorkflow>> PutWorkflow(TenantId tenant, LearnedWorkflow workflow);
  Task<Result<void>> DropWorkflow(TenantId tenant, std::string name);
  // {"name","version","steps":[{"id","intent","confidence","source","seen","healed"}]}: how sure
  // the predictor is of each step, given those before it.
  Task<Result<json::object>> Confidence(TenantId tenant, std::string name);

  // {"session","page","predictions":[{"signature","symbol","intent","step"?,"confidence",
  //  "probability","source","order","seen","present"}],"plan":{"execute","reason","threshold"}}
  Task<Result<json::object>> Next(CallContext ctx, engine::Caller caller, NextQuestion question);
  // {"workflow","session","outcome":"completed|asks|failed|...","reason","steps":[...],
  //  "question"?,"numbers":{...}}. What the run came to is a result; it fails only when it could
  //  not
  // begin.
  Task<Result<json::object>> Run(CallContext ctx, engine::Caller caller, RunWish wish);
  // {"mode":"cache|perception|exploration","success","target"?,"candidates":[...],"result"?,...}
  Task<Result<json::object>> DoIntent(CallContext ctx, engine::Caller caller, IntentWish wish);

  // {"transitions":[{"from","to","from_symbol","to_symbol","count","probability"}]}
  Task<Result<json::object>> TopTransitions(TenantId tenant, std::size_t most);
  // The counters of the prediction loop, each with its live value (docs/predict.md), and how much
  // is known.
  json::object Numbers() const;
  Task<Result<void>> Forget(TenantId tenant);
  // What this node learnt, for others: {"node","rows":[...]}; and what another one learnt.
  Task<Result<json::object>> Export(TenantId tenant);
  Task<Result<json::object>> Merge(TenantId tenant, json::object other);

 private:
  // Adds what was recorded to its workflow, and teaches it.
  Task<Result<LearnedWorkflow>> Learn(CallContext ctx, TenantId tenant, Recording recording);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace falconer::predict
