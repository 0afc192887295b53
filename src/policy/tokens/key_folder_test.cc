#include "policy/tokens/key_folder.h"

#include <filesystem>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "policy/tokens/live_keys.h"
#include "tests/support/token_bench.h"

namespace falconer::policy {
namespace {

using namespace std::chrono_literals;
using test::ReasonOf;

class KeyFolderTest : public testing::Test {
 protected:
  KeyFolderTest() : data_(TempDir::Create("falconer-keys-test-").value()) {}

  KeyFolder Folder() const { return KeyFolder(KeyFolder::PathIn(data_.path())); }
  RingKey Fresh(std::string name, KeyState state = KeyState::kActive) const {
    return {std::move(name), state, clock_.WallNow(), std::nullopt,
            TokenKey::Generate(TokenAlgorithm::kEdDsa)};
  }
  Result<KeyRing> Add(RingKey key) const {
    return Folder().Change([&](KeyRing& ring) { return ring.Add(key); });
  }
  Result<KeyRing> Rotate(RingKey key, std::chrono::seconds grace = kKeyGrace) const {
    return Folder().Change(
        [&](KeyRing& ring) { return ring.Rotate(key, clock_.WallNow(), grace); });
  }
  std::string StateOf(std::string_view name) const {
    const auto ring = Folder().Load();
    EXPECT_TRUE(ring) << Describe(ring.error());
    const RingKey* key = ring->Find(name);
    return key == nullptr ? "gone" : std::string(NameIn(kKeyStates, key->state));
  }

