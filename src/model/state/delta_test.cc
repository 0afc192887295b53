#include "model/state/delta.h"

#include <gtest/gtest.h>

#include "model/state/state_fields.h"
#include "tests/support/random_state.h"

namespace falconer::model {
namespace {

ElementState Button(std::string ref, std::string name) {
  return {.ref = std::move(ref), .role = "button", .name = std::move(name)};
}

StructuredState Base() {
  StructuredState state;
  state.tab_id = "t1";
  state.url = "https://example.com/";
  state.revision = 1;
  state.elements = {Button("d1e1", "One"), Button("d1e2", "Two"), Button("d1e3", "Three")};
  state.texts = {{.text = "a"}, {.text = "b"}, {.text = "c"}};
  EXPECT_TRUE(Seal(state));
  return state;
}

// The state after `prev` with a change.
template <typename Change>
StructuredState After(const StructuredState& prev, Change change) {
  StructuredState next = prev;
  change(next);
  next.prev_state_id = prev.state_id;
  ++next.revision;
  EXPECT_TRUE(Seal(next));
  return next;
}

StateDelta ThroughText(const StateDelta& delta) {
  auto back = StateDelta::FromJson(*ParseJson(json::serialize(delta.ToJson())));
  EXPECT_TRUE(back) << Describe(back.error());
  return back ? *std::move(back) : StateDelta();
}

TEST(DeltaTest, FirstDeltaIsTheWholeState) {
  const StructuredState next = Base();

  const StateDelta delta = Diff(nullptr, next);

  EXPECT_TRUE(delta.is_full());
  EXPECT_EQ(delta.full, next);
  EXPECT_EQ(delta.prev_state_id, "");
  EXPECT_EQ(delta.new_state_id, next.state_id);
}

TEST(DeltaTest, NothingChangedIsEmpty) {
  const StructuredState prev = Base();
  const StructuredState next = After(prev, [](auto&) {});

  const StateDelta delta = Diff(&prev, next);

  EXPECT_TRUE(delta.is_empty());
  EXPECT_EQ(delta.prev_state_id, delta.new_state_id);
  EXPECT_EQ(Apply(prev, delta), next);
}

TEST(DeltaTest, AnUpdateNamesOnlyTheChangedFields) {
  const StructuredState prev = Base();
  const StructuredState next = After(prev, [](auto& state) {
    state.elements[1].enabled = false;
    state.elements[2].value_hint = "x";
  });

  const StateDelta delta = Diff(&prev, next);

  ASSERT_EQ(delta.elements.updated.size(), 2U);
  EXPECT_EQ(delta.elements.updated[0].key, "d1e2");
  EXPECT_EQ(json::serialize(delta.elements.updated[0].fields), R"({"enabled":false})");
  EXPECT_EQ(delta.elements.size(), 2U);
  EXPECT_EQ(delta.changed_sections, std::vector{Section::kElements});
  ASSERT_EQ(delta.hash_changes.size(), 1U);
  EXPECT_EQ(delta.hash_changes[0].section, Section::kElements);
}

TEST(DeltaTest, AnInsertionIsOneAdd) {
  const StructuredState prev = Base();
  const StructuredState next = After(prev, [](auto& state) {
    state.elements.insert(state.elements.begin() + 1, Button("d1e9", "New"));
    state.texts.insert(state.texts.begin(), TextState{.text = "new"});
  });

  const StateDelta delta = Diff(&prev, next);

  EXPECT_EQ(delta.elements.size(), 1U);
  ASSERT_EQ(delta.elements.added.size(), 1U);
  EXPECT_EQ(delta.elements.added[0].index, 1U);
  EXPECT_EQ(delta.texts.size(), 1U);
}

TEST(DeltaTest, RemovedTextsAreNamedByTheirPosition) {
  const StructuredState prev = Base();
  const StructuredState next =
      After(prev, [](auto& state) { state.texts.erase(state.texts.begin() + 1); });

  EXPECT_EQ(Diff(&prev, next).texts.removed, std::vector<std::string>{"#1"});
}

TEST(DeltaTest, OrderIsListedOnlyWhenItChanges) {
  const StructuredState prev = Base();
  const StructuredState removed =
      After(prev, [](auto& state) { state.elements.erase(state.elements.begin()); });
  const StructuredState swapped =
      After(prev, [](auto& state) { std::swap(state.elements[0], state.elements[2]); });

  EXPECT_TRUE(Diff(&prev, removed).elements.order.empty());
  EXPECT_EQ(Diff(&prev, swapped).elements.order,
            (std::vector<std::string>{"d1e3", "d1e2", "d1e1"}));
}

TEST(DeltaTest, PlacesChangeWithoutANewId) {
  const StructuredState prev = Base();
  const StructuredState next = After(prev, [](auto& state) { state.elements[0].bbox[1] = 0.25; });

  const StateDelta delta = Diff(&prev, next);

  EXPECT_EQ(delta.prev_state_id, delta.new_state_id);
  EXPECT_FALSE(delta.is_empty());
  EXPECT_EQ(Apply(prev, delta), next);
  EXPECT_FALSE(delta.ToModelJson().contains("elements"));
  EXPECT_TRUE(delta.ToModelJson(Places::kShow).contains("elements"));
}

TEST(DeltaTest, AModelIsNotShownHints) {
  const StructuredState prev = Base();
  const StructuredState next = After(prev, [](auto& state) {
    state.elements[0].selector_hints = {"#secret-hint"};
    state.elements.push_back(Button("d1e7", "Add"));
    state.elements.back().selector_hints = {"#secret-hint"};
  });

  EXPECT_FALSE(json::serialize(Diff(&prev, next).ToModelJson()).contains("secret-hint"));
}

TEST(DeltaTest, NetworkCountsAreActivity) {
  const StructuredState prev = Base();
  const StructuredState next = After(prev, [](auto& state) { ++state.network.requests; });

  const StateDelta delta = Diff(&prev, next);

  EXPECT_EQ(delta.changed_sections, std::vector{Section::kNetwork});
  EXPECT_EQ(delta.prev_state_id, delta.new_state_id);
}

TEST(DeltaTest, AnotherDocumentIsSentWhole) {
  const StructuredState prev = Base();
  const StructuredState next =
      After(prev, [](auto& state) { state.elements = {Button("d2e1", "Other")}; });
  const StructuredState elsewhere = After(prev, [](auto& state) { state.tab_id = "t2"; });

  EXPECT_TRUE(Diff(&prev, next).is_full());
  EXPECT_TRUE(Diff(&prev, elsewhere).is_full());
  EXPECT_EQ(Apply(prev, Diff(&prev, next)), next);
}

TEST(DeltaTest, APageWithoutElementsThatGoesToAnotherAddressIsSentWhole) {
  const StructuredState prev = After(Base(), [](auto& state) { state.elements.clear(); });
  const StructuredState next = After(prev, [](auto& state) {
    state.url = "https://example.com/next";
    state.texts = {{.text = "c"}, {.text = "d"}};
  });
  const StructuredState further = After(prev, [](auto& state) {
    state.url = "https://example.com/#further";
    state.texts.push_back({.text = "d"});
  });

  EXPECT_TRUE(Diff(&prev, next).is_full());
  EXPECT_EQ(Apply(prev, Diff(&prev, next)), next);
  EXPECT_FALSE(Diff(&prev, further).is_full()) << "the same document, scrolled to a place in it";
}

TEST(DeltaTest, ADocumentThatOnlyChangesItsAddressIsToldByWhatChanged) {
  const StructuredState prev = Base();
  const StructuredState next =
      After(prev, [](auto& state) { state.url = "https://example.com/other"; });

  EXPECT_FALSE(Diff(&prev, next).is_full());
}

TEST(DeltaTest, EstimatesTheTokensOfWhatAModelSees) {
  const StructuredState prev = Base();
  const StructuredState next = After(prev, [](auto& state) { state.elements[0].name = "Uno"; });

  const StateDelta delta = Diff(&prev, next);

  EXPECT_EQ(delta.token_estimate, json::serialize(delta.ToModelJson()).size() / 4);
  EXPECT_LT(delta.token_estimate, Diff(nullptr, next).token_estimate);
}

TEST(DeltaTest, TooManyChangesAreCutAndSaidToBe) {
  const StructuredState prev = Base();
  const StructuredState next = After(prev, [](auto& state) {
    for (int i = 10; i < 40; ++i) state.elements.push_back(Button("d1e" + std::to_string(i), "x"));
    state.elements[0].name = "changed";
  });

  const StateDelta delta = Diff(&prev, next, {.ops_per_section = 24});

  EXPECT_TRUE(delta.truncated);
  EXPECT_EQ(delta.omitted_ops, 7U);
  EXPECT_EQ(delta.elements.size(), 24U);
  EXPECT_EQ(delta.elements.updated.size(), 1U);
  EXPECT_EQ(delta.ToModelJson().at("truncated"), true);
  const auto applied = Apply(prev, ThroughText(delta));
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code(), ErrorCode::kPreconditionFailed);
  EXPECT_EQ(applied.error().details().at("resync"), true);
}

TEST(ApplyTest, RefusesAnotherBase) {
  const StructuredState prev = Base();
  const StructuredState next = After(prev, [](auto& state) { state.title = "x"; });
  StructuredState older = prev;
  --older.revision;

  const StateDelta delta = Diff(&prev, next);

  for (const StructuredState& base : {next, older, StructuredState()}) {
    const auto applied = Apply(base, delta);
    ASSERT_FALSE(applied);
    EXPECT_EQ(applied.error().code(), ErrorCode::kPreconditionFailed);
    EXPECT_EQ(applied.error().details().at("resync"), true);
  }
}

struct Damage {
  const char* what;
  void (*inflict)(StateDelta&);
};

class DamagedDeltaTest : public testing::TestWithParam<Damage> {};

TEST_P(DamagedDeltaTest, IsRefused) {
  const StructuredState prev = Base();
  const StructuredState next = After(prev, [](auto& state) {
    state.elements[0].name = "changed";
    state.elements.push_back(Button("d1e9", "New"));
    state.texts.erase(state.texts.begin());
  });
  StateDelta delta = Diff(&prev, next);
  GetParam().inflict(delta);

  const auto applied = Apply(prev, delta);

  ASSERT_FALSE(applied) << GetParam().what;
  EXPECT_EQ(applied.error().code(), ErrorCode::kInvalidArgument);
}

INSTANTIATE_TEST_SUITE_P(
    All, DamagedDeltaTest,
    testing::Values(
        Damage{"an unknown key", [](auto& delta) { delta.elements.updated[0].key = "d1e77"; }},
        Damage{"a key removed twice", [](auto& delta) { delta.texts.removed.push_back("#0"); }},
        Damage{"a position beyond the end", [](auto& delta) { delta.texts.removed = {"#9"}; }},
        Damage{"a position that is none", [](auto& delta) { delta.texts.removed = {"#x"}; }},
        Damage{"an index beyond the end", [](auto& delta) { delta.elements.added[0].index = 50; }},
        Damage{"an order that forgets", [](auto& delta) { delta.elements.order = {"d1e1"}; }},
        Damage{"an order that repeats",
               [](auto& delta) { delta.elements.order = {"d1e1", "d1e1", "d1e2"}; }},
        Damage{"an unknown field",
               [](auto& delta) { delta.elements.updated[0].fields["soul"] = 1; }},
        Damage{"a wrong type", [](auto& delta) { delta.elements.updated[0].fields["name"] = 1; }},
        Damage{"a wrong page field", [](auto& delta) { delta.page["phase"] = "done"; }},
        Damage{"another content", [](auto& delta) { delta.elements.added[0].item.name = "Evil"; }},
        Damage{"a lost change", [](auto& delta) { delta.texts.removed.clear(); }}),
    [](const auto& info) { return std::to_string(info.index); });

TEST(StateDeltaTest, RefusesBadJson) {
  for (
      const char* text :
      {"5", "{}", R"({"new_state_id":"s_1","changed_sections":["soul"]})",
       R"({"new_state_id":"s_1","prev_revision":0,"new_revision":1,"changed_sections":[],"token_estimate":1,"ops":{"elements":[{"op":"burn"}]}})",
       R"({"new_state_id":"s_1","prev_revision":0,"new_revision":1,"changed_sections":[],"token_estimate":1,"ops":{"elements":[{"op":"add","index":0,"item":{"ref":1}}]}})",
       R"({"new_state_id":"s_1","prev_revision":0,"new_revision":1,"changed_sections":[],"token_estimate":1,"full":{"x":1}})",
       R"({"new_state_id":"s_1","prev_revision":0,"new_revision":1,"changed_sections":[],"token_estimate":1,"more":1})"}) {
    const auto delta = StateDelta::FromJson(*ParseJson(text));
    ASSERT_FALSE(delta) << text;
    EXPECT_EQ(delta.error().code(), ErrorCode::kInvalidArgument);
  }
}

// The promise of the type: thousands of random changes, each carried over exactly, through text.
TEST(DeltaPropertyTest, ApplyUndoesDiff) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    test::RandomState random(seed);
    StructuredState prev = random.Make();
    ASSERT_TRUE(Seal(prev));
    for (int step = 0; step < 50; ++step) {
      const StructuredState next = After(prev, [&](auto& state) { random.Mutate(state); });

      const StateDelta delta = Diff(&prev, next);
      const StateDelta carried = ThroughText(delta);
      ASSERT_EQ(carried, delta) << "seed " << seed << " step " << step;
      const auto applied = Apply(prev, carried);

      ASSERT_TRUE(applied) << Describe(applied.error()) << " seed " << seed << " step " << step;
      ASSERT_EQ(*applied, next) << "seed " << seed << " step " << step;
      prev = next;
    }
  }
}

TEST(DeltaPropertyTest, VeryLongListsAreReplaced) {
  StructuredState prev = Base();
  for (int i = 0; i < 300; ++i) prev.texts.push_back({.text = "old " + std::to_string(i)});
  ASSERT_TRUE(Seal(prev));
  const StructuredState next = After(prev, [](auto& state) {
    for (TextState& text : state.texts) text.text += "!";
  });

  const StateDelta delta = Diff(&prev, next);

  EXPECT_TRUE(delta.texts.replace);
  EXPECT_EQ(Apply(prev, ThroughText(delta)), next);
}

}  // namespace
}  // namespace falconer::model
