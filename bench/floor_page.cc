#include "bench/floor_page.h"

#include <boost/json/serialize.hpp>

#include "bench/floor_scripts.h"

namespace falconer::bench {
namespace json = boost::json;

namespace {

Outcome<std::string> TextAt(const json::value& object, std::string_view key) {
  const json::value* found = object.is_object() ? object.get_object().if_contains(key) : nullptr;
  if (found == nullptr || !found->is_string()) return Fail("no text at " + std::string(key));
  return std::string(found->get_string());
}

double NumberOf(const json::value& value) {
  boost::system::error_code ignored;
  return value.to_number<double>(ignored);
}

// A script's value, or what it threw.
Outcome<json::value> ScriptValue(Outcome<json::value> answer) {
  if (!answer) return answer;
  const json::object& fields = answer->get_object();
  if (const json::value* thrown = fields.if_contains("exceptionDetails")) {
    return Fail("the script failed: " + json::serialize(*thrown));
  }
  const json::value* value = fields.at("result").get_object().if_contains("value");
  return value != nullptr ? *value : json::value();
}

std::string Quoted(const std::string& text) {
  return json::serialize(json::string(text));
}

}  // namespace

FloorTask<Outcome<FloorPage>> FloorPage::Open(FloorClient* owner) {
  FloorClient& client = *owner;
  BENCH_CO_TRY_ASSIGN(auto made, co_await client.Send("", "Target.createBrowserContext"));
  BENCH_CO_TRY_ASSIGN(auto context, TextAt(made, "browserContextId"));
  BENCH_CO_TRY_ASSIGN(
      auto target, co_await client.Send("", "Target.createTarget",
                                        {{"url", "about:blank"}, {"browserContextId", context}}));
  BENCH_CO_TRY_ASSIGN(auto id, TextAt(target, "targetId"));
  BENCH_CO_TRY_ASSIGN(auto attached, co_await client.Send("", "Target.attachToTarget",
                                                          {{"targetId", id}, {"flatten", true}}));
  BENCH_CO_TRY_ASSIGN(auto session, TextAt(attached, "sessionId"));
  FloorPage page(client, std::move(context), std::move(session));
  client.Send(page.session_, "Page.enable");
  client.Send(page.session_, "Target.setAutoAttach",
              {{"autoAttach", true}, {"waitForDebuggerOnStart", false}, {"flatten", true}});
  BENCH_CO_TRY(co_await page.Evaluate("1"));
  co_return page;
}

FloorTask<Outcome<void>> FloorPage::Close() {
  BENCH_CO_TRY(
      co_await client_->Send("", "Target.disposeBrowserContext", {{"browserContextId", context_}}));
  co_return {};
}

FloorTask<Outcome<void>> FloorPage::Navigate(std::string url) {
  auto loaded = client_->Expect(session_, "Page.loadEventFired");
  BENCH_CO_TRY_ASSIGN(auto answer,
                      co_await client_->Send(session_, "Page.navigate", {{"url", url}}));
  if (auto failed = TextAt(answer, "errorText")) co_return Fail("navigation failed: " + *failed);
  BENCH_CO_TRY(co_await loaded);
  co_return {};
}

FloorTask<Outcome<void>> FloorPage::ConfirmNonce(std::string nonce) {
  BENCH_CO_TRY_ASSIGN(auto seen, co_await Evaluate("bench.nonce"));
  if (seen != json::value(nonce))
    co_return Fail("another page is loaded: " + json::serialize(seen));
  co_return {};
}

FloorTask<Outcome<void>> FloorPage::Click() {
  BENCH_CO_TRY_ASSIGN(auto counter, co_await Evaluate(kCounterScript));
  const json::array& numbers = counter.get_array();
  const double x = NumberOf(numbers[0]);
  const double y = NumberOf(numbers[1]);
  auto moved = SendMouse("mouseMoved", x, y);
  auto pressed = SendMouse("mousePressed", x, y);
  BENCH_CO_TRY(co_await SendMouse("mouseReleased", x, y));
  BENCH_CO_TRY(co_await moved);
  BENCH_CO_TRY(co_await pressed);
  BENCH_CO_TRY_ASSIGN(auto clicks, co_await Evaluate("bench.clicks"));
  if (NumberOf(clicks) != NumberOf(numbers[2]) + 1) co_return Fail("the page counted no click");
  co_return {};
}

FloorTask<Outcome<void>> FloorPage::Fill(std::string field, std::string text) {
  const auto element = "document.getElementById(" + Quoted(field) + ")";
  BENCH_CO_TRY(co_await Evaluate(element + ".focus(), " + element + ".select()"));
  BENCH_CO_TRY(co_await client_->Send(session_, "Input.insertText", {{"text", text}}));
  BENCH_CO_TRY_ASSIGN(auto seen, co_await Evaluate("bench.inputs[" + Quoted(field) + "]"));
  if (seen != json::value(text))
    co_return Fail("the page saw another text: " + json::serialize(seen));
  co_return {};
}

FloorTask<Outcome<std::string>> FloorPage::Read() {
  auto main = SendScript(session_, kReadScript);
  std::vector<PendingAnswer> frames;
  frames.reserve(frames_.size());
  for (const auto& frame : frames_) frames.push_back(SendScript(frame, kReadScript));
  BENCH_CO_TRY_ASSIGN(auto value, ScriptValue(co_await main));
  std::string text(value.get_string());
  for (auto& frame : frames) {
    BENCH_CO_TRY_ASSIGN(auto part, ScriptValue(co_await frame));
    text += part.get_string();
  }
  co_return text;
}

FloorTask<Outcome<void>> FloorPage::Change(std::string token) {
  BENCH_CO_TRY(co_await Evaluate("bench.change(" + Quoted(token) + ")"));
  co_return {};
}

FloorTask<Outcome<std::string>> FloorPage::Screenshot() {
  BENCH_CO_TRY_ASSIGN(auto answer,
                      co_await client_->Send(session_, "Page.captureScreenshot",
                                             {{"format", "png"}, {"optimizeForSpeed", true}}));
  co_return TextAt(answer, "data");
}

FloorTask<Outcome<void>> FloorPage::ListenToConsole() {
  BENCH_CO_TRY(co_await client_->Send(session_, "Runtime.enable"));
  co_return {};
}

FloorTask<Outcome<json::value>> FloorPage::Evaluate(std::string script) {
  co_return ScriptValue(co_await SendScript(session_, script));
}

PendingAnswer FloorPage::SendScript(std::string_view session, std::string_view script) {
  return client_->Send(session, "Runtime.evaluate",
                       {{"expression", script}, {"returnByValue", true}});
}

PendingAnswer FloorPage::SendMouse(const char* type, double x, double y) {
  FloorClient::Params params = {{"type", type}, {"x", x}, {"y", y}};
  if (std::string_view(type) != "mouseMoved") {
    params["button"] = "left";
    params["clickCount"] = 1;
  }
  return client_->Send(session_, "Input.dispatchMouseEvent", params);
}

}  // namespace falconer::bench
