#pragma once
// RunJournal: what was told of a run so far, for those who watch it, now or from the beginning. On
// one event loop.

#include <cstdint>
#include <deque>
#include <vector>

#include "agent/loop/run_event.h"
#include "base/async/notifier.h"

namespace falconer::agent {

class RunJournal {
 public:
  struct Entry {
    std::uint64_t id = 0;
    RunEvent event;
  };

  explicit RunJournal(std::size_t most = 4096) : most_(most) {}

  // The oldest goes when there are too many.
  void Note(RunEvent event);
  // Nothing more comes. Pieces of text are no longer kept.
  void Close();
  bool is_closed() const { return is_closed_; }
  // What came after that one, at least one, waited for; empty once the run is over. Fails like ctx.
  Task<Result<std::vector<Entry>>> After(CallContext ctx, std::uint64_t id);

 private:
  std::size_t most_;
  std::uint64_t last_ = 0;
  bool is_closed_ = false;
  std::deque<Entry> entries_;
  Notifier changes_;
};

}  // namespace falconer::agent
