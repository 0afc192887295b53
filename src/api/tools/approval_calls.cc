#include "api/tools/approval_calls.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/tools/answer.h"
#include "api/tools/approval_words.h"
#include "api/tools/call_arguments.h"
#include "base/json/canonical_json.h"
#include "base/log.h"
#include "base/random.h"
#include "base/sha256.h"

namespace falconer::api {
namespace {

using model::ApprovalRequest;

void KeepQuiet(const std::string& /*message*/) {
}

// The same tool with the same arguments, however they are written.
std::string DigestOf(const std::string& tool, const json::object& arguments) {
  const auto canonical = CanonicalJson(arguments);
  return Sha256Hex(tool + "\n" + (canonical ? *canonical : json::serialize(arguments)));
}

std::string SessionIn(const json::object& arguments) {
  const std::string named = TextAt(arguments, "session");
  return named.empty() ? std::string(kMainSession) : named;
}

}  // namespace

// One run of a tool, which may outlast the call that began it.
struct ApprovalCalls::Flight {
  std::string key;
  std::string digest;
  std::string session;
  std::string state;  // of the questions that are open in an answer; "" for none
  CancelSource cancel;
  std::function<void(std::string)> report = KeepQuiet;
  std::optional<ToolAnswer> answer;
  TimePoint ended;
  int callers = 0;
  // A call was answered although it goes on: the same call belongs to it.
  bool is_told = false;
  // The pages that it is about: the one it waits on, and the one that it led to.
  std::set<std::string> pages;
  // The caller has done something else in the session since he was told.
  bool is_passed_by = false;
  // Since when people are waited for.
  std::optional<TimePoint> since;
  std::set<std::string> asked;                 // the client, by the approvals' ids
  std::map<std::string, CancelSource> asking;  // it is being asked now
};

// A call that waits for a flight.
class ApprovalCalls::Passenger {
 public:
  Passenger(FlightPtr flight, std::function<void(std::string)> report)
      : flight_(std::move(flight)) {
    ++flight_->callers;
    flight_->report = std::move(report);
  }
  ~Passenger() {
    if (--flight_->callers == 0) flight_->report = KeepQuiet;
  }
  Passenger(const Passenger&) = delete;
  Passenger& operator=(const Passenger&) = delete;

