#include "app/host/policy_file.h"

#include <chrono>
#include <fmt/format.h>
#include <sys/stat.h>
#include <utility>

#include "base/file.h"
#include "base/log.h"

namespace falconer::app {
namespace {

// More than a person writes; a wrong path must not fill the memory.
constexpr std::size_t kMostPolicyBytes = 4U << 20U;
// Whoever writes a file in place is done with it by then.
constexpr std::chrono::milliseconds kSettled{100};

}  // namespace

Result<std::unique_ptr<PolicyFile>> PolicyFile::Open(std::filesystem::path file) {
  std::unique_ptr<PolicyFile> opened(new PolicyFile(std::move(file)));
  if (opened->file_.empty()) return opened;
  opened->version_ = opened->Look().name;
  auto read = opened->Read();
  if (!read) {
    return Fail(ErrorCode::kInvalidSetting,
                fmt::format("policy.file: {}: {}", opened->file_.string(), read.error().message()));
  }
  opened->policy_ = *std::move(read);
  return opened;
}

Result<PolicyFile::Admitted> PolicyFile::Read() const {
  TRY_ASSIGN(std::string text, ReadFile(file_, kMostPolicyBytes));
  return kernel::AdmittedPolicy::Of(std::move(text));
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

std::shared_ptr<const kernel::AdmittedPolicy> PolicyFile::PolicyFor(const TenantId& /*tenant*/) {
  if (file_.empty()) return nullptr;
  Version version = Look();
  if (version.name == version_ || !version.is_settled) return policy_;
  auto read = Read();
  if (Look().name != version.name) return policy_;
  version_ = std::move(version.name);
  if (read) {
    policy_ = *std::move(read);
    LOG(warn, "policy.reloaded", {"file", file_.string()}, {"digest", policy_->digest});
  } else {
    LOG(error, "policy.reload_refused", {"file", file_.string()}, {"why", read.error().message()},
        {"still_used", policy_->digest});
  }
  return policy_;
}

}  // namespace falconer::app
