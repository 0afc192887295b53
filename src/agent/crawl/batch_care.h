#pragma once
// BatchCare: who is told of the pages of a batch, and where they are kept.

#include <functional>
#include <memory>
#include <string>

#include "base/async/call_context.h"
#include "base/json/json.h"

namespace falconer::agent {

// Pages that last longer than the batch: one that is begun again does not read them twice.
class KeptPages {
 public:
  virtual ~KeptPages() = default;

  // Null for a page that is not there. Valid as long as this.
  virtual const json::object* Known(const std::string& url) const = 0;
  // Lasts when it returns.
  virtual Task<Result<void>> Keep(CallContext ctx, std::string url, json::object page) = 0;
};

struct BatchCare {
  // A failure as the caller of the batch is told of it.
  json::object (*tell)(const Error& error);
  // Told of each page as it is done, {"url", "success"}; may be empty.
  std::function<void(const json::object& page)> news = {};
  // Null for a batch whose pages are told and forgotten.
  std::shared_ptr<KeptPages> kept = nullptr;
};

}  // namespace falconer::agent
