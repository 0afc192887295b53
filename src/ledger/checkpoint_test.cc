#include "ledger/checkpoint.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "ledger/signed_json.h"

namespace falconer::ledger {
namespace {

class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest()
      : folder_(TempDir::Create("falconer-checkpoint-test-").value()),
        key_(SigningKey::LoadOrCreate(folder_.path()).value()) {
    Hasher hasher;
    for (const char* leaf : {"a", "b", "c"}) checkpoint_.tree.Append(hasher, hasher.Leaf(leaf));
    checkpoint_.tenant = TenantId("acme inc");
    checkpoint_.head = hasher.Leaf("c");
    checkpoint_.wall_ms = 1234;
    checkpoint_ = Sign(std::move(checkpoint_), key_);
  }

  std::span<const PublicKey> Keys() const { return std::span(&key_.public_key(), 1); }

  TempDir folder_;
  SigningKey key_;
  Checkpoint checkpoint_;
};

TEST_F(CheckpointTest, ReadsWhatItWrote) {
  const auto again = ParseCheckpoint(checkpoint_.ToText());
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->ToText(), checkpoint_.ToText());
  EXPECT_EQ(again->tenant.value(), "acme inc");
  EXPECT_EQ(again->size(), 3U);
  EXPECT_TRUE(IsSignedByOneOf(*again, Keys()));
}

TEST_F(CheckpointTest, SeesEveryFlippedBit) {
  const std::string text = checkpoint_.ToText();
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    const auto parsed = ParseCheckpoint(changed);
    EXPECT_FALSE(parsed && IsSignedByOneOf(*parsed, Keys())) << "bit " << bit;
  }
}

TEST_F(CheckpointTest, IsNotSignedByAnotherKey) {
  const auto other = TempDir::Create("falconer-checkpoint-test-").value();
  const auto key = SigningKey::LoadOrCreate(other.path()).value();
  EXPECT_FALSE(IsSignedByOneOf(checkpoint_, std::span(&key.public_key(), 1)));
  EXPECT_FALSE(IsSignedByOneOf(checkpoint_, {}));
}

TEST_F(CheckpointTest, SplitsAFileAndSetsApartWhatIsTorn) {
  const std::string one = checkpoint_.ToText();
  const std::string file = one + one + one.substr(0, 50);
  const CheckpointTexts split = SplitCheckpoints(file);
  ASSERT_EQ(split.texts.size(), 2U);
  EXPECT_EQ(split.texts[1], one);
  EXPECT_EQ(split.torn, one.substr(0, 50));
}

TEST_F(CheckpointTest, TheKeyIsMadeOnceAndPrivate) {
  const auto path = folder_.path() / "keys" / "ledger.ed25519";
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(SigningKey::LoadOrCreate(folder_.path())->public_key().id(), key_.public_key().id());
  EXPECT_EQ(PublicKey::Load(SigningKey::PublicKeyPath(folder_.path()))->id(),
            key_.public_key().id());

  ::chmod(path.c_str(), 0644);
  EXPECT_EQ(SigningKey::LoadOrCreate(folder_.path()).error().code(), ErrorCode::kIoError);
}

TEST_F(CheckpointTest, RefusesFilesThatHoldNoKey) {
  ASSERT_TRUE(WriteFileAtomic(folder_.path() / "keys" / "ledger.ed25519", "no key"));
  EXPECT_EQ(SigningKey::LoadOrCreate(folder_.path()).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(PublicKey::FromPem("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")
                .error()
                .code(),
            ErrorCode::kInvalidArgument);
}

TEST_F(CheckpointTest, SignedJsonIsReadBackOnlyUnchanged) {
  const auto text = SignJson({{"b", 1}, {"a", "x"}}, key_);
  ASSERT_TRUE(text);
  EXPECT_EQ(ParseSignedJson(*text, Keys()), (json::object{{"a", "x"}, {"b", 1}}));
  for (std::size_t i = 0; i < text->size(); ++i) {
    std::string changed = *text;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_FALSE(ParseSignedJson(changed, Keys())) << changed;
  }
}

TEST_F(CheckpointTest, TheKeyThatEverybodyKnowsIsNeverReplaced) {
  const auto path = SigningKey::PublicKeyPath(folder_.path());
  const std::string known = ReadFile(path).value();
  std::filesystem::remove(folder_.path() / "keys" / "ledger.ed25519");

  const auto lost = SigningKey::LoadOrCreate(folder_.path());

  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code(), ErrorCode::kLedgerDamaged);
  EXPECT_EQ(ReadFile(path).value(), known);
}

}  // namespace
}  // namespace falconer::ledger
