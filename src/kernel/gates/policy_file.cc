#include "kernel/gates/policy_file.h"

#include <chrono>
#include <fmt/format.h>
#include <sys/stat.h>
#include <utility>

#include "base/file.h"
#include "base/log.h"

namespace falconer::kernel {
namespace {

// More than a person writes; a wrong path must not fill the memory.
constexpr std::size_t kMostPolicyBytes = 4U << 20U;
// Whoever writes a file in place is done with it by then.
constexpr std::chrono::milliseconds kSettled{100};

}  // namespace

Result<std::unique_ptr<PolicyFile>> PolicyFile::Open(std::filesystem::path file,
                                                     const Clock& clock) {
  std::unique_ptr<PolicyFile> opened(new PolicyFile(std::move(file), clock));
  if (opened->file_.empty()) return opened;
  std::string version = opened->Look().name;
  auto read = opened->Read();
  if (!read) return Fail(opened->BadFile(read.error()));
  opened->version_ = std::move(version);
  opened->policy_ = *std::move(read);
  opened->since_ = clock.WallNow();
  return opened;
}

Error PolicyFile::BadFile(const Error& why) const {
  return {ErrorCode::kInvalidSetting,
          fmt::format("policy.file: {}: {}", file_.string(), why.message()), why.details()};
}

Result<PolicyFile::Admitted> PolicyFile::Read() const {
  TRY_ASSIGN(std::string text, ReadFile(file_, kMostPolicyBytes));
  return AdmittedPolicy::Of(std::move(text));
}

PolicyFile::Version PolicyFile::Look() const {
  struct stat status{};
  if (::stat(file_.c_str(), &status) != 0) return {.name = "gone"};
  const auto written = std::chrono::seconds(status.st_mtim.tv_sec) +
                       std::chrono::nanoseconds(status.st_mtim.tv_nsec);
  // By the clock that dates files; those of a time to come are nobody's who writes now.
  const auto age = std::chrono::system_clock::now().time_since_epoch() - written;
  return {.name = fmt::format("{}/{}/{}.{}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                              status.st_mtim.tv_nsec),
          .is_settled = age < age.zero() || age >= kSettled};
}

std::shared_ptr<const AdmittedPolicy> PolicyFile::PolicyFor(const TenantId& /*tenant*/) {
  if (file_.empty()) return nullptr;
  Version version = Look();
  if (version.name == version_ || !version.is_settled) return policy_;
  auto read = Read();
  if (Look().name == version.name) Take(std::move(version.name), std::move(read));
  return policy_;
}

void PolicyFile::Take(std::string version, Result<Admitted> read) {
  version_ = std::move(version);
  if (!read) {
    LOG(error, "policy.reload_refused", {"file", file_.string()}, {"why", read.error().message()},
        {"still_used", policy_->digest});
    refused_ = RefusedPolicy{.at = clock_.WallNow(), .why = BadFile(read.error())};
    return;
  }
  refused_.reset();
  // Written again with the same words, it is the policy that was in force before.
  if ((*read)->digest != policy_->digest) since_ = clock_.WallNow();
  policy_ = *std::move(read);
  LOG(warn, "policy.reloaded", {"file", file_.string()}, {"digest", policy_->digest});
}

PolicyStatus PolicyFile::Status() {
  static_cast<void>(PolicyFor(TenantId()));
  return {.file = file_, .policy = policy_, .since = since_, .refused = refused_};
}

Result<PolicyStatus> PolicyFile::Reload() {
  if (file_.empty()) return Fail(ErrorCode::kNotFound, "policy.file: there is none to read");
  std::string version = Look().name;
  Take(std::move(version), Read());
  if (refused_) return Fail(refused_->why);
  return PolicyStatus{.file = file_, .policy = policy_, .since = since_, .refused = {}};
}

}  // namespace falconer::kernel
