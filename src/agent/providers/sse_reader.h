#pragma once
// SseReader: server-sent events, as the HTML standard reads them.

#include "agent/providers/wire_reader.h"

namespace falconer::agent {

class SseReader final : public WireReader {
 public:
  Result<std::vector<WireEvent>> Take(std::string_view bytes) override;
  // An event without the empty line behind it was cut off.
  std::vector<WireEvent> End() override { return {}; }

 private:
  void TakeLine(std::vector<WireEvent>& out);
  void TakeField(std::string_view name, std::string_view value);

  std::string line_;
  bool was_return_ = false;  // a line feed behind it belongs to it
  bool is_first_line_ = true;
  bool has_data_ = false;
  WireEvent event_ = {};
};

}  // namespace falconer::agent
