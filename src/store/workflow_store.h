#pragma once
// WorkflowStore: documents of learned workflows, the recordings they were made from, and verified
// answers to instructions, per tenant. What a document says is the business of whoever puts it.
// Calls behave as those of ControlStore and survive a power loss.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/async/task.h"
#include "base/ids.h"

namespace falconer::store {

struct WorkflowDocument {
  std::string name;
  std::int64_t version = 0;  // 1 for the first
  std::string document;      // JSON
  std::int64_t updated_ms = 0;
  bool operator==(const WorkflowDocument&) const = default;
};

struct RecordingDocument {
  std::string id;
  std::string workflow;
  std::string document;  // JSON
  std::int64_t recorded_ms = 0;
};

// A verified answer to an instruction.
struct IntentDocument {
  std::string key;  // 64 hex digits
  std::int64_t version = 0;
  std::string document;  // JSON
  std::int64_t used_ms = 0;
};

class WorkflowStore {
 public:
  virtual ~WorkflowStore() = default;

  // The version must be the kept one plus one (1 for a new name): kAlreadyExists when somebody
  // else was faster.
  virtual Task<Result<void>> PutWorkflow(TenantId tenant, WorkflowDocument workflow) = 0;
  virtual Task<Result<std::optional<WorkflowDocument>>> FindWorkflow(TenantId tenant,
                                                                     std::string name) = 0;
  // By name.
  virtual Task<Result<std::vector<WorkflowDocument>>> ListWorkflows(TenantId tenant) = 0;
  // With its recordings. kNotFound.
  virtual Task<Result<void>> DropWorkflow(TenantId tenant, std::string name) = 0;

  // Keeps the newest `most` of a workflow's.
  virtual Task<Result<void>> PutRecording(TenantId tenant, RecordingDocument recording,
                                          std::size_t most) = 0;
  // Oldest first.
  virtual Task<Result<std::vector<RecordingDocument>>> ListRecordings(TenantId tenant,
                                                                      std::string workflow) = 0;

  // Replaces; of a tenant's the `most` that were used last are kept.
  virtual Task<Result<void>> PutIntent(TenantId tenant, IntentDocument intent,
                                       std::size_t most) = 0;
  virtual Task<Result<std::optional<IntentDocument>>> FindIntent(TenantId tenant,
                                                                 std::string key) = 0;
  virtual Task<Result<void>> DropIntent(TenantId tenant, std::string key) = 0;
};

}  // namespace falconer::store
