#pragma once
// The same small client for https:// addresses. Whom it talks to is always checked: a certificate
// that no authority vouches for, or that is for another name, ends the call.

#include <filesystem>

#include "net/http_client.h"

namespace falconer::net {

// Who vouches for servers.
struct TlsTrust {
  std::filesystem::path authorities;  // a PEM file; empty: those of the system
};

// As SendHttp, but kUnsupported for http; kNetworkError also when the server cannot be trusted, and
// kIoError when the authorities cannot be read.
Task<Result<HttpReply>> SendHttps(CallContext ctx, HttpCall call, TlsTrust trust = {});

// To either, as the address says.
Task<Result<HttpReply>> SendWeb(CallContext ctx, HttpCall call, TlsTrust trust = {});

}  // namespace falconer::net
