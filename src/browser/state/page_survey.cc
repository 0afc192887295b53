#include "browser/state/page_survey.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "browser/frames/page_fingerprint.h"
#include "browser/waits/load_waits.h"
#include "model/action/target.h"

namespace falconer::browser {
namespace {

// Pages have dozens of frames that nobody needs.
constexpr std::size_t kMostSurveyedFrames = 16;
// A frame that does not answer must not keep the rest away.
constexpr auto kSurveyedFrameTime = std::chrono::seconds(2);

// One target as it is asked about in one frame.
struct AskedTarget {
  std::size_t index = 0;
  // By their place in the question.
  std::vector<std::string> selectors;
};

struct Question {
  std::vector<AskedTarget> asked;
  json::array targets;
};

// Only what is looked for in the document itself.
std::optional<json::array> StepsOf(const std::string& selector) {
  const auto named = model::MakeNamedSelector(selector);
  if (!named) return std::nullopt;
  const model::FramePath path = model::FramePathOf(named->parsed);
  if (!path.frames.empty()) return std::nullopt;
  return path.element.ToJson();
}

Question QuestionFor(const std::string& frame, const std::vector<ProbedTarget>& targets) {
  Question question;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].frame != frame) continue;
    AskedTarget asked{.index = i, .selectors = {}};
    json::array selectors;
    for (const std::string& selector : targets[i].selectors) {
      auto steps = StepsOf(selector);
      if (!steps) continue;
      selectors.push_back(json::object{{"steps", *std::move(steps)}});
      asked.selectors.push_back(selector);
    }
    if (selectors.empty()) continue;
    question.targets.push_back(json::object{{"selectors", std::move(selectors)}});
    question.asked.push_back(std::move(asked));
  }
  return question;
}

struct ReadFinding {
  std::int64_t matches = 0;
  std::int64_t selector = -1;
  std::string ref;
  bool is_usable = false;
};

ReadFinding ReadOne(JsonReader& in) {
  return {.matches = in.Integer("matches", {0}),
          .selector = in.Integer("selector"),
          .ref = in.OptionalString("ref").value_or(""),
          .is_usable = in.OptionalBool("usable").value_or(false)};
}

std::vector<ReadFinding> ReadFindings(JsonReader& in) {
  return in.Objects("findings", ReadOne);
}

void Add(const ReadFinding& read, const AskedTarget& asked, ProbeFinding& finding) {
  const bool has_one = read.matches > 0 && std::cmp_less(read.selector, asked.selectors.size());
  if (!has_one || read.selector < 0) return;
  const bool is_first = finding.matches == 0;
  finding.matches += static_cast<int>(read.matches);
  if (is_first) finding.selector = asked.selectors[static_cast<std::size_t>(read.selector)];
  finding.ref = finding.matches == 1 ? read.ref : "";
  finding.is_usable = finding.matches == 1 && read.is_usable;
}

Task<Result<void>> ProbeFrame(CallContext ctx, ScriptCall place, Question question,
                              std::vector<ProbeFinding>* findings) {
  CO_TRY_ASSIGN(const auto answer, co_await CallScript(std::move(ctx), std::move(place), "probe",
                                                       {{"targets", std::move(question.targets)}}));
  CO_TRY_ASSIGN(const auto read,
                ReadJson(json::value(answer), "probe", ReadFindings, ErrorCode::kProtocolError));
  if (read.size() != question.asked.size())
    co_return Fail(ErrorCode::kProtocolError, "probe: the page answers another question");
  for (std::size_t i = 0; i < read.size(); ++i)
    Add(read[i], question.asked[i], (*findings)[question.asked[i].index]);
  co_return Result<void>();
}

SeenElement ReadSeen(JsonReader& in) {
  SeenElement seen{.ref = in.String("ref"), .fingerprint = {}};
  const json::value told = in.RawObject("fingerprint");
  auto fingerprint = model::Fingerprint::FromJson(told);
  if (fingerprint) {
    seen.fingerprint = *std::move(fingerprint);
  } else {
    in.Reject("fingerprint", fingerprint.error().message());
  }
  return seen;
}

std::vector<SeenElement> ReadElements(JsonReader& in) {
  return in.Objects("elements", ReadSeen, {0, kMaxSeenElements});
}

