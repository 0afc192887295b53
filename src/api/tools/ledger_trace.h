#pragma once
// LedgerTrace: puts the steps of tools on record, whoever called them.

#include "agent/tools/tool_step.h"
#include "api/tools/tool_host.h"

namespace falconer::api {

class LedgerTrace final : public agent::StepTrace {
 public:
  // `host` must outlive this.
  explicit LedgerTrace(ToolHost& host) : host_(host) {}

  // What cannot be recorded is logged.
  void Note(const agent::ToolStep& step) override;

 private:
  ToolHost& host_;
};

}  // namespace falconer::api
