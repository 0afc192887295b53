#pragma once
// JobPages: the pages of a batch that is a job, kept as they come.

#include <memory>
#include <string>

#include "agent/crawl/batch_care.h"
#include "agent/jobs/job_parts.h"

namespace falconer::api {

class JobPages final : public agent::KeptPages {
 public:
  explicit JobPages(std::shared_ptr<agent::JobParts> parts) : parts_(std::move(parts)) {}

  const json::object* Known(const std::string& url) const override;
  Task<Result<void>> Keep(CallContext ctx, std::string url, json::object page) override;

 private:
  std::shared_ptr<agent::JobParts> parts_;
};

}  // namespace falconer::api
