#include "model/site.h"

#include <algorithm>
#include <libpsl.h>
#include <string>

#include "base/check.h"
#include "base/text.h"

namespace falconer::model {
namespace {

// A name's last label is never a number.
bool IsAddress(std::string_view host) {
  const std::string_view last = host.substr(host.rfind('.') + 1);
  return host.contains(':') || std::ranges::all_of(last, IsDigit);
}

}  // namespace

std::string_view SiteOf(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (IsAddress(host)) return host;
  const psl_ctx_t* const suffixes = ::psl_builtin();
  CHECK(suffixes != nullptr, "libpsl comes without the list of public suffixes");
  const std::string name(host);
  const char* const site = ::psl_registrable_domain(suffixes, name.c_str());
  return site == nullptr ? host : host.substr(static_cast<std::size_t>(site - name.c_str()));
}

bool AreOfOneSite(std::string_view a, std::string_view b) {
  return SiteOf(a) == SiteOf(b);
}

}  // namespace falconer::model
