#pragma once
// DocumentCommons: what all documents of a browser session share.

#include <cstdint>
#include <memory>

#include "base/async/event_hub.h"
#include "browser/frames/typed_secrets.h"
#include "cdp/session.h"

namespace falconer::browser {

class DocumentCommons {
 public:
  // A number that no other document of the session has.
  std::uint32_t NextOrdinal() { return ++last_; }
  // Documents may outlive the session.
  const std::shared_ptr<TypedSecrets>& secrets() const { return secrets_; }
  // Told of the session of every page and frame that is to show them, before anything runs there.
  EventHub<const std::shared_ptr<cdp::Session>&>& on_page_session() { return on_page_session_; }

 private:
  std::uint32_t last_ = 0;
  EventHub<const std::shared_ptr<cdp::Session>&> on_page_session_;
  std::shared_ptr<TypedSecrets> secrets_ = std::make_shared<TypedSecrets>();
};

}  // namespace falconer::browser
