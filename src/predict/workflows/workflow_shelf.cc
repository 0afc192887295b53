#include "predict/workflows/workflow_shelf.h"

#include <algorithm>
#include <utility>

namespace falconer::predict {
namespace {

// Versions that somebody else puts meanwhile.
constexpr int kPutTries = 3;

bool IsOvertaken(const Result<LearnedWorkflow>& put) {
  return !put && put.error().code() == ErrorCode::kAlreadyExists;
}

std::int64_t NowMs(const Clock& clock) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock.WallNow().time_since_epoch())
      .count();
}

// A document that cannot be read any more is damage: nobody else writes there.
Result<LearnedWorkflow> ReadKept(const std::string& document, std::string_view what) {
  TRY_ASSIGN(const json::value value, ParseJson(document));
  auto read = LearnedWorkflow::FromJson(value);
  if (read) return read;
  return Fail(ErrorCode::kStoreDamaged,
              std::string(what) + " cannot be read: " + std::string(read.error().message()));
}

// The secret that a person has named for the step.
void CarrySecret(const WorkflowStep& from, WorkflowStep& to) {
  const json::value* old_spec = from.contract.if_contains("action_spec");
  json::value* new_spec = to.contract.if_contains("action_spec");
  if (old_spec == nullptr || new_spec == nullptr) return;
  const json::value* text = old_spec->as_object().if_contains("text");
  if (text == nullptr || !text->is_object()) return;
  if (json::value* now = new_spec->as_object().if_contains("text"); now && now->is_object())
    *now = *text;
}

template <typename T, typename Same>
T* FindAlike(std::vector<T>& all, const T& one, Same same) {
  const auto found = std::ranges::find_if(all, [&](const T& other) { return same(one, other); });
  return found == all.end() ? nullptr : &*found;
}

bool IsSameStep(const WorkflowStep& left, const WorkflowStep& right) {
  return left.id == right.id && left.signature == right.signature;
}

bool IsSameParameter(const WorkflowParameter& left, const WorkflowParameter& right) {
  return left.name == right.name;
}

// What was not learnt by recording stays.
void CarryOver(const LearnedWorkflow& from, LearnedWorkflow& to) {
  to.version = from.version;
  if (!from.about.empty()) to.about = from.about;
  for (const WorkflowParameter& old : from.parameters) {
    WorkflowParameter* now = FindAlike(to.parameters, old, IsSameParameter);
    if (now == nullptr) continue;
    now->about = old.about;
    now->fallback = old.fallback;
  }
  for (const WorkflowStep& old : from.steps) {
    WorkflowStep* now = FindAlike(to.steps, old, IsSameStep);
    if (now == nullptr) continue;
    now->healed = old.healed;
    CarrySecret(old, *now);
  }
}

}  // namespace

class WorkflowShelf::Adding {
 public:
  Adding(WorkflowShelf& shelf, Place place) : shelf_(shelf), place_(std::move(place)) {
    shelf_.adding_.insert(place_);
  }
  Adding(const Adding&) = delete;
  Adding& operator=(const Adding&) = delete;
  ~Adding() {
    shelf_.adding_.erase(place_);
    shelf_.added_.NotifyAll();
  }

 private:
  WorkflowShelf& shelf_;
  Place place_;
};

Result<void> CheckWorkflowName(std::string_view name) {
  const bool is_word =
      !name.empty() && name.size() <= 64 && name[0] != '.' && name[0] != '-' && name[0] != '_' &&
      std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
      });
  if (is_word) return {};
  return Fail(ErrorCode::kInvalidArgument,
              "workflow: expected a name of lower-case letters, digits and . _ - such as "
              "\"buy-coffee\"");
}

Task<Result<std::vector<LearnedWorkflow>>> WorkflowShelf::List(TenantId tenant) {
  CO_TRY_ASSIGN(const auto kept, co_await store_.ListWorkflows(std::move(tenant)));
  std::vector<LearnedWorkflow> workflows;
  for (const store::WorkflowDocument& one : kept) {
    CO_TRY_ASSIGN(LearnedWorkflow workflow, ReadKept(one.document, "workflow " + one.name));
    workflow.version = one.version;
    workflows.push_back(std::move(workflow));
  }
  co_return workflows;
}

