#pragma once
// Workflows, their recordings and answers to instructions in SQLite. Every function runs inside the
// caller's transaction.

#include "store/sqlite/database.h"
#include "store/workflow_store.h"

namespace falconer::store {

Result<void> PutWorkflow(Database& database, const TenantId& tenant,
                         const WorkflowDocument& workflow);
Result<std::optional<WorkflowDocument>> FindWorkflow(Database& database, const TenantId& tenant,
                                                     const std::string& name);
Result<std::vector<WorkflowDocument>> ListWorkflows(Database& database, const TenantId& tenant);
Result<void> DropWorkflow(Database& database, const TenantId& tenant, const std::string& name);

Result<void> PutRecording(Database& database, const TenantId& tenant,
                          const RecordingDocument& recording, std::size_t most);
Result<std::vector<RecordingDocument>> ListRecordings(Database& database, const TenantId& tenant,
                                                      const std::string& workflow);

Result<void> PutIntent(Database& database, const TenantId& tenant, const IntentDocument& intent,
                       std::size_t most);
Result<std::optional<IntentDocument>> FindIntent(Database& database, const TenantId& tenant,
                                                 const std::string& key);
Result<void> DropIntent(Database& database, const TenantId& tenant, const std::string& key);

}  // namespace falconer::store
