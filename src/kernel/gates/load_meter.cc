#include "kernel/gates/load_meter.h"

#include <algorithm>
#include <map>
#include <utility>

namespace falconer::kernel {
namespace {

using std::chrono::milliseconds;

// Before anything was measured.
constexpr Duration kFirstGuess = milliseconds(500);
constexpr milliseconds kSoonest{50};
constexpr milliseconds kLatest{30'000};
// How much of the average the newest turn is.
constexpr int kSmoothing = 8;
constexpr Bounds<std::int64_t> kCounts = {0, std::int64_t{1} << 53};

std::size_t ReadCount(JsonReader& in, std::string_view key) {
  return static_cast<std::size_t>(in.Integer(key, kCounts));
}

LoadLimits ReadLimits(JsonReader& in) {
  const json::array list = in.RawArray("limits");
  LoadLimits limits;
  std::size_t* const places[] = {&limits.running, &limits.running_per_tenant, &limits.queued};
  if (list.size() != std::size(places)) in.Reject("limits", "expected three numbers");
  for (std::size_t i = 0; i < std::size(places) && !in.failed(); ++i) {
    const std::int64_t* number = list[i].if_int64();
    if (number == nullptr || !kCounts.Contains(*number)) {
      in.Reject("limits", "expected whole numbers");
    } else {
      *places[i] = static_cast<std::size_t>(*number);
    }
  }
  return limits;
}

LoadNumbers ReadNumbers(JsonReader& in) {
  return {.running = ReadCount(in, "running"),
          .running_of_tenant = ReadCount(in, "running_of_tenant"),
          .queued = ReadCount(in, "queued"),
          .limits = ReadLimits(in),
          .average = Duration(in.Integer("average_ns", kCounts))};
}

}  // namespace

struct LoadPermit::Shared {
  Shared(const Clock& its_clock, LoadLimits its_limits) : clock(its_clock), limits(its_limits) {}

  const Clock& clock;
  LoadLimits limits;
  std::map<TenantId, std::size_t> running;  // tenants that run nothing have no entry
  std::size_t total = 0;
  std::size_t queued = 0;
  Duration average = kFirstGuess;
};

LoadPermit::LoadPermit(std::shared_ptr<Shared> shared, Kind kind, TenantId tenant)
    : shared_(std::move(shared)),
      kind_(kind),
      tenant_(std::move(tenant)),
      since_(shared_->clock.Now()) {
}

LoadPermit& LoadPermit::operator=(LoadPermit&& other) noexcept {
  if (this == &other) return *this;
  GiveBack();
  shared_ = std::move(other.shared_);
  kind_ = other.kind_;
  tenant_ = std::move(other.tenant_);
  since_ = other.since_;
  return *this;
}

LoadPermit::~LoadPermit() {
  GiveBack();
}

void LoadPermit::GiveBack() {
  const auto shared = std::exchange(shared_, nullptr);
  if (!shared) return;
  if (kind_ == Kind::kQueued) {
    --shared->queued;
    return;
  }
  --shared->total;
  const auto own = shared->running.find(tenant_);
  if (--own->second == 0) shared->running.erase(own);
  shared->average += (shared->clock.Now() - since_ - shared->average) / kSmoothing;
}

LoadMeter::LoadMeter(const Clock& clock, LoadLimits limits)
    : shared_(std::make_shared<LoadPermit::Shared>(clock, limits)) {
}

std::expected<LoadPermit, LoadRefusal> LoadMeter::TryRun(const TenantId& tenant) {
  if (const auto why_not = NumbersFor(tenant).WhyNot()) return std::unexpected(*why_not);
  ++shared_->total;
  ++shared_->running[tenant];
  return LoadPermit(shared_, LoadPermit::Kind::kRunning, tenant);
}

std::expected<LoadPermit, LoadRefusal> LoadMeter::TryQueue(const TenantId& tenant) {
  if (shared_->queued >= shared_->limits.queued) return std::unexpected(LoadRefusal::kQueue);
  ++shared_->queued;
  return LoadPermit(shared_, LoadPermit::Kind::kQueued, tenant);
}

std::size_t LoadMeter::running() const {
  return shared_->total;
}

std::size_t LoadMeter::running(const TenantId& tenant) const {
  const auto found = shared_->running.find(tenant);
  return found == shared_->running.end() ? 0 : found->second;
}

std::size_t LoadMeter::queued() const {
  return shared_->queued;
}

const LoadLimits& LoadMeter::limits() const {
  return shared_->limits;
}

LoadNumbers LoadMeter::NumbersFor(const TenantId& tenant) const {
  return {.running = shared_->total,
          .running_of_tenant = running(tenant),
          .queued = shared_->queued,
          .limits = shared_->limits,
          .average = shared_->average};
}

std::optional<LoadRefusal> LoadNumbers::WhyNot() const {
  if (running >= limits.running) return LoadRefusal::kRunning;
  if (running_of_tenant >= limits.running_per_tenant) return LoadRefusal::kTenant;
  return std::nullopt;
}

milliseconds LoadNumbers::RetryAfter() const {
  const auto ahead = static_cast<std::int64_t>(queued) + 1;
  const auto places = static_cast<std::int64_t>(std::max<std::size_t>(limits.running, 1));
  const auto wait = std::chrono::duration_cast<milliseconds>(average * ahead / places);
  return std::clamp(wait, kSoonest, kLatest);
}

json::object LoadNumbers::ToJson() const {
  return {{"running", running},
          {"running_of_tenant", running_of_tenant},
          {"queued", queued},
          {"limits", json::array{limits.running, limits.running_per_tenant, limits.queued}},
          {"average_ns", average.count()}};
}

Result<LoadNumbers> LoadNumbers::FromJson(const json::object& object) {
  return ReadJson(object, "facts", ReadNumbers);
}

}  // namespace falconer::kernel
