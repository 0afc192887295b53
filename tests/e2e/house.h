#pragma once
// House: the whole program, as it runs behind `falconer mcp`: a runtime made from settings, with a
// real browser, the egress proxy, and a name server that a test writes the names of.
//
//   shop.test      127.0.0.1, the test site: allowed
//   mirror.test    the same address, not allowed
//   evil.test      127.0.0.9, a canary: not allowed, nor anything below it

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/host/runtime_host.h"
#include "base/file.h"
#include "tests/e2e/canary.h"
#include "tests/support/dns_server.h"
#include "tests/support/test_site.h"

namespace falconer::test {

// What a turn answered.
struct Answer {
  json::object all;

  bool is_success() const;
  std::string code() const;    // of the failure; "" when there is none
  std::string reason() const;  // of a refusal, from the failure's details
  std::string text() const { return json::serialize(all); }
};

class House {
 public:
  struct Wishes {
    // Beside the site itself.
    std::vector<std::string> allow = {};
    std::vector<std::string> settings = {};
  };
  // The addresses of a name at the n-th time it is asked for, from 0; none: there is no such name.
  using Names = std::function<std::vector<std::string>(const std::string& name, int n)>;

  // Runs the body in a house of its own; it ends in order whatever the body did.
  static void Run(Wishes wishes, std::function<Task<void>(House*)> body);

  // Sends an action as the next contract of the workflow.
  Task<Answer> Do(json::object action, json::object more = {});
  Task<Answer> Navigate(std::string url);
  // What `selector` shows.
  Task<std::string> Read(std::string selector);

  // "http://shop.test:PORT/path", and the same under another name.
  std::string Url(std::string_view path) const { return UrlAt("shop.test", path); }
  std::string UrlAt(std::string_view host, std::string_view path) const;
  std::uint16_t port() const;
  std::string EvilUrl(std::string_view path, std::string_view host = "evil.test") const;
  // "evil.test:PORT" for {EVIL}, "127.0.0.9:PORT" for {EVIL_ADDRESS}, "PORT" for {EVIL_PORT},
  // "shop.test:PORT" for {SHOP} and "mirror.test:PORT" for {MIRROR}.
  std::string Filled(std::string text) const;

  // How often a name was looked up.
  int Asked(const std::string& name) const;
  const std::vector<std::string>& asked() const { return asked_; }
  boost::asio::ip::udp::endpoint name_server() const { return dns_.endpoint(); }

  CallContext ctx;
  TestSite site;
  Canary evil;
  // Answers before the names above.
  Names names;
  app::Program& program;
  std::unique_ptr<app::RuntimeHost> host;

 private:
  House(app::Program& own_program, const std::filesystem::path& data);
  std::vector<std::string> SettingsFor(const Wishes& wishes) const;
  std::vector<std::string> Reply(const net::DnsQuestion& question, std::string_view query);
  Task<Result<void>> Live(Wishes wishes, std::function<Task<void>(House*)> body);

  std::filesystem::path data_;
  std::vector<std::string> asked_;
  std::map<std::string, int> times_;
  DnsServer dns_;
  int step_ = 0;
};

}  // namespace falconer::test
