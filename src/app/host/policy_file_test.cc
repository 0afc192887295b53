#include "app/host/policy_file.h"

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::app {
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
    return kernel::AdmittedPolicy::Of(std::string(text)).value()->digest;
  }
  std::string Used(PolicyFile& file) const { return file.PolicyFor(TenantId("local"))->digest; }

  TempDir folder_;
  mutable std::time_t age_ = 1'000'000'000;
};

TEST_F(PolicyFileTest, AFileThatIsBeingWrittenIsNotUsedYet) {
  const auto file = PolicyFile::Open(path()).value();
  EXPECT_EQ(Used(*file), DigestOf(kWhole));

  Write(kHalf);
  EXPECT_EQ(Used(*file), DigestOf(kWhole)) << "the rest may follow";
  Age();
  EXPECT_EQ(Used(*file), DigestOf(kHalf)) << "nothing followed";
}

TEST_F(PolicyFileTest, WhatIsNotValidOrGoneLeavesTheLastOneThatWas) {
  const auto file = PolicyFile::Open(path()).value();
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
  const auto file = PolicyFile::Open(path()).value();
  Write(kHalf);
  age_ = 4'000'000'000;
  Age();
  EXPECT_EQ(Used(*file), DigestOf(kHalf));
}

TEST_F(PolicyFileTest, WithoutAFileThereIsNoPolicyAndABadOneIsABadSetting) {
  EXPECT_EQ(PolicyFile::Open({}).value()->PolicyFor(TenantId("local")), nullptr);
  Write("rules: 7");
  const auto bad = PolicyFile::Open(path());
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), ErrorCode::kInvalidSetting);
  EXPECT_TRUE(bad.error().message().starts_with("policy.file: ")) << bad.error().message();
}

}  // namespace
}  // namespace falconer::app
