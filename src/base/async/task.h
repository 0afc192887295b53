#pragma once
// Task<T>: the one coroutine type of the code base, almost always Task<Result<T>>.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/error.h"

namespace falconer {

using Executor = boost::asio::any_io_executor;

template <typename T>
using Task = boost::asio::awaitable<T>;

}  // namespace falconer
