#include "predict/workflows/template_text.h"

#include <random>

#include <gtest/gtest.h>

namespace falconer::predict {
namespace {

using Kind = TemplatePart::Kind;

Result<std::string> WithA(std::string_view text, std::string value) {
  return Expand(TemplateOf(text), [&](const std::string& name) -> Result<std::string> {
    if (name != "a") return Fail(ErrorCode::kInvalidArgument, name);
    return value;
  });
}

TEST(TemplateTextTest, PutsValuesWhereNamesAre) {
  EXPECT_EQ(WithA("Take {a} out", "Huila"), "Take Huila out");
  EXPECT_EQ(WithA("{a}{a}", "x"), "xx");
  EXPECT_EQ(WithA("", "x"), "");
}

TEST(TemplateTextTest, BracesInValuesMeanNothing) {
  EXPECT_EQ(WithA("{a}", "{a} {{ {b}"), "{a} {{ {b}");
}

TEST(TemplateTextTest, BracesThatNameNothingAreBraces) {
  EXPECT_EQ(WithA("{ x } {A} {1} [0-9]{3} {", "x"), "{ x } {A} {1} [0-9]{3} {");
  EXPECT_EQ(WithA("{{a}", "x"), "{a}");
  EXPECT_EQ(WithA("{{{a}", "x"), "{x");
}

TEST(TemplateTextTest, AParameterThatIsNotThereFails) {
  EXPECT_EQ(WithA("{b}", "x").error().message(), "b");
}

TEST(TemplateTextTest, WhatIsWrittenReadsAsTheSameParts) {
  std::mt19937 random(7);
  const std::string letters = "{}ab{{}";
  for (int round = 0; round < 2000; ++round) {
    TemplateParts parts;
    for (std::size_t i = 0; i < random() % 4; ++i) {
      const bool is_literal =
          random() % 2 == 0 && (parts.empty() || parts.back().kind != Kind::kLiteral);
      TemplatePart part{.kind = is_literal ? Kind::kLiteral : Kind::kParameter, .text = "a"};
      if (is_literal) part.text.clear();
      for (std::size_t n = 0; is_literal && n < 1 + random() % 5; ++n)
        part.text += letters[random() % letters.size()];
      parts.push_back(part);
    }
    EXPECT_EQ(TemplateOf(TemplateText(parts)), parts) << TemplateText(parts);
  }
}

TEST(TemplateTextTest, KnowsNamesOfParametersAndWorkflows) {
  EXPECT_TRUE(IsParameterName("postcode_and_town"));
  for (const char* name : {"", "Name", "1st", "_x", "a-b"}) EXPECT_FALSE(IsParameterName(name));
  EXPECT_FALSE(IsParameterName(std::string(49, 'a')));
  EXPECT_TRUE(IsWorkflowName("buy-coffee.v2"));
  for (const char* name : {"", "-a", "A", "a b", "../a"}) EXPECT_FALSE(IsWorkflowName(name));
}

}  // namespace
}  // namespace falconer::predict
