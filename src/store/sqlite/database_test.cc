#include "store/sqlite/database.h"

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer::store {
namespace {

constexpr uid_t kSomebody = 65534;

// For its time this process may only read what is in the folder, also when root runs it.
class ReadOnlyFolder {
 public:
  explicit ReadOnlyFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
    if (::geteuid() == 0) Give(kSomebody);
    ::chmod(folder_.c_str(), 0500);
    if (::geteuid() == 0) EXPECT_EQ(::seteuid(kSomebody), 0);
  }
  ~ReadOnlyFolder() {
    if (::getuid() == 0) EXPECT_EQ(::seteuid(0), 0);
    ::chmod(folder_.c_str(), 0700);
  }
  ReadOnlyFolder(const ReadOnlyFolder&) = delete;
  ReadOnlyFolder& operator=(const ReadOnlyFolder&) = delete;

 private:
  void Give(uid_t user) const {
    EXPECT_EQ(::chown(folder_.c_str(), user, user), 0);
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      EXPECT_EQ(::chown(entry.path().c_str(), user, user), 0);
  }

  std::filesystem::path folder_;
};

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest() : folder_(TempDir::Create("falconer-database-test-").value()) {}

  // With signs in its name that mean something in a URI.
  std::filesystem::path File() const { return folder_.path() / "a%41?#.db"; }
  std::unique_ptr<Database> OpenForWriting() const {
    auto database = Database::Open(File(), Database::Access::kWrite, {});
    EXPECT_TRUE(database) << database.error().message();
    EXPECT_TRUE((*database)->Execute("CREATE TABLE t(x); INSERT INTO t VALUES(7);"));
    return *std::move(database);
  }
  static Result<std::int64_t> ReadSeven(const std::filesystem::path& file) {
    TRY_ASSIGN(const auto database, Database::Open(file, Database::Access::kRead, {}));
    TRY_ASSIGN(Statement find, database->Use("SELECT x FROM t"));
    TRY_ASSIGN(const bool has_row, find.Step());
    return has_row ? find.NumberAt(0) : 0;
  }

  TempDir folder_;
};

TEST_F(DatabaseTest, IsReadWhereNothingCanBeWritten) {
  OpenForWriting();
  const ReadOnlyFolder sealed(folder_.path());

  const auto seven = ReadSeven(File());

  ASSERT_TRUE(seven) << seven.error().message();
  EXPECT_EQ(*seven, 7);
}

TEST_F(DatabaseTest, SaysWhyALogCannotBeRead) {
  const auto writer = OpenForWriting();
  const std::filesystem::path copy = folder_.path() / "copy";
  std::filesystem::create_directory(copy);
  for (const char* end : {"", "-wal"})
    std::filesystem::copy_file(File().string() + end, (copy / "b.db").string() + end);
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0755), 0);
  const ReadOnlyFolder sealed(copy);

  const auto seven = ReadSeven(copy / "b.db");

  ASSERT_FALSE(seven);
  EXPECT_EQ(seven.error().code(), ErrorCode::kIoError);
  EXPECT_TRUE(seven.error().message().contains("b.db-wal")) << seven.error().message();
  EXPECT_TRUE(seven.error().message().contains("copy of the folder")) << seven.error().message();
}

TEST_F(DatabaseTest, ALogIsReadByThoseWhoMayWrite) {
  const auto writer = OpenForWriting();
  const auto seven = ReadSeven(File());
  ASSERT_TRUE(seven) << seven.error().message();
  EXPECT_EQ(*seven, 7);
}

}  // namespace
}  // namespace falconer::store
