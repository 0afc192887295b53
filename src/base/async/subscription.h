#pragma once
// Subscription: owns a registration somewhere; letting go of it unregisters.

#include <functional>
#include <utility>

namespace falconer {

class [[nodiscard]] Subscription {
 public:
  Subscription() = default;
  explicit Subscription(std::function<void()> remove) : remove_(std::move(remove)) {}
  Subscription(Subscription&& other) noexcept : remove_(std::exchange(other.remove_, nullptr)) {}
  Subscription& operator=(Subscription&& other) noexcept {
    Reset();
    remove_ = std::exchange(other.remove_, nullptr);
    return *this;
  }
  ~Subscription() { Reset(); }

  void Reset() {
    if (auto remove = std::exchange(remove_, nullptr)) remove();
  }

 private:
  std::function<void()> remove_;
};

}  // namespace falconer
