#include "browser/frames/typed_secrets.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>

#include <openssl/crypto.h>

namespace falconer::browser {
namespace {

constexpr std::string_view kMask = "\u2022\u2022\u2022";
// What is shorter stands in texts by chance.
constexpr std::size_t kShortest = 4;
constexpr std::size_t kShortLabel = 3;

bool IsAddress(std::string_view host) {
  return host.starts_with('[') || (!host.empty() && std::isdigit(host.back()) != 0);
}

// The last `count` labels, or all there are.
std::string_view LastLabels(std::string_view host, int count) {
  std::size_t at = host.size();
  for (int i = 0; i < count && at != std::string_view::npos; ++i)
    at = at == 0 ? std::string_view::npos : host.rfind('.', at - 1);
  return at == std::string_view::npos ? host : host.substr(at + 1);
}

std::string_view SiteOf(std::string_view host) {
  if (IsAddress(host)) return host;
  const std::string_view two = LastLabels(host, 2);
  const std::size_t dot = two.find('.');
  if (dot == std::string_view::npos) return two;
  const bool is_public = dot <= kShortLabel && two.size() - dot - 1 < kShortLabel;
  return is_public ? LastLabels(host, 3) : two;
}

// As in the query of an address.
std::string Escaped(std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    const bool stays = std::isalnum(byte) != 0 || std::string_view("-_.~").contains(c);
    escaped += stays ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return escaped;
}

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
    if (AreOfOneSite(typed_[i].host, host)) values.push_back(typed_[i].value);
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
      Replace(text, Escaped(typed.value));
    }
    read = std::string_view(text);
  }
}

bool AreOfOneSite(std::string_view a, std::string_view b) {
  return SiteOf(a) == SiteOf(b);
}

}  // namespace falconer::browser
