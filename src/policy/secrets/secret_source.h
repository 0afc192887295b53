#pragma once
// SecretSource: a place that secrets come from. The store asks its sources in order.

#include <string_view>
#include <vector>

#include "policy/secrets/secret.h"

namespace falconer::policy {

class SecretSource {
 public:
  virtual ~SecretSource() = default;
  virtual std::string_view kind() const = 0;
  // kNotFound when it has none of that name; other codes mean it could not say. May block (see the
  // source): not for the event loop's thread.
  virtual Result<Secret> Find(std::string_view name) = 0;
  // What it has, without values. Sources that cannot know leave things out.
  virtual Result<std::vector<SecretInfo>> List() = 0;
  // The values it can tell at once, for redaction; the others become known when they are used.
  virtual Result<std::vector<Secret>> Known() = 0;
};

}  // namespace falconer::policy
