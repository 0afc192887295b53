#include "base/sha256.h"

#include <string>

#include <gtest/gtest.h>

#include "base/hex.h"

namespace falconer {
namespace {

// Vectors of FIPS 180-2.
constexpr std::string_view kEmpty =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view kAbc =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256Test, MatchesThePublishedVectors) {
  EXPECT_EQ(Sha256Hex(""), kEmpty);
  EXPECT_EQ(Sha256Hex("abc"), kAbc);
  EXPECT_EQ(Sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, TakesPiecesAndStartsOver) {
  Sha256 hash;

  EXPECT_EQ(ToHex(hash.Add("a").Add("").Add("bc").Finish()), kAbc);
  EXPECT_EQ(ToHex(hash.Finish()), kEmpty);
}

TEST(Sha256Test, CanBeMoved) {
  Sha256 first;
  first.Add("ab");
  Sha256 second = std::move(first);

  EXPECT_EQ(ToHex(second.Add("c").Finish()), kAbc);
}

}  // namespace
}  // namespace falconer
