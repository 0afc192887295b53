#pragma once
// A job at work, as the queue knows it. Only for the queue's own files.

#include <deque>

#include "agent/jobs/job_queue.h"

namespace falconer::agent {

struct JobQueue::Running {
  store::JobRecord job;
  Way way = Way::kTaken;
  CancelSource cancel;
  // Another process has it: whatever comes of it here counts for nothing.
  bool is_lost = false;
  bool is_concluding = false;
  std::deque<json::object> unwritten;
  bool is_writing = false;
};

}  // namespace falconer::agent
