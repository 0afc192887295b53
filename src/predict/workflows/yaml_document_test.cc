#include "predict/workflows/yaml_document.h"

#include <random>

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace falconer::predict {
namespace {

std::string YamlComplaint(std::string_view text) {
  const auto document = ParseYamlDocument(text);
  EXPECT_FALSE(document) << text;
  return document ? "" : document.error().message();
}

TEST(YamlDocumentTest, ReadsWordsNumbersAndTexts) {
  const auto document =
      ParseYamlDocument("a: 1\nb: \"1\"\nc: [true, x y, 0.5, null]\nd: {e: ~x}\n");
  ASSERT_TRUE(document) << document.error().message();
  EXPECT_EQ(document->value,
            ParseJson(R"({"a":1,"b":"1","c":[true,"x y",0.5,null],"d":{"e":"~x"}})"));
}

TEST(YamlDocumentTest, KnowsTheLineOfEachPart) {
  const auto document =
      ParseYamlDocument("a: 1\nsteps:\n  - id: x\n    b:\n      - 1\n      - 2\n");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->LineOf("steps[0].id"), 3);
  EXPECT_EQ(document->LineOf("steps[0].b[1]"), 6);
  EXPECT_EQ(document->LineOf("steps[0].b[1].nothing[3]"), 6);
  EXPECT_EQ(document->LineOf("nothing"), 1);
}

TEST(YamlDocumentTest, RefusesWhatADocumentOfPeopleDoesNotNeed) {
  EXPECT_EQ(YamlComplaint("a: &x 1\nb: 2\n"), "line 1, column 4: anchors are not allowed");
  EXPECT_TRUE(YamlComplaint("a: &x 1\nb: *x\n").contains("anchors"));
  EXPECT_TRUE(YamlComplaint("a: !!binary aGk=\n").contains("tags are not allowed"));
  EXPECT_TRUE(YamlComplaint("a: 1\n---\nb: 2\n").contains("more than one document"));
  EXPECT_EQ(YamlComplaint("a: 1\na: 2\n"), "line 2, column 1: the key \"a\" is given twice");
  EXPECT_TRUE(YamlComplaint("? [a]\n: 1\n").contains("a key must be a word"));
  EXPECT_TRUE(YamlComplaint("a: [").starts_with("line "));
  EXPECT_TRUE(YamlComplaint("a: \xff").contains("UTF-8"));
  EXPECT_TRUE(YamlComplaint(std::string("a: \0", 4)).contains("zero byte"));
}

TEST(YamlDocumentTest, RefusesBombs) {
  std::string laughs = "a: &a [x, x]\n";
  for (char c = 'b'; c < 'z'; ++c) {
    const char before = static_cast<char>(c - 1);
    laughs += std::string(1, c) + ": &" + c + " [*" + before + ", *" + before + "]\n";
  }
  EXPECT_TRUE(YamlComplaint(laughs).contains("not allowed"));
  EXPECT_TRUE(YamlComplaint("a: " + std::string(200, '[')).contains("nested too deep"));

  std::string wide = "[";
  for (std::size_t i = 0; i <= kMaxYamlNodes; ++i) wide += "1,";
  EXPECT_TRUE(YamlComplaint(wide + "1]").contains("too large"));
  EXPECT_TRUE(YamlComplaint(std::string(kMaxYamlBytes + 1, 'x')).contains("too large"));
}

TEST(YamlTextTest, IsReadByPeople) {
  const auto value = ParseJson(
      R"({"name":"buy","empty":{},"list":[{"id":"a b","m":[1,2.5]},[],[[true]]],"text":"a: b"})");
  EXPECT_EQ(YamlText(*value), R"(name: buy
empty: {}
list:
  - id: a b
    m:
      - 1
      - 2.5
  - []
  - - - true
text: "a: b"
)");
}

// Whatever is written reads as the same.
json::value RandomYaml(std::mt19937& random, int depth) {
  const std::string_view letters = "ab1 -:#{}[]\"'\\\n\t&*!|>%@~,?.0eE+é保\u2028\x7f";
  const auto word = [&] {
    std::string out;
    for (std::size_t n = random() % 8; n > 0; --n) out += letters[random() % letters.size()];
    return IsValidUtf8(out) ? out : std::string("é保");
  };
  switch (random() % (depth > 3 ? 4 : 6)) {
    case 0:
      return static_cast<std::int64_t>(random());
    case 1:
      return static_cast<double>(random() % 100'000) / 8;
    case 2:
      return random() % 2 == 0 ? json::value(nullptr) : json::value(true);
    case 3:
      return json::value(word());
    case 4: {
      json::array out;
      for (std::size_t n = random() % 4; n > 0; --n) out.push_back(RandomYaml(random, depth + 1));
      return out;
    }
    default: {
      json::object out;
      for (std::size_t n = random() % 4; n > 0; --n) out[word()] = RandomYaml(random, depth + 1);
      return out;
    }
  }
}

TEST(YamlTextTest, ReadsAsTheSameValue) {
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    const json::value value = RandomYaml(random, 0);
    const std::string text = YamlText(value);
    const auto document = ParseYamlDocument(text);
    ASSERT_TRUE(document) << text << document.error().message();
    EXPECT_EQ(document->value, value) << text;
  }
}

TEST(YamlTextTest, WordsThatLookLikeSomethingElseAreQuoted) {
  for (const char* word :
       {"true", "No", "1", "1e3", "null", "~", "", " a", "a ", "- a", "a #b", "="}) {
    const std::string text = YamlText(json::value(word));
    EXPECT_EQ(text.front(), '"') << text;
    EXPECT_EQ(ParseYamlDocument(text)->value, json::value(word));
  }
}

}  // namespace
}  // namespace falconer::predict
