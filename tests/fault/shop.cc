#include "tests/fault/shop.h"

#include <cstdlib>
#include <fmt/format.h>

namespace falconer::test {
namespace {

constexpr std::string_view kScript =
    "<script>function buy(thing) { fetch('/buy', {method: 'POST', body: String(thing)}).then(() => "
    "{ const done = document.createElement('p'); done.id = 'done-' + thing; done.textContent = "
    "'bought ' + thing; list.append(done); }); }</script>";
constexpr int kThings = 40;

}  // namespace

Shop::Shop() {
  site_.On("/shop", [this](const net::HttpRequest&) { return Page(); });
  site_.On("/buy", [this](const net::HttpRequest& request) { return Buy(request); });
}

int Shop::Bought(int thing) const {
  const std::scoped_lock lock(mutex_);
  const auto found = bought_.find(thing);
  return found == bought_.end() ? 0 : found->second;
}

net::HttpResponse Shop::Page() const {
  const std::scoped_lock lock(mutex_);
  std::string html = "<!doctype html><title>Shop</title>" + std::string(kScript) + "<div id=list>";
  for (const auto& [thing, times] : bought_)
    html += fmt::format("<p id=done-{0}>bought {0}</p>", thing);
  html += "</div>";
  for (int thing = 1; thing <= kThings; ++thing)
    html += fmt::format("<button id=buy-{0} onclick='buy({0})'>Buy {0}</button>", thing);
  return net::TextResponse(200, "text/html; charset=utf-8", std::move(html));
}

net::HttpResponse Shop::Buy(const net::HttpRequest& request) {
  const std::scoped_lock lock(mutex_);
  ++bought_[std::atoi(request.body.c_str())];
  return net::TextResponse(200, "text/plain", "");
}

std::string Shop::OpenContract(int time) const {
  return fmt::format(R"({{"workflow_id":"shop","step_index":{},"action_spec":)"
                     R"({{"action_type":"navigate","url":"{}?{}"}}}})",
                     time, url(), time);
}

std::string Shop::BuyContract(int thing) {
  return fmt::format(
      R"({{"workflow_id":"shop","step_index":{0},"action_spec":)"
      R"({{"action_type":"click","selector":"#buy-{0}"}},)"
      R"("wait_conditions":[{{"kind":"selector","selector":"#done-{0}"}}],)"
      R"("expected_postconditions":[{{"rule_type":"element_present","selector":"#done-{0}"}}]}})",
      thing);
}

}  // namespace falconer::test
