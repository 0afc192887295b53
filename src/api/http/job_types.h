#pragma once
// The types of jobs that the server does.

#include "api/http/rest_context.h"

namespace falconer::api {

// Pages, for who only wants to read: crawl_url, batch_crawl, markdown_only.
std::vector<agent::JobType> CrawlJobTypes(RestContext& context);

// Tells the context's queue of all types; before it starts. The context must outlive the queue's
// work.
void OfferJobTypes(RestContext& context);

}  // namespace falconer::api
