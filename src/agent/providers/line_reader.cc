#include "agent/providers/line_reader.h"

#include <utility>

#include "agent/providers/provider_error.h"
#include "agent/providers/sse_reader.h"
#include "base/text.h"

namespace falconer::agent {

Result<std::vector<WireEvent>> LineReader::Take(std::string_view bytes) {
  std::vector<WireEvent> out;
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    line_ += bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    for (WireEvent& event : End()) out.push_back(std::move(event));
  }
  line_ += bytes;
  if (line_.size() <= kMaxEventBytes) return out;
  return Fail(ProviderFailure(ProviderFault::kInvalidAnswer, "a line is too long"));
}

std::vector<WireEvent> LineReader::End() {
  std::string line = std::exchange(line_, {});
  if (Trim(line).empty()) return {};
  return {WireEvent{.data = std::move(line)}};
}

std::unique_ptr<WireReader> MakeWireReader(Framing framing) {
  if (framing == Framing::kServerSentEvents) return std::make_unique<SseReader>();
  return std::make_unique<LineReader>();
}

}  // namespace falconer::agent
