#include "browser/frames/page_fingerprint.h"

#include <utility>

#include "model/action/target.h"

namespace falconer::browser {
namespace {

constexpr std::size_t kLongestFrame = 2048;

}  // namespace

std::string FrameOf(const ScriptCall& place) {
  if (place.frame->is_main()) return "";
  const std::string& url = place.document->url;
  std::string address = url.substr(0, url.find_first_of("?#"));
  return address.size() > kLongestFrame ? "" : address;
}

Result<model::Fingerprint> ReadFingerprint(const ScriptCall& place, const json::value& told) {
  TRY_ASSIGN(auto read, model::Fingerprint::FromJson(told));
  read.frame = FrameOf(place);
  std::erase_if(read.selectors, [](const std::string& selector) {
    return !model::MakeNamedSelector(selector).has_value();
  });
  return read;
}

}  // namespace falconer::browser
