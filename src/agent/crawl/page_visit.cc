#include "agent/crawl/page_visit.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "agent/crawl/normalized_url.h"
#include "base/sha256.h"
#include "model/action/load_state.h"

namespace falconer::agent {
namespace {

constexpr std::int64_t kMostLinks = 1000;
// As many characters as an action may read of a text.
constexpr std::int64_t kMostMarkup = 1'000'000;
// A page that has not changed for so long is at rest.
constexpr std::int64_t kRestQuietMs = 300;

std::int64_t VisitMillis(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

std::string_view LoadStateOf(CrawlUntil until) {
  switch (until) {
    case CrawlUntil::kDomContentLoaded:
    // What is waited for is the element.
    case CrawlUntil::kSelector:
      return NameIn(model::kLoadStates, model::LoadState::kDomContentLoaded);
    case CrawlUntil::kLoad:
      return NameIn(model::kLoadStates, model::LoadState::kLoad);
    case CrawlUntil::kNetworkIdle:
      return NameIn(model::kLoadStates, model::LoadState::kNetworkIdle);
  }
  std::unreachable();
}

struct FormRow {
  CrawlForm form;
  std::string_view what;
  // Among what was read: its text, which is also what is compared.
  std::string_view text;
};

constexpr FormRow kFormRows[] = {
    {CrawlForm::kPage, "page", "text"},
    {CrawlForm::kText, "page_text", "text"},
    {CrawlForm::kMarkdown, "markdown", "markdown"},
    {CrawlForm::kRaw, "html", "html"},
};

const FormRow& FormRowOf(CrawlForm form) {
  return kFormRows[std::to_underlying(form)];
}

Duration TimeOfPhase(const model::ActionExecutionResult& result, model::AttemptPhase phase) {
  Duration sum{0};
  for (const auto& timing : result.timings)
    if (timing.phase == phase) sum += timing.took;
  return sum;
}

bool IsTableBlock(std::string_view block) {
  return block.starts_with('|');
}

}  // namespace

std::string WithoutRepeatedTables(std::string_view markdown) {
  std::set<std::string_view> tables;
  std::string kept;
  for (std::string_view left = markdown; !left.empty();) {
    const std::size_t end = std::min(left.find("\n\n"), left.size());
    const std::string_view block = left.substr(0, end);
    left.remove_prefix(std::min(end + 2, left.size()));
    if (IsTableBlock(block) && !tables.insert(block).second) continue;
    if (!kept.empty()) kept += "\n\n";
    kept += block;
  }
  return kept;
}

PageVisit::PageVisit(CrawlHost& host, VisitSession& session, CrawlWish wish, CrawlForm form)
    : host_(host), session_(session), wish_(std::move(wish)), form_(form), final_url_(wish_.url) {
  page_["url"] = wish_.url;
  page_["normalized_url"] = NormalizedUrl(wish_.url);
}

json::object PageVisit::OpenContract() const {
  json::object contract{{"action_spec",
                         {{"action_type", "navigate"},
                          {"url", wish_.url},
                          {"wait_until", LoadStateOf(wish_.until)}}}};
  if (!wish_.selector.empty()) {
    contract["wait_conditions"] = json::array{
        json::object{{"kind", "selector"}, {"payload", {{"selector", wish_.selector}}}}};
  }
  return contract;
}

Task<Result<void>> PageVisit::Open(CallContext ctx) {
  began_ = ctx.clock().Now();
  CO_TRY_ASSIGN(const auto result, co_await session_.Act(ctx, OpenContract(), wish_.timeout));
  waited_ = TimeOfPhase(result, model::AttemptPhase::kWait);
  timings_["navigation"] = VisitMillis(ctx.clock().Now() - began_ - waited_);
  const json::object* navigation = OutcomePart(result, "navigation");
  is_file_ = navigation == nullptr;
  if (is_file_)
    co_return Fail(ErrorCode::kNavigationFailed, "the address leads to a file, not to a page");
  final_url_ = TextAt(*navigation, "url");
  if (const json::value* status = navigation->if_contains("status"))
    status_ = static_cast<int>(status->to_number<std::int64_t>());
  co_return Result<void>();
}

Task<Result<json::object>> PageVisit::Read(CallContext ctx) {
  CO_TRY(co_await Rest(ctx));
  CO_TRY(co_await RunPayload(ctx));
  page_["final_url"] = host_.CleanLine(final_url_);
  if (status_ != 0) page_["status"] = status_;
  page_["render_mode"] = wish_.javascript ? "browser" : "browser_without_scripts";
  CO_TRY(co_await ReadContent(ctx));
  CO_TRY(co_await TakePicture(ctx));
  timings_["total"] = VisitMillis(ctx.clock().Now() - began_);
  page_["timings_ms"] = std::move(timings_);
  co_return std::move(page_);
}

// A page that never comes to rest is read when its time is over.
Task<Result<void>> PageVisit::Rest(CallContext ctx) {
  if (wish_.wait_after_load.count() == 0 || !wish_.javascript) co_return Result<void>();
  const TimePoint start = ctx.clock().Now();
  const auto quiet = [](std::string_view kind) {
    return json::object{{"kind", kind}, {"payload", {{"quiet_ms", kRestQuietMs}}}};
  };
  const auto rested =
      co_await session_.Act(ctx,
                            {{"action_spec", {{"action_type", "wait_only"}}},
                             {"wait_conditions", {quiet("dom_quiet"), quiet("network_idle")}}},
                            wish_.wait_after_load);
  waited_ += ctx.clock().Now() - start;
  if (rested) co_return Result<void>();
  CO_TRY(ctx.StillWanted("the page to come to rest"));
  const ErrorCode code = rested.error().code();
  const bool is_late = code == ErrorCode::kWaitTimeout || code == ErrorCode::kTimeout;
  co_return is_late ? Result<void>() : std::unexpected(rested.error());
}

Task<Result<void>> PageVisit::RunPayload(CallContext ctx) {
  if (wish_.javascript_payload.empty()) co_return Result<void>();
  CO_TRY_ASSIGN(const auto result,
                co_await session_.Act(std::move(ctx),
                                      {{"action_spec",
                                        {{"action_type", "custom_js_restricted"},
                                         {"js_expression", wish_.javascript_payload}}}},
                                      wish_.timeout));
  const json::value* answer = result.outcome ? result.outcome->if_contains("extracted") : nullptr;
  if (answer == nullptr) co_return Result<void>();
  page_["javascript_result"] = *answer;
  host_.CleanValue(page_["javascript_result"]);
  co_return Result<void>();
}

json::object PageVisit::ExtractContract() const {
  const std::int64_t chars = form_ == CrawlForm::kRaw ? kMostMarkup : wish_.max_chars;
  return {{"action_spec",
           {{"action_type", "extract"},
            {"extract",
             {{"what", FormRowOf(form_).what}, {"limit", kMostLinks}, {"max_chars", chars}}}}}};
}

Task<Result<void>> PageVisit::ReadContent(CallContext ctx) {
  const TimePoint start = ctx.clock().Now();
  CO_TRY_ASSIGN(const auto result, co_await session_.Act(ctx, ExtractContract(), wish_.timeout));
  const json::object* found = OutcomePart(result, "extracted");
  if (found == nullptr)
    co_return Fail(ErrorCode::kActionExecutionFailed, "the page answered with nothing");
  page_["truncated"] = IsTrueAt(*found, "truncated");
  PutFacts(*found);
  const std::string_view text = FormRowOf(form_).text;
  CO_TRY(co_await PutText(ctx, *found, text));
  page_["content_hash"] = Sha256Hex(TextAt(page_, text));
  if (form_ == CrawlForm::kPage) CO_TRY(co_await PutText(ctx, *found, "markdown"));
  PutTimings(*found, ctx.clock().Now() - start);
  co_return Result<void>();
}

Task<Result<void>> PageVisit::PutText(CallContext ctx, json::object found, std::string_view key) {
  std::string text = TextAt(found, key);
  if (key == "markdown" && wish_.dedupe_tables) text = WithoutRepeatedTables(text);
  CO_TRY_ASSIGN(page_[key], co_await host_.CleanText(std::move(ctx), std::move(text)));
  co_return Result<void>();
}

// What is known of a page beside its content; what the page does not tell is left out.
void PageVisit::PutFacts(const json::object& found) {
  for (const std::string_view key : {"title", "quality", "language", "byline"}) {
    const std::string told = TextAt(found, key);
    if (!told.empty()) page_[key] = host_.CleanLine(told);
  }
  for (const std::string_view key : {"links", "images"}) {
    const json::value* list = found.if_contains(key);
    // Of a page that is read as markdown its links are in the text.
    if (list == nullptr || (key == "links" && form_ == CrawlForm::kMarkdown)) continue;
    page_[key] = *list;
    host_.CleanValue(page_[key]);
  }
}

void PageVisit::PutTimings(const json::object& found, Duration content) {
  timings_["wait"] = VisitMillis(waited_);
  timings_["content"] = VisitMillis(content);
  const json::value* took = found.if_contains("took_ms");
  if (took == nullptr || !took->is_object()) return;
  for (const std::string_view key : {"visible_text", "markdown"}) {
    const json::value* ms = took->get_object().if_contains(key);
    if (ms != nullptr && ms->is_number())
      timings_[key] = static_cast<std::int64_t>(std::ceil(ms->to_number<double>()));
  }
}

Task<Result<void>> PageVisit::TakePicture(CallContext ctx) {
  if (wish_.screenshot == CrawlShot::kOff) co_return Result<void>();
  const bool is_full = wish_.screenshot == CrawlShot::kFull;
  CO_TRY_ASSIGN(const auto result,
                co_await session_.Act(
                    std::move(ctx),
                    {{"action_spec",
                      {{"action_type", "screenshot"}, {"screenshot", {{"full_page", is_full}}}}}},
                    wish_.timeout));
  if (result.artifacts.empty())
    co_return Fail(ErrorCode::kActionExecutionFailed, "no picture was kept");
  const model::ResultArtifact& picture = result.artifacts.front();
  page_["screenshot"] = {{"workflow", session_.workflow().value()},
                         {"artifact_id", picture.artifact_id},
                         {"mime", picture.mime},
                         {"bytes", picture.bytes},
                         {"sha256", picture.sha256}};
  co_return Result<void>();
}

}  // namespace falconer::agent
