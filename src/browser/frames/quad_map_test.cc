#include "browser/frames/quad_map.h"

#include <gtest/gtest.h>

namespace falconer::browser {
namespace {

void ExpectNear(model::Point got, model::Point wanted) {
  EXPECT_NEAR(got.x, wanted.x, 1e-9);
  EXPECT_NEAR(got.y, wanted.y, 1e-9);
}

TEST(QuadMapTest, PutsTheCornersOnTheCorners) {
  const double corners[] = {10, 20, 90, 35, 80, 120, 5, 100};
  const auto map = QuadMap::Onto(corners);
  ASSERT_TRUE(map);
  ExpectNear(map->Apply(model::Point{0, 0}), {10, 20});
  ExpectNear(map->Apply(model::Point{1, 0}), {90, 35});
  ExpectNear(map->Apply(model::Point{1, 1}), {80, 120});
  ExpectNear(map->Apply(model::Point{0, 1}), {5, 100});
}

TEST(QuadMapTest, DividesAnUprightBoxEvenly) {
  const double corners[] = {100, 50, 300, 50, 300, 150, 100, 150};
  const auto map = QuadMap::Onto(corners);
  ASSERT_TRUE(map);
  ExpectNear(map->Apply(model::Point{0.5, 0.25}), {200, 75});
}

TEST(QuadMapTest, TheMiddleOfAPerspectiveIsWhereTheDiagonalsCross) {
  // A square that leans back: its upper edge is half as long.
  const double corners[] = {25, 0, 75, 0, 100, 60, 0, 60};
  const auto map = QuadMap::Onto(corners);
  ASSERT_TRUE(map);
  ExpectNear(map->Apply(model::Point{0.5, 0.5}), {50, 20});
}

TEST(QuadMapTest, OneMapAfterTheOther) {
  const double inner[] = {10, 10, 30, 10, 30, 20, 10, 20};
  const double outer[] = {200, 100, 600, 100, 600, 300, 200, 300};
  const auto first = QuadMap::Onto(inner);
  const auto second = QuadMap::Onto(outer);
  ASSERT_TRUE(first && second);
  const QuadMap both = first->Then(QuadMap::ToShares(100, 50)).Then(*second);
  ExpectNear(both.Apply(model::Point{0, 0}), {240, 140});
  ExpectNear(both.Apply(model::Point{1, 1}), {320, 180});
}

TEST(QuadMapTest, ATurnedAreaIsHeldByAnUprightRectangle) {
  // Turned by a quarter, clockwise.
  const double corners[] = {100, 0, 100, 200, 0, 200, 0, 0};
  const auto map = QuadMap::Onto(corners);
  ASSERT_TRUE(map);
  const model::Rect held = map->Apply(model::Rect{0, 0, 0.5, 1});
  EXPECT_EQ(held, (model::Rect{0, 0, 100, 100}));
}

TEST(QuadMapTest, WhatHasNoAreaCannotBeMapped) {
  const double flat[] = {0, 0, 100, 0, 100, 0, 0, 0};
  const double point[] = {5, 5, 5, 5, 5, 5, 5, 5};
  const double too_few[] = {0, 0, 1, 1};
  EXPECT_FALSE(QuadMap::Onto(flat));
  EXPECT_FALSE(QuadMap::Onto(point));
  EXPECT_FALSE(QuadMap::Onto(too_few));
}

}  // namespace
}  // namespace falconer::browser