  TempDir data_;
  FakeClock clock_;
};

TEST_F(KeyFolderTest, IsEmptyAtFirstAndKeepsWhatIsAdded) {
  EXPECT_TRUE(Folder().Load()->keys().empty());
  const RingKey first = Fresh("k1", KeyState::kPrimary);
  ASSERT_TRUE(Add(first));

  const auto ring = Folder().Load();

  ASSERT_TRUE(ring) << Describe(ring.error());
  ASSERT_NE(ring->primary(), nullptr);
  EXPECT_EQ(ring->primary()->name, "k1");
  EXPECT_EQ(ring->primary()->created, first.created);
  EXPECT_TRUE(ring->primary()->key.Verifies("x", first.key.Sign("x")));
}

TEST_F(KeyFolderTest, FilesAreForTheOwnerOnlyAndMustStaySo) {
  ASSERT_TRUE(Add(Fresh("k1", KeyState::kPrimary)));
  const auto mode = [](const std::filesystem::path& path) {
    return static_cast<unsigned>(std::filesystem::status(path).permissions()) & 0777U;
  };
  EXPECT_EQ(mode(Folder().path()), 0700U);
  for (const auto& entry : std::filesystem::directory_iterator(Folder().path())) {
    EXPECT_EQ(mode(entry.path()), 0600U) << entry.path();
  }
  ASSERT_EQ(::chmod((Folder().path() / "k1.pem").c_str(), 0640), 0);
  EXPECT_FALSE(Folder().Load());
  ASSERT_EQ(::chmod((Folder().path() / "k1.pem").c_str(), 0600), 0);
  ASSERT_EQ(::chmod(Folder().path().c_str(), 0755), 0);
  EXPECT_FALSE(Folder().Load());
}

TEST_F(KeyFolderTest, RotationOverlaps) {
  ASSERT_TRUE(Rotate(Fresh("k1")));
  ASSERT_TRUE(Rotate(Fresh("k2"), 100s));
  EXPECT_EQ(StateOf("k1"), "deprecated");
  EXPECT_EQ(StateOf("k2"), "primary");
  const auto ring = Folder().Load();
  const WallTime now = clock_.WallNow();
  EXPECT_EQ(ReasonOf(ring->KeyNamed("k1", now + 99s)), "accepted");
  EXPECT_EQ(ReasonOf(ring->KeyNamed("k1", now + 100s)), "key_retired");
  EXPECT_EQ(ReasonOf(ring->KeyNamed("k2", now + 100s)), "accepted");
  EXPECT_EQ(ReasonOf(ring->KeyNamed("k3", now)), "unknown_kid");
}

TEST_F(KeyFolderTest, AnEmergencyRotationRetiresTheOldKeyAtOnce) {
  ASSERT_TRUE(Rotate(Fresh("k1")));
  const auto ring = Rotate(Fresh("k2"), 0s);
  EXPECT_EQ(ReasonOf(ring->KeyNamed("k1", clock_.WallNow())), "key_retired");
}

TEST_F(KeyFolderTest, SomethingAlwaysSigns) {
  ASSERT_TRUE(Add(Fresh("k1", KeyState::kPrimary)));
  ASSERT_TRUE(Add(Fresh("k2")));
  const auto change = [&](auto function) { return Folder().Change(function); };
  EXPECT_FALSE(change([&](KeyRing& r) { return r.Deprecate("k1", clock_.WallNow(), 1s); }));
  EXPECT_FALSE(change([&](KeyRing& r) { return r.Remove("k1"); }));
  EXPECT_FALSE(change([&](KeyRing& r) { return r.Add(Fresh("k3", KeyState::kPrimary)); }));
  EXPECT_FALSE(change([&](KeyRing& r) { return r.Add(Fresh("k2")); }));
  EXPECT_FALSE(change([&](KeyRing& r) { return r.Add(Fresh("../k")); }));
  EXPECT_FALSE(change([&](KeyRing& r) { return r.SetPrimary("nobody"); }));
  EXPECT_EQ(StateOf("k1"), "primary") << "a change that fails changes nothing";
  EXPECT_TRUE(change([&](KeyRing& r) { return r.SetPrimary("k2"); }));
  EXPECT_EQ(StateOf("k1"), "active");
  EXPECT_TRUE(change([&](KeyRing& r) { return r.Deprecate("k1", clock_.WallNow(), 9s); }));
  EXPECT_FALSE(change([&](KeyRing& r) { return r.SetPrimary("k1"); }));
  EXPECT_TRUE(change([&](KeyRing& r) { return r.Remove("k1"); }));
  EXPECT_EQ(StateOf("k1"), "gone");
  EXPECT_FALSE(std::filesystem::exists(Folder().path() / "k1.pem"));
}

TEST_F(KeyFolderTest, DeprecatingTwiceDoesNotProlong) {
  ASSERT_TRUE(Add(Fresh("k1", KeyState::kPrimary)));
  ASSERT_TRUE(Add(Fresh("k2")));
  const WallTime now = clock_.WallNow();
  const auto deprecate = [&](std::chrono::seconds grace) {
    return Folder().Change([&](KeyRing& r) { return r.Deprecate("k2", now, grace); });
  };
  ASSERT_TRUE(deprecate(10s));
  EXPECT_EQ(deprecate(100s)->Find("k2")->retires, now + 10s);
  EXPECT_EQ(deprecate(0s)->Find("k2")->retires, now);
}

TEST_F(KeyFolderTest, APublicKeyChecksAndNeverSigns) {
  RingKey outside = Fresh("authority");
  outside.key = TokenKey::FromPem(outside.key.PublicPem()).value();
  ASSERT_TRUE(Add(outside));
  const auto ring = Folder().Load();
  ASSERT_TRUE(ring) << Describe(ring.error());
  EXPECT_FALSE(ring->Find("authority")->key.can_sign());
  EXPECT_FALSE(Folder().Change([](KeyRing& r) { return r.SetPrimary("authority"); }));
}

TEST_F(KeyFolderTest, RefusesARingThatMakesNoSense) {
  ASSERT_TRUE(Add(Fresh("k1", KeyState::kPrimary)));
  const std::filesystem::path file = Folder().path() / "ring.json";
  for (const std::string_view text :
       {"", "[]", R"({"version":2,"keys":[]})", R"({"version":1})",
        R"({"version":1,"keys":[{"kid":"../../x","state":"active","created_ms":1}]})",
        R"({"version":1,"keys":[{"kid":"k1","state":"best","created_ms":1}]})",
        R"({"version":1,"keys":[{"kid":"k1","state":"deprecated","created_ms":1}]})",
        R"({"version":1,"keys":[{"kid":"k9","state":"active","created_ms":1}]})",
        R"({"version":1,"keys":[{"kid":"k1","state":"primary","created_ms":1},)"
        R"({"kid":"k1","state":"active","created_ms":1}]})"}) {
    ASSERT_TRUE(WriteFileAtomic(file, text));
    EXPECT_FALSE(Folder().Load()) << text;
  }
}

TEST_F(KeyFolderTest, ARunningProgramSeesWhatOthersChange) {
  ASSERT_TRUE(Rotate(Fresh("k1")));
  const LiveKeys live(Folder(), clock_);
  EXPECT_EQ(live.Primary()->name, "k1");
  ASSERT_TRUE(Rotate(Fresh("k2")));
  clock_.Advance(1s);
  EXPECT_EQ(live.Primary()->name, "k2");
  EXPECT_EQ(ReasonOf(live.KeyNamed("k1", clock_.WallNow())), "accepted");

  ASSERT_TRUE(Folder().Change([](KeyRing& r) { return r.Remove("k1"); }));
  clock_.Advance(1s);

  EXPECT_EQ(ReasonOf(live.KeyNamed("k1", clock_.WallNow())), "unknown_kid");
}

TEST_F(KeyFolderTest, KeysThatCanNoLongerBeReadAllowNothing) {
  ASSERT_TRUE(Rotate(Fresh("k1")));
  const LiveKeys live(Folder(), clock_);
  EXPECT_TRUE(live.KeyNamed("k1", clock_.WallNow()));
  ASSERT_TRUE(WriteFileAtomic(Folder().path() / "ring.json", "broken"));
  clock_.Advance(1s);
  EXPECT_FALSE(live.KeyNamed("k1", clock_.WallNow()));
  EXPECT_FALSE(live.Primary());
}

TEST_F(KeyFolderTest, TheFirstUseMakesOneKeyAndOthersFindIt) {
  constexpr int kProcesses = 4;
  for (int process = 0; process < kProcesses; ++process) {
    if (::fork() != 0) continue;
    ::_exit(Folder().PrimaryOrNew(TokenAlgorithm::kEdDsa, clock_.WallNow()) ? 0 : 1);
  }
  for (int process = 0; process < kProcesses; ++process) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(Folder().Load()->keys().size(), 1U);
}

TEST_F(KeyFolderTest, ChangesOfSeveralProcessesAllCount) {
  constexpr int kProcesses = 3;
  constexpr int kEach = 5;
  for (int process = 0; process < kProcesses; ++process) {
    if (::fork() != 0) continue;
    bool is_done = true;
    for (int i = 0; i < kEach; ++i) {
      is_done &= Add(Fresh("p" + std::to_string(process) + "." + std::to_string(i))).has_value();
    }
    ::_exit(is_done ? 0 : 1);
  }
  for (int process = 0; process < kProcesses; ++process) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  const auto ring = Folder().Load();
  ASSERT_TRUE(ring) << Describe(ring.error());
  EXPECT_EQ(ring->keys().size(), static_cast<std::size_t>(kProcesses * kEach));
}

}  // namespace
}  // namespace falconer::policy
