// What sites say to crawls, case by case.
#include "agent/crawl/robots_rules.h"

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

struct RobotsCase {
  const char* about;
  const char* file;
  const char* path;
  bool allows;
};

constexpr RobotsCase kRobotsCases[] = {
    {"nothing is said", "", "/a", true},
    {"everything is closed", "User-agent: *\nDisallow: /", "/a", false},
    {"a disallow without a path says nothing", "User-agent: *\nDisallow:", "/a", true},
    {"robots.txt itself is always open", "User-agent: *\nDisallow: /", "/robots.txt", true},
    {"a rule is the beginning of a path", "User-agent: *\nDisallow: /private", "/private/x", false},
    {"and of a longer name", "User-agent: *\nDisallow: /private", "/privateer", false},
    {"paths tell small from large", "User-agent: *\nDisallow: /Private", "/private", true},
    {"keys do not", "USER-AGENT: *\nDISALLOW: /a", "/a", false},
    {"the longest decides: allowed", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true},
    {"the longest decides: refused", "User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b/c", false},
    {"of two as long the kinder", "User-agent: *\nDisallow: /page\nAllow: /page", "/page", true},
    {"a star stands for anything", "User-agent: *\nDisallow: /*.gif", "/img/x.gif", false},
    {"also for nothing", "User-agent: *\nDisallow: /*.gif", "/.gif", false},
    {"without an end more may follow", "User-agent: *\nDisallow: /*.gif", "/x.gift", false},
    {"with an end nothing may", "User-agent: *\nDisallow: /*.gif$", "/x.gift", true},
    {"and exactly that is meant", "User-agent: *\nDisallow: /*.gif$", "/a/x.gif", false},
    {"an end that comes twice", "User-agent: *\nDisallow: /*a$", "/aba", false},
    {"only the root", "User-agent: *\nDisallow: /$", "/", false},
    {"only the root, not the rest", "User-agent: *\nDisallow: /$", "/x", true},
    {"many stars end", "User-agent: *\nDisallow: /*a*a*a*a*a*a*a*a*b",
     "/aaaaaaaaaaaaaaaaaaaaaaaaaaaac", true},
    {"queries belong to it", "User-agent: *\nDisallow: /*?page=", "/list?page=2", false},
    {"own group alone counts", "User-agent: *\nDisallow: /\n\nUser-agent: falconer\nDisallow: /x",
     "/a", true},
    {"own group in any case", "User-agent: FALCONER\nDisallow: /x", "/x", false},
    {"own group with a version", "User-agent: Falconer/1.0\nDisallow: /x", "/x", false},
    {"a longer name is another's", "User-agent: falconer-news\nDisallow: /x", "/x", true},
    {"own groups are joined",
     "User-agent: falconer\nDisallow: /a\nUser-agent: b\nDisallow: /\nUser-agent: "
     "falconer\nDisallow: /c",
     "/c", false},
    {"several names for one group",
     "User-agent: a\nUser-agent: falconer\nUser-agent: c\nDisallow: /x", "/x", false},
    {"a rule before any name is nobody's", "Disallow: /\nUser-agent: *\nAllow: /", "/x", true},
    {"other lines do not end a group",
     "User-agent: falconer\nSitemap: https://a/s.xml\nDisallow: /x", "/x", false},
    {"comments", "User-agent: * # all\nDisallow: /x # not this\n# Disallow: /y", "/y", true},
    {"comments after a rule", "User-agent: *\nDisallow: /x # not this", "/x", false},
    {"line ends of every kind", "User-agent: *\r\nDisallow: /a\rDisallow: /b\n", "/b", false},
    {"a mark at the front", "\xEF\xBB\xBFUser-agent: *\nDisallow: /x", "/x", false},
    {"spaces around", "  User-agent :  *  \n  Disallow  :   /x  ", "/x", false},
    {"escapes mean what they stand for", "User-agent: *\nDisallow: /%7Ejoe", "/~joe", false},
    {"escapes in any case", "User-agent: *\nDisallow: /a%3cd", "/a%3Cd", false},
    {"what must be escaped stays", "User-agent: *\nDisallow: /a/b", "/a%2Fb", true},
    {"letters of all scripts", "User-agent: *\nDisallow: /\xE3\x83\x84", "/%E3%83%84", false},
    {"lines that say nothing", "User-agent: *\nnonsense\n:\nDisallow: /x", "/x", false},
    {"markup is no rule", "<html><body>Not found</body></html>", "/x", true},
};

TEST(RobotsRulesTest, SaysWhatTheFileSays) {
  for (const RobotsCase& one : kRobotsCases)
    EXPECT_EQ(RobotsRules::Parse(one.file, "Falconer").Allows(one.path), one.allows) << one.about;
}

TEST(RobotsRulesTest, TellsDelayAndSitemaps) {
  const auto rules = RobotsRules::Parse(
      "Sitemap: https://a.test/1.xml\nUser-agent: *\nCrawl-delay: 1.5\nDisallow: /x\n"
      "sitemap:https://a.test/2.xml",
      "falconer");

  EXPECT_EQ(rules.crawl_delay(), std::chrono::milliseconds(1500));
  EXPECT_EQ(rules.sitemaps(),
            (std::vector<std::string>{"https://a.test/1.xml", "https://a.test/2.xml"}));
}

TEST(RobotsRulesTest, HeedsNoDelayThatIsNone) {
  for (const char* text : {"soon", "-1", "", "nan", "inf"}) {
    const auto rules =
        RobotsRules::Parse(std::string("User-agent: *\nCrawl-delay: ") + text, "falconer");
    EXPECT_EQ(rules.crawl_delay(), std::nullopt) << text;
  }
}

TEST(RobotsRulesTest, ReadsNoMoreThanItsLimit) {
  const std::string filler(kMostRobotsBytes, '#');
  EXPECT_TRUE(RobotsRules::Parse(filler + "\nUser-agent: *\nDisallow: /", "falconer").Allows("/x"));
  EXPECT_FALSE(RobotsRules::DisallowAll().Allows("/x"));
  EXPECT_TRUE(RobotsRules::AllowAll().Allows("/x"));
}

}  // namespace
}  // namespace falconer::agent
