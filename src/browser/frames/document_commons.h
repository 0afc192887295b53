#pragma once
// DocumentCommons: what all documents of a browser session share.

#include <cstdint>
#include <memory>

#include "browser/frames/typed_secrets.h"

namespace falconer::browser {

class DocumentCommons {
 public:
  // A number that no other document of the session has.
  std::uint32_t NextOrdinal() { return ++last_; }
  // Documents may outlive the session.
  const std::shared_ptr<TypedSecrets>& secrets() const { return secrets_; }

 private:
  std::uint32_t last_ = 0;
  std::shared_ptr<TypedSecrets> secrets_ = std::make_shared<TypedSecrets>();
};

}  // namespace falconer::browser
