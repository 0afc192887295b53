#include "net/egress/dns_message.h"

#include <optional>

#include "base/text.h"

namespace falconer::net {
namespace {

constexpr std::size_t kMaxDnsLabel = 63;
constexpr std::size_t kMaxDnsName = 253;
constexpr std::uint16_t kInternet = 1;
constexpr std::uint16_t kWantRecursion = 0x0100;
constexpr std::uint16_t kIsReply = 0x8000;
constexpr std::uint16_t kOpcodeMask = 0x7800;
constexpr std::uint16_t kIsTruncated = 0x0200;
constexpr std::uint16_t kStatusMask = 0x000f;
constexpr std::uint16_t kNoSuchName = 3;
// A label's first byte when it is a pointer to where the rest of the name stands.
constexpr unsigned kPointer = 0xc0;
// A name has at most 127 labels; more jumps than that is a loop.
constexpr int kMaxSteps = 128;

void PutShort(std::string& out, std::uint16_t value) {
  out.push_back(static_cast<char>(value >> 8));
  out.push_back(static_cast<char>(value & 0xff));
}

// Reads on and on; after the first thing that was not there everything is nothing.
class DnsCursor {
 public:
  explicit DnsCursor(std::string_view bytes) : bytes_(bytes) {}

  bool is_good() const { return is_good_; }

  std::uint16_t Short() {
    const std::string_view two = Bytes(2);
    if (two.size() < 2) return 0;
    return static_cast<std::uint16_t>(Byte(two[0]) << 8 | Byte(two[1]));
  }

  std::string_view Bytes(std::size_t count) {
    if (!is_good_ || bytes_.size() - at_ < count) {
      is_good_ = false;
      return {};
    }
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }

  std::string Name() {
    std::string name;
    std::size_t at = at_;
    std::optional<std::size_t> after;
    for (int step = 0; step < kMaxSteps && at < bytes_.size(); ++step) {
      const unsigned length = Byte(bytes_[at]);
      if (length == 0) {
        at_ = after.value_or(at + 1);
        return name;
      }
      if ((length & kPointer) == kPointer) {
        if (at + 1 >= bytes_.size()) break;
        if (!after) after = at + 2;
        at = (length & ~kPointer) << 8 | Byte(bytes_[at + 1]);
        continue;
      }
      if (length > kMaxDnsLabel || at + 1 + length > bytes_.size()) break;
      AddLabel(name, bytes_.substr(at + 1, length));
      at += 1 + length;
    }
    is_good_ = false;
    return {};
  }

  std::size_t at() const { return at_; }

 private:
  static unsigned Byte(char c) { return static_cast<unsigned char>(c); }
  static void AddLabel(std::string& name, std::string_view label) {
    if (!name.empty()) name.push_back('.');
    // A dot inside a label would read as two labels.
    for (const char c : label) name.push_back(c == '.' ? '\0' : LowerOf(c));
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool is_good_ = true;
};

DnsReply::Status StatusOf(std::uint16_t flags) {
  const int code = flags & kStatusMask;
  if (code == 0) return DnsReply::Status::kOk;
  return code == kNoSuchName ? DnsReply::Status::kNoSuchName : DnsReply::Status::kFailed;
}

bool HasRightSize(const DnsRecord& record) {
  if (record.type == DnsType::kA) return record.data.size() == 4;
  if (record.type == DnsType::kAaaa) return record.data.size() == 16;
  return record.type == DnsType::kCname && !record.data.empty();
}

// One record; nothing when it is of a kind nobody asked for.
std::optional<DnsRecord> ReadRecord(DnsCursor& in, std::string_view bytes) {
  DnsRecord record;
  record.name = in.Name();
  record.type = static_cast<DnsType>(in.Short());
  const std::uint16_t network = in.Short();
  in.Bytes(4);  // how long it may be kept
  const std::size_t size = in.Short();
  const std::size_t start = in.at();
  record.data = in.Bytes(size);
  if (!in.is_good() || network != kInternet) return std::nullopt;
  if (record.type == DnsType::kCname) {
    // Its name may point back into the whole message.
    DnsCursor alias(bytes.substr(0, start + size));
    alias.Bytes(start);
    record.data = alias.Name();
  }
  if (!HasRightSize(record)) return std::nullopt;
  return record;
}

}  // namespace

Result<std::string> WriteDnsQuery(std::uint16_t id, const DnsQuestion& question) {
  std::string out;
  PutShort(out, id);
  PutShort(out, kWantRecursion);
  for (const int count : {1, 0, 0, 0}) PutShort(out, static_cast<std::uint16_t>(count));
  std::string_view rest = question.name;
  if (rest.empty() || rest.size() > kMaxDnsName) {
    return Fail(ErrorCode::kInvalidArgument, "name is empty or too long");
  }
  while (true) {
    const std::string_view label = rest.substr(0, rest.find('.'));
    if (label.empty() || label.size() > kMaxDnsLabel) {
      return Fail(ErrorCode::kInvalidArgument, "name has an empty label or one that is too long");
    }
    out.push_back(static_cast<char>(label.size()));
    out.append(label);
    if (label.size() == rest.size()) break;
    rest.remove_prefix(label.size() + 1);
  }
  out.push_back('\0');
  PutShort(out, static_cast<std::uint16_t>(question.type));
  PutShort(out, kInternet);
  return out;
}

Result<DnsReply> ReadDnsReply(std::string_view bytes) {
  DnsCursor in(bytes);
  DnsReply reply;
  reply.id = in.Short();
  const std::uint16_t flags = in.Short();
  const std::uint16_t questions = in.Short();
  const std::uint16_t answers = in.Short();
  in.Bytes(4);  // how many more records follow that nobody asked for
  reply.question.name = in.Name();
  reply.question.type = static_cast<DnsType>(in.Short());
  const std::uint16_t network = in.Short();
  const bool is_reply = (flags & kIsReply) != 0 && (flags & kOpcodeMask) == 0;
  if (!in.is_good() || !is_reply || questions != 1 || network != kInternet) {
    return Fail(ErrorCode::kNetworkError, "not a reply to one question");
  }
  reply.status = StatusOf(flags);
  reply.is_truncated = (flags & kIsTruncated) != 0;
  for (int i = 0; i < answers && in.is_good(); ++i) {
    if (auto record = ReadRecord(in, bytes)) reply.answers.push_back(*std::move(record));
  }
  if (!in.is_good() && !reply.is_truncated) {
    return Fail(ErrorCode::kNetworkError, "reply ends in the middle of a record");
  }
  return reply;
}

}  // namespace falconer::net
