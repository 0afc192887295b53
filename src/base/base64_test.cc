#include "base/base64.h"

#include <string>

#include <gtest/gtest.h>

namespace falconer {
namespace {

struct Vector {
  std::string_view bytes;
  std::string_view text;
};

// RFC 4648, section 10.
constexpr Vector kVectors[] = {{"", ""},
                               {"f", "Zg=="},
                               {"fo", "Zm8="},
                               {"foo", "Zm9v"},
                               {"foob", "Zm9vYg=="},
                               {"fooba", "Zm9vYmE="},
                               {"foobar", "Zm9vYmFy"},
                               {"\xff\xfe\xfb", "//77"}};

TEST(Base64Test, MatchesThePublishedVectors) {
  for (const Vector& v : kVectors) {
    EXPECT_EQ(EncodeBase64(v.bytes), v.text);
    const Result<std::string> bytes = DecodeBase64(v.text);
    ASSERT_TRUE(bytes) << v.text << ": " << bytes.error().message();
    EXPECT_EQ(*bytes, v.bytes);
  }
}

TEST(Base64Test, GivesBackEveryByteAtEveryLength) {
  std::string bytes;
  for (int i = 0; i < 600; ++i) {
    const Result<std::string> back = DecodeBase64(EncodeBase64(bytes));
    ASSERT_TRUE(back);
    ASSERT_EQ(*back, bytes);
    bytes += static_cast<char>(i * 7);
  }
}

TEST(Base64Test, RefusesWhatIsNotBase64) {
  for (const std::string_view text : {"Z", "Zg", "Zg=", "====", "Z===", "Zg==Zg==", "Zm9v\n",
                                      "Zm 9", "Zm9-", "Zm9_", "=Zm9", "Zm=9", "\xff\xff\xff\xff"}) {
    EXPECT_FALSE(DecodeBase64(text)) << text;
  }
}

TEST(Base64Test, RefusesBitsBeyondTheLastByte) {
  EXPECT_FALSE(DecodeBase64("Zh=="));
  EXPECT_FALSE(DecodeBase64("Zm9="));
}

TEST(Base64Test, NamesTheOffset) {
  const Result<std::string> bad = DecodeBase64("Zm9vZm!v");

  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message(), "base64 at offset 6: not a base64 character");
  EXPECT_EQ(bad.error().code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace falconer
