#include "browser/network/request_content.h"

#include "base/base64.h"

namespace falconer::browser {
namespace {

void AddHeaders(const json::object& headers, RequestFacts& facts) {
  facts.headers.clear();
  facts.headers.reserve(headers.size());
  for (const auto& [name, value] : headers) {
    if (value.is_string())
      facts.headers.push_back({std::string(name), std::string(value.get_string())});
  }
}

// The browser has no bytes for what it reads only when it sends it.
void AddEntry(const cdp::PostDataEntry& entry, RequestFacts& facts) {
  const auto bytes = DecodeBase64(entry.bytes.value_or(""));
  if (entry.bytes && bytes) {
    facts.body += *bytes;
  } else {
    facts.body_gaps.push_back(facts.body.size());
  }
}

}  // namespace

void AddContent(const cdp::PausedRequest& request, RequestFacts& facts) {
  AddHeaders(request.headers, facts);
  facts.body.clear();
  facts.body_gaps.clear();
  if (request.post_data_entries) {
    for (const cdp::PostDataEntry& entry : *request.post_data_entries) AddEntry(entry, facts);
  } else if (request.has_post_data.value_or(false)) {
    facts.body_gaps.push_back(0);
  }
  facts.is_body_whole = facts.body_gaps.empty();
}

}  // namespace falconer::browser
