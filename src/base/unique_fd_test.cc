#include "base/unique_fd.h"

#include <fcntl.h>
#include <utility>

#include <gtest/gtest.h>

namespace falconer {
namespace {

bool IsOpen(int fd) {
  return ::fcntl(fd, F_GETFD) >= 0;
}

int Open() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

TEST(UniqueFdTest, ClosesWhatItOwns) {
  int raw = -1;
  {
    const UniqueFd fd(Open());
    ASSERT_TRUE(fd);
    raw = fd.get();
    EXPECT_TRUE(IsOpen(raw));
  }
  EXPECT_FALSE(IsOpen(raw));
  EXPECT_FALSE(UniqueFd());
}

TEST(UniqueFdTest, HandsOverOwnership) {
  UniqueFd first(Open());
  const int raw = first.get();
  UniqueFd second = std::move(first);
  EXPECT_EQ(second.get(), raw);

  const int released = second.Release();
  EXPECT_FALSE(second);
  EXPECT_TRUE(IsOpen(released));

  second.Reset(released);
  second.Reset();
  EXPECT_FALSE(IsOpen(raw));
}

}  // namespace
}  // namespace falconer
