#pragma once
// The one folder under which a benchmark keeps its temporary files. A small watcher process removes
// it however the benchmark ends, also when it is killed: it waits for the end of a pipe that only
// the benchmark holds open.

#include <memory>
#include <string>
#include <string_view>

#include "bench/fd.h"
#include "bench/outcome.h"

namespace falconer::bench {

class TempRoot {
 public:
  // Creates the folder and starts the watcher. MUST be called before any thread is started.
  static Outcome<std::unique_ptr<TempRoot>> Create();
  TempRoot(std::string path, Fd alive) : path_(std::move(path)), alive_(std::move(alive)) {}
  ~TempRoot();
  TempRoot(const TempRoot&) = delete;
  TempRoot& operator=(const TempRoot&) = delete;

  // A fresh, empty folder below the root.
  std::string MakeFolder(std::string_view label);
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Fd alive_;
  int folders_ = 0;
};

}  // namespace falconer::bench
