#pragma once
// A page that gave nothing to read, read from its picture: first as pages are read, then as a
// picture, then an error that says why neither gave anything.

#include "agent/crawl/crawl_host.h"
#include "agent/crawl/crawl_wish.h"

namespace falconer::agent {

// Whether such a page is worth a picture: it looks blocked, or empty, and its text is wanted.
bool IsForPicture(const json::object& page, const CrawlWish& wish, CrawlForm form);

// The page with what its picture says, with "render_mode", "screenshot", "block_signal" and
// "block_reason". kExecutionError for a wall, with "block_signal" and "blocked_content" in its
// details; fails as GhostReader does. The host must outlive the call.
Task<Result<json::object>> PageFromPicture(CallContext ctx, CrawlHost* host, CrawlWish wish,
                                           json::object page);

}  // namespace falconer::agent
