#include "base/async/file_hash.h"

#include <boost/asio/post.hpp>

#include "base/file.h"
#include "base/sha256.h"
#include "tests/support/co_test.h"

namespace falconer {
namespace {

// Counts the turns of the loop for as long as `*is_over` is false.
void CountTurns(boost::asio::io_context* io, const bool* is_over, int* turns) {
  if (*is_over) return;
  ++*turns;
  boost::asio::post(*io, [=] { CountTurns(io, is_over, turns); });
}

CO_TEST(FileHashTest, IsThatOfTheContent) {
  const auto folder = TempDir::Create("falconer-test-");
  for (const std::size_t size : {0UZ, 1UZ, 300'000UZ}) {
    const std::string content(size, 'x');
    EXPECT_TRUE(WriteFileAtomic(folder->path() / "file", content));
    const auto hash = co_await HashFile(ctx, folder->path() / "file");
    EXPECT_EQ(hash.value_or(""), Sha256Hex(content)) << size;
  }
}

CO_TEST(FileHashTest, TheLoopTurnsWhileABigFileIsHashed) {
  const auto folder = TempDir::Create("falconer-test-");
  EXPECT_TRUE(WriteFileAtomic(folder->path() / "file", std::string(8 << 20, 'x')));
  bool is_over = false;
  int turns = 0;
  CountTurns(io, &is_over, &turns);
  const auto hash = co_await HashFile(ctx, folder->path() / "file");
  is_over = true;
  EXPECT_TRUE(hash) << hash.error().message();
  EXPECT_GE(turns, 32);
}

CO_TEST(FileHashTest, WhatCannotBeReadIsAnError) {
  const auto folder = TempDir::Create("falconer-test-");
  const auto missing = co_await HashFile(ctx, folder->path() / "missing");
  const auto no_file = co_await HashFile(ctx, folder->path());
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(no_file.error().code(), ErrorCode::kIoError) << "a folder can be opened, not read";
  EXPECT_TRUE(no_file.error().message().contains(folder->path().string()));
}

}  // namespace
}  // namespace falconer
