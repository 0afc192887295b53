#include "predict/predict_desk.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/check.h"
#include "predict/act/step_contract.h"
#include "predict/learn/learner.h"
#include "predict/learn/learnt_view.h"
#include "predict/learn/node_rows.h"
#include "predict/learn/step_confidence.h"
#include "predict/record/recording_book.h"
#include "predict/runs/predicted_runs.h"
#include "predict/workflows/workflow_shelf.h"

namespace falconer::predict {
namespace {

// For what is asked of the store with no time of its own.
constexpr auto kStoreTime = std::chrono::seconds(30);

LearnerParts LearnerPartsOf(const PredictParts& parts) {
  return {.learnt = parts.learnt,
          .clock = parts.clock,
          .executor = parts.executor,
          .node = parts.node,
          .options = {.max_transitions = parts.rules.max_transitions,
                      .half_life_days = parts.rules.half_life_days}};
}

// Whether the steps are still called what they were when they were taught.
bool HasSameSignatures(const LearnedWorkflow& left, const LearnedWorkflow& right) {
  return std::ranges::equal(left.steps, right.steps, {}, &WorkflowStep::signature,
                            &WorkflowStep::signature);
}

std::string SymbolText(std::uint64_t symbol) {
  return fmt::format("{:016x}", symbol);
}

}  // namespace

struct PredictDesk::Impl {
  explicit Impl(PredictParts given)
      : parts(std::move(given)),
        meter(parts.clock),
        learner(LearnerPartsOf(parts), meter),
        shelf(parts.workflows, parts.clock),
        book(parts.clock),
        runs(parts, learner, shelf) {}

  CallContext StoreCall() const {
    return CallContext(parts.executor, parts.clock).WithTimeout(kStoreTime);
  }

