#include "browser/network/request_digest.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/hex.h"
#include "base/sha256.h"
#include "base/text.h"

namespace falconer::browser {
namespace {

constexpr std::string_view kForm = "falconer-request-1\n";

// What is digested, piece by piece: a body is not copied for it.
class DigestForm {
 public:
  DigestForm() { hash_.Add(kForm); }

  void AddNumber(std::size_t number) { hash_.Add(std::to_string(number)).Add("\n"); }
  void AddField(std::string_view field) {
    AddNumber(field.size());
    hash_.Add(field).Add("\n");
  }
  std::string Finish() { return ToHex(hash_.Finish()); }

 private:
  Sha256 hash_;
};

std::vector<std::pair<std::string, std::string_view>> SortedHeaders(const RequestFacts& facts) {
  std::vector<std::pair<std::string, std::string_view>> sorted;
  sorted.reserve(facts.headers.size());
  for (const RequestHeader& header : facts.headers) {
    sorted.emplace_back(ToLower(header.name), header.value);
  }
  std::ranges::sort(sorted);
  return sorted;
}

}  // namespace

std::string RequestDigest(const RequestFacts& facts) {
  DigestForm form;
  form.AddField(facts.method);
  form.AddField(facts.url);
  const auto headers = SortedHeaders(facts);
  form.AddNumber(headers.size());
  for (const auto& [name, value] : headers) {
    form.AddField(name);
    form.AddField(value);
  }
  form.AddField(facts.body);
  form.AddNumber(facts.body_gaps.size());
  for (const std::size_t gap : facts.body_gaps) form.AddNumber(gap);
  return form.Finish();
}

}  // namespace falconer::browser
