#include "agent/loop/run_journal.h"

#include <utility>

namespace falconer::agent {

void RunJournal::Note(RunEvent event) {
  entries_.push_back({++last_, std::move(event)});
  if (entries_.size() > most_) entries_.pop_front();
  changes_.NotifyAll();
}

void RunJournal::Close() {
  is_closed_ = true;
  // Pieces of text are for who watched.
  std::erase_if(entries_, [](const Entry& entry) { return entry.event.name == "text"; });
  changes_.NotifyAll();
}

Task<Result<std::vector<RunJournal::Entry>>> RunJournal::After(CallContext ctx, std::uint64_t id) {
  CO_TRY(co_await changes_.Until(
      std::move(ctx), [this, id] { return last_ > id || is_closed_; }, "news of the run"));
  std::vector<Entry> news;
  for (const Entry& entry : entries_)
    if (entry.id > id) news.push_back(entry);
  co_return news;
}

}  // namespace falconer::agent
