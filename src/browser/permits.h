#pragma once
// Permits: a bounded number of places, handed out in the order they were asked for. A permit is a
// move-only object; letting go of it gives the place to whoever has waited longest.

#include <memory>
#include <optional>
#include <string>

#include "base/async/call_context.h"

namespace falconer::browser {

class Permit {
 public:
  // Holds nothing.
  Permit() = default;
  Permit(Permit&&) noexcept = default;
  Permit& operator=(Permit&& other) noexcept;
  ~Permit();

  explicit operator bool() const { return from_ != nullptr; }

 private:
  friend class PermitQueue;
  struct Source;
  explicit Permit(std::shared_ptr<Source> from) : from_(std::move(from)) {}
  void GiveBack();
  std::shared_ptr<Source> from_;
};

class PermitQueue {
 public:
  // `places` names what there are `limit` of, for messages ("sessions").
  PermitQueue(std::size_t limit, std::string places);

  // Waits for a place. Fails with kGlobalSessionLimit when the context's deadline passes first, or
  // with its cancel reason.
  Task<Result<Permit>> Acquire(CallContext ctx);
  // A place if one is free and nobody waits for it.
  std::optional<Permit> TryAcquire();

  std::size_t in_use() const;
  std::size_t limit() const;
  std::size_t waiting() const;

 private:
  static Task<Result<Permit>> AcquireFrom(std::shared_ptr<Permit::Source> source, CallContext ctx);
  std::shared_ptr<Permit::Source> source_;
};

}  // namespace falconer::browser
