#pragma once
// Credits: how many events a reader of a stream has asked for. Who asks for none is sent everything
// as fast as it reads. On the server's event loop.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/async/notifier.h"

namespace falconer::api {

class Credits {
 public:
  Credits(std::string stream, std::optional<std::uint64_t> count)
      : stream_(std::move(stream)), left_(count) {}

  // Waits until one more event may be sent, and counts it. Fails like ctx.
  Task<Result<void>> Spend(CallContext ctx);
  void Grant(std::uint64_t count);

  const std::string& stream() const { return stream_; }
  // Nothing for a reader who is not limited.
  std::optional<std::uint64_t> left() const { return left_; }

 private:
  std::string stream_;
  std::optional<std::uint64_t> left_;
  Notifier changes_;
};

// The streams that are open, by their names.
class CreditBook {
 public:
  std::shared_ptr<Credits> Open(std::optional<std::uint64_t> count);
  // What the reader may be sent now. kNotFound when the stream is not open, kInvalidArgument when
  // it is not limited.
  Result<std::uint64_t> Grant(std::string_view stream, std::uint64_t count);

 private:
  std::map<std::string, std::weak_ptr<Credits>, std::less<>> open_;
};

}  // namespace falconer::api
