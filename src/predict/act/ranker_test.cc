#include "predict/act/ranker.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

#include <gtest/gtest.h>

namespace falconer::predict {
namespace {

constexpr std::string_view kCoffees[] = {"Yirgacheffe", "Huila",       "Nyeri AA", "House blend",
                                         "Sumatra",     "Night shift", "Dripper",  "Hand grinder"};

engine::SeenElement Seen(std::string ref, model::Fingerprint element) {
  return {.ref = std::move(ref), .fingerprint = std::move(element)};
}

// The shop's catalogue: for each coffee a link to it and a button that buys it.
std::vector<engine::SeenElement> Catalogue() {
  std::vector<engine::SeenElement> seen = {
      Seen("d1e1",
           {.role = "link", .name = "Cart 0", .text = "Cart 0", .tag = "a", .x = 0.8, .y = 0.02}),
      Seen("d1e2", {.role = "searchbox",
                    .name = "Search coffees",
                    .tag = "input",
                    .type = "search",
                    .label = "Search coffees",
                    .x = 0.5,
                    .y = 0.02}),
      Seen("d1e3", {.role = "button",
                    .name = "Search",
                    .text = "Search",
                    .tag = "button",
                    .type = "submit",
                    .x = 0.6,
                    .y = 0.02}),
  };
  int n = 4;
  for (const std::string_view coffee : kCoffees) {
    const double y = 0.1 * (n / 2);
    const std::string item = fmt::format("{} Ethiopia, washed 15.00 Add to cart", coffee);
    seen.push_back(Seen(fmt::format("d1e{}", n++), {.role = "link",
                                                    .name = std::string(coffee),
                                                    .text = std::string(coffee),
                                                    .tag = "a",
                                                    .landmark = "main",
                                                    .item = item,
                                                    .x = 0.2,
                                                    .y = y}));
    seen.push_back(Seen(fmt::format("d1e{}", n++), {.role = "button",
                                                    .name = "Add to cart",
                                                    .text = "Add to cart",
                                                    .tag = "button",
                                                    .type = "submit",
                                                    .landmark = "main",
                                                    .item = item,
                                                    .x = 0.7,
                                                    .y = y}));
  }
  return seen;
}

const model::Fingerprint& WithRef(const std::vector<engine::SeenElement>& seen,
                                  std::string_view ref) {
  return std::ranges::find(seen, ref, &engine::SeenElement::ref)->fingerprint;
}

std::string FirstOf(const Ranking& ranking) {
  return ranking.best.empty() ? "" : ranking.best.front().element.ref;
}

std::string Told(const Ranking& ranking) {
  std::string out = ranking.reason;
  for (const RankedElement& one : ranking.best)
    out += fmt::format("\n{} {:.3f} {} [{}]", one.element.ref, one.score,
                       one.element.fingerprint.name, one.element.fingerprint.item);
  return out;
}

TEST(RankerTest, WeightsSumUpToOne) {
  const RankWeights w;

  EXPECT_DOUBLE_EQ(w.text + w.role + w.stability + w.spatial + w.enabled + w.specificity, 1);
}

TEST(RankerTest, EveryElementOfAPageFindsItself) {
  const auto seen = Catalogue();
  for (const engine::SeenElement& wanted : seen) {
    const Ranking ranking = RankByFingerprint(wanted.fingerprint, seen);

    EXPECT_EQ(FirstOf(ranking), wanted.ref) << Told(ranking);
    EXPECT_TRUE(ranking.is_clear) << wanted.fingerprint.name << ": " << Told(ranking);
  }
}

TEST(RankerTest, OfNothingNothingIsMeant) {
  const Ranking ranking = RankByFingerprint({.role = "button", .name = "Add to cart"}, {});

  EXPECT_FALSE(ranking.is_clear);
  EXPECT_EQ(ranking.reason, "no_candidates");
  EXPECT_TRUE(ranking.best.empty());
}

TEST(RankerTest, AButtonIsNeverTakenForAField) {
  const Ranking ranking =
      RankByFingerprint({.role = "textbox", .name = "Add to cart"}, Catalogue());

  for (const RankedElement& one : ranking.best)
    EXPECT_NE(one.element.fingerprint.role, "button") << Told(ranking);
}

TEST(RankerTest, RefusesWhenTheTwoBestAreClose) {
  std::vector<engine::SeenElement> seen = {
      Seen("d1e1", {.role = "button", .name = "Add to cart", .tag = "button", .x = 0.5, .y = 0.4}),
      Seen("d1e2", {.role = "button", .name = "Add to cart", .tag = "button", .x = 0.5, .y = 0.5}),
  };

  const Ranking ranking = RankByFingerprint(seen[0].fingerprint, seen);

  EXPECT_FALSE(ranking.is_clear);
  EXPECT_TRUE(ranking.reason.starts_with("too_close_0.0")) << ranking.reason;
  EXPECT_EQ(FirstOf(ranking), "d1e1");
}

TEST(RankerTest, OfEqualsTheLesserRefComesFirst) {
  const model::Fingerprint twin{.role = "button", .name = "OK", .tag = "button"};

  const Ranking ranking =
      RankByFingerprint(twin, {Seen("d1e10", twin), Seen("d1e9", twin), Seen("d1e11", twin)});

  EXPECT_EQ(ranking.best[0].element.ref, "d1e9");
  EXPECT_EQ(ranking.best[1].element.ref, "d1e10");
  EXPECT_EQ(ranking.best[2].element.ref, "d1e11");
  EXPECT_EQ(ranking.reason, "too_close_0.00");
}

TEST(RankerTest, NothingMakesUpForAnotherName) {
  const model::Fingerprint wanted{.role = "button",
                                  .name = "Add to cart",
                                  .text = "Add to cart",
                                  .tag = "button",
                                  .item = "Huila 14.00",
                                  .x = 0.5,
                                  .y = 0.5};
  model::Fingerprint other = wanted;
  other.name = other.text = "Remove from cart";

  const Ranking ranking = RankByFingerprint(wanted, {Seen("d1e1", other)});

  EXPECT_FALSE(ranking.is_clear) << Told(ranking);
  EXPECT_TRUE(ranking.reason.starts_with("too_weak_")) << ranking.reason;
}

TEST(RankerTest, AnAuthorsOwnNameMakesUpForANewText) {
  const model::Fingerprint wanted{.role = "button",
                                  .name = "Buy",
                                  .text = "Buy",
                                  .tag = "button",
                                  .attributes = {{"testid", "buy"}},
                                  .x = 0.5,
                                  .y = 0.5};
  model::Fingerprint renamed = wanted;
  renamed.name = renamed.text = "Order";

  const Ranking ranking = RankByFingerprint(wanted, {Seen("d1e1", renamed)});

  EXPECT_FALSE(ranking.reason.starts_with("too_weak")) << Told(ranking);
}

TEST(RankerTest, GivesAtMostSoMany) {
  const Ranking ranking =
      RankByFingerprint({.role = "button", .name = "Add to cart"}, Catalogue(), {.most = 3});

  EXPECT_EQ(ranking.best.size(), 3U);
}

TEST(RankerTest, TheOrderInWhichElementsWereSeenDoesNotMatter) {
  auto seen = Catalogue();
  const model::Fingerprint wanted = WithRef(seen, "d1e7");
  const Ranking first = RankByFingerprint(wanted, seen);
  std::mt19937 random(7);
  for (int i = 0; i < 20; ++i) {
    std::ranges::shuffle(seen, random);

    EXPECT_EQ(Told(RankByFingerprint(wanted, seen)), Told(first));
  }
}

// What a deploy does to a page: ids change, things move, wrappers come and go, texts get longer.
class Deploy {
 public:
  explicit Deploy(std::mt19937::result_type seed) : random_(seed), marks_(random_()) {}