Task<Result<void>> SurveyFrame(CallContext ctx, ScriptCall place, std::size_t most,
                               std::vector<SeenElement>* seen) {
  CO_TRY_ASSIGN(const auto answer,
                co_await CallScript(std::move(ctx), place, "survey", {{"most", most}}));
  CO_TRY_ASSIGN(auto read,
                ReadJson(json::value(answer), "survey", ReadElements, ErrorCode::kProtocolError));
  for (SeenElement& element : read) {
    element.fingerprint.frame = FrameOf(place);
    seen->push_back(std::move(element));
  }
  co_return Result<void>();
}

// The main frame must answer, the others may.
Result<void> Taken(const Frame& frame, Result<void> done) {
  if (done || frame.is_main()) return done;
  LOG(debug, "survey.frame_unread", {"frame", frame.fid}, {"why", done.error().message()});
  return {};
}

CallContext TimeFor(const CallContext& ctx, const Frame& frame) {
  return frame.is_main() ? ctx : ctx.WithTimeout(kSurveyedFrameTime);
}

std::vector<std::shared_ptr<Frame>> FramesToSurvey(Tab& tab) {
  auto frames = tab.frames().All();
  if (frames.size() > kMostSurveyedFrames) frames.resize(kMostSurveyedFrames);
  return frames;
}

Task<Result<std::vector<ProbeFinding>>> ProbeOnce(CallContext ctx, std::shared_ptr<Tab> tab,
                                                  std::vector<ProbedTarget> targets) {
  std::vector<ProbeFinding> findings(targets.size());
  for (const auto& frame : FramesToSurvey(*tab)) {
    const auto place = ScriptCall::Into(frame);
    Question question = QuestionFor(FrameOf(place), targets);
    if (question.asked.empty()) continue;
    CO_TRY(Taken(*frame,
                 co_await ProbeFrame(TimeFor(ctx, *frame), place, std::move(question), &findings)));
  }
  co_return findings;
}

Task<Result<std::vector<SeenElement>>> SurveyOnce(CallContext ctx, std::shared_ptr<Tab> tab,
                                                  std::size_t most) {
  std::vector<SeenElement> seen;
  for (const auto& frame : FramesToSurvey(*tab)) {
    if (seen.size() >= most) break;
    CO_TRY(Taken(*frame, co_await SurveyFrame(TimeFor(ctx, *frame), ScriptCall::Into(frame),
                                              most - seen.size(), &seen)));
  }
  co_return seen;
}

// Looks at the page that is there; at the next one when that leaves meanwhile.
template <typename Look>
auto FollowPages(CallContext ctx, std::shared_ptr<Tab> tab, Look look) -> decltype(look()) {
  for (int tries = 1;; ++tries) {
    CO_TRY(tab->Alive());
    CO_TRY(tab->dialogs().NoneOpen());
    CO_TRY(co_await WaitForPendingNavigation(ctx, tab));
    const auto page = ScriptCall::Into(tab->frames().main());
    auto seen = co_await look();
    if (seen || !IsDocumentGone(seen.error().code()) || tries == kMostPages) co_return seen;
    CO_TRY(co_await WaitUntilReplaced(ctx, tab, page));
  }
}

}  // namespace

Task<Result<std::vector<ProbeFinding>>> ProbePage(CallContext ctx, std::shared_ptr<Tab> tab,
                                                  std::vector<ProbedTarget> targets) {
  if (targets.size() > kMaxProbedTargets) {
    co_return Fail(ErrorCode::kInvalidArgument,
                   "targets: expected at most " + std::to_string(kMaxProbedTargets));
  }
  const auto look = [&] { return ProbeOnce(ctx, tab, targets); };
  co_return co_await FollowPages(ctx, tab, look);
}

Task<Result<std::vector<SeenElement>>> SurveyPage(CallContext ctx, std::shared_ptr<Tab> tab,
                                                  std::size_t most) {
  const auto look = [&] { return SurveyOnce(ctx, tab, std::min(most, kMaxSeenElements)); };
  co_return co_await FollowPages(ctx, tab, look);
}

}  // namespace falconer::browser
