#pragma once
// StorageState: what a session has kept of the sites it visited, as data that can be saved and
// loaded into another session: cookies and localStorage. Not in it: IndexedDB, caches and service
// workers (they have no bounded form), and sessionStorage (it belongs to one tab and ends with it).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json.h"

namespace falconer::browser {

struct Cookie {
  std::string name;
  std::string value;
  // With a leading dot when subdomains get it too.
  std::string domain;
  std::string path = "/";
  // Seconds since 1970; absent for a cookie that ends with the session.
  std::optional<double> expires;
  bool http_only = false;
  bool secure = false;
  // "Strict", "Lax" or "None".
  std::optional<std::string> same_site;
  // The top-level site it is bound to, as the browser writes it.
  std::optional<json::value> partition_key;

  friend bool operator==(const Cookie&, const Cookie&) = default;
};

struct OriginStorage {
  // "https://example.com", "http://127.0.0.1:8080".
  std::string origin;
  std::vector<std::pair<std::string, std::string>> local_storage;

  friend bool operator==(const OriginStorage&, const OriginStorage&) = default;
};

struct StorageState {
  std::vector<Cookie> cookies;
  std::vector<OriginStorage> origins;

  friend bool operator==(const StorageState&, const StorageState&) = default;
};

// {"cookies": [{"name", "value", "domain", "path", "expires"?, "http_only", "secure", "same_site"?,
// "partition_key"?}], "origins": [{"origin", "local_storage": [{"name", "value"}]}]}
json::object ToJson(const StorageState& state);
json::object ToJson(const Cookie& cookie);
// Fail with kInvalidArgument naming the field.
Result<StorageState> ParseStorageState(const json::value& value);
Result<std::vector<Cookie>> ParseCookies(const json::value& value);

// The origin of an http or https address, "" for every other.
std::string OriginOf(std::string_view url);

}  // namespace falconer::browser
