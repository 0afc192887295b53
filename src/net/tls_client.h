#pragma once
// What clients ask of a server under TLS, whatever is spoken on top. Only for files of this room:
// it brings the library's headers.

#include <string>

#include <boost/asio/ssl/context.hpp>

#include "net/byte_stream.h"
#include "net/https_client.h"

namespace falconer::net {

// At least TLS 1.2, and a certificate that somebody trusted vouches for. kIoError when the
// authorities cannot be read.
Result<void> PrepareTlsClient(boost::asio::ssl::context& context, const TlsTrust& trust);

// The name in the certificate must be the one that was asked for, which servers of several are told
// beforehand.
void ExpectHost(ByteStream::Tls& stream, const std::string& host);

}  // namespace falconer::net
