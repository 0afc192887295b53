#pragma once
// SecretSource: a place that secrets come from. The store asks its sources in order.

#include <functional>
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

  using Check = std::function<Result<void>(const Secret& secret)>;
  // Gives the value of a field that is given out once, and forgets it: that is durable before the
  // value is given, and of all who ask, in whichever program, one gets it. `check` is asked about
  // the secret as it is at that moment; what it refuses stays as it is. Sources whose secrets have
  // no terms have nothing to forget: kUnsupported.
  virtual Result<SecretText> Take(std::string_view name, std::string_view /*field*/,
                                  const Check& /*check*/) {
    return Fail(ErrorCode::kUnsupported,
                "the secret " + std::string(name) + " cannot be used up where it comes from");
  }
};

}  // namespace falconer::policy
