#include "agent/providers/sse_reader.h"

#include <utility>

#include "agent/providers/provider_error.h"

namespace falconer::agent {

Result<std::vector<WireEvent>> SseReader::Take(std::string_view bytes) {
  std::vector<WireEvent> out;
  for (const char c : bytes) {
    const bool ends_return = std::exchange(was_return_, c == '\r') && c == '\n';
    if (ends_return) continue;
    if (c == '\r' || c == '\n') {
      TakeLine(out);
    } else {
      line_ += c;
    }
    if (line_.size() + event_.data.size() > kMaxEventBytes)
      return Fail(ProviderFailure(ProviderFault::kInvalidAnswer, "an event is too long"));
  }
  return out;
}

void SseReader::TakeLine(std::vector<WireEvent>& out) {
  std::string line = std::exchange(line_, {});
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (std::exchange(is_first_line_, false) && line.starts_with(kByteOrderMark))
    line.erase(0, kByteOrderMark.size());
  if (line.empty()) {
    WireEvent event = std::exchange(event_, {});
    if (std::exchange(has_data_, false)) out.push_back(std::move(event));
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == 0) return;  // a comment, to keep the connection alive
  if (colon == std::string::npos) return TakeField(line, "");
  std::string_view value = std::string_view(line).substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  TakeField(std::string_view(line).substr(0, colon), value);
}

void SseReader::TakeField(std::string_view name, std::string_view value) {
  if (name == "event") event_.name = value;
  if (name != "data") return;
  if (std::exchange(has_data_, true)) event_.data += '\n';
  event_.data += value;
}

}  // namespace falconer::agent
