#include "api/http/job_pages.h"

#include <utility>

#include "base/sha256.h"

namespace falconer::api {
namespace {

// A part is a file: its name must be one.
std::string PartOf(const std::string& url) {
  constexpr std::size_t kLongEnough = 32;
  return "page_" + Sha256Hex(url).substr(0, kLongEnough);
}

}  // namespace

const json::object* JobPages::Known(const std::string& url) const {
  const auto found = parts_->known().find(PartOf(url));
  return found == parts_->known().end() ? nullptr : &found->second;
}

Task<Result<void>> JobPages::Keep(CallContext ctx, std::string url, json::object page) {
  co_return co_await parts_->Keep(std::move(ctx), PartOf(url), std::move(page));
}

}  // namespace falconer::api
