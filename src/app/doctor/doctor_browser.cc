#include "app/doctor/doctor_browser.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "app/demo/shop/shop_site.h"
#include "app/doctor/doctor_folders.h"
#include "app/doctor/doctor_limits.h"
#include "base/file.h"

namespace falconer::app {
namespace {

// What the machine lacks so badly that no browser works: the true reason, whatever a browser said.
std::optional<std::string> CureOfShortage(const Visit& visit) {
  const Finding candidates[] = {ExamineTemp(visit), ExamineOpenFiles(), ExamineProcesses(),
                                ExamineMemory()};
  const auto* worst = std::ranges::find(candidates, Health::kFail, &Finding::health);
  if (worst == std::end(candidates)) return std::nullopt;
  return fmt::format("{}: {}", worst->detail, worst->cure);
}

std::string CureOfStart(const Visit& visit, const Error& error, const std::string& executable) {
  if (auto cure = CureOfShortage(visit)) return *std::move(cure);
  if (auto cure = ExactHintFor(error)) return *std::move(cure);
  return fmt::format("it is there but does not start: try `{} --version`, and see the checks below",
                     executable);
}

Task<Finding> CheckKind(CallContext ctx, Visit* visit, browser::BrowserKind kind) {
  browser::BrowserConfig config = BrowserConfigFrom(visit->program.settings());
  const Settings& settings = visit->program.settings();
  const bool is_asked_for = config.kind == kind && settings.browser.attach_url.empty();
  if (!is_asked_for) {
    // browser.path names the one that was asked for.
    config.executable.clear();
    config.visibility = browser::Visibility::kHeadless;
  }
  config.kind = kind;
  const Health when_missing = is_asked_for ? Health::kFail : Health::kWarn;
  const auto executable = browser::FindExecutable(config);
  if (!executable) co_return Finding{when_missing, executable.error().message()};
  auto browser = co_await OpenBrowser(ctx, config, "", BrowserLimitsFrom(settings));
  if (!browser) {
    co_return Finding{when_missing, browser.error().message(),
                      CureOfStart(*visit, browser.error(), executable->string())};
  }
  const std::string detail = fmt::format("{} at {}", (*browser)->product(), executable->string());
  if (is_asked_for) {
    visit->browser = *std::move(browser);
  } else {
    co_await (*browser)->Close(visit->program.NewCleanup());
  }
  co_return Finding{Health::kOk, detail};
}

Result<model::ActionSpec> Action(json::object fields) {
  return model::ActionSpec::FromJson(std::move(fields));
}

// Opens a page of the demo's shop, clicks, and reads what the click changed.
Task<Result<void>> ClickAround(CallContext ctx, browser::Driver* driver, std::string url) {
  CO_TRY_ASSIGN(const auto navigate, Action({{"action_type", "navigate"}, {"url", url}}));
  CO_TRY_ASSIGN(const auto click, Action({{"action_type", "click"}, {"selector", "#more"}}));
  CO_TRY_ASSIGN(const auto read, Action({{"action_type", "extract"}, {"selector", "#quantity"}}));
  CO_TRY(co_await driver->Perform(ctx, navigate));
  CO_TRY(co_await driver->Perform(ctx, click));
  CO_TRY_ASSIGN(const auto outcome, co_await driver->Perform(ctx, read));
  const std::string text = json::serialize(outcome.extracted.value_or(json::value()));
  if (text.contains("\"2\"")) co_return Result<void>();
  co_return Fail(ErrorCode::kPostconditionFailed, "the click changed nothing: " + text);
}

Task<Result<void>> TryPage(CallContext ctx, Visit* visit) {
  ShopSite site(visit->program.executor(), visit->program.clock(), {}, "");
  CO_TRY(site.Start());
  const Settings& settings = visit->program.settings();
  // A look at the machine makes no folders that stay.
  CO_TRY_ASSIGN(const TempDir folder, TempDir::Create("falconer-doctor-"));
  browser::SessionOptions options = SessionOptionsFrom(settings);
  options.artifacts = folder.path();
  auto session = co_await visit->browser->NewSession(ctx, SessionId("doctor"), options);
  if (!session) co_return std::unexpected(session.error());
  browser::Driver driver(**session, DriverLimitsFrom(settings));
  const auto clicked = co_await ClickAround(ctx, &driver, site.Url("/product/house"));
  co_await (*session)->Close(visit->program.NewCleanup());
  co_await site.Stop(visit->program.NewCleanup());
  co_return clicked;
}

}  // namespace

Task<Finding> CheckShell(CallContext ctx, Visit* visit) {
  return CheckKind(std::move(ctx), visit, browser::BrowserKind::kShell);
}

Task<Finding> CheckFull(CallContext ctx, Visit* visit) {
  return CheckKind(std::move(ctx), visit, browser::BrowserKind::kFull);
}

Task<Finding> CheckAttached(CallContext ctx, Visit* visit) {
  const Settings& settings = visit->program.settings();
  const std::string& url = settings.browser.attach_url;
  if (url.empty()) co_return Finding{Health::kOk, "no: browsers are started here"};
  auto browser = co_await OpenBrowser(ctx, {}, url, BrowserLimitsFrom(settings));
  if (!browser) co_return Finding{Health::kFail, Describe(browser.error())};
  visit->browser = *std::move(browser);
  co_return Finding{Health::kOk, fmt::format("{} at {}", visit->browser->product(), url)};
}

Task<Finding> CheckPage(CallContext ctx, Visit* visit) {
  if (!visit->browser)
    co_return Finding{Health::kFail, "no browser to open it in",
                      "see what the browser checks above say"};
  const TimePoint started = ctx.clock().Now();
  const auto tried = co_await TryPage(ctx, visit);
  if (!tried) {
    co_return Finding{Health::kFail, Describe(tried.error()), CureOfShortage(*visit).value_or("")};
  }
  const std::chrono::duration<double, std::milli> took = ctx.clock().Now() - started;
  co_return Finding{Health::kOk,
                    fmt::format("opened, clicked and read in {:.0f} ms", took.count())};
}

}  // namespace falconer::app
