#pragma once
// JobParts: what a job has done already, piece by piece, so that one that is begun again need not
// do it twice. It lasts until the job is over.

#include <map>
#include <string>
#include <utility>

#include "agent/jobs/job_files.h"
#include "base/json/json.h"

namespace falconer::agent {

class JobParts {
 public:
  // `files` must outlive it.
  JobParts(const JobFiles& files, std::string job, std::map<std::string, json::object> known)
      : files_(files), job_(std::move(job)), known_(std::move(known)) {}

  // From before this attempt, by name.
  const std::map<std::string, json::object>& known() const { return known_; }
  // On disk when it returns. Fails as JobFiles::SavePart.
  Task<Result<void>> Keep(CallContext ctx, std::string name, json::object part) const {
    return files_.SavePart(std::move(ctx), job_, std::move(name), json::serialize(part));
  }

 private:
  const JobFiles& files_;
  std::string job_;
  std::map<std::string, json::object> known_;
};

}  // namespace falconer::agent
