#include "model/action/action_type.h"

#include <set>

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(ActionTypeTest, RowsFollowTheEnumeration) {
  int number = 0;
  for (const ActionTraits& row : AllActionTypes()) {
    EXPECT_EQ(static_cast<int>(row.type), number++) << row.name;
    EXPECT_EQ(&TraitsOf(row.type), &row);
  }
  EXPECT_EQ(number, static_cast<int>(ActionType::kSetViewport) + 1);
}

TEST(ActionTypeTest, FieldsFollowTheEnumeration) {
  int number = 0;
  std::set<std::string_view> names;
  for (const auto& [field, name] : AllActionFields()) {
    EXPECT_EQ(static_cast<int>(field), number++) << name;
    EXPECT_EQ(FieldName(field), name);
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(number, static_cast<int>(ActionField::kTimeout) + 1);
}

TEST(ActionTypeTest, NamesAndOlderNamesAreUnique) {
  std::set<std::string_view> names;
  for (const ActionTraits& row : AllActionTypes()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(ActionTypeNamed(row.name), row.type);
  }
  for (const auto& [type, alias] : ActionAliases()) {
    EXPECT_TRUE(names.insert(alias).second) << alias;
    EXPECT_EQ(ActionTypeNamed(alias), type);
  }
  EXPECT_FALSE(ActionTypeNamed(""));
  EXPECT_FALSE(ActionTypeNamed("Click"));
}

TEST(ActionTypeTest, EveryRowTakesTimeoutAndTab) {
  for (const ActionTraits& row : AllActionTypes()) {
    EXPECT_TRUE(row.allowed().ContainsAll({ActionField::kTimeout, ActionField::kTabId}))
        << row.name;
    EXPECT_TRUE(row.allowed().ContainsAll(row.required | row.any_of)) << row.name;
  }
}

TEST(ActionTypeTest, EveryFieldIsUsedBySomeRow) {
  ActionFieldSet used;
  for (const ActionTraits& row : AllActionTypes()) used = used | row.allowed();
  for (const auto& [field, name] : AllActionFields()) EXPECT_TRUE(used.Contains(field)) << name;
}

TEST(ActionTypeTest, WhatChangesTheWorldNeedsMoreThanReading) {
  for (const ActionTraits& row : AllActionTypes()) {
    if (row.mutating == Mutating::kYes) {
      EXPECT_NE(row.capability, Capability::kRead) << row.name;
      EXPECT_NE(row.capability, Capability::kNavigate) << row.name;
    }
    if (row.preview == Preview::kAlways) {
      EXPECT_EQ(row.mutating, Mutating::kYes) << row.name;
    }
  }
}

TEST(ActionTypeTest, FollowsTheAgreedClasses) {
  using enum ActionType;
  EXPECT_EQ(TraitsOf(kNavigate).mutating, Mutating::kNo);
  EXPECT_EQ(TraitsOf(kClick).mutating, Mutating::kMaybe);
  EXPECT_EQ(TraitsOf(kClick).preview, Preview::kIfFormSubmit);
  EXPECT_EQ(TraitsOf(kType).mutating, Mutating::kYes);
  EXPECT_EQ(TraitsOf(kType).preview, Preview::kIfSecretField);
  EXPECT_EQ(TraitsOf(kSubmit).preview, Preview::kAlways);
  EXPECT_EQ(TraitsOf(kPurchase).capability, Capability::kPurchase);
  EXPECT_EQ(TraitsOf(kScreenshot).preview, Preview::kNever);
  for (const ActionTraits& row : AllActionTypes()) {
    const bool is_heavy = row.type == kNavigate || row.type == kUpload ||
                          row.type == kDownloadTrigger || row.type == kCustomJsRestricted;
    EXPECT_EQ(row.work == WorkClass::kHeavy, is_heavy) << row.name;
  }
}

TEST(ActionTypeTest, SaysWhoNeedsATarget) {
  EXPECT_EQ(TraitsOf(ActionType::kClick).target_need(), TargetNeed::kRequired);
  EXPECT_EQ(TraitsOf(ActionType::kType).target_need(), TargetNeed::kOptional);
  EXPECT_EQ(TraitsOf(ActionType::kNavigate).target_need(), TargetNeed::kNone);
}

}  // namespace
}  // namespace falconer::model
