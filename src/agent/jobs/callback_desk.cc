#include "agent/jobs/callback_desk.h"

#include <fmt/format.h>
#include <random>
#include <utility>

#include "base/timed_signature.h"
#include "base/units.h"
#include "model/url.h"

namespace falconer::agent {
namespace {

constexpr std::size_t kLongestCallbackReply = 64 << 10;
// Of both sides: who failed together need not come again together.
constexpr double kJitter = 0.25;
constexpr int kPauseGrowth = 4;

std::string CallbackBody(const store::JobRecord& job) {
  json::object body{{"job", job.id},
                    {"type", job.type},
                    {"status", NameIn(store::kJobStates, job.state)},
                    {"result", "/v1/jobs/" + job.id + "/result"},
                    {"ended_at", IsoTime(job.ended)}};
  if (job.outcome.problem) body["code"] = job.outcome.problem->name();
  return json::serialize(body);
}

bool IsWorthAnotherCall(int status) {
  return status >= 500 || status == 408 || status == 425 || status == 429;
}

// What stays wrong however often it is tried.
bool IsForGood(ErrorCode code) {
  return code == ErrorCode::kSecurityDomainBlock || code == ErrorCode::kConstraintViolated ||
         code == ErrorCode::kInvalidArgument || code == ErrorCode::kUnsupported;
}

Duration PauseAfter(std::size_t tries, Duration first) {
  Duration pause = first;
  for (std::size_t i = 1; i < tries; ++i) pause *= kPauseGrowth;
  static thread_local std::minstd_rand source(std::random_device{}());
  std::uniform_real_distribution<double> spread(1 - kJitter, 1 + kJitter);
  return std::chrono::duration_cast<Duration>(pause * spread(source));
}

}  // namespace

Result<policy::SecretReference> ParseSecretName(std::string_view text) {
  const std::size_t colon = text.find(':');
  policy::SecretReference reference{.name = std::string(text.substr(0, colon))};
  TRY(policy::CheckSecretName("name", reference.name));
  if (colon == std::string_view::npos) return reference;
  reference.field = std::string(text.substr(colon + 1));
  TRY(policy::CheckSecretName("field", reference.field));
  return reference;
}

Result<store::JobCallback> CallbackDesk::Accept(const CallbackWish& wish) const {
  if (wish.url.empty()) return store::JobCallback();
  if (const auto checked = model::CheckWebUrl(wish.url); !checked)
    return Fail(ErrorCode::kInvalidArgument, "callback_url: " + checked.error().message());
  if (wish.url == model::kBlankUrl)
    return Fail(ErrorCode::kInvalidArgument, "callback_url: nobody is there");
  const std::string& secret = wish.secret.empty() ? rules_.key : wish.secret;
  if (secret.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                "callback_secret: name the secret that the callback is signed with; "
                "jobs.callback_key names none");
  }
  if (const auto reference = ParseSecretName(secret); !reference)
    return Fail(ErrorCode::kInvalidArgument, "callback_secret: " + reference.error().message());
  return store::JobCallback{.url = wish.url, .secret = secret};
}

// Signed anew each time: who checks refuses signatures that are old.
Task<Result<int>> CallbackDesk::Post(CallContext ctx, store::JobRecord job) const {
  CO_TRY_ASSIGN(auto reference, ParseSecretName(job.callback.secret));
  CO_TRY_ASSIGN(const policy::SecretText key,
                co_await keys_(ctx, std::move(reference), job.callback.url));
  std::string body = CallbackBody(job);
  net::HttpCall call{
      .url = job.callback.url, .method = "POST", .max_reply_bytes = kLongestCallbackReply};
  call.headers.Set("Content-Type", "application/json");
  call.headers.Set("User-Agent", "falconer");
  call.headers.Set(std::string(kCallbackSignature),
                   TimedSignature(key.Reveal(), ctx.clock().WallNow(), body));
  call.body = std::move(body);
  CO_TRY_ASSIGN(const net::HttpReply reply, co_await send_(std::move(ctx), std::move(call)));
  co_return reply.status;
}

Task<Result<store::CallbackNote>> CallbackDesk::Try(CallContext ctx, store::JobRecord job) const {
  const WallTime at = ctx.clock().WallNow();
  const std::size_t tries = job.callback.tries.size() + 1;
  store::CallbackNote note{.id = job.id, .tried = {.at = at, .problem = {}}};
  const auto status = co_await Post(ctx.WithTimeout(rules_.timeout), std::move(job));
  CO_TRY(ctx.StillWanted("the callback"));
  if (status) note.tried.status = *status;
  const bool is_there = status && *status >= 200 && *status < 300;
  const bool may_pass = status ? IsWorthAnotherCall(*status) : !IsForGood(status.error().code());
  if (!status) note.tried.problem = Describe(status.error());
  if (status && !is_there) note.tried.problem = fmt::format("answered {}", *status);
  if (is_there) {
    note.state = store::CallbackState::kDelivered;
  } else if (may_pass && static_cast<int>(tries) < rules_.tries) {
    note.next = ctx.clock().WallNow() + std::chrono::duration_cast<WallTime::duration>(
                                            PauseAfter(tries, rules_.first_pause));
  } else {
    note.state = store::CallbackState::kFailed;
  }
  co_return note;
}

}  // namespace falconer::agent
