#include "bench/control/page_rows.h"

#include "app/egress/egress_host.h"
#include "bench/samples.h"
#include "browser/browser.h"
#include "browser/driver.h"

namespace falconer::bench {
namespace {

constexpr auto kPatience = std::chrono::seconds(20);
constexpr int kWarmUp = 10;

Result<std::unique_ptr<app::EgressHost>> StartProxy() {
  TRY_ASSIGN(auto rules, policy::DomainRules::Create(
                             {.navigate = {.allow = {"127.0.0.1", "localhost"}, .deny = {}}}));
  return app::EgressHost::Start({}, std::move(rules));
}

Task<Result<void>> Load(CallContext ctx, browser::Driver* driver, std::string url, Samples* into) {
  const TimePoint start = ctx.clock().Now();
  CO_TRY(co_await driver->Perform(ctx.WithTimeout(kPatience),
                                  {.type = model::ActionType::kNavigate, .url = std::move(url)}));
  into->Add(ctx.clock().Now() - start, 0);
  co_return Result<void>();
}

}  // namespace

Task<Result<std::vector<Row>>> MeasurePages(app::Program* program, std::string url, int samples) {
  const CallContext ctx = program->NewCall();
  CO_TRY_ASSIGN(const auto proxy, StartProxy());
  CO_TRY_ASSIGN(const auto chromium, co_await browser::Browser::Launch(ctx, {}, {}));
  browser::SessionOptions through;
  through.egress = proxy->door();
  CO_TRY_ASSIGN(const auto direct,
                co_await chromium->NewSession(ctx, SessionId("direct"), browser::SessionOptions()));
  CO_TRY_ASSIGN(const auto proxied,
                co_await chromium->NewSession(ctx, SessionId("proxied"), through));
  browser::Driver without(*direct);
  browser::Driver with(*proxied);
  Samples ignored;
  Samples alone;
  Samples passed;
  for (int i = 0; i < kWarmUp + samples; ++i) {
    const bool is_warm = i >= kWarmUp;
    CO_TRY(co_await Load(ctx, &without, url, is_warm ? &alone : &ignored));
    CO_TRY(co_await Load(ctx, &with, url, is_warm ? &passed : &ignored));
  }
  co_await chromium->Close(program->NewCleanup());
  co_return std::vector<Row>{
      {.name = "page load through the egress proxy, p50",
       .value = passed.Percentile(0.5),
       .unit = "ms",
       .baseline = Baseline{"the same page without it", alone.Percentile(0.5), Ratio::kShare},
       .aim = Aim{Aim::Bound::kAtMost, 1.10}},
      {.name = "page load through the egress proxy, p95",
       .value = passed.Percentile(0.95),
       .unit = "ms",
       .baseline = Baseline{"the same page without it", alone.Percentile(0.95), Ratio::kShare}},
  };
}

}  // namespace falconer::bench
