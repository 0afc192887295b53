#include "base/async/cancel.h"

namespace falconer {

Result<void> CancelToken::Check() const {
  if (is_cancelled()) return std::unexpected(*state_->reason);
  return {};
}

Subscription CancelToken::OnCancel(std::function<void()> wake) const {
  if (is_cancelled()) {
    wake();
    return {};
  }
  if (!state_) return {};
  return state_->hub.Subscribe(std::move(wake));
}

void CancelSource::Cancel(Error reason) {
  if (state_->reason) return;
  state_->reason = std::move(reason);
  state_->hub.Emit();
}

void LinkedCancelSource::Follow(const CancelToken& token) {
  followed_.push_back(token.OnCancel([this, token] { source_.Cancel(token.Check().error()); }));
}

}  // namespace falconer
