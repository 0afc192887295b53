#pragma once
// One page driven by the floor, as coroutines over the client. Each operation is the shortest
// exchange that does it and lets the page confirm it. The client must outlive the page.

#include <cstddef>
#include <string>
#include <vector>

#include "bench/floor_client.h"

namespace falconer::bench {

class FloorPage {
 public:
  FloorPage(FloorClient& client, std::string context, std::string session)
      : client_(&client), context_(std::move(context)), session_(std::move(session)) {}

  // A new context with one page, attached; done when a script has answered in it.
  static FloorTask<Outcome<FloorPage>> Open(FloorClient* client);
  FloorTask<Outcome<void>> Close();

  // Until the load event.
  FloorTask<Outcome<void>> Navigate(std::string url);
  // Fails unless the loaded page carries this nonce.
  FloorTask<Outcome<void>> ConfirmNonce(std::string nonce);
  FloorTask<Outcome<void>> Click();
  FloorTask<Outcome<void>> Fill(std::string field, std::string text);
  // The reading of the page and of its cross-origin frames, one after the other.
  FloorTask<Outcome<std::string>> Read();
  FloorTask<Outcome<void>> Change(std::string token);
  // The PNG in base64.
  FloorTask<Outcome<std::string>> Screenshot();
  // Makes the page's console messages arrive as events.
  FloorTask<Outcome<void>> ListenToConsole();

  // Cross-origin frames come and go with navigations; the browser announces them on our session.
  void FrameAttached(std::string session) { frames_.push_back(std::move(session)); }
  void FrameDetached(std::string_view session) { std::erase(frames_, session); }
  const std::string& session() const { return session_; }

 private:
  FloorTask<Outcome<boost::json::value>> Evaluate(std::string script);
  PendingAnswer SendScript(std::string_view session, std::string_view script);
  PendingAnswer SendMouse(const char* type, double x, double y);

  FloorClient* client_;
  std::string context_;
  std::string session_;
  std::vector<std::string> frames_;
};

}  // namespace falconer::bench
