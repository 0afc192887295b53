#include "kernel/gates/policy_file.h"

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/file.h"

namespace falconer::kernel {
namespace {

constexpr std::string_view kHalf = R"(policy: {name: p, version: "1"}
rules:
  - {name: anything, when: always, then: allow}
)";
constexpr std::string_view kWhole = R"(policy: {name: p, version: "1"}
rules:
  - {name: anything, when: always, then: allow}
  - {name: not there, when: {domain: bank.test}, then: {deny: not there}}
)";

class PolicyFileTest : public testing::Test {
 protected:
  PolicyFileTest() : folder_(TempDir::Create("falconer-policy-file-test-").value()) {
    Write(kWhole);
    Age();
  }

  std::filesystem::path path() const { return folder_.path() / "policy.yaml"; }
  // In place, as editors and copies do.
  void Write(std::string_view text) const { std::ofstream(path()) << text; }
  // Makes the last change one of long ago.
  void Age() const {
    const timespec times[] = {{.tv_sec = ++age_, .tv_nsec = 0}, {.tv_sec = age_, .tv_nsec = 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path().c_str(), times, 0), 0);
  }
  static std::string DigestOf(std::string_view text) {
    return AdmittedPolicy::Of(std::string(text)).value()->digest;
  }
  std::string Used(PolicyFile& file) const { return file.PolicyFor(TenantId("local"))->digest; }

  TempDir folder_;
  FakeClock clock_;
  mutable std::time_t age_ = 1'000'000'000;
};

TEST_F(PolicyFileTest, AFileThatIsBeingWrittenIsNotUsedYet) {
  const auto file = PolicyFile::Open(path(), clock_).value();
  EXPECT_EQ(Used(*file), DigestOf(kWhole));

  Write(kHalf);
  EXPECT_EQ(Used(*file), DigestOf(kWhole)) << "the rest may follow";
  Age();
  EXPECT_EQ(Used(*file), DigestOf(kHalf)) << "nothing followed";
}

TEST_F(PolicyFileTest, WhatIsNotValidOrGoneLeavesTheLastOneThatWas) {
  const auto file = PolicyFile::Open(path(), clock_).value();
  Write("rules: 7");
  Age();
  EXPECT_EQ(Used(*file), DigestOf(kWhole));
  std::filesystem::remove(path());
  EXPECT_EQ(Used(*file), DigestOf(kWhole));
  Write(kHalf);
  Age();
  EXPECT_EQ(Used(*file), DigestOf(kHalf));
}

TEST_F(PolicyFileTest, AFileOfATimeToComeIsUsed) {
  const auto file = PolicyFile::Open(path(), clock_).value();
  Write(kHalf);
  age_ = 4'000'000'000;
  Age();
  EXPECT_EQ(Used(*file), DigestOf(kHalf));
}

TEST_F(PolicyFileTest, TellsSinceWhenItIsInForceAndWhatWasRefused) {
  const auto file = PolicyFile::Open(path(), clock_).value();
  const WallTime opened = clock_.WallNow();
  EXPECT_EQ(file->Status().since, opened);
  EXPECT_FALSE(file->Status().refused);

  clock_.Advance(std::chrono::minutes(1));
  Write("rules: 7");
  Age();
  const PolicyStatus refused = file->Status();
  EXPECT_EQ(refused.policy->digest, DigestOf(kWhole));
  EXPECT_EQ(refused.since, opened);
  ASSERT_TRUE(refused.refused);
  EXPECT_EQ(refused.refused->at, clock_.WallNow());
  EXPECT_TRUE(refused.refused->why.details().contains("line")) << refused.refused->why.message();

  clock_.Advance(std::chrono::minutes(1));
  Write(kHalf);
  Age();
  const PolicyStatus mended = file->Status();
  EXPECT_EQ(mended.policy->digest, DigestOf(kHalf));
  EXPECT_EQ(mended.since, clock_.WallNow());
  EXPECT_FALSE(mended.refused);
}

TEST_F(PolicyFileTest, AReloadReadsWhatWasWrittenJustNow) {
  const auto file = PolicyFile::Open(path(), clock_).value();
  Write(kHalf);
  const auto reloaded = file->Reload();
  ASSERT_TRUE(reloaded) << reloaded.error().message();
  EXPECT_EQ(reloaded->policy->digest, DigestOf(kHalf));
  EXPECT_EQ(Used(*file), DigestOf(kHalf));

  Write("rules: 7");
  const auto refused = file->Reload();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidSetting);
  EXPECT_EQ(Used(*file), DigestOf(kHalf));
  EXPECT_TRUE(file->Status().refused);

  const auto none = PolicyFile::Open({}, clock_).value()->Reload();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::kNotFound);
}

TEST_F(PolicyFileTest, WithoutAFileThereIsNoPolicyAndABadOneIsABadSetting) {
  EXPECT_EQ(PolicyFile::Open({}, clock_).value()->PolicyFor(TenantId("local")), nullptr);
  Write("rules: 7");
  const auto bad = PolicyFile::Open(path(), clock_);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), ErrorCode::kInvalidSetting);
  EXPECT_TRUE(bad.error().message().starts_with("policy.file: ")) << bad.error().message();
}

}  // namespace
}  // namespace falconer::kernel
