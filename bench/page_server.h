#pragma once
// A tiny HTTP server for the benchmark pages on two loopback addresses, so that a frame can come
// from another site. One thread, one poll loop; pages are rendered once. It ends with the object.

#include <memory>
#include <string>

#include "bench/outcome.h"
#include "bench/site.h"

namespace falconer::bench {

class PageServer {
 public:
  // Fails when a loopback address cannot be bound.
  static Outcome<std::unique_ptr<PageServer>> Start();
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  const Site& site() const;

 private:
  struct Impl;
  explicit PageServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace falconer::bench
