#include "engine/page_recorder.h"

#include <memory>
#include <utility>

#include "engine/page_recording.h"

namespace falconer::engine {

Task<Result<Subscription>> RecordPages(CallContext ctx, Runtime* runtime, browser::SessionKey key,
                                       RecordedSink sink) {
  CO_TRY_ASSIGN(auto session, co_await runtime->SessionFor(ctx, std::move(key)));
  CO_TRY(*session->lease);
  CO_TRY_ASSIGN(const auto kit, co_await runtime->KitOf(ctx, session));
  if (!session->recording.expired())
    co_return Fail(ErrorCode::kAlreadyExists, "the session is recorded already");
  auto recording = std::make_shared<PageRecording>(runtime->executor(), runtime->clock(), *session,
                                                   std::move(sink));
  session->recording = recording;
  CO_TRY(co_await recording->recorder().Begun(std::move(ctx)));
  // The session stays in use until then, and is there for as long as the recording is.
  co_return Subscription(
      [session = std::move(session), recording = std::move(recording)]() mutable {
        recording.reset();
        session.reset();
      });
}

Task<Result<void>> FlushRecording(CallContext ctx, Runtime* runtime, browser::SessionKey key) {
  const auto session = runtime->SessionAside(key);
  const auto recording = session->recording.lock();
  if (!recording) {
    co_return Fail(ErrorCode::kNotFound, "session " + key.workflow.value() + " is not recorded");
  }
  co_await recording->recorder().Flush(std::move(ctx));
  co_return Result<void>();
}

}  // namespace falconer::engine
