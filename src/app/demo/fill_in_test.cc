#include "app/demo/fill_in.h"

#include <gtest/gtest.h>

namespace falconer::app {
namespace {

TEST(FillInTest, PutsValuesIntoTheirPlaces) {
  EXPECT_EQ(FillIn("<b>{{a}}</b> {{b}}{{a}}", {{"a", "1"}, {"b", "2"}}), "<b>1</b> 21");
}

TEST(FillInTest, DoesNotFillInWhatWasFilledIn) {
  EXPECT_EQ(FillIn("{{a}}", {{"a", "{{b}}"}, {"b", "secret"}}), "{{b}}");
}

TEST(FillInTest, LeavesUnknownPlacesEmptyAndUnfinishedOnesAlone) {
  EXPECT_EQ(FillIn("x{{nobody}}y", {}), "xy");
  EXPECT_EQ(FillIn("x{{a", {{"a", "1"}}), "x{{a");
}

TEST(FillInTest, HtmlTextCannotLeaveItsPlace) {
  EXPECT_EQ(HtmlText("<a href='x'>\"&\"</a>"),
            "&lt;a href=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/a&gt;");
}

}  // namespace
}  // namespace falconer::app
