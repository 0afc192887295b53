#pragma once
// PolicyFile: the policy of a file, for a program that runs on while the file changes. A turn gets
// the newest that was valid; one that is not valid is not used, and that is said once. Neither is
// one that may still be written: the first half of a policy often is a valid policy.

#include <filesystem>
#include <memory>
#include <string>

#include "kernel/gates/risk_gate.h"

namespace falconer::app {

class PolicyFile final : public kernel::PolicySource {
 public:
  // Without a path there is no policy. kInvalidSetting naming file, line and reason.
  static Result<std::unique_ptr<PolicyFile>> Open(std::filesystem::path file);

  // Looks whether the file has changed; reads files on the caller's thread.
  std::shared_ptr<const kernel::AdmittedPolicy> PolicyFor(const TenantId& tenant) override;

 private:
  using Admitted = std::shared_ptr<const kernel::AdmittedPolicy>;

  explicit PolicyFile(std::filesystem::path file) : file_(std::move(file)) {}
  // Which content the file has. The name differs whenever it was replaced or written.
  struct Version {
    std::string name;
    // Nobody has written to it for a while.
    bool is_settled = true;
  };

  Result<Admitted> Read() const;
  Version Look() const;

  std::filesystem::path file_;
  std::string version_;
  Admitted policy_;
};

}  // namespace falconer::app
