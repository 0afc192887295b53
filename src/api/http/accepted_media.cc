#include "api/http/accepted_media.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/list_parts.h"
#include "base/text.h"

namespace falconer::api {
namespace {

// How much a client likes a type, and in which place it says so.
struct NamedMedia {
  double weight = 0;
  std::size_t place = 0;
};

// "text/html;level=1;q=0.5" has 0.5; what cannot be read counts as 1, as what is not there.
double WeightOf(std::string_view parameters) {
  for (;;) {
    const std::size_t semicolon = parameters.find(';');
    if (semicolon == std::string_view::npos) return 1;
    parameters.remove_prefix(semicolon + 1);
    const std::string_view one = Trim(parameters.substr(0, parameters.find(';')));
    if (!one.starts_with("q=") && !one.starts_with("Q=")) continue;
    double weight = 1;
    std::from_chars(one.data() + 2, one.data() + one.size(), weight);
    return weight;
  }
}

NamedMedia FindMedia(const net::HttpRequest& request, std::string_view wanted) {
  std::size_t place = 0;
  for (const auto& field : request.headers) {
    if (ToLower(field.name) != "accept") continue;
    for (const std::string_view part : ListParts(field.value)) {
      ++place;
      const std::size_t end = std::min(part.find(';'), part.size());
      if (ToLower(Trim(part.substr(0, end))) == wanted)
        return {.weight = WeightOf(part.substr(end)), .place = place};
    }
  }
  return {};
}

}  // namespace

bool PrefersMedia(const net::HttpRequest& request, std::string_view wanted,
                  std::string_view other) {
  const NamedMedia want = FindMedia(request, wanted);
  const NamedMedia rest = FindMedia(request, other);
  if (want.weight <= 0 || want.weight < rest.weight) return false;
  return want.weight > rest.weight || want.place < rest.place;
}

}  // namespace falconer::api
