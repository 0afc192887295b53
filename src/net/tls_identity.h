#pragma once
// TlsIdentity: the certificate and the key by which a server is known, and on which terms it agrees
// on TLS: 1.2 or 1.3, forward secrecy, HTTP/1.1.

#include <filesystem>
#include <memory>

#include "base/error.h"

namespace boost::asio::ssl {
class context;
}  // namespace boost::asio::ssl

namespace falconer::net {

// PEM files.
struct TlsFiles {
  std::filesystem::path certificate;  // with those that vouch for it behind it
  std::filesystem::path key;          // without a password
};

class TlsIdentity {
 public:
  // Naming the file: kNotFound, kIoError; kInvalidArgument for one that is not what it should be,
  // and for a key that is another certificate's. One that is not valid now is used all the same;
  // the log says so.
  static Result<std::shared_ptr<TlsIdentity>> Load(const TlsFiles& files);
  ~TlsIdentity();
  TlsIdentity(const TlsIdentity&) = delete;
  TlsIdentity& operator=(const TlsIdentity&) = delete;

  boost::asio::ssl::context& context() { return *context_; }

 private:
  explicit TlsIdentity(std::unique_ptr<boost::asio::ssl::context> context);
  std::unique_ptr<boost::asio::ssl::context> context_;
};

}  // namespace falconer::net
