#pragma once
// Crawler: reads single pages. Each is visited in a session of its own, by contracts like anybody
// else's (so that policy, quotas and egress apply and all of it is on record), and the session is
// closed again whatever came of it. On the server's event loop.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/rest_context.h"
#include "model/action/load_state.h"
#include "model/contract/result.h"

namespace falconer::api {

struct CrawlWish {
  std::string url;
  model::LoadState until = model::LoadState::kLoad;
  // What must be seen before the page is read; "" for nothing.
  std::string selector = {};
  // For each of the contracts.
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  // Most characters of text.
  std::int64_t max_chars = 100'000;
};

// What is read of the page.
enum class CrawlForm : std::uint8_t {
  kPage,      // all text, the content as markdown, all links
  kMarkdown,  // the content as markdown
  kRaw,       // markup
};

struct CrawlBatch {
  std::vector<CrawlWish> wishes;
  std::size_t at_once = 3;
  CrawlForm form = CrawlForm::kPage;
};

class Crawler {
 public:
  // Told of each page of a batch as it is done.
  using PageNews = std::function<void(const json::object& page)>;

  // The context must outlive what this begins.
  explicit Crawler(RestContext& context) : context_(&context) {}

  // {"url", "final_url", "status", "title"?, "content_hash", "truncated", "timings_ms", ...what the
  // form says}. Fails as the contract did that failed, with its code, details and denial id.
  Task<Result<json::object>> Read(CallContext ctx, CrawlWish wish, CrawlForm form) const;

  // The pages in the order of the wishes, each with "success"; one that failed has its "problem".
  Task<json::object> ReadAll(CallContext ctx, CrawlBatch batch, PageNews news) const;

 private:
  struct Visit;
  struct BatchRun;
  struct Step {
    std::string_view name;  // among the timings
    Task<Result<void>> (Crawler::*run)(CallContext ctx, Visit* visit) const;
  };

  Task<Result<void>> Take(CallContext ctx, Visit* visit) const;
  Task<Result<void>> Open(CallContext ctx, Visit* visit) const;
  Task<Result<void>> ReadText(CallContext ctx, Visit* visit) const;
  Task<Result<void>> ReadMarkdown(CallContext ctx, Visit* visit) const;
  Task<Result<void>> ReadLinks(CallContext ctx, Visit* visit) const;
  Task<Result<void>> ReadMarkup(CallContext ctx, Visit* visit) const;
  Task<void> Close(CallContext ctx, const Visit* visit) const;
  // What the action came to; fails as it did.
  Task<Result<model::ActionExecutionResult>> Act(CallContext ctx, Visit* visit,
                                                 json::object contract) const;
  // {"text", ...} or whatever else the action read.
  Task<Result<json::object>> Extract(CallContext ctx, Visit* visit, json::object spec) const;
  Task<Result<std::string>> Clean(CallContext ctx, std::string text) const;
  static Task<void> Work(std::shared_ptr<BatchRun> run);

  RestContext* context_;
};

}  // namespace falconer::api