  PredictParts parts;
  PredictMeter meter;
  Learner learner;
  WorkflowShelf shelf;
  RecordingBook book;
  PredictedRuns runs;
  engine::Runtime* runtime = nullptr;
};

PredictDesk::PredictDesk(PredictParts parts) : impl_(std::make_unique<Impl>(std::move(parts))) {
}

PredictDesk::~PredictDesk() = default;

void PredictDesk::Use(engine::Runtime& runtime) {
  CHECK(impl_->runtime == nullptr, "the desk has a runtime already");
  impl_->runtime = &runtime;
  impl_->runs.Use(runtime);
}

Task<void> PredictDesk::Stop() {
  co_await impl_->learner.Stop();
}

bool PredictDesk::WantsFingerprints(const browser::SessionKey& key) const {
  return impl_->parts.rules.learns || impl_->book.IsRecorded(key);
}

void PredictDesk::OnTurn(const engine::WatchedTurn& turn) {
  // A recording is learnt from as a whole, once it has ended.
  if (impl_->book.IsRecorded(turn.key)) return impl_->book.OnTurn(turn);
  if (!impl_->parts.rules.learns) return;
  RecordedStep step = StepOf(turn);
  if (IsPredicted(turn.contract)) step.by = store::DoneBy::kPrediction;
  impl_->learner.Note(turn.key.tenant, turn.key.workflow.value(),
                      {.step = std::move(step),
                       .succeeded = turn.result.success,
                       .at = impl_->parts.clock.WallNow()});
}

void PredictDesk::OnSessionClosed(const browser::SessionKey& key) {
  impl_->book.OnSessionClosed(key);
  impl_->learner.EndSequence(key.tenant, key.workflow.value());
}

Task<Result<OpenRecording>> PredictDesk::BeginRecording(CallContext ctx, engine::Caller caller,
                                                        RecordWish wish) {
  return impl_->book.Begin(std::move(ctx), impl_->runtime, std::move(caller.tenant),
                           std::move(wish));
}

Task<Result<LearnedWorkflow>> PredictDesk::EndRecording(CallContext ctx, engine::Caller caller,
                                                        std::string id) {
  CO_TRY(co_await impl_->book.Flush(ctx, impl_->runtime, caller.tenant, id));
  CO_TRY_ASSIGN(Recording recording, impl_->book.Take(caller.tenant, id));
  auto learned = co_await Learn(std::move(ctx), std::move(caller.tenant), std::move(recording));
  // In which nothing was done that could be done again, it is not kept.
  const bool is_lost = !learned && learned.error().code() != ErrorCode::kInvalidArgument;
  is_lost ? impl_->book.GiveBack(id) : impl_->book.Drop(id);
  co_return learned;
}

Task<Result<LearnedWorkflow>> PredictDesk::Learn(CallContext ctx, TenantId tenant,
                                                 Recording recording) {
  const auto before = co_await impl_->shelf.Find(tenant, recording.workflow);
  CO_TRY_ASSIGN(LearnedWorkflow learned,
                co_await impl_->shelf.Add(std::move(ctx), tenant, std::move(recording)));
  // What the steps are called changes when a parameter is found: then all of it is taught anew.
  const bool is_known = before && HasSameSignatures(*before, learned);
  impl_->learner.Teach(tenant, learned, is_known ? 1 : learned.recordings);
  co_return learned;
}

Result<void> PredictDesk::DropRecording(const engine::Caller& caller, const std::string& id) {
  TRY(impl_->book.Take(caller.tenant, id));
  impl_->book.Drop(id);
  return {};
}

std::vector<OpenRecording> PredictDesk::Recordings(const TenantId& tenant) const {
  return impl_->book.List(tenant);
}

Task<Result<std::vector<LearnedWorkflow>>> PredictDesk::Workflows(TenantId tenant) {
  return impl_->shelf.List(std::move(tenant));
}

Task<Result<LearnedWorkflow>> PredictDesk::FindWorkflow(TenantId tenant, std::string name) {
  return impl_->shelf.Find(std::move(tenant), std::move(name));
}

Task<Result<LearnedWorkflow>> PredictDesk::PutWorkflow(TenantId tenant, LearnedWorkflow workflow) {
  return impl_->shelf.Put(std::move(tenant), std::move(workflow));
}

Task<Result<void>> PredictDesk::DropWorkflow(TenantId tenant, std::string name) {
  return impl_->shelf.Drop(std::move(tenant), std::move(name));
}

Task<Result<json::object>> PredictDesk::Confidence(TenantId tenant, std::string name) {
  CO_TRY_ASSIGN(const LearnedWorkflow workflow,
                co_await impl_->shelf.Find(tenant, std::move(name)));
  CO_TRY(co_await impl_->learner.Ready(impl_->StoreCall(), tenant));
  co_return StepConfidence(workflow, LearntView(impl_->learner, std::move(tenant)));
}

Task<Result<json::object>> PredictDesk::Next(CallContext ctx, engine::Caller caller,
                                             NextQuestion question) {
  return impl_->runs.Next(std::move(ctx), std::move(caller), std::move(question));
}

Task<Result<json::object>> PredictDesk::Run(CallContext ctx, engine::Caller caller, RunWish wish) {
  return impl_->runs.Run(std::move(ctx), std::move(caller), std::move(wish));
}

Task<Result<json::object>> PredictDesk::DoIntent(CallContext ctx, engine::Caller caller,
                                                 IntentWish wish) {
  return impl_->runs.DoIntent(std::move(ctx), std::move(caller), std::move(wish));
}

Task<Result<json::object>> PredictDesk::TopTransitions(TenantId tenant, std::size_t most) {
  CO_TRY(co_await impl_->learner.Flush(impl_->StoreCall(), tenant));
  CO_TRY_ASSIGN(const auto top,
                co_await impl_->parts.learnt.TopTransitions(std::move(tenant), most));
  json::array list;
  for (const store::TopTransition& one : top) {
    list.push_back(json::object{{"from", one.from},
                                {"to", one.to},
                                {"from_symbol", SymbolText(one.from_symbol)},
                                {"to_symbol", SymbolText(one.to_symbol)},
                                {"count", one.count},
                                {"probability", one.count / one.from_count}});
  }
  co_return json::object{{"transitions", std::move(list)}};
}

json::object PredictDesk::Numbers() const {
  json::object numbers = impl_->meter.ToJson();
  for (const auto& [name, value] : ToJson(impl_->runs.numbers()))
    numbers.insert_or_assign(name, value);
  numbers["transitions"] = impl_->learner.transitions();
  numbers["actions"] = impl_->learner.actions();
  return numbers;
}

Task<Result<void>> PredictDesk::Forget(TenantId tenant) {
  return impl_->learner.Forget(impl_->StoreCall(), std::move(tenant));
}

Task<Result<json::object>> PredictDesk::Export(TenantId tenant) {
  CO_TRY(co_await impl_->learner.Flush(impl_->StoreCall(), tenant));
  CO_TRY_ASSIGN(auto contexts,
                co_await impl_->parts.learnt.LoadContexts(std::move(tenant), impl_->parts.node));
  co_return ToJson(NodeRows{.node = impl_->parts.node, .rows = std::move(contexts.own)});
}

Task<Result<json::object>> PredictDesk::Merge(TenantId tenant, json::object other) {
  CO_TRY_ASSIGN(NodeRows node, ReadNodeRows(other));
  if (node.node == impl_->parts.node)
    co_return Fail(ErrorCode::kInvalidArgument, "node: these counts are this program's own");
  const std::size_t count = node.rows.size();
  const std::string name = node.node;
  CO_TRY(co_await impl_->parts.learnt.PutNode(tenant, name, std::move(node.rows)));
  CO_TRY(co_await impl_->learner.LoadAgain(impl_->StoreCall(), std::move(tenant)));
  co_return json::object{{"node", name}, {"rows", count}};
}

}  // namespace falconer::predict
