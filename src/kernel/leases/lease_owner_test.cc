#include "kernel/leases/lease_owner.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace falconer::kernel {
namespace {

TEST(LeaseOwnerTest, WhoRunsHasNotEnded) {
  EXPECT_FALSE(HasEnded(OwnLeaseOwner()));
  EXPECT_EQ(OwnLeaseOwner(), OwnLeaseOwner());
}

// A child that has told what it calls itself, and has ended.
struct DeadChild {
  pid_t pid = 0;
  std::string owner;
};

DeadChild MakeDeadChild() {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string owner = OwnLeaseOwner();
    ::_exit(::write(ends[1], owner.data(), owner.size()) > 0 ? 0 : 1);
  }
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  char text[200];
  const ssize_t n = ::read(ends[0], text, sizeof(text));
  ::close(ends[0]);
  ::close(ends[1]);
  return {child, n > 0 ? std::string(text, static_cast<std::size_t>(n)) : ""};
}

TEST(LeaseOwnerTest, AProcessThatIsGoneHasEnded) {
  const DeadChild child = MakeDeadChild();
  ::waitpid(child.pid, nullptr, 0);
  EXPECT_TRUE(HasEnded(child.owner));
}

TEST(LeaseOwnerTest, AProcessThatNobodyHasAskedAboutYetHasEndedToo) {
  const DeadChild child = MakeDeadChild();
  EXPECT_EQ(::kill(child.pid, 0), 0) << "it is still listed";
  EXPECT_TRUE(HasEnded(child.owner));
  ::waitpid(child.pid, nullptr, 0);
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
