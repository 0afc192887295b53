#pragma once
// LineReader: one JSON text in each line.

#include "agent/providers/wire_reader.h"

namespace falconer::agent {

class LineReader final : public WireReader {
 public:
  Result<std::vector<WireEvent>> Take(std::string_view bytes) override;
  // The last line needs no line feed.
  std::vector<WireEvent> End() override;

 private:
  std::string line_;
};

}  // namespace falconer::agent
