#pragma once
// PageCache: pages that were read, by their normalized address and how they were read, in a folder
// per tenant. It outlives the program; what is damaged is dropped; the pages that were used least
// lately go when there is no more room.
//
// All of it reads or writes disks and returns when that is done: call it where waiting is allowed.
// Safe to use from several threads.

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "agent/crawl/crawl_wish.h"
#include "base/async/clock.h"
#include "base/ids.h"
#include "base/json/json.h"

namespace falconer::agent {

struct CacheQuestion {
  // Part of the address, the title or the content, in any case; "" for every page.
  std::string words = {};
  std::size_t offset = 0;
  std::size_t limit = 50;
};

class PageCache {
 public:
  struct Options {
    std::filesystem::path folder;
    // Of each tenant; 0 keeps nothing.
    std::uint64_t most_bytes = 0;
  };

  explicit PageCache(Options options) : options_(std::move(options)) {}
  PageCache(const PageCache&) = delete;
  PageCache& operator=(const PageCache&) = delete;

  // What a page that is read in this way is kept under: 64 hex digits.
  static std::string KeyOf(const CrawlWish& wish, CrawlForm form);

  // {"id", "url", "normalized_url", "stored_at", "content_hash", "page"}, with the time in
  // milliseconds since 1970. kNotFound, also for what is no id and for what was damaged.
  Result<json::object> Find(const TenantId& tenant, std::string_view id);
  // The one of these that was stored last; kNotFound.
  Result<json::object> Last(const TenantId& tenant, std::string_view normalized_url);
  // Keeps the page in place of an earlier one and gives what Find() would. kBudgetExceeded for one
  // that is too large to be kept at all, kIoError.
  Result<json::object> Keep(const TenantId& tenant, std::string_view id, json::object page,
                            WallTime now);
  // {"total", "documents": [what Find() gives, without the page]}, newest first.
  Result<json::object> List(const TenantId& tenant, const CacheQuestion& question);
  // Removes what is older, and says how many.
  Result<std::size_t> Prune(const TenantId& tenant, std::chrono::milliseconds older_than,
                            WallTime now);

 private:
  std::filesystem::path FolderOf(const TenantId& tenant) const;
  // Null for what is no page; a damaged file is removed.
  static json::value ReadEntry(const std::filesystem::path& file);
  std::vector<json::object> All(const TenantId& tenant) const;
  void MakeRoom(const std::filesystem::path& folder) const;

  Options options_;
  std::mutex mutex_;
};

}  // namespace falconer::agent
