#include "browser/context/hidden_page.h"

#include <utility>

#include "base/base64.h"
#include "browser/frames/script_exception.h"

namespace falconer::browser {
namespace {

constexpr std::string_view kEmptyDocument = "<!doctype html><title></title>";

// The page says where it is, so that nothing is ever read from or written to another site.
std::string Guarded(const std::string& origin, const std::string& function,
                    const json::value& argument) {
  return "location.origin===" + json::serialize(json::value(origin)) + "?{value:(" + function +
         ")(" + json::serialize(argument) + ")}:{}";
}

}  // namespace

HiddenPage::HiddenPage(std::shared_ptr<cdp::Session> page, std::shared_ptr<cdp::Session> root)
    : page_(std::move(page)),
      root_(std::move(root)),
      requests_(page_->On<cdp::FetchRequestPaused>([this](const auto& event) { Answer(event); })) {
  page_->Post(cdp::PageEnable{});
  page_->Post(cdp::NetworkEnable{});
  // A service worker of the site would answer in our place.
  page_->Post(cdp::NetworkSetBypassServiceWorker{.bypass = true});
  page_->Post(cdp::FetchEnable{.patterns = {{cdp::RequestPattern{.url_pattern = "*"}}}});
  page_->Post(cdp::RuntimeRunIfWaitingForDebugger{});
}

HiddenPage::~HiddenPage() {
  requests_.Reset();
  root_->Post(cdp::TargetCloseTarget{.target_id = page_->target().target_id});
}

Task<Result<std::unique_ptr<HiddenPage>>> HiddenPage::Open(CallContext ctx, TabManager* tabs,
                                                           std::shared_ptr<cdp::Session> root) {
  CO_TRY_ASSIGN(auto page, co_await tabs->OpenHidden(std::move(ctx)));
  co_return std::unique_ptr<HiddenPage>(new HiddenPage(std::move(page), std::move(root)));
}

void HiddenPage::Answer(const cdp::FetchRequestPaused& request) {
  page_->Post(cdp::FetchFulfillRequest{
      .request_id = request.request_id,
      .response_code = 200,
      .response_headers = {{cdp::HeaderEntry{.name = "Content-Type", .value = "text/html"}}},
      .body = EncodeBase64(kEmptyDocument)});
}

Task<Result<json::value>> HiddenPage::CallOn(CallContext ctx, std::string origin,
                                             std::string function, json::value argument) {
  CO_TRY_ASSIGN(const auto arrived,
                co_await page_->Send(ctx, cdp::PageNavigate{.url = origin + "/"}));
  if (arrived.error_text && !arrived.error_text->empty()) {
    co_return Fail(ErrorCode::kNavigationFailed, origin + ": " + *arrived.error_text);
  }
  CO_TRY_ASSIGN(auto reply,
                co_await page_->Send(
                    ctx, cdp::RuntimeEvaluate{.expression = Guarded(origin, function, argument),
                                              .return_by_value = true,
                                              .silent = true}));
  if (reply.exception_details) co_return std::unexpected(ScriptException(*reply.exception_details));
  const json::value* value = nullptr;
  if (reply.result.value && reply.result.value->is_object()) {
    value = reply.result.value->get_object().if_contains("value");
  }
  if (value == nullptr) co_return Fail(ErrorCode::kNavigationFailed, origin + " was not reached");
  co_return *value;
}

}  // namespace falconer::browser