Task<Result<LearnedWorkflow>> WorkflowShelf::Find(TenantId tenant, std::string name) {
  CO_TRY(CheckWorkflowName(name));
  CO_TRY_ASSIGN(const auto kept, co_await store_.FindWorkflow(std::move(tenant), name));
  if (!kept) co_return Fail(ErrorCode::kNotFound, "there is no workflow \"" + name + "\"");
  CO_TRY_ASSIGN(LearnedWorkflow workflow, ReadKept(kept->document, "workflow " + name));
  workflow.version = kept->version;
  co_return workflow;
}

Task<Result<LearnedWorkflow>> WorkflowShelf::Put(TenantId tenant, LearnedWorkflow workflow) {
  CO_TRY(CheckWorkflowName(workflow.name));
  ++workflow.version;
  const json::object document = workflow.ToJson();
  CO_TRY(LearnedWorkflow::FromJson(document));
  CO_TRY(co_await store_.PutWorkflow(std::move(tenant), {.name = workflow.name,
                                                         .version = workflow.version,
                                                         .document = json::serialize(document),
                                                         .updated_ms = NowMs(clock_)}));
  co_return workflow;
}

Task<Result<std::vector<LearnedWorkflow>>> WorkflowShelf::RecordingsOf(TenantId tenant,
                                                                       std::string name) {
  CO_TRY_ASSIGN(const auto kept, co_await store_.ListRecordings(std::move(tenant), name));
  std::vector<LearnedWorkflow> recordings;
  for (const store::RecordingDocument& one : kept) {
    CO_TRY_ASSIGN(LearnedWorkflow recording, ReadKept(one.document, "recording " + one.id));
    recordings.push_back(std::move(recording));
  }
  co_return recordings;
}

Task<Result<LearnedWorkflow>> WorkflowShelf::PutMerged(TenantId tenant, std::string name,
                                                       const LearnedWorkflow* own) {
  CO_TRY_ASSIGN(auto recordings, co_await RecordingsOf(tenant, name));
  recordings.push_back(*own);
  CO_TRY_ASSIGN(LearnedWorkflow merged, MergeWorkflows(recordings));
  merged.name = name;
  CO_TRY_ASSIGN(const auto kept, co_await store_.FindWorkflow(tenant, name));
  if (kept) {
    CO_TRY_ASSIGN(LearnedWorkflow old, ReadKept(kept->document, "workflow " + name));
    old.version = kept->version;
    CarryOver(old, merged);
  }
  co_return co_await Put(std::move(tenant), std::move(merged));
}

Task<Result<LearnedWorkflow>> WorkflowShelf::Add(CallContext ctx, TenantId tenant,
                                                 Recording recording) {
  const std::string name = recording.workflow;
  CO_TRY(CheckWorkflowName(name));
  CO_TRY_ASSIGN(const LearnedWorkflow own, WorkflowFrom(recording));
  const Place place{tenant, name};
  CO_TRY(co_await added_.Until(
      std::move(ctx), [this, place] { return !adding_.contains(place); },
      "another recording of the workflow to be kept"));
  const Adding adding(*this, place);
  auto put = co_await PutMerged(tenant, name, &own);
  for (int tries = 1; IsOvertaken(put) && tries < kPutTries; ++tries)
    put = co_await PutMerged(tenant, name, &own);
  if (!put) co_return put;
  // After the workflow: a recording that is not among them is lost, one that is twice would count.
  CO_TRY(co_await store_.PutRecording(std::move(tenant),
                                      {.id = recording.id,
                                       .workflow = name,
                                       .document = json::serialize(own.ToJson()),
                                       .recorded_ms = recording.at_ms},
                                      kMaxRecordings));
  co_return put;
}

Task<Result<void>> WorkflowShelf::Drop(TenantId tenant, std::string name) {
  CO_TRY(CheckWorkflowName(name));
  co_return co_await store_.DropWorkflow(std::move(tenant), std::move(name));
}

}  // namespace falconer::predict
