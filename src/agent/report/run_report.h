#pragma once
// A run as a file: its records, one in each line, or one page that needs nothing else to be read:
// no script, no address that is fetched, pictures inside.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/loop/run_past.h"
#include "agent/providers/chat_request.h"
#include "base/ids.h"

namespace falconer::agent {

// The picture of that id; nothing when it is none, or gone.
using PictureSource = std::function<std::optional<ChatImage>(const std::string& artifact)>;

// Each record as one JSON object on a line.
std::string RunReportJsonl(const std::vector<json::object>& records);

// Every text of the run and of pages is shown as text. Pictures beyond a number are left out, and
// that is said.
std::string RunReportHtml(const RunId& run, const RunPast& past, const PictureSource& pictures);

}  // namespace falconer::agent
