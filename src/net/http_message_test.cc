#include "net/http_message.h"

#include <gtest/gtest.h>

namespace falconer::net {
namespace {

TEST(HttpHeadersTest, FindsNamesWhateverTheirCase) {
  HttpHeaders headers{{"Content-Type", "text/html"}};

  EXPECT_EQ(headers.Find("content-type"), "text/html");
  EXPECT_FALSE(headers.Has("Content"));
}

TEST(HttpHeadersTest, SetReplacesAndAddKeeps) {
  HttpHeaders headers;
  headers.Add("Set-Cookie", "a=1");
  headers.Add("set-cookie", "b=2");
  EXPECT_EQ(headers.size(), 2U);

  headers.Set("SET-COOKIE", "c=3");
  EXPECT_EQ(headers.size(), 1U);
  EXPECT_EQ(headers.Find("Set-Cookie"), "c=3");
}

struct QueryCase {
  std::string_view query;
  std::string_view key;
  std::optional<std::string> value;
};

TEST(QueryValueTest, DecodesTheFirstValue) {
  const QueryCase cases[] = {
      {"", "a", std::nullopt},
      {"a=1", "a", "1"},
      {"a=1&a=2", "a", "1"},
      {"b=2&a=1", "a", "1"},
      {"a", "a", ""},
      {"a=", "a", ""},
      {"ab=1", "a", std::nullopt},
      {"a=x%20y+z", "a", "x y z"},
      {"a%62=1", "ab", "1"},
      {"a=1=2", "a", "1=2"},
      {"&&a=1&", "a", "1"},
      {"a=%zz", "a", "%zz"},
      {"to=%2Fx%3Fy", "to", "/x?y"},
  };
  for (const auto& c : cases) EXPECT_EQ(QueryValue(c.query, c.key), c.value) << c.query;
}

TEST(ParseRequestTargetTest, SplitsPathAndQuery) {
  struct Case {
    std::string_view target;
    std::string_view path;
    std::string_view query;
  };
  const Case cases[] = {
      {"/", "/", ""},
      {"/a%20b?x=%20", "/a b", "x=%20"},
      {"/a?b?c", "/a", "b?c"},
      {"/a?q={\"x\":1}|^", "/a", "q={\"x\":1}|^"},
      {"http://host:1/a?b", "/a", "b"},
      {"http://host", "/", ""},
      {"*", "*", ""},
  };
  for (const auto& c : cases) {
    const auto parsed = ParseRequestTarget(c.target);
    ASSERT_TRUE(parsed) << c.target;
    EXPECT_EQ(parsed->path, c.path) << c.target;
    EXPECT_EQ(parsed->query, c.query) << c.target;
  }
}

TEST(ParseRequestTargetTest, RefusesWhatIsNoPath) {
  for (const std::string_view target :
       {"", "a", "host:80", "/%", "/%g0", "/%00", "/a%0d%0ab", "ftp://host/a"}) {
    const auto parsed = ParseRequestTarget(target);
    ASSERT_FALSE(parsed) << target;
    EXPECT_EQ(parsed.error().code(), ErrorCode::kInvalidArgument) << target;
  }
}

}  // namespace
}  // namespace falconer::net
