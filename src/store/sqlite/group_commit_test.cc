#include "store/sqlite/group_commit.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::store {
namespace {

constexpr int kNormal = 1;
constexpr int kFull = 2;

class GroupCommitTest : public testing::Test {
 protected:
  GroupCommitTest()
      : folder_(TempDir::Create("falconer-commit-test-").value()),
        database_(Database::OpenShared(folder_.path() / "some.db", {}).value()) {}

  // How the commit of jobs that must survive all this was synced.
  int SyncOf(std::vector<Survives> needs) {
    int level = -1;
    std::vector<DatabaseJob> batch;
    for (const Survives each : needs) {
      batch.push_back({.work = [&](Database& database) { return ReadLevel(database, &level); },
                       .done = [](const Result<void>& done) { EXPECT_TRUE(done); },
                       .survives = each});
    }
    CommitTogether(*database_, std::move(batch));
    return level;
  }

 private:
  static Result<void> ReadLevel(Database& database, int* level) {
    TRY_ASSIGN(Statement pragma, database.Use("PRAGMA synchronous"));
    TRY(pragma.Step());
    *level = static_cast<int>(pragma.NumberAt(0));
    return {};
  }

  TempDir folder_;
  std::unique_ptr<Database> database_;
};

TEST_F(GroupCommitTest, OneJobThatMustSurviveALossOfPowerMakesTheCommitDoSo) {
  using enum Survives;
  EXPECT_EQ(SyncOf({kProcess, kProcess}), kNormal);
  EXPECT_EQ(SyncOf({kProcess, kPowerLoss, kProcess}), kFull);
  EXPECT_EQ(SyncOf({kProcess}), kNormal);
}

}  // namespace
}  // namespace falconer::store
