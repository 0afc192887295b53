#pragma once
// Tools for models that only want to read: pages, many pages, files, by the server's crawler.

#include "api/tools/tool_context.h"

namespace falconer::api {

std::vector<ToolRow> CrawlTools();

}  // namespace falconer::api
