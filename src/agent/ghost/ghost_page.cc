#include "agent/ghost/ghost_page.h"

#include <algorithm>
#include <utility>

#include "base/async/aside.h"
#include "base/random.h"

namespace falconer::agent {
namespace {

constexpr auto kClosingTime = std::chrono::seconds(10);
// Scripts that make a page fetch what it shows.
constexpr std::chrono::milliseconds kRestTime(5000);
constexpr std::chrono::milliseconds kRestQuiet(500);
constexpr std::size_t kMostPicture = 64UZ << 20U;
constexpr std::int64_t kMostPageLinks = 1;

const json::object* OutcomeChild(const std::optional<json::object>& parent, std::string_view key) {
  const json::value* value = parent ? parent->if_contains(key) : nullptr;
  return value != nullptr ? value->if_object() : nullptr;
}

double OutcomeNumber(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

// What was kept of the picture, and not what the page happened to bring down meanwhile.
const model::ResultArtifact* PictureIn(const model::ActionExecutionResult& result) {
  const auto found = std::ranges::find_if(result.artifacts, [](const model::ResultArtifact& file) {
    return file.mime.starts_with("image/") && !file.artifact_id.starts_with("dl_");
  });
  return found == result.artifacts.end() ? nullptr : &*found;
}

PictureArea AreaIn(const model::ActionExecutionResult& result) {
  const json::object* shown = OutcomeChild(result.outcome, "extracted");
  if (shown == nullptr) return {};
  return {.rect = {OutcomeNumber(*shown, "x"), OutcomeNumber(*shown, "y"),
                   OutcomeNumber(*shown, "width"), OutcomeNumber(*shown, "height")},
          .scale = OutcomeNumber(*shown, "scale")};
}

}  // namespace

GhostPage::GhostPage(GhostRooms rooms, GhostWish wish)
    : rooms_(std::move(rooms)),
      wish_(std::move(wish)),
      is_own_(wish_.session.empty()),
      run_("ghost-" + RandomHex(8)),
      url_(wish_.url) {
  workflow_ = WorkflowId(is_own_ ? run_ : wish_.session);
}

json::object GhostPage::ContractOf(json::object spec) {
  const std::int64_t most = wish_.timeout.count();
  const std::int64_t step = steps_++;
  return {{"workflow_id", workflow_.value()},
          {"run_id", run_},
          {"step_index", step},
          {"idempotency", {{"key", run_ + ":" + std::to_string(step)}}},
          {"timeout", {{"total_ms", most}, {"execute_ms", most}, {"wait_ms", most}}},
          {"action_spec", std::move(spec)}};
}

Task<Result<model::ActionExecutionResult>> GhostPage::Act(CallContext ctx, json::object spec) {
  return Send(std::move(ctx), ContractOf(std::move(spec)));
}

Task<Result<model::ActionExecutionResult>> GhostPage::Send(CallContext ctx, json::object contract) {
  CO_TRY_ASSIGN(engine::Caller caller, rooms_.caller());
  CO_TRY_ASSIGN(const auto bytes, co_await rooms_.runtime->Execute(
                                      std::move(ctx), std::move(caller), std::move(contract)));
  CO_TRY_ASSIGN(const json::value value, ParseJson(*bytes));
  CO_TRY_ASSIGN(auto result, model::ActionExecutionResult::FromJson(value));
  if (result.success) co_return result;
  model::ActionFailure& failure = *result.failure;
  if (failure.retry_after) failure.details["retry_after_ms"] = failure.retry_after->count();
  co_return Fail(Error(failure.code, Clean(failure.message), std::move(failure.details)));
}

Task<Result<json::object>> GhostPage::Extract(CallContext ctx, json::object extract) {
  CO_TRY_ASSIGN(const auto result, co_await Act(std::move(ctx), {{"action_type", "extract"},
                                                                 {"extract", std::move(extract)}}));
  const json::object* found = OutcomeChild(result.outcome, "extracted");
  if (found == nullptr)
    co_return Fail(ErrorCode::kActionExecutionFailed, "the page answered with nothing");
  co_return *found;
}

Task<Result<void>> GhostPage::Open(CallContext ctx) {
  if (wish_.url.empty()) co_return Result<void>();
  CO_TRY_ASSIGN(const auto result,
                co_await Act(std::move(ctx), {{"action_type", "navigate"}, {"url", wish_.url}}));
  if (const json::object* navigation = OutcomeChild(result.outcome, "navigation")) {
    url_ = TextAt(*navigation, "url");
    status_ = static_cast<std::int64_t>(OutcomeNumber(*navigation, "status"));
  }
  co_return Result<void>();
}

Task<Result<BlockFacts>> GhostPage::Facts(CallContext ctx) {
  CO_TRY_ASSIGN(const json::object found,
                co_await Extract(std::move(ctx), {{"what", "block_facts"}}));
  CO_TRY_ASSIGN(BlockFacts facts, BlockFacts::FromJson(found));
  if (status_ == 0) status_ = facts.status;
  co_return facts;
}

Task<void> GhostPage::Rest(CallContext ctx) {
  json::object contract = ContractOf({{"action_type", "wait_only"}});
  contract["timeout"] = {{"total_ms", kRestTime.count()}, {"wait_ms", kRestTime.count()}};
  contract["wait_conditions"] =
      json::array{json::object{{"kind", "network_idle"}, {"quiet_ms", kRestQuiet.count()}}};
  static_cast<void>(co_await Send(std::move(ctx), std::move(contract)));
}

Task<Result<PageReading>> GhostPage::Read(CallContext ctx) {
  CO_TRY_ASSIGN(const json::object found,
                co_await Extract(std::move(ctx), {{"what", "markdown"},
                                                  {"limit", kMostPageLinks},
                                                  {"max_chars", wish_.max_chars}}));
  co_return PageReading{.markdown = Clean(TextAt(found, "markdown")),
                        .title = Clean(TextAt(found, "title")),
                        .quality = TextAt(found, "quality"),
                        .is_truncated = IsTrueAt(found, "truncated")};
}

Task<Result<Picture>> GhostPage::Take(CallContext ctx, PictureWish wish) {
  json::object shot{{"format", wish.format},
                    {"full_page", !wish.viewport_only},
                    {"scale", wish.scale},
                    {"max_width", wish.max_width}};
  CO_TRY_ASSIGN(const auto result, co_await Act(ctx, {{"action_type", "screenshot"},
                                                      {"screenshot", std::move(shot)}}));
  const model::ResultArtifact* file = PictureIn(result);
  if (file == nullptr) co_return Fail(ErrorCode::kActionExecutionFailed, "no picture was taken");
  CO_TRY_ASSIGN(const engine::Caller caller, rooms_.caller());
  CO_TRY_ASSIGN(
      std::string bytes,
      co_await Aside(ctx, [artifacts = &rooms_.runtime->parts().artifacts, tenant = caller.tenant,
                           workflow = workflow_, id = file->artifact_id] {
        return artifacts->Read({.tenant = tenant, .workflow = workflow}, id, 0, kMostPicture);
      }));
  co_return Picture{.artifact = file->artifact_id,
                    .mime = file->mime,
                    .bytes = std::move(bytes),
                    .area = AreaIn(result)};
}

Task<void> GhostPage::Close(CallContext ctx) {
  const auto caller = rooms_.caller();
  if (!is_own_ || !caller) co_return;
  co_await rooms_.runtime->Close(CallContext(ctx.executor(), ctx.clock()).WithTimeout(kClosingTime),
                                 {.tenant = caller->tenant, .workflow = workflow_});
}

std::string GhostPage::Clean(std::string_view text) const {
  std::string clean;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    clean += rooms_.clean(text.substr(0, end));
    if (end < text.size()) clean += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return clean;
}

}  // namespace falconer::agent
