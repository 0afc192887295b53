#include "base/async/file_hash.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/file.h"
#include "base/hex.h"
#include "base/sha256.h"
#include "base/unique_fd.h"

namespace falconer {
namespace {

// Well below a millisecond of hashing.
constexpr std::size_t kSlice = 128 * 1024;

}  // namespace

Task<Result<std::string>> HashFile(CallContext ctx, std::filesystem::path path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) co_return IoFailure(path, "cannot open");
  std::string slice(kSlice, '\0');
  Sha256 hash;
  for (;;) {
    CO_TRY(ctx.StillWanted("hashing a file"));
    const ssize_t n = ::read(fd.get(), slice.data(), slice.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) co_return IoFailure(path, "cannot read");
    if (n == 0) co_return ToHex(hash.Finish());
    hash.Add(std::string_view(slice).substr(0, static_cast<std::size_t>(n)));
    co_await boost::asio::post(ctx.executor(), boost::asio::use_awaitable);
  }
}

}  // namespace falconer