 private:
  FlightPtr flight_;
};

ApprovalCalls::ApprovalCalls(Executor executor, Clock& clock, PendingApprovals& approvals,
                             PageOf page_of, ApprovalCallLimits limits)
    : executor_(std::move(executor)),
      clock_(clock),
      approvals_(approvals),
      page_of_(std::move(page_of)),
      limits_(limits),
      heard_(approvals_.OnChange([this] { OnApprovals(); })),
      tasks_(executor_) {
}

ApprovalCalls::~ApprovalCalls() = default;

ToolCatalog ApprovalCalls::Wrap(ToolCatalog tools) {
  auto dispatcher = tools.dispatcher();
  std::vector<Tool> wrapped = std::move(tools).Take();
  for (Tool& tool : wrapped) {
    if (tool.info.effect == agent::SideEffect::kRead) continue;
    tool.run = [this, name = tool.info.name, run = std::move(tool.run)](CallContext ctx,
                                                                        ToolCall call) {
      return Run(std::move(ctx), name, run, std::move(call));
    };
  }
  return ToolCatalog(std::move(wrapped), std::move(dispatcher));
}

Task<ToolAnswer> ApprovalCalls::Run(CallContext ctx, std::string tool, ToolRun run, ToolCall call) {
  ForgetOld();
  const auto flight = FlightFor(ctx, DigestOf(tool, call.arguments), run, call);
  if (!flight) co_return ErrorAnswer(flight.error());
  if (!call.input.state.empty()) co_await TakeResponses(*flight, call.input);
  co_return co_await Accompany(std::move(ctx), *flight, std::move(call));
}

Result<ApprovalCalls::FlightPtr> ApprovalCalls::FlightFor(const CallContext& ctx,
                                                          const std::string& digest,
                                                          const ToolRun& run,
                                                          const ToolCall& call) {
  const std::string& state = call.input.state;
  std::erase_if(flights_, [&](const auto& entry) {
    return entry.second->digest == digest && IsLeft(*entry.second);
  });
  for (const auto& [key, flight] : flights_) {
    if (flight->digest != digest) continue;
    if (state.empty() ? flight->is_told : flight->state == state) return flight;
  }
  if (state.empty()) return Begin(ctx, digest, run, call);
  return Fail(ErrorCode::kInvalidArgument,
              "requestState: is not of an open question of this call; call again without it");
}

// A page may go on by itself while people decide: who only asks again is told what came of it,
// wherever that led. What has not ended is never begun a second time.
bool ApprovalCalls::IsLeft(const Flight& flight) const {
  return flight.is_told && flight.is_passed_by && flight.answer && flight.callers == 0 &&
         !flight.pages.contains(page_of_(flight.session));
}

ApprovalCalls::FlightPtr ApprovalCalls::Begin(const CallContext& ctx, const std::string& digest,
                                              const ToolRun& run, ToolCall call) {
  auto flight = std::make_shared<Flight>();
  flight->key = "call-" + RandomId();
  flight->digest = digest;
  flight->session = SessionIn(call.arguments);
  for (const auto& [key, other] : flights_) {
    if (other->session == flight->session) other->is_passed_by = true;
  }
  flights_[flight->key] = flight;
  flight->report = call.report;
  // The flight knows who listens now; the call that began it may be answered long before.
  call.report = [weak = std::weak_ptr(flight)](std::string message) {
    if (const FlightPtr known = weak.lock()) known->report(std::move(message));
  };
  Correlation ids = ctx.ids();
  ids.call = flight->key;
  const CallContext own =
      CallContext(executor_, clock_).WithCancel(flight->cancel.token()).WithIds(std::move(ids));
  tasks_.Spawn("mcp.flight", Fly(this, own, run, std::move(call), flight));
  return flight;
}

Task<void> ApprovalCalls::Fly(ApprovalCalls* self, CallContext ctx, ToolRun run, ToolCall call,
                              FlightPtr flight) {
  flight->answer = co_await run(std::move(ctx), std::move(call));
  flight->ended = self->clock_.Now();
  if (flight->is_told) flight->pages.insert(self->page_of_(flight->session));
  self->Changed();
}

Task<ToolAnswer> ApprovalCalls::Accompany(CallContext ctx, FlightPtr flight, ToolCall call) {
  const Passenger passenger(flight, std::move(call.report));
  for (;;) {
    // Before anything is looked at: what changes meanwhile is looked at again.
    const std::uint64_t seen = revision_;
    if (flight->answer) {
      flights_.erase(flight->key);
      co_return *flight->answer;
    }
    if (auto meanwhile = Meanwhile(flight, call.input)) {
      flight->is_told = true;
      flight->is_passed_by = false;
      flight->pages.insert(page_of_(flight->session));
      co_return *std::move(meanwhile);
    }
    const Duration most = flight->asking.empty() ? limits_.pending_after : limits_.asked_after;
    const bool has_limit = flight->since && MayLeaveOneMore();
    const CallContext waiting =
        has_limit ? ctx.WithDeadline(Deadline::At(*flight->since + most)) : ctx;
    (void)co_await changes_.Until(waiting, [this, seen] { return revision_ != seen; }, "the call");
    if (const auto wanted = ctx.StillWanted("the call"); !wanted)
      co_return co_await GiveUp(flight, wanted.error());
  }
}

std::optional<ToolAnswer> ApprovalCalls::Meanwhile(const FlightPtr& flight,
                                                   const ClientInput& input) {
  const auto pending = approvals_.PendingFor(flight->key);
  if (pending.empty()) {
    flight->since.reset();
    return std::nullopt;
  }
  if (!flight->since) {
    flight->since = clock_.Now();
    flight->report("waits for approval " + pending.front().request_id);
  }
  if (input.asking == ClientAsking::kByRequest) AskByRequest(flight, input, pending);
  if (input.asking == ClientAsking::kByAnswer) {
    if (auto questions = QuestionsFor(flight, pending)) return questions;
  }
  const Duration most = flight->asking.empty() ? limits_.pending_after : limits_.asked_after;
  if (clock_.Now() < *flight->since + most || !MayLeaveOneMore()) return std::nullopt;
  // Whoever calls again waits as long again.
  flight->since.reset();
  return PendingAnswer(pending, clock_.WallNow());
}

// What the last caller no longer wants ends; its answer says so.
Task<ToolAnswer> ApprovalCalls::GiveUp(FlightPtr flight, Error why) {
  if (flight->callers > 1) co_return ErrorAnswer(why);
  flight->cancel.Cancel(std::move(why));
  (void)co_await changes_.Until(
      CallContext(executor_, clock_), [flight] { return flight->answer.has_value(); }, "the call");
  flights_.erase(flight->key);
  co_return *flight->answer;
}

std::optional<ToolAnswer> ApprovalCalls::QuestionsFor(
    const FlightPtr& flight, const std::vector<ApprovalRequest>& pending) const {
  json::object requests;
  for (const ApprovalRequest& request : pending) {
    if (!approvals_.MayClientApprove(request)) continue;
    if (!flight->asked.insert(request.request_id).second) continue;
    requests[request.request_id] = {{"method", "elicitation/create"},
                                    {"params", QuestionForm(request, clock_.WallNow())}};
  }
  if (requests.empty()) return std::nullopt;
  flight->state = RandomId();
  return ToolAnswer{.questions = InputQuestions{std::move(requests), flight->state}};
}

// A question counts as answered once; what was left out is asked again.
Task<void> ApprovalCalls::TakeResponses(FlightPtr flight, ClientInput input) {
  flight->state.clear();
  const std::set<std::string> asked = flight->asked;
  for (const std::string& id : asked) {
    if (!IsPending(flight, id)) continue;
    const json::value* response = input.responses.if_contains(id);
    if (response == nullptr || !response->is_object()) {
      flight->asked.erase(id);
    } else {
      co_await Decide(id, response->get_object());
    }
  }
}

void ApprovalCalls::AskByRequest(const FlightPtr& flight, const ClientInput& input,
                                 const std::vector<ApprovalRequest>& pending) {
  for (const ApprovalRequest& request : pending) {
    if (!approvals_.MayClientApprove(request)) continue;
    if (!flight->asked.insert(request.request_id).second) continue;
    flight->asking.try_emplace(request.request_id);
    tasks_.Spawn("mcp.ask", AskOne(this, flight, input, request));
  }
}

Task<void> ApprovalCalls::AskOne(ApprovalCalls* self, FlightPtr flight, ClientInput input,
                                 ApprovalRequest request) {
  const CallContext ctx = CallContext(self->executor_, self->clock_)
                              .WithCancel(flight->asking.at(request.request_id).token());
  const auto result = co_await input.ask(ctx, QuestionForm(request, self->clock_.WallNow()));
  flight->asking.erase(request.request_id);
  if (result) {
    co_await self->Decide(request.request_id, *result);
  } else {
    LOG(info, "approval.client_not_asked", {"why", result.error().message()});
  }
  self->Changed();
}

// Somebody else may have decided meanwhile, or the terms may want another person.
Task<void> ApprovalCalls::Decide(std::string request_id, json::object result) {
  auto answer = ReadClientAnswer(result);
  if (!answer) co_return;
  const auto decided =
      co_await approvals_.DecideAtClient(request_id, answer->answer, std::move(answer->reason));
  if (!decided)
    LOG(info, "approval.not_taken", {"approval", request_id}, {"why", decided.error().message()});
}

bool ApprovalCalls::IsPending(const FlightPtr& flight, const std::string& request_id) const {
  return std::ranges::any_of(
      approvals_.PendingFor(flight->key),
      [&](const ApprovalRequest& request) { return request.request_id == request_id; });
}

bool ApprovalCalls::MayLeaveOneMore() const {
  const auto left =
      std::ranges::count_if(flights_, [](const auto& entry) { return entry.second->callers == 0; });
  return static_cast<std::size_t>(left) < limits_.most_left;
}

// A question about what is over is taken back.
void ApprovalCalls::OnApprovals() {
  std::vector<CancelSource> over;
  for (const auto& [key, flight] : flights_) {
    for (const auto& [id, source] : flight->asking) {
      if (!IsPending(flight, id)) over.push_back(source);
    }
  }
  for (CancelSource& source : over)
    source.Cancel(Error(ErrorCode::kCancelled, "it was decided elsewhere"));
  Changed();
}

void ApprovalCalls::ForgetOld() {
  const TimePoint now = clock_.Now();
  std::erase_if(flights_, [&](const auto& entry) {
    const Flight& flight = *entry.second;
    return flight.answer && flight.callers == 0 && now - flight.ended > limits_.keep;
  });
}

void ApprovalCalls::Changed() {
  ++revision_;
  changes_.NotifyAll();
}

Task<void> ApprovalCalls::Stop(Error reason) {
  const auto flights = flights_;
  for (const auto& [key, flight] : flights) {
    flight->cancel.Cancel(reason);
    const auto asking = flight->asking;
    for (const auto& [id, source] : asking) CancelSource(source).Cancel(reason);
  }
  co_await tasks_.Join();
  flights_.clear();
}

}  // namespace falconer::api
