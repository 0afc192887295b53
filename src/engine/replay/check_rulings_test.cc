// Replay of what was decided during a turn.

#include "engine/control/turn_control.h"
#include "engine/replay/replay.h"
#include "tests/support/turn_story.h"

namespace falconer::engine {
namespace {

using test::StoryChain;
using test::TurnStory;

browser::RequestFacts RequestFor(browser::RequestUse use, std::string method, std::string body) {
  return {.use = use,
          .method = std::move(method),
          .url = "https://shop.test/send",
          .initiator_origin = "https://shop.test",
          .resource_type = "document",
          .headers = {{.name = "Content-Type", .value = "application/x-www-form-urlencoded"}},
          .body = std::move(body)};
}

model::ElementFacts ButtonNamed(std::string name) {
  return {.role = "button",
          .name = name,
          .label = name,
          .tag = "button",
          .type = "submit",
          .page_url = "https://shop.test/account",
          .form = model::FormFacts{
              .action = "https://shop.test/send", .method = "post", .submit = name}};
}

// A turn that was about to delete something its token does not allow, and sent a message that a
// person was asked about.
class RuledStory {
 public:
  RuledStory() {
    TurnControl control({.asker = {.tenant = story.tenant,
                                   .agent_id = "tester",
                                   .workflow = WorkflowId("w1"),
                                   .session = story.session,
                                   .turn = story.turn,
                                   .action = {},
                                   .call = ""},
                         .action = {.type = model::ActionType::kClick},
                         .contract_digest = "d",
                         .token = story.token,
                         .policy = nullptr,
                         .ask_from = model::RiskLevel::kLow},
                        clock);
    const auto note = [&](const Ruling& ruling) { return control.Note(ruling); };
    denial = note(control.JudgeElement(ButtonNamed("Delete account")));
    note(control.JudgeElement(ButtonNamed("Send message")));
    using browser::RequestUse;
    note(control.JudgeRequest(RequestFor(RequestUse::kNavigation, "POST", "text=hello")));
    note(control.JudgeRequest(RequestFor(RequestUse::kNavigation, "GET", "")));
    rulings = control.rulings();
  }

  // "decision CLASS" or "decision missing" of all that is not reproduced; what it was reproduced
  // as is in `told`.
  std::vector<std::string> Findings() {
    auto result = story.Result();
    result.metadata["rulings"] = rulings;
    if (failure) {
      result.success = false;
      result.failure = failure;
    }
    story.Seal(std::move(result));
    StoryChain chain;
    chain.Write(story);
    auto reader = chain.Reader();
    const auto report = ReplayNamed(reader, TenantId("acme"), {.id = story.turn.value()});
    EXPECT_TRUE(report) << (report ? "" : report.error().message());
    std::vector<std::string> out;
    for (const ReplayCheck& check : report->turns.at(0).checks) {
      const bool is_ruling = check.decision.starts_with("ruling");
      if (is_ruling) told[check.decision] = check.detail;
      if (check.status == ReplayStatus::kMissing) out.push_back(check.decision + " missing");
      if (check.status != ReplayStatus::kDiverged) continue;
      out.push_back(check.decision + " " +
                    std::string(NameIn(kDivergenceClasses, *check.divergence)));
    }
    return out;
  }

  json::object& At(std::size_t number) { return rulings.at(number - 1).as_object(); }
  json::object& FactsAt(std::size_t number) { return At(number).at("facts").as_object(); }

