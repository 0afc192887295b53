#include "agent/crawl/picture_page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/sha256.h"

namespace falconer::agent {
namespace {

constexpr std::array<std::string_view, 2> kUnread = {"blocked", "empty"};
// Where a page has its text, by what was read of it.
constexpr std::array<std::string_view, 2> kTexts = {"text", "markdown"};

Error WallError(const GhostResult& result) {
  const json::object told = result.ToJson();
  json::object details;
  for (const std::string_view key : {"block_signal", "block_reason", "blocked_content"})
    if (const json::value* value = told.if_contains(key)) details[key] = *value;
  const std::string why = result.error ? result.error->message() : "there is nothing to read";
  return {ErrorCode::kExecutionError, why, std::move(details)};
}

}  // namespace

bool IsForPicture(const json::object& page, const CrawlWish& wish, CrawlForm form) {
  if (!wish.allow_ghost || form == CrawlForm::kRaw) return false;
  return std::ranges::find(kUnread, TextAt(page, "quality")) != kUnread.end();
}

Task<Result<json::object>> PageFromPicture(CallContext ctx, CrawlHost* host, CrawlWish wish,
                                           json::object page) {
  CO_TRY_ASSIGN(const GhostResult result,
                co_await host->ReadPicture(std::move(ctx), {.url = wish.url,
                                                            .allow_ghost = true,
                                                            .timeout = wish.timeout,
                                                            .max_chars = wish.max_chars}));
  if (!result.success) co_return Fail(WallError(result));
  for (const std::string_view key : kTexts)
    if (page.contains(key)) page[key] = result.content;
  const json::object told = result.ToJson();
  for (const std::string_view key : {"render_mode", "screenshot", "block_signal", "block_reason"})
    if (const json::value* value = told.if_contains(key)) page[key] = *value;
  page["content_hash"] = Sha256Hex(result.content);
  page["truncated"] = result.truncated;
  co_return page;
}

}  // namespace falconer::agent
