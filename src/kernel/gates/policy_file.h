#pragma once
// PolicyFile: the policy of a file, for a program that runs on while the file changes. A turn gets
// the newest that was valid; one that is not valid is not used, and that is said once. Neither is
// one that may still be written: the first half of a policy often is a valid policy.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "kernel/gates/risk_gate.h"

namespace falconer::kernel {

// A content of the file that was not used.
struct RefusedPolicy {
  WallTime at;
  Error why;
};

struct PolicyStatus {
  std::filesystem::path file;                    // empty when there is none
  std::shared_ptr<const AdmittedPolicy> policy;  // in force; null without a file
  WallTime since;                                // it is
  // The newest content of the file, when that is not the one in force.
  std::optional<RefusedPolicy> refused;
};

class PolicyFile final : public PolicySource {
 public:
  // Without a path there is no policy. kInvalidSetting naming file, line and reason. The clock must
  // outlive this.
  static Result<std::unique_ptr<PolicyFile>> Open(std::filesystem::path file, const Clock& clock);

  // Looks whether the file has changed; reads files on the caller's thread.
  std::shared_ptr<const AdmittedPolicy> PolicyFor(const TenantId& tenant) override;
  // The same, with what became of the file's last change.
  PolicyStatus Status();
  // Reads the file now: whoever asks is done with writing it. kInvalidSetting as Open() when it is
  // not valid, and the policy before stays in force; kNotFound when there is no file to read.
  Result<PolicyStatus> Reload();

 private:
  using Admitted = std::shared_ptr<const AdmittedPolicy>;

  PolicyFile(std::filesystem::path file, const Clock& clock)
      : file_(std::move(file)), clock_(clock) {}
  // Which content the file has. The name differs whenever it was replaced or written.
  struct Version {
    std::string name;
    // Nobody has written to it for a while.
    bool is_settled = true;
  };

  Result<Admitted> Read() const;
  Version Look() const;
  // The content of this version is used from now on, or is not.
  void Take(std::string version, Result<Admitted> read);
  Error BadFile(const Error& why) const;

  std::filesystem::path file_;
  const Clock& clock_;
  std::string version_;
  Admitted policy_;
  WallTime since_;
  std::optional<RefusedPolicy> refused_;
};

}  // namespace falconer::kernel
