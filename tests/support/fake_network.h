#pragma once
// FakeNetwork: speaks a browser's Network events through a FakeCdpPeer, one line per event.

#include <string>
#include <string_view>

#include <boost/json/serialize.hpp>

#include "tests/support/fake_cdp_peer.h"

namespace falconer::test {

struct FakeRequest {
  std::string id = "1";
  std::string url = "http://a.test/api";
  std::string method = "GET";
  std::string type = "Fetch";
  std::string frame = "F";
  std::string loader = "L";
  double at = 100;
};

struct FakeResponse {
  std::string id = "1";
  std::string url = "http://a.test/api";
  int status = 200;
  std::string mime = "text/plain";
  std::string type = "Fetch";
  std::string frame = "F";
  std::string loader = "L";
  double at = 100.05;
  bool from_disk_cache = false;
};

class FakeNetwork {
 public:
  FakeNetwork(const FakeCdpPeer& peer, std::string session_id)
      : peer_(peer), session_(std::move(session_id)) {}

  void Request(const FakeRequest& r) const { Emit("Network.requestWillBeSent", Described(r)); }
  // The next hop of a redirect: the answer to the last one comes with it.
  void Redirect(const FakeRequest& r, int status, const std::string& from) const {
    json::object event = Described(r);
    event["redirectResponse"] = {{"url", from}, {"status", status}, {"mimeType", ""}};
    Emit("Network.requestWillBeSent", event);
  }
  void Response(const FakeResponse& r) const {
    Emit("Network.responseReceived", {{"requestId", r.id},
                                      {"loaderId", r.loader},
                                      {"timestamp", r.at},
                                      {"type", r.type},
                                      {"frameId", r.frame},
                                      {"response",
                                       {{"url", r.url},
                                        {"status", r.status},
                                        {"statusText", ""},
                                        {"mimeType", r.mime},
                                        {"fromDiskCache", r.from_disk_cache}}}});
  }
  void Finish(const std::string& id, int encoded_bytes = 100) const {
    Emit("Network.loadingFinished",
         {{"requestId", id}, {"timestamp", 101}, {"encodedDataLength", encoded_bytes}});
  }
  void Fail(const std::string& id, const std::string& why) const {
    Emit("Network.loadingFailed",
         {{"requestId", id}, {"timestamp", 101}, {"type", "Fetch"}, {"errorText", why}});
  }
  // A whole exchange with a JSON answer, up to the point where the body can be read.
  void JsonExchange(const std::string& id, int status = 200) const {
    Request({.id = id});
    Response({.id = id, .status = status, .mime = "application/json"});
    Finish(id);
  }
  void Commit(const std::string& frame, const std::string& loader,
              std::string_view parent = "") const {
    json::object described{{"id", frame}, {"loaderId", loader}, {"url", "http://a.test/"}};
    if (!parent.empty()) described["parentId"] = parent;
    Emit("Page.frameNavigated", {{"frame", std::move(described)}, {"type", "Navigation"}});
  }
  void Emit(std::string_view method, const json::object& params) const {
    peer_.Event(session_, method, json::serialize(params));
  }

 private:
  static json::object Described(const FakeRequest& r) {
    return {{"requestId", r.id},
            {"loaderId", r.loader},
            {"documentURL", "http://a.test/"},
            {"timestamp", r.at},
            {"wallTime", 1700000000.5},
            {"type", r.type},
            {"frameId", r.frame},
            {"request", {{"url", r.url}, {"method", r.method}, {"headers", json::object()}}}};
  }

  const FakeCdpPeer& peer_;
  std::string session_;
};

}  // namespace falconer::test
