#pragma once
// LedgerRunLog: the records of runs, in the ledger of a tenant (docs/ledger.md, kind "run").

#include "agent/loop/run_log.h"
#include "engine/runtime.h"

namespace falconer::app {

class LedgerRunLog final : public agent::RunLog {
 public:
  // The runtime must outlive this.
  LedgerRunLog(engine::Runtime& runtime, TenantId tenant)
      : runtime_(runtime), tenant_(std::move(tenant)) {}

  Task<Result<void>> Append(json::object record) override;
  Task<Result<std::vector<json::object>>> Read(CallContext ctx, RunId run) override;

 private:
  engine::Runtime& runtime_;
  const TenantId tenant_;
};

}  // namespace falconer::app
