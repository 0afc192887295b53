#pragma once
// TestSite: a small web site on loopback, on a thread of its own, for tests that drive a browser.
// It serves the pages of tests/site and the routes of site_routes.cc, records what it was asked and
// what pages reported, and is reached under several names, so that origins and sites differ. Every
// member may be called from any thread.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_message.h"
#include "tests/support/site_journal.h"
#include "tests/support/site_routes.h"

namespace falconer::test {

class TestSite {
 public:
  using Answer = std::function<net::HttpResponse(const net::HttpRequest& request)>;

  // Listens when it returns; ends the process with a message if it cannot.
  TestSite();
  ~TestSite();
  TestSite(const TestSite&) = delete;
  TestSite& operator=(const TestSite&) = delete;

  // The same page as the main site, as another origin of that site, and as two other sites.
  std::string Url(std::string_view path) const;
  std::string OtherOriginUrl(std::string_view path) const;
  std::string CrossSiteUrl(std::string_view path) const;
  std::string ThirdSiteUrl(std::string_view path) const;

  // Answers a path in the test's own way, before routes and pages. Runs on the site's thread.
  void On(std::string path, Answer answer);
  void OnAsync(std::string path, net::HttpHandler handler);
  // A page with this content.
  void Serve(std::string path, std::string html);

  // Requests for the path are recorded and then wait until it is released: instead of sleeping.
  void Hold(std::string path);
  void Release(const std::string& path);

  // From now on a data request (no page, no script) is answered 503 with this probability; the same
  // seed gives the same failures in the same order.
  void MakeFlaky(std::uint32_t seed, double probability);

  // Forgets records, answers, holds and flakiness.
  void Reset();

  const SiteJournal& journal() const;
  std::size_t RequestCount(std::string_view path) const;
  std::size_t EffectCount(std::string_view name) const;
  std::vector<net::HttpRequest> Requests(std::string_view path) const;
  std::vector<Effect> Effects(std::string_view name) const;

  // Return once so many were recorded; kTimeout when the context ends first. Runs on its loop.
  Task<Result<void>> UntilRequests(CallContext ctx, std::string path, std::size_t count);
  Task<Result<void>> UntilEffects(CallContext ctx, std::string name, std::size_t count);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace falconer::test
