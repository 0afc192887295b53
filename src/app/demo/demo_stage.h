#pragma once
// DemoStage: what the demo's story is played in: the shop, the origin that its hostile review
// points to, the password of the shop's account as a secret, and the policy that governs all of it.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/demo/shop/collector.h"
#include "app/demo/shop/shop_site.h"
#include "app/host/runtime_host.h"
#include "base/file.h"

namespace falconer::app {

class DemoStage {
 public:
  // The name of the secret, and of the account it belongs to.
  static constexpr std::string_view kSecret = "demo-shop";
  static constexpr std::string_view kAccount = "ada";

  // The clock must outlive the stage.
  DemoStage(const Executor& executor, Clock& clock);

  // Opens the shop and writes the policy to a folder of its own, which goes with the stage.
  // kNetworkError, kIoError.
  Result<void> Open();
  Task<void> Stop(CallContext ctx);

  // A runtime that may use the shop and nothing else, asks people about purchases, and knows the
  // secret. After Open().
  HostWishes WishesFrom(Settings settings) const;

  const ShopSite& site() const { return *site_; }
  const Shop& shop() const { return site_->shop(); }
  const Collector& collector() const { return collector_; }
  const std::string& password() const { return password_; }

 private:
  Executor executor_;
  Clock& clock_;
  std::string password_;
  Collector collector_;
  std::optional<ShopSite> site_;
  std::optional<TempDir> folder_;
};

}  // namespace falconer::app
