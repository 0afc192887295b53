#include "browser/frames/typed_secrets.h"

#include <algorithm>
#include <utility>

#include <openssl/crypto.h>

#include "base/percent.h"
#include "model/site.h"

namespace falconer::browser {
namespace {

constexpr std::string_view kMask = "\u2022\u2022\u2022";
// What is shorter stands in texts by chance.
constexpr std::size_t kShortest = 4;

void Replace(std::string& text, std::string_view what) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at))
    text.replace(at, what.size(), kMask);
}

}  // namespace

TypedSecrets::~TypedSecrets() {
  for (Typed& typed : typed_) OPENSSL_cleanse(typed.value.data(), typed.value.size());
}

void TypedSecrets::Add(std::string host, std::string value) {
  const auto same = [&](const Typed& typed) { return typed.host == host && typed.value == value; };
  if (std::ranges::any_of(typed_, same)) return;
  typed_.push_back({std::move(host), std::move(value)});
}

std::vector<std::string_view> TypedSecrets::For(std::string_view host, std::size_t known) const {
  std::vector<std::string_view> values;
  for (std::size_t i = known; i < typed_.size(); ++i) {
    if (model::AreOfOneSite(typed_[i].host, host)) values.push_back(typed_[i].value);
  }
  return values;
}

json::value TypedSecrets::Without(json::value read) const {
  if (!typed_.empty()) Mask(read);
  return read;
}

void TypedSecrets::Mask(json::value& read) const {
  if (auto* object = read.if_object()) {
    for (auto& member : *object) Mask(member.value());
  } else if (auto* array = read.if_array()) {
    for (json::value& item : *array) Mask(item);
  } else if (const auto* found = read.if_string()) {
    std::string text(found->data(), found->size());
    for (const Typed& typed : typed_) {
      if (typed.value.size() < kShortest) continue;
      Replace(text, typed.value);
      Replace(text, PercentEncoded(typed.value));
    }
    read = std::string_view(text);
  }
}

}  // namespace falconer::browser
