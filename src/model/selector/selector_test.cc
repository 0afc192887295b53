#include "model/selector/selector.h"

#include <random>

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

struct GoodCase {
  std::string_view text;
  std::string_view canonical;
  std::string_view json;  // of the element steps
};

constexpr GoodCase kGoodSelectors[] = {
    {"#save", "css=#save", R"([{"engine":"css","body":"#save"}])"},
    {"  div > a  ", "css=div > a", R"([{"engine":"css","body":"div > a"}])"},
    {"css=a[href=\"x >> y\"]", "css=a[href=\"x >> y\"]",
     R"([{"engine":"css","body":"a[href=\"x >> y\"]"}])"},
    {"a:not(.b >> c)", "css=a:not(.b >> c)", R"x([{"engine":"css","body":"a:not(.b >> c)"}])x"},
    {R"(css=a\ )", R"(css=a\ )", R"([{"engine":"css","body":"a\\ "}])"},
    {R"(.a\:b)", R"(css=.a\:b)", R"([{"engine":"css","body":".a\\:b"}])"},
    {"//li[2]", "xpath=//li[2]", R"([{"engine":"xpath","body":"//li[2]"}])"},
    {"(//a)[1]", "xpath=(//a)[1]", R"([{"engine":"xpath","body":"(//a)[1]"}])"},
    {"..", "xpath=..", R"([{"engine":"xpath","body":".."}])"},
    {R"(xpath=//a[.='\'])", R"(xpath=//a[.='\'])", R"([{"engine":"xpath","body":"//a[.='\\']"}])"},
    {"\"Sign in\"", "text=\"Sign in\"", R"([{"engine":"text","body":"Sign in","mode":"exact"}])"},
    {"text=Save", "text=Save", R"([{"engine":"text","body":"Save","mode":"substring"}])"},
    {"text=Don't stop", "text=Don't stop",
     R"([{"engine":"text","body":"Don't stop","mode":"substring"}])"},
    {"text=a>>b", "text=\"a>>b\"i", R"([{"engine":"text","body":"a>>b","mode":"substring"}])"},
    {"text=(x", "text=\"(x\"i", R"([{"engine":"text","body":"(x","mode":"substring"}])"},
    {R"(text="a \"b\" \\ \n")", R"(text="a \"b\" \\ \\n")",
     R"([{"engine":"text","body":"a \"b\" \\ \\n","mode":"exact"}])"},
    {"text='Don\\'t'", "text=\"Don't\"", R"([{"engine":"text","body":"Don't","mode":"exact"}])"},
    {"text=\"a >> b\"i", "text=\"a >> b\"i",
     R"([{"engine":"text","body":"a >> b","mode":"substring"}])"},
    {R"(text=/^a[/]b\/c$/im)", R"(text=/^a[/]b\/c$/im)",
     R"([{"engine":"text","body":"^a[/]b\\/c$","mode":"regex","flags":"im"}])"},
    {"text=/a >> b/", "text=/a >> b/", R"([{"engine":"text","body":"a >> b","mode":"regex"}])"},
    {"label=Email", "label=Email", R"([{"engine":"label","body":"Email","mode":"substring"}])"},
    {"placeholder=\"Name\"", "placeholder=\"Name\"",
     R"([{"engine":"placeholder","body":"Name","mode":"exact"}])"},
    {"alt=logo", "alt=logo", R"([{"engine":"alt","body":"logo","mode":"substring"}])"},
    {"title=/x/", "title=/x/", R"([{"engine":"title","body":"x","mode":"regex"}])"},
    {"testid=save-1", "testid=save-1", R"([{"engine":"testid","body":"save-1"}])"},
    {"testid=\" x\"", "testid=\" x\"", R"([{"engine":"testid","body":" x"}])"},
    {"id=a/b", "id=a/b", R"([{"engine":"id","body":"a/b"}])"},
    {"id='/a'", "id=\"/a\"", R"([{"engine":"id","body":"/a"}])"},
    {"role=button", "role=button", R"([{"engine":"role","role":"button"}])"},
    {R"(role=button[name="Save"])", R"(role=button[name="Save"])",
     R"([{"engine":"role","role":"button","name":"Save","mode":"exact"}])"},
    {R"(role=button[ name *= 'Sav' ])", R"(role=button[name*="Sav"])",
     R"([{"engine":"role","role":"button","name":"Sav","mode":"substring"}])"},
    {R"(role=link[name=/a\]b/i])", R"(role=link[name=/a\]b/i])",
     R"([{"engine":"role","role":"link","name":"a\\]b","mode":"regex","flags":"i"}])"},
    {R"(role=img[name=""])", R"(role=img[name=""])",
     R"([{"engine":"role","role":"img","name":"","mode":"exact"}])"},
    {"role=checkbox[checked=mixed][disabled=false][include-hidden]",
     "role=checkbox[checked=mixed][disabled=false][include-hidden]",
     R"([{"engine":"role","role":"checkbox","checked":"mixed","disabled":false,"includeHidden":true}])"},
    {"role=button[expanded][pressed=true][selected=false]",
     "role=button[pressed=true][selected=false][expanded=true]",
     R"([{"engine":"role","role":"button","pressed":true,"selected":false,"expanded":true}])"},
    {"role=heading[level=2]", "role=heading[level=2]",
     R"([{"engine":"role","role":"heading","level":2}])"},
    {"li >> nth=-1", "css=li >> nth=-1",
     R"([{"engine":"css","body":"li"},{"engine":"nth","index":-1}])"},
    {"li >> visible=true >> has-text=\"x\"", "css=li >> visible=true >> has-text=\"x\"",
     R"([{"engine":"css","body":"li"},{"engine":"visible","value":true},{"engine":"has-text","body":"x","mode":"exact"}])"},
    {"li >> has=(role=link >> text=Go (now)) >> has-not=(.x)",
     "css=li >> has=(role=link >> text=\"Go (now)\"i) >> has-not=(css=.x)",
     R"x([{"engine":"css","body":"li"},{"engine":"has","steps":[{"engine":"role","role":"link"},{"engine":"text","body":"Go (now)","mode":"substring"}]},{"engine":"has-not","steps":[{"engine":"css","body":".x"}]}])x"},
    {"li >> has=((//a)[1])", "css=li >> has=(xpath=(//a)[1])",
     R"([{"engine":"css","body":"li"},{"engine":"has","steps":[{"engine":"xpath","body":"(//a)[1]"}]}])"},
    {"frame=#a >> frame=(role=main >> iframe >> nth=0) >> b",
     "frame=#a >> frame=(role=main >> css=iframe >> nth=0) >> css=b",
     R"([{"engine":"css","body":"b"}])"},
};

TEST(SelectorTest, ParsesToStepsAndBackToCanonicalText) {
  for (const GoodCase& row : kGoodSelectors) {
    const auto selector = ParseSelector(row.text);
    ASSERT_TRUE(selector) << row.text << ": " << Describe(selector.error());
    EXPECT_EQ(selector->ToString(), row.canonical) << row.text;
    EXPECT_EQ(json::value(FramePathOf(*selector).element.ToJson()), *ParseJson(row.json))
        << row.text << " gave " << json::serialize(FramePathOf(*selector).element.ToJson());
  }
}

TEST(SelectorTest, CanonicalTextIsAFixedPoint) {
  for (const GoodCase& row : kGoodSelectors) {
    const auto first = ParseSelector(row.text);
    const auto again = ParseSelector(row.canonical);
    ASSERT_TRUE(first && again) << row.text;
    EXPECT_EQ(*first, *again) << row.text;
    EXPECT_EQ(again->ToString(), row.canonical);
  }
}

struct BadSelector {
  std::string_view text;
  int position;
  std::string_view why;
};

constexpr BadSelector kBadSelectors[] = {
    {"", 0, "a step is missing"},
    {"   ", 3, "a step is missing"},
    {">> a", 0, "a step is missing"},
    {"a >> ", 5, "a step is missing"},
    {"a >> >> b", 5, "a step is missing"},
    {"a>>b", 1, "with spaces"},
    {"foo=bar", 0, "no such engine"},
    {"css=", 4, "needs a body"},
    {"a[b", 3, "']' is missing"},
    {"a:not(b", 7, "')' is missing"},
    {"a)", 1, "was not opened"},
    {"a[b)", 3, "was not opened"},
    {"a[b=\"c]", 4, "quote is not closed"},
    {"a\\", 1, "nothing follows"},
    {"text=", 5, "text is empty"},
    {"text=\"\"", 7, "text is empty"},
    {"text=\" \"", 8, "text is empty"},
    {"text=\"a", 5, "quote is not closed"},
    {"\"a\"b", 3, "expected ' >> '"},
    {"'it''s'i", 4, "expected ' >> '"},
    {"text=/a", 5, "not closed"},
    {"text=//", 5, "is empty"},
    {"text=/a/g", 8, "takes the flags"},
    {"text=/a/ii", 9, "takes the flags"},
    {"text=/path/to", 11, "takes the flags"},
    {"id=", 3, "value is empty"},
    {"role=", 5, "needs the name of a role"},
    {"role=Button", 11, "lower case"},
    {"role=button[", 12, "no such attribute"},
    {"role=button[foo=1]", 12, "no such attribute"},
    {"role=button[name]", 16, "expected '='"},
    {"role=button[name=Save]", 17, "in quotes"},
    {"role=button[name*=\"\"]", 20, "name is empty"},
    {"role=button[name=\"a\"", 20, "expected ']'"},
    {"role=button[name=\"a\"][name=\"b\"]", 26, "given twice"},
    {"role=button[expanded][expanded=false]", 30, "given twice"},
    {"role=button[checked=maybe]", 25, "true, false or mixed"},
    {"role=button[expanded=mixed]", 26, "true or false"},
    {"role=heading[level=0]", 20, "from 1 up"},
    {"role=heading[level]", 18, "from 1 up"},
    {"role=button x", 12, "expected ' >> '"},
    {"nth=0", 0, "filters what a step before it found"},
    {"frame=a >> nth=0", 11, "filters what"},
    {"li >> nth=x", 10, "whole number"},
    {"li >> nth=99999999999", 10, "whole number"},
    {"li >> visible=yes", 17, "true or false"},
    {"li >> has=a", 10, "in parentheses"},
    {"li >> has=()", 11, "a step is missing"},
    {"li >> has=(a", 10, "not closed"},
    {"li >> has=(nth=1)", 11, "filters what"},
    {"li >> has=(frame=a >> b)", 11, "only at the front"},
    {"li >> frame=a >> b", 6, "only at the front"},
    {"frame=a", 7, "no element in it"},
    {"frame=", 6, "needs a body"},
    {"a >> has=(b >> has=(c >> has=(d >> has=(e >> has=(f)))))", 49, "nested too deeply"},
};

TEST(SelectorTest, NamesWhatIsWrongAndWhere) {
  for (const BadSelector& row : kBadSelectors) {
    const auto selector = ParseSelector(row.text);
    ASSERT_FALSE(selector) << row.text << " parsed to " << selector->ToString();
    EXPECT_EQ(selector.error().code(), ErrorCode::kInvalidSelector);
    EXPECT_TRUE(selector.error().message().contains(row.why))
        << row.text << ": " << selector.error().message();
    EXPECT_EQ(selector.error().details().at("position").to_number<int>(), row.position)
        << row.text << ": " << selector.error().message();
  }
}

TEST(SelectorTest, RefusesTextThatIsNotPlain) {
  EXPECT_FALSE(ParseSelector("a\xff"));
  EXPECT_FALSE(ParseSelector(std::string_view("a\0b", 3)));
  EXPECT_FALSE(ParseSelector(std::string(5000, 'a')));
}

TEST(SelectorTest, SplitsFramesFromTheElement) {
  const auto selector = ParseSelector("frame=#a >> frame=(//iframe) >> form >> text=Pay");
  ASSERT_TRUE(selector);

  const FramePath path = FramePathOf(*selector);

  ASSERT_EQ(path.frames.size(), 2U);
  EXPECT_EQ(path.frames[0].ToString(), "css=#a");
  EXPECT_EQ(path.frames[1].ToString(), "xpath=//iframe");
  EXPECT_EQ(path.element.ToString(), "css=form >> text=Pay");
}

TEST(SelectorTest, RefusesWhatMeansEverything) {
  for (const char* broad : {"*",
                            " * ",
                            "body *",
                            "html *",
                            "body>*",
                            "html > *",
                            "body  >  *",
                            ":root *",
                            "BODY *",
                            "html body *",
                            "* *",
                            "*|*",
                            "body/**/ *",
                            "a, *",
                            "body *, .x",
                            "css=body >> css=*",
                            "body >> *",
                            "* >> nth=0",
                            "* >> has-text=Save",
                            "//*",
                            "//body//*",
                            "xpath=/html/body/*",
                            "xpath=/html//descendant::*",
                            "xpath=//node()",
                            "frame=#a >> *",
                            "* >> *"}) {
    const auto selector = ParseSelector(broad);
    ASSERT_TRUE(selector) << broad;
    const auto checked = CheckNotBroad(*selector);
    ASSERT_FALSE(checked) << broad;
    EXPECT_EQ(checked.error().code(), ErrorCode::kInvalidSelector);
  }
}

TEST(SelectorTest, AllowsWhatNamesSomething) {
  for (const char* fine :
       {"body", "html", "body > div", "body *.x", "div *", "*[data-x]", "*:checked", "body >> .x",
        "* >> button", "//a", "//body//a", "//*[@id='x']", "role=list >> *", "a[title=\"b,*,c\"]",
        "a:is(b, *)", "[a='/*'] b", "text=*", "frame=body >> .x"}) {
    const auto selector = ParseSelector(fine);
    ASSERT_TRUE(selector) << fine << ": " << Describe(selector.error());
    EXPECT_TRUE(CheckNotBroad(*selector)) << fine;
  }
}

TEST(SelectorTest, EveryEngineHasAName) {
  for (int i = 0; i <= static_cast<int>(Engine::kFrame); ++i) {
    EXPECT_FALSE(EngineName(static_cast<Engine>(i)).empty());
  }
  EXPECT_EQ(EngineName(Engine::kFrame), "frame");
  EXPECT_EQ(EngineName(Engine::kHasNot), "has-not");
  EXPECT_TRUE(IsFilter(Engine::kNth) && IsFilter(Engine::kHasNot) && IsFilter(Engine::kHasText));
  EXPECT_FALSE(IsFilter(Engine::kFrame) || IsFilter(Engine::kText));
}

// Whatever is thrown at the parser: no crash, and what it accepts survives the way there and back.
void ExpectStable(const std::string& text) {
  const auto selector = ParseSelector(text);
  if (!selector) return;
  const std::string canonical = selector->ToString();
  const auto again = ParseSelector(canonical);
  ASSERT_TRUE(again) << text << " became " << canonical << ": " << Describe(again.error());
  EXPECT_EQ(*selector, *again) << text << " became " << canonical;
  EXPECT_EQ(again->ToString(), canonical);
  EXPECT_TRUE(ParseJson(json::serialize(selector->ToJson()))) << text;
  std::ignore = CheckNotBroad(*selector);
}

TEST(SelectorFuzzTest, RandomPiecesNeverBreakTheParser) {
  constexpr std::string_view kPieces[] = {
      "css=",     "xpath=", "text=",     "role=",     "label=",  "id=",    "testid=", "nth=",
      "visible=", "has=(",  "has-not=(", "has-text=", "frame=",  "(",      ")",       "[",
      "]",        "\"",     "'",         "/",         "\\",      " >> ",   ">>",      " ",
      "a",        "button", "name",      "=",         "*",       "true",   "mixed",   "-1",
      "//",       "..",     ",",         "ä",         "i",       "name*=", "level=2", "#x",
      ".y",       ">",      "\n",        "checked",   "frame=(", "/*",     "*/"};
  std::mt19937 random(20240607);
  std::uniform_int_distribution<std::size_t> piece(0, std::size(kPieces) - 1);
  std::uniform_int_distribution<int> length(1, 14);
  for (int round = 0; round < 30'000; ++round) {
    std::string text;
    for (int i = length(random); i > 0; --i) text += kPieces[piece(random)];
    ExpectStable(text);
  }
}

TEST(SelectorFuzzTest, RandomBytesNeverBreakTheParser) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> byte(0, 255);
  std::uniform_int_distribution<int> length(0, 300);
  for (int round = 0; round < 10'000; ++round) {
    std::string text;
    for (int i = length(random); i > 0; --i) text += static_cast<char>(byte(random));
    ExpectStable(text);
  }
}

TEST(SelectorFuzzTest, DamagedSelectorsNeverBreakTheParser) {
  std::mt19937 random(99);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(kGoodSelectors[random() % std::size(kGoodSelectors)].text);
    for (auto edits = random() % 4; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text.erase(at, 1);
      } else {
        text.insert(at, 1, static_cast<char>(32 + random() % 95));
      }
    }
    ExpectStable(text);
  }
}

}  // namespace
}  // namespace falconer::model
