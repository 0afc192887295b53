#pragma once
// WriteFence: whoever may call an action off says whether bytes that act on a page may still leave.
// The session asks before every such command and again when a command that had to wait for a full
// pipe is about to be written; commands that only set up or tidy up are not asked about.

#include <memory>
#include <utility>

#include "base/error.h"

namespace falconer::cdp {

class WriteFence {
 public:
  virtual ~WriteFence() = default;

  // Asked right before bytes leave; the error is what the command fails with.
  virtual Result<void> MayLeave() const = 0;
  // The last byte of a command that was allowed has left.
  virtual void DidLeave() const = 0;
};

// The fence that many sessions heed at this moment. A command keeps the fence it was given under:
// changing it lets nothing through that was refused before.
class FenceSlot {
 public:
  // Null: nobody is asked.
  void Set(std::shared_ptr<const WriteFence> fence) { fence_ = std::move(fence); }
  const std::shared_ptr<const WriteFence>& get() const { return fence_; }

 private:
  std::shared_ptr<const WriteFence> fence_;
};

}  // namespace falconer::cdp
