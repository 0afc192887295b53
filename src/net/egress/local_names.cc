#include "net/egress/local_names.h"

#include <utility>

namespace falconer::net {

Task<Result<Addresses>> LocalNames::Resolve(CallContext ctx, std::string name) {
  if (name == "localhost" || name.ends_with(".localhost")) {
    co_return Addresses{boost::asio::ip::address_v4::loopback(),
                        boost::asio::ip::address_v6::loopback()};
  }
  co_return co_await inner_.Resolve(std::move(ctx), std::move(name));
}

}  // namespace falconer::net
