#include "api/http/crawler.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "api/http/problem.h"
#include "api/tools/aside.h"
#include "base/async/task_scope.h"
#include "base/random.h"
#include "base/sha256.h"

namespace falconer::api {
namespace {

constexpr auto kClosingTime = std::chrono::seconds(10);
constexpr std::int64_t kMostLinks = 1000;
// As many characters as an action may read of a text.
constexpr std::int64_t kMostMarkup = 1'000'000;

// As a problem tells it.
Error CrawlFailure(const model::ActionFailure& failure, ViewGuard& guard) {
  json::object details = failure.details;
  guard.Clean(details);
  if (failure.retry_after) details["retry_after_ms"] = failure.retry_after->count();
  return {failure.code, guard.Clean(failure.message), std::move(details)};
}

json::object TimeoutsOf(const CrawlWish& wish) {
  const std::int64_t most = wish.timeout.count();
  return {{"total_ms", most}, {"execute_ms", most}, {"wait_ms", most}};
}

const json::object* ObjectIn(const json::object* object, std::string_view key) {
  const json::value* value = object != nullptr ? object->if_contains(key) : nullptr;
  return value != nullptr ? value->if_object() : nullptr;
}

// Where the page was found.
void PutPlace(const model::ActionExecutionResult& result, ViewGuard& guard, json::object& page) {
  const json::object* navigation =
      ObjectIn(result.outcome ? &*result.outcome : nullptr, "navigation");
  if (navigation == nullptr) return;
  page["final_url"] = guard.Clean(TextAt(*navigation, "url"));
  if (const json::value* status = navigation->if_contains("status")) page["status"] = *status;
}

// A page that was not there before is told whole.
std::string TitleIn(const model::ActionExecutionResult& result) {
  const json::object* state = ObjectIn(result.state_delta ? &*result.state_delta : nullptr, "full");
  return state != nullptr ? TextAt(*state, "title") : "";
}

// Without the names of elements that are gone when the page is told.
json::array LinksIn(const json::object& found) {
  json::array links;
  const json::value* list = found.if_contains("links");
  if (list == nullptr || !list->is_array()) return links;
  for (const json::value& one : list->get_array()) {
    const json::object& link = one.as_object();
    links.push_back(json::object{{"text", TextAt(link, "text")}, {"url", TextAt(link, "url")}});
  }
  return links;
}

// What is known of a page beside its content; what the page does not tell is left out.
void PutFacts(const json::object& found, ViewGuard& guard, json::object& page) {
  for (const std::string_view key : {"quality", "language", "byline"}) {
    const std::string told = TextAt(found, key);
    if (!told.empty()) page[key] = guard.Clean(told);
  }
  const std::string title = TextAt(found, "title");
  if (!page.contains("title") && !title.empty()) page["title"] = guard.Clean(title);
  if (const json::value* images = found.if_contains("images")) {
    page["images"] = *images;
    guard.Clean(page["images"]);
  }
}

constexpr std::string_view kTags[] = {"<br>", "<sup>", "</sup>", "<sub>", "</sub>"};
constexpr std::string_view kMarks = "*~`\\[]";

// How many characters at the start of the text are markup: 0 where a word goes on.
std::size_t MarkupAt(std::string_view text) {
  if (text.starts_with("](")) return std::min(text.find(')'), text.size() - 1) + 1;
  for (const std::string_view tag : kTags)
    if (text.starts_with(tag)) return tag.size();
  return kMarks.contains(text.front()) ? 1 : 0;
}

// A line of markdown as its words alone: markup in the middle of a word must not hide it.
std::string WithoutMarks(std::string_view line) {
  std::string words;
  while (!line.empty()) {
    const std::size_t markup = MarkupAt(line);
    if (markup == 0) words += line.front();
    line.remove_prefix(std::max<std::size_t>(markup, 1));
  }
  return words;
}

// What would be put away without its markup is put away with it.
std::string CleanLine(std::string_view line, ViewGuard& guard) {
  const std::string words = WithoutMarks(line);
  if (words != line) {
    std::string shown = guard.Clean(words);
    if (shown != words) return shown;
  }
  return guard.Clean(line);
}

std::int64_t Milliseconds(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

}  // namespace

// One page on its way.
struct Crawler::Visit {
  CrawlWish wish;
  CrawlForm form;
  WorkflowId workflow;
  std::int64_t steps = 0;
  json::object page;
};

struct Crawler::BatchRun {
  Crawler crawler;
  CallContext ctx;
  CrawlBatch batch;
  PageNews news;
  std::size_t next = 0;
  std::vector<json::object> pages;
};

Task<Result<json::object>> Crawler::Read(CallContext ctx, CrawlWish wish, CrawlForm form) const {
  Visit visit{.wish = std::move(wish),
              .form = form,
              .workflow = WorkflowId("crawl-" + RandomHex(8)),
              .page = {}};
  visit.page["url"] = visit.wish.url;
  visit.page["truncated"] = false;
  auto taken = co_await Take(ctx, &visit);
  co_await Close(std::move(ctx), &visit);
  CO_TRY(std::move(taken));
  co_return std::move(visit.page);
}

Task<Result<void>> Crawler::Take(CallContext ctx, Visit* visit) const {
  static constexpr Step kText = {"visible_text", &Crawler::ReadText};
  static constexpr Step kMarkdown = {"markdown", &Crawler::ReadMarkdown};
  static constexpr Step kLinks = {"links", &Crawler::ReadLinks};
  static constexpr Step kMarkup = {"raw", &Crawler::ReadMarkup};
  static constexpr std::array kPageSteps = {kText, kMarkdown, kLinks};
  static constexpr std::array kMarkdownSteps = {kMarkdown};
  static constexpr std::array kRawSteps = {kMarkup};
  static constexpr std::array<std::span<const Step>, 3> kSteps = {kPageSteps, kMarkdownSteps,
                                                                  kRawSteps};
  const TimePoint began = ctx.clock().Now();
  CO_TRY(co_await Open(ctx, visit));
  const TimePoint open = ctx.clock().Now();
  json::object timings{{"navigation", Milliseconds(open - began)}};
  TimePoint last = open;
  for (const Step& step : kSteps[static_cast<std::size_t>(visit->form)]) {
    CO_TRY(co_await (this->*step.run)(ctx, visit));
    const TimePoint now = ctx.clock().Now();
    timings[step.name] = Milliseconds(now - last);
    last = now;
  }
  timings["content"] = Milliseconds(last - open);
  timings["total"] = Milliseconds(last - began);
  visit->page["timings_ms"] = std::move(timings);
  co_return Result<void>();
}

Task<Result<model::ActionExecutionResult>> Crawler::Act(CallContext ctx, Visit* visit,
                                                        json::object contract) const {
  // A new token for each: what a page takes long for outlives one.
  CO_TRY_ASSIGN(const ToolRooms rooms, context_->Rooms());
  contract["workflow_id"] = visit->workflow.value();
  contract["step_index"] = visit->steps++;
  contract["timeout"] = TimeoutsOf(visit->wish);
  CO_TRY_ASSIGN(const auto bytes,
                co_await rooms.runtime->Execute(std::move(ctx), rooms.caller, std::move(contract)));
  CO_TRY_ASSIGN(const json::value value, ParseJson(*bytes));
  CO_TRY_ASSIGN(auto result, model::ActionExecutionResult::FromJson(value));
  if (!result.success) co_return Fail(CrawlFailure(*result.failure, context_->guard));
  co_return result;
}

Task<Result<void>> Crawler::Open(CallContext ctx, Visit* visit) const {
  const CrawlWish& wish = visit->wish;
  json::object contract{{"action_spec",
                         {{"action_type", "navigate"},
                          {"url", wish.url},
                          {"wait_until", NameIn(model::kLoadStates, wish.until)}}}};
  if (!wish.selector.empty()) {
    contract["wait_conditions"] =
        json::array{json::object{{"kind", "selector"}, {"payload", {{"selector", wish.selector}}}}};
  }
  CO_TRY_ASSIGN(const auto result, co_await Act(std::move(ctx), visit, std::move(contract)));
  PutPlace(result, context_->guard, visit->page);
  const std::string title = TitleIn(result);
  if (!title.empty()) visit->page["title"] = context_->guard.Clean(title);
  co_return Result<void>();
}

Task<Result<json::object>> Crawler::Extract(CallContext ctx, Visit* visit,
                                            json::object spec) const {
  CO_TRY_ASSIGN(const auto result,
                co_await Act(std::move(ctx), visit, {{"action_spec", std::move(spec)}}));
  const json::value* read = result.outcome ? result.outcome->if_contains("extracted") : nullptr;
  const json::object* found = read != nullptr ? read->if_object() : nullptr;
  if (found == nullptr)
    co_return Fail(ErrorCode::kActionExecutionFailed, "the page answered with nothing");
  if (IsTrueAt(*found, "truncated")) visit->page["truncated"] = true;
  co_return *found;
}

Task<Result<void>> Crawler::ReadText(CallContext ctx, Visit* visit) const {
  CO_TRY_ASSIGN(
      const json::object found,
      co_await Extract(ctx, visit,
                       {{"action_type", "extract"},
                        {"extract", {{"what", "text"}, {"max_chars", visit->wish.max_chars}}}}));
  CO_TRY_ASSIGN(const std::string text, co_await Clean(std::move(ctx), TextAt(found, "text")));
  visit->page["content_hash"] = Sha256Hex(text);
  visit->page["text"] = text;
  co_return Result<void>();
}

Task<Result<void>> Crawler::ReadMarkdown(CallContext ctx, Visit* visit) const {
  CO_TRY_ASSIGN(
      const json::object found,
      co_await Extract(
          ctx, visit,
          {{"action_type", "extract"},
           {"extract",
            {{"what", "markdown"}, {"limit", kMostLinks}, {"max_chars", visit->wish.max_chars}}}}));
  CO_TRY_ASSIGN(const std::string markdown,
                co_await Clean(std::move(ctx), TextAt(found, "markdown")));
  PutFacts(found, context_->guard, visit->page);
  // Of a page that is read as text too, the text is what is compared.
  if (!visit->page.contains("content_hash")) visit->page["content_hash"] = Sha256Hex(markdown);
  visit->page["markdown"] = markdown;
  co_return Result<void>();
}

Task<Result<void>> Crawler::ReadLinks(CallContext ctx, Visit* visit) const {
  CO_TRY_ASSIGN(
      const json::object found,
      co_await Extract(
          std::move(ctx), visit,
          {{"action_type", "extract"},
           {"extract",
            {{"what", "links"}, {"limit", kMostLinks}, {"max_chars", visit->wish.max_chars}}}}));
  json::value links = LinksIn(found);
  context_->guard.Clean(links);
  visit->page["links"] = std::move(links);
  co_return Result<void>();
}

Task<Result<void>> Crawler::ReadMarkup(CallContext ctx, Visit* visit) const {
  CO_TRY_ASSIGN(const json::object found,
                co_await Extract(ctx, visit,
                                 {{"action_type", "extract"},
                                  {"extract", {{"what", "html"}, {"max_chars", kMostMarkup}}}}));
  CO_TRY_ASSIGN(const std::string html, co_await Clean(std::move(ctx), TextAt(found, "html")));
  visit->page["content_hash"] = Sha256Hex(html);
  visit->page["html"] = html;
  co_return Result<void>();
}

// What is secret may go over several lines; what reads like an instruction is put away line by
// line, so that the rest of the page stays.
Task<Result<std::string>> Crawler::Clean(CallContext ctx, std::string text) const {
  CO_TRY_ASSIGN(const ToolRooms rooms, context_->Rooms());
  if (rooms.redactor != nullptr) {
    text = co_await Aside(std::move(ctx),
                          [redactor = rooms.redactor, text = std::move(text)]() mutable {
                            redactor->RedactText(policy::Surface::kModel, text);
                            return std::move(text);
                          });
  }
  std::string clean;
  for (std::string_view left = text; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    clean += CleanLine(left.substr(0, end), context_->guard);
    if (end < left.size()) clean += '\n';
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  co_return clean;
}

// Also when nobody waits for the page any more.
Task<void> Crawler::Close(CallContext ctx, const Visit* visit) const {
  const auto rooms = context_->Rooms();
  if (!rooms) co_return;
  co_await rooms->runtime->Close(CallContext(ctx.executor(), ctx.clock()).WithTimeout(kClosingTime),
                                 {.tenant = rooms->caller.tenant, .workflow = visit->workflow});
}

Task<void> Crawler::Work(std::shared_ptr<BatchRun> run) {
  while (run->next < run->batch.wishes.size()) {
    const std::size_t at = run->next++;
    const CrawlWish& wish = run->batch.wishes[at];
    const auto read = co_await run->crawler.Read(run->ctx, wish, run->batch.form);
    json::object page{{"url", wish.url}, {"success", read.has_value()}};
    run->news(page);
    if (read) {
      for (const auto& [key, value] : *read) page[key] = value;
    } else {
      page["problem"] = ProblemJson(read.error());
    }
    run->pages[at] = std::move(page);
  }
}

Task<json::object> Crawler::ReadAll(CallContext ctx, CrawlBatch batch, PageNews news) const {
  const std::size_t workers = std::min(batch.at_once, batch.wishes.size());
  TaskScope scope(ctx.executor());
  const auto run = std::make_shared<BatchRun>(BatchRun{.crawler = *this,
                                                       .ctx = std::move(ctx),
                                                       .batch = std::move(batch),
                                                       .news = std::move(news),
                                                       .pages = {}});
  run->pages.resize(run->batch.wishes.size());
  for (std::size_t i = 0; i < workers; ++i) scope.Spawn("crawl.batch", Work(run));
  co_await scope.Join();
  json::array pages;
  std::size_t failed = 0;
  for (json::object& page : run->pages) {
    if (!IsTrueAt(page, "success")) ++failed;
    pages.push_back(std::move(page));
  }
  co_return json::object{
      {"pages", std::move(pages)}, {"total", run->pages.size()}, {"failed", failed}};
}

}  // namespace falconer::api