  TurnStory story;
  FakeClock clock;
  json::array rulings;
  std::string denial;
  std::optional<model::ActionFailure> failure;
  std::map<std::string, std::string> told;
};

TEST(CheckRulingsTest, DenialsAndHoldsComeOutAgain) {
  RuledStory story;
  EXPECT_EQ(story.Findings(), std::vector<std::string>{});
  EXPECT_EQ(story.told,
            (std::map<std::string, std::string>{{"ruling.1", "element refuse CAPABILITY_MISSING"},
                                                {"ruling.2", "element allow"},
                                                {"ruling.3", "request ask"},
                                                {"ruling.4", "request ask"},
                                                {"rulings.order", ""}}));
}

void Allow(json::object& ruling) {
  ruling["effect"] = "allow";
  ruling.erase("code");
  ruling.erase("reason");
}

struct RulingChange {
  const char* what;
  void (*change)(RuledStory&);
  std::vector<std::string> findings;
};

TEST(CheckRulingsTest, AChangedRulingDivergesByItsClass) {
  const RulingChange rows[] = {
      {"a denial by the token", [](RuledStory& s) { Allow(s.At(1)); }, {"ruling.1 AUTHORITY"}},
      {"a denial's reason",
       [](RuledStory& s) { s.At(1)["reason"] = "because"; },
       {"ruling.1 AUTHORITY"}},
      {"a hold", [](RuledStory& s) { Allow(s.At(3)); }, {"ruling.3 OUTCOME"}},
      {"a hold that is due", [](RuledStory& s) { Allow(s.At(4)); }, {"ruling.4 OUTCOME"}},
      {"what it needs, in the facts",
       [](RuledStory& s) { s.FactsAt(1)["capabilities"] = json::array{"INTERACT"}; },
       {"ruling.1 AUTHORITY"}},
      {"what it needs, in the risk",
       [](RuledStory& s) { s.At(3).at("risk").as_object()["level"] = "critical"; },
       {"ruling.3 OUTCOME"}},
      {"whose it is",
       [](RuledStory& s) { s.FactsAt(3)["agent"] = "somebody"; },
       {"ruling.3 AUTHORITY"}},
      {"from when people are asked",
       [](RuledStory& s) { s.At(3)["ask_from"] = "critical"; },
       // The element before it calls for approval all the same.
       {}},
      {"from when people are asked, everywhere",
       [](RuledStory& s) {
         for (const std::size_t n : {2U, 3U, 4U}) s.At(n)["ask_from"] = "critical";
       },
       {"ruling.3 OUTCOME", "ruling.4 OUTCOME"}},
      {"the order",
       [](RuledStory& s) { s.At(2)["id"] = s.At(3).at("id"); },
       {"rulings.order ORDERING"}},
      {"a word",
       [](RuledStory& s) { s.At(3)["sets"] = json::array{"nowhere"}; },
       {"ruling.3 OUTCOME"}},
  };
  for (const RulingChange& row : rows) {
    RuledStory story;
    row.change(story);
    EXPECT_EQ(story.Findings(), row.findings) << row.what;
  }
}

TEST(CheckRulingsTest, WhatIsNotOnRecordIsMissing) {
  const RulingChange rows[] = {
      {"the facts", [](RuledStory& s) { s.At(1).erase("facts"); }, {"ruling.1 missing"}},
      {"whether it is a place",
       [](RuledStory& s) { s.At(3).erase("place"); },
       {"ruling.3 missing"}},
      {"a part that was masked",
       [](RuledStory& s) { s.FactsAt(3)["agent"] = "t***"; },
       {"ruling.3 missing"}},
      {"what the token allows",
       [](RuledStory& s) {
         for (json::value& one : s.story.snapshot.at("snapshots").as_array()) {
           if (one.at("name").as_string() == "token_claims") one.as_object()["digest"] = "gone";
         }
       },
       {"gate.capability missing", "gate.constraint missing", "rulings missing"}},
  };
  for (const RulingChange& row : rows) {
    RuledStory story;
    row.change(story);
    EXPECT_EQ(story.Findings(), row.findings) << row.what;
  }
}

model::ActionFailure DeniedAs(ErrorCode code, const std::string& id) {
  return model::ActionFailure::Of(Error(code, "no", {{"denial_id", id}}));
}

std::vector<std::string> AboutDenial(RuledStory& story) {
  std::vector<std::string> out;
  for (std::string& finding : story.Findings()) {
    if (finding.starts_with("rulings.denial")) out.push_back(std::move(finding));
  }
  return out;
}

TEST(CheckRulingsTest, ATurnEndsWithTheRulingItNames) {
  RuledStory refused;
  refused.failure = DeniedAs(ErrorCode::kCapabilityMissing, refused.denial);
  EXPECT_EQ(AboutDenial(refused), std::vector<std::string>{});
  EXPECT_EQ(refused.told.at("rulings.denial"), refused.denial + " CAPABILITY_MISSING");

  RuledStory denied;
  denied.failure = DeniedAs(ErrorCode::kApprovalDenied, denied.story.turn.value() + "/r3");
  EXPECT_EQ(AboutDenial(denied), std::vector<std::string>{}) << "people said so";

  RuledStory other;
  other.failure = DeniedAs(ErrorCode::kPolicyDenied, other.denial);
  EXPECT_EQ(AboutDenial(other), std::vector<std::string>{"rulings.denial OUTCOME"});

  RuledStory allowed;
  allowed.failure = DeniedAs(ErrorCode::kPolicyDenied, allowed.story.turn.value() + "/r3");
  EXPECT_EQ(AboutDenial(allowed), std::vector<std::string>{"rulings.denial OUTCOME"});

  RuledStory gone;
  gone.failure = DeniedAs(ErrorCode::kPolicyDenied, gone.story.turn.value() + "/r9");
  EXPECT_EQ(AboutDenial(gone), std::vector<std::string>{"rulings.denial missing"});
}

TEST(CheckRulingsTest, NoTurnSucceedsWithAnEffectThatWasRefused) {
  RuledStory story;
  story.At(3)["effect"] = "refuse";
  EXPECT_EQ(AboutDenial(story), std::vector<std::string>{"rulings.denial OUTCOME"});
}

}  // namespace
}  // namespace falconer::engine
