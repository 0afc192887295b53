#include "app/demo/demo_proof.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::app {
namespace {

constexpr std::string_view kRecorded = R"({"text":{"secret":"demo-shop"}})";

// A chain's folder with one file in it.
class DemoProofTest : public testing::Test {
 protected:
  DemoProofTest() : data_(TempDir::Create("falconer-proof-test-").value()) {}
  void Write(std::string_view content) const {
    EXPECT_TRUE(WriteFileAtomic(chain() / "records", content));
  }

  const std::filesystem::path& chain() const { return data_.path(); }

 private:
  TempDir data_;
};

TEST_F(DemoProofTest, ASecretIsKeptWhenOnlyItsNameIsOnRecord) {
  Write(kRecorded);

  const auto kept = ProveSecretKept(chain(), "demo-shop", "hunter2hunter2");

  EXPECT_TRUE(kept) << Describe(kept.error());
}

TEST_F(DemoProofTest, FindsTheValueOfASecretInTheRecord) {
  Write(std::string(kRecorded) + "hunter2hunter2");

  const auto kept = ProveSecretKept(chain(), "demo-shop", "hunter2hunter2");

  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code(), ErrorCode::kPostconditionFailed);
  EXPECT_FALSE(Describe(kept.error()).contains("hunter2")) << "nor is it told";
}

TEST_F(DemoProofTest, ARecordThatDoesNotNameTheSecretProvesNothing) {
  Write("{}");

  const auto kept = ProveSecretKept(chain(), "demo-shop", "hunter2hunter2");

  ASSERT_FALSE(kept);
  EXPECT_EQ(kept.error().code(), ErrorCode::kPostconditionFailed);
}

TEST_F(DemoProofTest, WhatIsNotThereProvesNothing) {
  const auto nowhere = chain() / "nowhere";

  EXPECT_FALSE(ProveSecretKept(nowhere, "demo-shop", "hunter2hunter2"));
  EXPECT_FALSE(ProveReplay(nowhere, TenantId("demo"), "demo-run"));
}

}  // namespace
}  // namespace falconer::app
