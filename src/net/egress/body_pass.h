#pragma once
// BodyPass: the body of one message on its way through the egress proxy, piece by piece as it
// comes: read in its own framing, counted, and written in the framing its new head announces.

#include <array>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>

#include "net/egress/egress_record.h"
#include "net/egress/forward_head.h"
#include "net/io_token.h"
#include "net/io_watch.h"

namespace falconer::net {

using RequestParser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;
using ResponseParser = boost::beast::http::response_parser<boost::beast::http::buffer_body>;

// How passing a body ended.
enum class Passed : std::uint8_t { kAll, kSourceBroke, kMalformed, kSinkBroke, kOverLimit };

// All of it must outlive the pass.
struct BodyWay {
  boost::asio::ip::tcp::socket& from;
  boost::beast::flat_buffer& buffer;  // what was read from there already
  boost::asio::ip::tcp::socket& to;
  IoWatch& watch;
  EgressRecord& record;
  const EgressOptions& options;
};

template <typename Parser>
class BodyPass {
 public:
  // `parser` has read the head and knows what follows.
  BodyPass(BodyWay way, Parser& parser) : way_(way), parser_(parser) {}

  // Sends `head` and the body. A message without a body is one with an empty body.
  Task<Passed> Run(std::string head, Framing framing);

 private:
  static constexpr std::size_t kPiece = std::size_t{32} << 10;
  static constexpr bool kIsRequest = Parser::value_type::is_request::value;

  // The next bytes without their framing; empty when the body ended instead.
  Task<std::expected<std::string_view, Passed>> NextPiece();
  // Whether parsing what is at hand went well.
  bool Parse();
  Task<bool> Write(std::string_view head, std::string_view piece, Framing framing);
  bool MayPass(std::size_t size) {
    return kIsRequest ? way_.record.MaySend(size) : way_.record.MayTake(size);
  }

  BodyWay way_;
  Parser& parser_;
  std::vector<char> room_;
};

template <typename Parser>
Task<Passed> BodyPass<Parser>::Run(std::string head, Framing framing) {
  while (!parser_.is_done()) {
    // What is at hand goes out together; nobody waits for what is not.
    if (!head.empty() && way_.buffer.size() == 0) {
      if (!co_await Write(head, {}, {})) co_return Passed::kSinkBroke;
      head.clear();
    }
    const auto piece = co_await NextPiece();
    if (!piece) co_return piece.error();
    if (piece->empty()) continue;
    way_.watch.ArmFor(way_.options.quiet_timeout);
    if (!MayPass(piece->size())) co_return Passed::kOverLimit;
    if (!co_await Write(head, *piece, framing)) co_return Passed::kSinkBroke;
    head.clear();
  }
  if (framing.kind == Framing::Kind::kChunked) head += "0\r\n\r\n";
  if (head.empty()) co_return Passed::kAll;
  co_return co_await Write(head, {}, {}) ? Passed::kAll : Passed::kSinkBroke;
}

template <typename Parser>
Task<bool> BodyPass<Parser>::Write(std::string_view head, std::string_view piece, Framing framing) {
  namespace asio = boost::asio;
  const bool is_chunked = framing.kind == Framing::Kind::kChunked;
  std::array<char, 24> line{};
  const int digits = std::snprintf(line.data(), line.size(), "%zx\r\n", piece.size());
  const std::array<asio::const_buffer, 4> parts = {
      asio::buffer(head),
      asio::buffer(line.data(), is_chunked ? static_cast<std::size_t>(digits) : 0),
      asio::buffer(piece), asio::buffer("\r\n", is_chunked ? 2 : 0)};
  const auto [code, size] = co_await asio::async_write(way_.to, parts, kAsTuple);
  co_return !code;
}

template <typename Parser>
bool BodyPass<Parser>::Parse() {
  namespace http = boost::beast::http;
  const auto& body = parser_.get().body();
  boost::system::error_code code;
  while (way_.buffer.size() > 0 && !parser_.is_done() && body.size > 0) {
    way_.buffer.consume(parser_.put(way_.buffer.data(), code));
    if (code == http::error::need_more) break;
    if (code && code != http::error::need_buffer) return false;
  }
  // Only the frame of a chunk has to be there as a whole before it can be read.
  return body.size < room_.size() || way_.buffer.size() <= way_.options.max_header_bytes;
}

template <typename Parser>
Task<std::expected<std::string_view, Passed>> BodyPass<Parser>::NextPiece() {
  room_.resize(kPiece);
  auto& body = parser_.get().body();
  body.data = room_.data();
  body.size = room_.size();
  while (true) {
    if (!Parse()) co_return std::unexpected(Passed::kMalformed);
    const std::size_t made = room_.size() - body.size;
    if (made > 0 || parser_.is_done()) co_return std::string_view(room_.data(), made);
    const auto [code, got] =
        co_await way_.from.async_read_some(way_.buffer.prepare(kPiece), kAsTuple);
    way_.buffer.commit(got);
    if (!code) continue;
    boost::system::error_code cut;
    if (code == boost::asio::error::eof) parser_.put_eof(cut);
    if (cut || !parser_.is_done()) co_return std::unexpected(Passed::kSourceBroke);
  }
}

}  // namespace falconer::net
