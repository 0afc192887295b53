#pragma once
// Hosts behind the egress proxy, for its tests.

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/egress_bench.h"

namespace falconer::test {

inline constexpr std::string_view kOk = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

// Answers every request on a connection the same way, and remembers the heads.
struct Site {
  std::vector<std::string> heads;
  std::string answer = std::string(kOk);

  static Task<void> Serve(Site* site, RawPeer* peer) {
    while (true) {
      const auto head = co_await peer->ReadUntil("\r\n\r\n");
      if (!head.ends_with("\r\n\r\n")) co_return;
      site->heads.push_back(head);
      if (!co_await peer->Send(site->answer)) co_return;
    }
  }
  RawHost::Script Script() {
    return [this](RawPeer* peer) { return Serve(this, peer); };
  }
};

// Reads one head, sends `answer`, closes.
inline Task<void> AnswerOnce(std::string answer, RawPeer* peer) {
  co_await peer->ReadUntil("\r\n\r\n");
  co_await peer->Send(answer);
}

inline RawHost::Script Once(std::string answer) {
  return [answer](RawPeer* peer) { return AnswerOnce(answer, peer); };
}

inline std::string Url(const RawHost& host, const std::string& path = "/",
                       const std::string& name = "site.test") {
  return "http://" + name + ":" + std::to_string(host.port()) + path;
}

}  // namespace falconer::test
