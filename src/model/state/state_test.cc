#include "model/state/state.h"

#include <set>

#include <gtest/gtest.h>

#include "model/network.h"
#include "model/state/state_fields.h"
#include "tests/support/random_state.h"

namespace falconer::model {
namespace {

StructuredState Sample() {
  StructuredState state;
  state.tab_id = "t1";
  state.url = "https://example.com/";
  state.title = "Shop";
  state.phase = PagePhase::kComplete;
  state.elements = {{.ref = "d1e1",
                     .role = "button",
                     .name = "Save",
                     .tag = "button",
                     .bbox = {0.1, 0.2, 0.3, 0.4},
                     .selector_hints = {"#save"},
                     .stability = 0.8},
                    {.ref = "d1e2",
                     .role = "checkbox",
                     .name = "Agree",
                     .enabled = false,
                     .checked = Toggle::kMixed,
                     .expanded = false}};
  state.texts = {{.kind = TextKind::kHeading, .level = 1, .text = "Welcome"}};
  state.network.requests = 3;
  return state;
}

StructuredState Sealed(StructuredState state) {
  const Result<void> done = Seal(state);
  EXPECT_TRUE(done) << Describe(done.error());
  return state;
}

std::string IdAfter(void (*change)(StructuredState&)) {
  StructuredState state = Sample();
  change(state);
  return Sealed(state).state_id;
}

TEST(StructuredStateTest, HowATextIsShownIsNoPartOfItsIdentityAndForNoModel) {
  StructuredState state = Sample();
  state.texts[0].unseen = TextVisibility{.font_px = 1.5, .is_displayed = false};
  state.elements[0].unseen = TextVisibility{.contrast_ratio = 1.0, .is_attribute = true};
  state.errors = {{.ref = "d1e9", .text = "Wrong", .unseen = TextVisibility{.is_covered = true}}};
  StructuredState plain = state;
  plain.texts[0].unseen.reset();
  plain.elements[0].unseen.reset();
  plain.errors[0].unseen.reset();

  const auto back = StructuredState::FromJson(*ParseJson(json::serialize(state.ToJson())));

  ASSERT_TRUE(back) << Describe(back.error());
  EXPECT_EQ(*back, state);
  EXPECT_EQ(json::serialize(state.ToJson().at("texts").at(0).at("unseen")),
            R"({"font_px":1.5E0,"is_displayed":false})");
  EXPECT_EQ(Sealed(state).state_id, Sealed(plain).state_id);
  EXPECT_EQ(state.ToModelJson(), plain.ToModelJson());
  EXPECT_FALSE(plain.ToJson().at("texts").at(0).as_object().contains("unseen"));
}

TEST(StructuredStateTest, RoundTripsThroughText) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    StructuredState state = Sealed(test::RandomState(seed).Make());
    state.prev_state_id = "s_x";

    const auto back = StructuredState::FromJson(*ParseJson(json::serialize(state.ToJson())));

    ASSERT_TRUE(back) << Describe(back.error());
    ASSERT_EQ(*back, state) << "seed " << seed;
  }
}

TEST(StructuredStateTest, LeavesDefaultsOut) {
  const json::object element = Sample().ToModelJson().at("elements").at(0).as_object();

  EXPECT_EQ(json::serialize(element), R"({"ref":"d1e1","role":"button","name":"Save"})");
}

TEST(StructuredStateTest, WritesTogglesAsPagesDo) {
  const json::object element = Sample().ToModelJson().at("elements").at(1).as_object();

  EXPECT_EQ(element.at("checked"), "mixed");
  EXPECT_EQ(element.at("expanded"), false);
  EXPECT_EQ(element.at("enabled"), false);
}

TEST(StructuredStateTest, ShowsAModelNeitherHintsNorHashes) {
  const std::string text = json::serialize(Sealed(Sample()).ToModelJson(Places::kShow));

  for (const char* word :
       {"selector_hints", "#save", "stability", "hashes", "\"tag\"", "revision"}) {
    EXPECT_FALSE(text.contains(word)) << word << " in " << text;
  }
  EXPECT_TRUE(text.contains("bbox"));
}

TEST(StructuredStateTest, ShowsPlacesOnlyIfAsked) {
  EXPECT_FALSE(json::serialize(Sample().ToModelJson()).contains("bbox"));
}

TEST(StructuredStateTest, IdHasTheFormOfIds) {
  const std::string id = Sealed(Sample()).state_id;

  EXPECT_EQ(id.size(), 26U);
  EXPECT_TRUE(id.starts_with("s_"));
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef", 2), std::string::npos);
}

