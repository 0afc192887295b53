#pragma once
// Together: commands that are posted while it lives leave in one write, so that the browser wakes
// up once for all of them. It must not live across a wait.

#include "cdp/connection.h"

namespace falconer::cdp {

class Together {
 public:
  explicit Together(const Session& session)
      : transport_(session.is_open() ? session.connection().transport_.get() : nullptr) {
    if (transport_ != nullptr) transport_->Hold();
  }
  ~Together() {
    if (transport_ != nullptr) transport_->LetGo();
  }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

 private:
  Transport* transport_;
};

}  // namespace falconer::cdp
