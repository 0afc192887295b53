#include "cdp/pipe_transport.h"

#include <utility>

namespace falconer::cdp {
namespace {

Error Gone(PipeEnd end, const std::string& why) {
  const std::string_view what =
      end == PipeEnd::kWriteFailed ? "cannot write to the browser" : "the browser closed its pipe";
  return Error(ErrorCode::kBrowserGone, std::string(what) + " (" + why + ")");
}

}  // namespace

PipeTransport::PipeTransport(const Executor& executor, UniqueFd from_browser, UniqueFd to_browser,
                             std::size_t most_queued)
    : pipe_(executor, std::move(from_browser), std::move(to_browser),
            {.delimiter = '\0', .most_queued = most_queued}) {
}

void PipeTransport::Start(Handlers handlers) {
  pipe_.Start({.on_message = std::move(handlers.on_message),
               .on_closed = [this, tell = std::move(handlers.on_closed)](PipeEnd end,
                                                                         const std::string& why) {
                 // First: whoever is told may destroy us.
                 pipe_.Close();
                 tell(Gone(end, why));
               }});
}

Result<void> PipeTransport::Post(std::string message, std::unique_ptr<Departure> departure) {
  auto posted = pipe_.Post(std::move(message), std::move(departure));
  if (posted) return posted;
  return std::unexpected(std::move(posted).error().In("the browser does not read its commands"));
}

void PipeTransport::Close() {
  pipe_.Close();
}

}  // namespace falconer::cdp
