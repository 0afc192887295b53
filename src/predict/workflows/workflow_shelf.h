#pragma once
// WorkflowShelf: learned workflows in the store, by name and version, and the recordings that they
// were made from.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/async/clock.h"
#include "base/async/notifier.h"
#include "predict/workflows/recorded_step.h"
#include "store/workflow_store.h"

namespace falconer::predict {

// Most recordings of a workflow that are kept, and merged.
inline constexpr std::size_t kMaxRecordings = 10;

class WorkflowShelf {
 public:
  // Both must outlive the shelf.
  WorkflowShelf(store::WorkflowStore& store, const Clock& clock) : store_(store), clock_(clock) {}

  Task<Result<std::vector<LearnedWorkflow>>> List(TenantId tenant);
  // kNotFound.
  Task<Result<LearnedWorkflow>> Find(TenantId tenant, std::string name);
  // The next version of what the document says it was made from. kAlreadyExists when somebody else
  // has put one meanwhile, kInvalidArgument for a document that is none.
  Task<Result<LearnedWorkflow>> Put(TenantId tenant, LearnedWorkflow workflow);
  // With what was recorded before, it becomes the next version of its workflow. What a person wrote
  // into the document (words about it, names and fallbacks of parameters, healed selectors) stays
  // where it still fits. Recordings of one workflow are added one after the other; fails like ctx
  // while another one is.
  Task<Result<LearnedWorkflow>> Add(CallContext ctx, TenantId tenant, Recording recording);
  // kNotFound.
  Task<Result<void>> Drop(TenantId tenant, std::string name);

 private:
  // A workflow that a recording is being added to.
  using Place = std::pair<TenantId, std::string>;
  class Adding;

  Task<Result<std::vector<LearnedWorkflow>>> RecordingsOf(TenantId tenant, std::string name);
  // The next version, by all recordings. kAlreadyExists as Put.
  Task<Result<LearnedWorkflow>> PutMerged(TenantId tenant, std::string name,
                                          const LearnedWorkflow* own);

  store::WorkflowStore& store_;
  const Clock& clock_;
  std::set<Place> adding_;
  Notifier added_;
};

// kInvalidArgument for what is no name of a workflow.
Result<void> CheckWorkflowName(std::string_view name);

}  // namespace falconer::predict