TEST(StructuredStateTest, IdFollowsContent) {
  const std::set<std::string> ids = {
      IdAfter([](auto&) {}),
      IdAfter([](auto& state) { state.url += "x"; }),
      IdAfter([](auto& state) { state.title += "x"; }),
      IdAfter([](auto& state) { state.focus = "d1e1"; }),
      IdAfter([](auto& state) { state.phase = PagePhase::kLoading; }),
      IdAfter([](auto& state) { state.elements[0].name = "Send"; }),
      IdAfter([](auto& state) { state.elements[1].checked = Toggle::kOn; }),
      IdAfter([](auto& state) { std::swap(state.elements[0], state.elements[1]); }),
      IdAfter([](auto& state) { state.texts.clear(); }),
      IdAfter([](auto& state) { state.dialogs.push_back({.type = "alert"}); }),
      IdAfter([](auto& state) { state.downloads.push_back({.id = "dl_1"}); }),
      IdAfter([](auto& state) { state.tabs.push_back({.tab_id = "t2"}); }),
      IdAfter([](auto& state) { state.errors.push_back({.ref = "d1e9"}); }),
  };

  EXPECT_EQ(ids.size(), 13U);
}

TEST(StructuredStateTest, IdIgnoresPlacesAndActivity) {
  const std::set<std::string> ids = {
      IdAfter([](auto&) {}),
      IdAfter([](auto& state) { state.elements[0].bbox[0] = 0.5; }),
      IdAfter([](auto& state) { state.elements[0].in_viewport = false; }),
      IdAfter([](auto& state) { state.elements[0].selector_hints.clear(); }),
      IdAfter([](auto& state) { state.scroll.y = 100; }),
      IdAfter([](auto& state) { state.network.requests = 99; }),
      IdAfter([](auto& state) { state.console_errors.push_back({.message = "x"}); }),
      IdAfter([](auto& state) { state.revision = 5; }),
  };

  EXPECT_EQ(ids.size(), 1U);
}

TEST(StructuredStateTest, EverySectionHasAHash) {
  const StructuredState state = Sealed(Sample());

  for (const std::string& hash : state.hashes) EXPECT_EQ(hash.size(), 24U);
}

TEST(StructuredStateTest, RefusesToSealTextThatIsNotUtf8) {
  StructuredState state = Sample();
  state.title = "\xff";

  const Result<void> done = Seal(state);

  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code(), ErrorCode::kInvalidArgument);
}

struct BadState {
  const char* text;
  const char* message;
};

class BadStateTest : public testing::TestWithParam<BadState> {};

TEST_P(BadStateTest, IsRefusedByName) {
  const auto state = StructuredState::FromJson(*ParseJson(GetParam().text));

  ASSERT_FALSE(state);
  EXPECT_EQ(state.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(state.error().message(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, BadStateTest,
    testing::Values(BadState{"[]", "state: expected object, got array"},
                    BadState{R"({"url":5})", "state.url: expected string, got number"},
                    BadState{R"({"mood":1})", "state.mood: unknown field"},
                    BadState{R"({"phase":"done"})", "state.phase: unknown word"},
                    BadState{R"({"elements":{}})", "state.elements: expected array, got object"},
                    BadState{R"({"elements":[{},{"ref":1}]})",
                             "state.elements[1].ref: expected string, got number"},
                    BadState{R"({"elements":[{"bbox":[1,2]}]})",
                             "state.elements[0].bbox: expected 4 elements"},
                    BadState{R"({"elements":[{"checked":"yes"}]})",
                             "state.elements[0].checked: expected bool or \"mixed\", got string"},
                    BadState{R"({"elements":[{"options":[{"label":true}]}]})",
                             "state.elements[0].options[0].label: expected string, got bool"},
                    BadState{R"({"revision":-1})", "state.revision: not a whole number in range"},
                    BadState{R"({"revision":1.5})", "state.revision: not a whole number in range"},
                    BadState{R"({"scroll":{"z":1}})", "state.scroll.z: unknown field"},
                    BadState{R"({"hashes":{"soul":"x"}})", "state.hashes.soul: unknown section"}));

TEST(NetworkStateTest, KeepsTheCountsAndWhatFailed) {
  const NetworkEvent failure{.kind = NetworkEventKind::kResponse,
                             .route_key = "example.com/api",
                             .status = 503,
                             .latency = std::chrono::milliseconds(12),
                             .error_signature = "unavailable"};

  const NetworkState state = NetworkState::Of(Summarize(std::vector{failure}, 2));

  EXPECT_EQ(state.responses, 1U);
  EXPECT_EQ(state.server_errors, 1U);
  EXPECT_EQ(state.dropped, 2U);
  ASSERT_EQ(state.failures.size(), 1U);
  EXPECT_EQ(state.failures[0], (NetworkFailureState{.route_key = "example.com/api",
                                                    .status = 503,
                                                    .status_class = "5xx",
                                                    .error_signature = "unavailable",
                                                    .latency_ms = 12}));
}

}  // namespace
}  // namespace falconer::model