  model::Fingerprint Of(model::Fingerprint element) {
    std::uniform_real_distribution<double> shift(-0.1, 0.1);
    element.attributes["id"] = fmt::format("c{}", random_());
    element.x = std::clamp(element.x + shift(random_), 0.0, 1.0);
    element.y = std::clamp(element.y + shift(random_), 0.0, 1.0);
    if (Does(0)) element.tag = "div";
    if (Does(1)) element.landmark = "region \"Goods\"";
    if (Does(2) && !element.item.empty()) element.item += " New In stock";
    if (Does(3)) element.before = "Fresh this week";
    if (Does(4) && element.role == "link" && random_() % 2 == 0) element.name += " (new)";
    return element;
  }

 private:
  bool Does(unsigned what) const { return (marks_ >> what & 1U) != 0; }

  std::mt19937 random_;
  std::mt19937::result_type marks_;
};

TEST(RankerTest, FindsItsElementAfterADeployOrRefuses) {
  std::mt19937 random(42);
  int clear = 0;
  int wrong = 0;
  constexpr int kDeploys = 100;
  const auto before = Catalogue();
  for (int i = 0; i < kDeploys; ++i) {
    std::vector<engine::SeenElement> after;
    Deploy deploy(random());
    for (const engine::SeenElement& one : before)
      after.push_back(Seen(one.ref, deploy.Of(one.fingerprint)));
    std::ranges::shuffle(after, random);
    for (const engine::SeenElement& wanted : before) {
      const Ranking ranking = RankByFingerprint(wanted.fingerprint, after);
      if (!ranking.is_clear) continue;
      ++clear;
      if (FirstOf(ranking) != wanted.ref) ++wrong;
    }
  }
  const auto all = static_cast<double>(kDeploys) * static_cast<double>(before.size());

  EXPECT_EQ(wrong, 0);
  EXPECT_GT(clear / all, 0.8);
}

TEST(RankerTest, DoesNotTakeANeighbourForWhatIsGone) {
  std::mt19937 random(43);
  const auto before = Catalogue();
  for (const engine::SeenElement& wanted : before) {
    std::vector<engine::SeenElement> after;
    Deploy deploy(random());
    for (const engine::SeenElement& one : before) {
      if (one.ref != wanted.ref) after.push_back(Seen(one.ref, deploy.Of(one.fingerprint)));
    }

    const Ranking ranking = RankByFingerprint(wanted.fingerprint, after);

    EXPECT_FALSE(ranking.is_clear)
        << wanted.fingerprint.name << " " << wanted.fingerprint.item << "\n"
        << Told(ranking);
  }
}

struct WordsRow {
  std::string_view words;
  std::vector<std::string> roles;
  std::string_view name;
  std::string_view item;  // a part of it
};

TEST(RankerTest, FindsWhatWordsMean) {
  const WordsRow rows[] = {
      {"the cart", {"link", "button"}, "Cart 0", ""},
      {"Sumatra", {"link", "button"}, "Sumatra", ""},
      {"add the Huila to the cart", {"button", "link"}, "Add to cart", "Huila"},
      {"search coffees field", {"searchbox", "textbox"}, "Search coffees", ""},
      {"search button", {"button", "link"}, "Search", ""},
      {"add the first coffee to the cart", {"button"}, "Add to cart", "Yirgacheffe"},
      {"the third add to cart button", {"button"}, "Add to cart", "Nyeri"},
      {"the last add to cart button", {"button"}, "Add to cart", "Hand grinder"},
  };
  const auto seen = Catalogue();
  for (const WordsRow& row : rows) {
    const Ranking ranking = RankByWords(row.words, row.roles, seen);

    EXPECT_TRUE(ranking.is_clear) << row.words << ": " << Told(ranking);
    if (ranking.best.empty()) continue;
    EXPECT_EQ(ranking.best[0].element.fingerprint.name, row.name) << row.words << Told(ranking);
    EXPECT_TRUE(ranking.best[0].element.fingerprint.item.contains(row.item)) << Told(ranking);
  }
}

TEST(RankerTest, RefusesWordsThatMeanSeveral) {
  const Ranking ranking = RankByWords("add to cart", {"button"}, Catalogue());

  EXPECT_FALSE(ranking.is_clear);
  EXPECT_EQ(ranking.best.size(), 5U);
  EXPECT_TRUE(ranking.reason.starts_with("too_close_")) << ranking.reason;
}

TEST(RankerTest, ThereIsNoFifthOfTwo) {
  const model::Fingerprint twin{.role = "button", .name = "Add", .tag = "button"};

  EXPECT_EQ(
      RankByWords("the fifth add", {"button"}, {Seen("d1e1", twin), Seen("d1e2", twin)}).reason,
      "no_candidates");
}

TEST(RankerTest, WordsOfAnotherThingFindNothing) {
  EXPECT_EQ(RankByWords("delete my account", {"button", "link"}, Catalogue()).reason,
            "no_candidates");
}

}  // namespace
}  // namespace falconer::predict
