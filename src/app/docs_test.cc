// The pages for people name what the tables have.

#include <filesystem>
#include <fmt/format.h>
#include <re2/re2.h>

#include <gtest/gtest.h>

#include "app/command.h"
#include "base/file.h"
#include "kernel/gates/gate_list.h"
#include "ledger/record.h"
#include "model/action/action_type.h"
#include "model/action/wait.h"

namespace falconer::app {
namespace {

std::string Page(std::string_view name) {
  const auto path = std::filesystem::path(__FILE__).parent_path() / "../.." / name;
  auto text = ReadFile(path);
  EXPECT_TRUE(text) << path;
  return text.value_or("");
}

TEST(DocsTest, DriverPageNamesEveryActionAndEveryWait) {
  const std::string page = Page("docs/driver.md");

  for (const model::ActionTraits& row : model::AllActionTypes()) {
    EXPECT_TRUE(page.contains("`" + std::string(row.name) + "`")) << row.name;
  }
  for (const model::WaitTraits& row : model::AllWaitKinds()) {
    EXPECT_TRUE(page.contains("`" + std::string(row.name) + "`")) << row.name;
  }
}

TEST(DocsTest, TurnsPageHasEveryGateInItsPlace) {
  const std::string page = Page("docs/turns.md");
  std::string_view rest = page;
  for (const kernel::GateRow& row : kernel::GateOrder()) {
    const std::size_t at = rest.find("\n| " + std::string(row.name) + " |");
    ASSERT_NE(at, rest.npos) << row.name << " has no row, or not behind the gate before it";
    rest.remove_prefix(at + 1);
  }
  const std::size_t left = rest.substr(0, rest.find("\n\n")).find("\n| ");
  EXPECT_EQ(left, std::string_view::npos) << "a row without a gate behind " << rest.substr(0, 20);
}

// All sources of tests in one text.
std::string AllTests() {
  std::string all;
  const auto root = std::filesystem::path(__FILE__).parent_path() / "../..";
  for (const char* folder : {"src", "tests"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
      if (entry.path().string().ends_with("_test.cc")) all += ReadFile(entry.path()).value_or("");
  }
  return all;
}

TEST(DocsTest, ClaimsPageNamesTestsThatExist) {
  const std::string page = Page("docs/claims.md");
  const std::string tests = AllTests();
  const re2::RE2 name(R"(`([A-Z]\w+Test)(?:\.(\w+))?`)");
  re2::StringPiece rest(page);
  std::string suite;
  std::string test;
  int names = 0;
  while (re2::RE2::FindAndConsume(&rest, name, &suite, &test)) {
    ++names;
    const std::string row = "(" + suite + ", " + test;
    EXPECT_TRUE(tests.contains(row + (test.empty() ? "" : ")"))) << suite << "." << test;
  }
  EXPECT_GT(names, 20);
}

TEST(DocsTest, LedgerPageHasEveryKindWithItsNumber) {
  const std::string page = Page("docs/ledger.md");
  for (const ledger::RecordKindRow& row : ledger::AllRecordKinds()) {
    EXPECT_TRUE(page.contains(
        fmt::format("\n| `{}` | {} | {} |\n", row.name, static_cast<int>(row.kind), row.help)))
        << row.name;
  }
}

TEST(DocsTest, DriverPageNamesOnlyErrorCodesThatExist) {
  const std::string page = Page("docs/driver.md");
  const std::string table =
      page.substr(page.find("## Errors"), page.find("## Limits") - page.find("## Errors"));

  std::size_t codes = 0;
  for (std::size_t at = table.find('`'); at != std::string::npos; at = table.find('`', at)) {
    const std::size_t end = table.find('`', at + 1);
    const std::string word = table.substr(at + 1, end - at - 1);
    at = end + 1;
    if (word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != std::string::npos) continue;
    EXPECT_TRUE(ErrorCodeNamed(word)) << word;
    ++codes;
  }
  EXPECT_GT(codes, 20U);
}

}  // namespace
}  // namespace falconer::app
