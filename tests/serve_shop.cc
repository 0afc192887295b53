// Serves the demo's shop, with its hostile review and the origin that one points to, for tests that
// drive the whole program. Prints {"shop", "collector", "password"}; then, for each line it is
// sent, what happened so far: {"orders", "collected"}. Ends with its standard input.

#include <iostream>
#include <string>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "app/demo/demo_stage.h"

namespace falconer::test {
namespace {

constexpr auto kStopTime = std::chrono::seconds(1);

void Say(const json::object& what) {
  std::cout << json::serialize(what) << "\n" << std::flush;
}

class ShopServer {
 public:
  // Until standard input ends.
  int Run() {
    if (const auto opened = stage_.Open(); !opened) {
      std::cerr << Describe(opened.error()) << "\n";
      return 1;
    }
    Say({{"shop", stage_.site().Url("")},
         {"collector", stage_.collector().origin()},
         {"password", stage_.password()}});
    const auto keeps_going = boost::asio::make_work_guard(io_);
    std::thread loop([this] { io_.run(); });
    for (std::string line; std::getline(std::cin, line);)
      boost::asio::post(io_, [this] { Tell(); });
    boost::asio::co_spawn(io_, Stop(), [this](const std::exception_ptr&) { io_.stop(); });
    loop.join();
    return 0;
  }

 private:
  void Tell() const {
    Say({{"orders", stage_.shop().orders_placed()}, {"collected", stage_.collector().requests()}});
  }

  Task<void> Stop() {
    co_await stage_.Stop(CallContext(io_.get_executor(), clock_).WithTimeout(kStopTime));
  }

  boost::asio::io_context io_;
  SystemClock clock_;
  app::DemoStage stage_{io_.get_executor(), clock_};
};

}  // namespace
}  // namespace falconer::test

int main() {
  return falconer::test::ShopServer().Run();
}
