#pragma once
// LoadMeter: how busy this node really is: turns that run, by tenant, turns that wait, and how long
// turns have taken lately. Places are permits; letting go of one gives it back. Belongs to one
// strand.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>

#include "base/async/clock.h"
#include "base/ids.h"
#include "base/json/json_reader.h"

namespace falconer::kernel {

struct LoadLimits {
  std::size_t running = 64;
  std::size_t running_per_tenant = 16;
  std::size_t queued = 256;
};

enum class LoadRefusal : std::uint8_t { kRunning, kTenant, kQueue };

inline constexpr EnumName<LoadRefusal> kLoadRefusals[] = {
    {LoadRefusal::kRunning, "capacity_running_limit"},
    {LoadRefusal::kTenant, "capacity_tenant_limit"},
    {LoadRefusal::kQueue, "capacity_queue_limit"},
};

// How busy the node is, as one caller finds it.
struct LoadNumbers {
  std::size_t running = 0;
  std::size_t running_of_tenant = 0;
  std::size_t queued = 0;
  LoadLimits limits;
  Duration average{0};  // how long turns have taken lately

  // Why there is no place to run now; nothing when there is one.
  std::optional<LoadRefusal> WhyNot() const;
  // When asking again makes sense: how long it takes, at the pace of the last turns, until those
  // that wait and one more have had their place.
  std::chrono::milliseconds RetryAfter() const;

  json::object ToJson() const;
  // kInvalidArgument for what ToJson never writes.
  static Result<LoadNumbers> FromJson(const json::object& object);
};

// A place to run or to wait. Holds nothing after it was moved from.
class LoadPermit {
 public:
  LoadPermit() = default;
  LoadPermit(LoadPermit&&) noexcept = default;
  LoadPermit& operator=(LoadPermit&& other) noexcept;
  ~LoadPermit();
  explicit operator bool() const { return shared_ != nullptr; }

 private:
  friend class LoadMeter;
  enum class Kind : std::uint8_t { kRunning, kQueued };
  struct Shared;
  LoadPermit(std::shared_ptr<Shared> shared, Kind kind, TenantId tenant);
  void GiveBack();

  std::shared_ptr<Shared> shared_;
  Kind kind_ = Kind::kRunning;
  TenantId tenant_;
  TimePoint since_;
};

class LoadMeter {
 public:
  LoadMeter(const Clock& clock, LoadLimits limits);

  // A place to run, or why not.
  std::expected<LoadPermit, LoadRefusal> TryRun(const TenantId& tenant);
  // A place to wait in, or why not.
  std::expected<LoadPermit, LoadRefusal> TryQueue(const TenantId& tenant);

  std::size_t running() const;
  std::size_t running(const TenantId& tenant) const;
  std::size_t queued() const;
  const LoadLimits& limits() const;
  LoadNumbers NumbersFor(const TenantId& tenant) const;
  // As LoadNumbers::RetryAfter.
  std::chrono::milliseconds RetryAfter() const { return NumbersFor(TenantId()).RetryAfter(); }

 private:
  std::shared_ptr<LoadPermit::Shared> shared_;
};

}  // namespace falconer::kernel
