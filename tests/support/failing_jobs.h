#pragma once
// FailingJobs: a store of jobs whose disk is full for a while, or that is slow to answer.

#include <functional>
#include <utility>

#include "store/job_store.h"
#include "tests/support/settle.h"

namespace falconer::test {

class FailingJobs final : public store::JobStore {
 public:
  explicit FailingJobs(store::JobStore& inner) : inner_(inner) {}

  // How many calls still fail.
  int puts = 0;
  int ends = 0;
  // Called once, after a claim and before who claims knows of it.
  std::function<void()> on_claim = {};

  Task<Result<store::PutJobAnswer>> PutJob(store::NewJob job) override {
    if (puts > 0) co_return Full(puts);
    co_return co_await inner_.PutJob(std::move(job));
  }
  Task<Result<store::JobRecord>> EndJob(store::JobEnd end) override {
    if (ends > 0) co_return Full(ends);
    co_return co_await inner_.EndJob(std::move(end));
  }

  Task<Result<std::optional<store::ClaimedJob>>> ClaimJob(store::JobClaim claim) override {
    auto claimed = co_await inner_.ClaimJob(std::move(claim));
    if (const auto tell = std::exchange(on_claim, nullptr)) {
      tell();
      co_await Settle();
    }
    co_return claimed;
  }
  Task<Result<std::vector<store::HeldJob>>> BeatJobs(store::JobHold hold) override {
    return inner_.BeatJobs(std::move(hold));
  }
  Task<Result<void>> FreeJobsOf(std::string owner) override {
    return inner_.FreeJobsOf(std::move(owner));
  }
  Task<Result<void>> ReleaseJob(store::JobRelease release) override {
    return inner_.ReleaseJob(std::move(release));
  }
  Task<Result<store::JobRecord>> CancelJob(store::JobCancel cancel) override {
    return inner_.CancelJob(std::move(cancel));
  }
  Task<Result<void>> DropJob(store::JobName name) override {
    return inner_.DropJob(std::move(name));
  }
  Task<Result<std::vector<std::string>>> ForgetJobs(store::JobKeep keep) override {
    return inner_.ForgetJobs(std::move(keep));
  }
  Task<Result<store::JobRecord>> FindJob(store::JobName name) override {
    return inner_.FindJob(std::move(name));
  }
  Task<Result<std::vector<store::JobRecord>>> ListJobs(store::JobFilter filter) override {
    return inner_.ListJobs(std::move(filter));
  }
  Task<Result<store::JobOutlook>> LookAtJobs(store::JobClaim claim) override {
    return inner_.LookAtJobs(std::move(claim));
  }
  Task<Result<void>> AddJobNews(store::NewsNote note) override {
    return inner_.AddJobNews(std::move(note));
  }
  Task<Result<std::vector<store::JobNewsRow>>> ListJobNews(store::NewsQuery query) override {
    return inner_.ListJobNews(std::move(query));
  }
  Task<Result<std::optional<store::JobRecord>>> ClaimCallback(
      TenantId tenant, std::chrono::milliseconds hold) override {
    return inner_.ClaimCallback(std::move(tenant), hold);
  }
  Task<Result<store::JobRecord>> NoteCallback(store::CallbackNote note) override {
    return inner_.NoteCallback(std::move(note));
  }

 private:
  static std::unexpected<Error> Full(int& left) {
    --left;
    return Fail(ErrorCode::kIoError, "no space left on the device");
  }

  store::JobStore& inner_;
};

}  // namespace falconer::test
