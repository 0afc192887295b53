#include "kernel/leases/lease_owner.h"

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace falconer::kernel {
namespace {

TEST(LeaseOwnerTest, WhoRunsHasNotEnded) {
  EXPECT_FALSE(HasEnded(OwnLeaseOwner()));
  EXPECT_EQ(OwnLeaseOwner(), OwnLeaseOwner());
}

// What a child that has ended called itself.
std::string OwnerOfADeadChild() {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string owner = OwnLeaseOwner();
    ::_exit(::write(ends[1], owner.data(), owner.size()) > 0 ? 0 : 1);
  }
  ::waitpid(child, nullptr, 0);
  char text[200];
  const ssize_t n = ::read(ends[0], text, sizeof(text));
  ::close(ends[0]);
  ::close(ends[1]);
  return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : "";
}

TEST(LeaseOwnerTest, AProcessThatIsGoneHasEnded) {
  EXPECT_TRUE(HasEnded(OwnerOfADeadChild()));
}

TEST(LeaseOwnerTest, ANumberThatWasGivenAgainIsSomebodyElse) {
  const std::string own = OwnLeaseOwner();
  EXPECT_TRUE(HasEnded(own.substr(0, own.rfind(':') + 1) + "1"));
}

TEST(LeaseOwnerTest, OfOtherMachinesNothingIsKnown) {
  for (const char* owner : {"", "a", "test:1", "other:1:2", ":999999:1", "::", "other:x:1"})
    EXPECT_FALSE(HasEnded(owner)) << owner;
}

}  // namespace
}  // namespace falconer::kernel
