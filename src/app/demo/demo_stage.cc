#include "app/demo/demo_stage.h"

#include <fmt/format.h>
#include <utility>

#include "app/demo/demo_policy.h"
#include "app/demo/fill_in.h"
#include "base/random.h"

namespace falconer::app {
namespace {

constexpr std::string_view kPolicyName = "policy.yaml";
constexpr std::string_view kSecretLines = "FALCONER_SECRET_DEMO_SHOP";
constexpr std::size_t kPasswordBytes = 12;

}  // namespace

DemoStage::DemoStage(const Executor& executor, Clock& clock)
    : executor_(executor),
      clock_(clock),
      password_(RandomHex(kPasswordBytes)),
      collector_(executor, clock) {
}

Result<void> DemoStage::Open() {
  TRY(collector_.Start());
  const ShopAccount account{.name = std::string(kAccount), .password = password_};
  site_.emplace(executor_, clock_, account, collector_.origin());
  TRY(site_->Start());
  TRY_ASSIGN(folder_, TempDir::Create("falconer-demo-"));
  return WriteFileAtomic(folder_->path() / kPolicyName,
                         FillIn(DemoPolicy(), {{"shop", site_->host()}}));
}

Task<void> DemoStage::Stop(CallContext ctx) {
  if (site_) co_await site_->Stop(ctx);
  co_await collector_.Stop(ctx);
}

HostWishes DemoStage::WishesFrom(Settings settings) const {
  settings.policy.allow_domains = {site_->host()};
  settings.policy.connect_domains.clear();
  settings.policy.file = folder_->path() / kPolicyName;
  settings.approvals.from_risk = AskFromSetting::kNever;
  settings.injection.filter = true;
  return {.settings = std::move(settings),
          .on_stage = nullptr,
          .environment = {fmt::format("{}={}", kSecretLines, password_),
                          fmt::format("{}_HOSTS={}", kSecretLines, site_->host())}};
}

}  // namespace falconer::app
