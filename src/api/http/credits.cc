#include "api/http/credits.h"

#include <algorithm>

#include "base/random.h"

namespace falconer::api {
namespace {

// More than anybody reads between two grants.
constexpr std::uint64_t kMostCredits = 1'000'000;

}  // namespace

Task<Result<void>> Credits::Spend(CallContext ctx) {
  CO_TRY(co_await changes_.Until(std::move(ctx), [this] { return left_ != 0U; }, "credits"));
  if (left_) --*left_;
  co_return Result<void>();
}

void Credits::Grant(std::uint64_t count) {
  left_ = std::min(kMostCredits, left_.value_or(0) + count);
  changes_.NotifyAll();
}

std::shared_ptr<Credits> CreditBook::Open(std::optional<std::uint64_t> count) {
  std::erase_if(open_, [](const auto& entry) { return entry.second.expired(); });
  auto credits = std::make_shared<Credits>("stream_" + RandomId(), count);
  open_[credits->stream()] = credits;
  return credits;
}

Result<std::uint64_t> CreditBook::Grant(std::string_view stream, std::uint64_t count) {
  const auto found = open_.find(stream);
  const auto credits = found == open_.end() ? nullptr : found->second.lock();
  if (!credits) return Fail(ErrorCode::kNotFound, "no such stream is open");
  if (!credits->left())
    return Fail(ErrorCode::kInvalidArgument, "the stream was opened without credits");
  credits->Grant(count);
  return *credits->left();
}

}  // namespace falconer::api
