#pragma once
// Aside: work that waits for disks, done on a thread of its own while the event loop goes on.

#include <thread>
#include <type_traits>
#include <utility>

#include "base/async/call_context.h"
#include "base/async/reply.h"

namespace falconer {

// What `work` returns. It shares nothing with its caller, and is waited for even if nobody wants
// its answer any more.
template <typename Work>
Task<std::invoke_result_t<Work&>> Aside(CallContext ctx, Work work) {
  const Reply<std::invoke_result_t<Work&>> reply(ctx.executor());
  const std::jthread worker([&reply, &work] { reply.Set(work()); });
  co_return co_await reply.Wait();
}

}  // namespace falconer
