#pragma once
// HangUpWatch: notices that a client went away while nobody reads from it, so that what is done for
// it can stop.

#include <functional>
#include <memory>

#include <boost/asio/ip/tcp.hpp>

namespace falconer::net {

class HangUpWatch {
 public:
  // `socket` must outlive the watch.
  explicit HangUpWatch(boost::asio::ip::tcp::socket& socket);
  ~HangUpWatch();
  HangUpWatch(const HangUpWatch&) = delete;
  HangUpWatch& operator=(const HangUpWatch&) = delete;

  // Calls `gone` once when the client closes its side, until Ignore(). A client that has sent more
  // meanwhile is there; after that it is no longer watched.
  void Watch(std::function<void()> gone);
  void Ignore();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace falconer::net
