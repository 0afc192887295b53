#pragma once
// TypedSecrets: the secrets that were typed into pages of one browser session, and where. The pages
// of that site may hold them from then on, in this document or a later one: no script of a caller
// runs there, and Falconer's own script knows what it must not tell. On the session's event loop.

#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace falconer::browser {

class TypedSecrets {
 public:
  TypedSecrets() = default;
  // Wipes the values.
  ~TypedSecrets();
  TypedSecrets(const TypedSecrets&) = delete;
  TypedSecrets& operator=(const TypedSecrets&) = delete;

  void Add(std::string host, std::string value);
  // Those that pages of this host may hold: typed there, or into another host of its site. Without
  // the first `known` of all.
  std::vector<std::string_view> For(std::string_view host, std::size_t known = 0) const;
  // How many were typed, anywhere.
  std::size_t count() const { return typed_.size(); }

  // What is read of pages with all of them taken out: whoever compares by it can guess none.
  json::value Without(json::value read) const;

 private:
  struct Typed {
    std::string host;
    std::string value;
  };

  void Mask(json::value& read) const;

  std::vector<Typed> typed_;
};

}  // namespace falconer::browser
