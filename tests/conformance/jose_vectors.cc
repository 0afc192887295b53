#include "tests/conformance/jose_vectors.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/json/json.h"
#include "policy/tokens/compact_jws.h"

namespace falconer::test {
namespace {

constexpr const char* kJoseFiles[] = {"json_web_signature_test.json", "json_web_key_test.json",
                                      "json_web_crypto_test.json"};

struct NamedKey {
  std::string name;
  policy::TokenKey key;
};

// One key or a set of them; the public halves where there are some.
json::array JwksOf(const json::object& group) {
  const json::value* given = group.if_contains("public");
  if (given == nullptr) given = group.if_contains("private");
  if (given == nullptr) return {};
  const json::object& object = given->as_object();
  return object.contains("keys") ? object.at("keys").as_array() : json::array{*given};
}

// The keys of a group as a verifier would take them: all, or none when one of them is not fit.
std::vector<NamedKey> KeysOf(const json::object& group) {
  std::vector<NamedKey> keys;
  std::set<std::string> names;
  for (const json::value& item : JwksOf(group)) {
    const std::string name = TextAt(item.as_object(), "kid");
    const auto key = policy::TokenKey::FromJwk(item.as_object());
    if (!key || !names.insert(name).second) return {};
    keys.push_back({name, *key});
  }
  return keys;
}

bool IsAccepted(const std::string& token, const std::vector<NamedKey>& keys) {
  const auto jws = policy::ParseCompactJws(token);
  if (!jws) return false;
  for (const NamedKey& key : keys) {
    if (key.name == jws->key_name) return policy::VerifyJws(*jws, key.key).has_value();
  }
  return false;
}

// JSON serialisations are objects; encrypted tokens stand under a name of their own.
std::string TokenIn(const json::object& vector) {
  const json::value* token = vector.if_contains("jws");
  if (token == nullptr) token = vector.if_contains("jwe");
  if (token == nullptr) return "";
  return token->is_string() ? std::string(token->get_string()) : json::serialize(*token);
}

// A vector is for us when it is signed and its keys are for algorithms of ours; what is valid by
// other algorithms is refused.
bool IsForUs(const json::object& group, const json::object& vector) {
  const json::array jwks = JwksOf(group);
  return vector.contains("jws") && std::ranges::all_of(jwks, [](const json::value& jwk) {
           return ValueIn(policy::kTokenAlgorithms, TextAt(jwk.as_object(), "alg")).has_value();
         });
}

struct JoseCount {
  Score score;
  int accepted = 0;
};

void RunGroup(const char* file, const json::object& group, JoseCount& count) {
  const std::vector<NamedKey> keys = KeysOf(group);
  for (const json::value& item : group.at("tests").as_array()) {
    const json::object& vector = item.as_object();
    const bool is_wanted = TextAt(vector, "result") == "valid" && IsForUs(group, vector);
    const bool is_accepted = IsAccepted(TokenIn(vector), keys);
    const bool is_right = is_accepted == is_wanted;
    if (!is_right) {
      std::printf("jose: wrong: %s %s %s\n", file, json::serialize(vector.at("tcId")).c_str(),
                  TextAt(vector, "comment").c_str());
    }
    count.score.right += is_right ? 1 : 0;
    count.accepted += is_accepted ? 1 : 0;
    ++count.score.all;
  }
}

}  // namespace

Score JoseVectors(const std::filesystem::path& folder) {
  JoseCount count;
  for (const char* file : kJoseFiles) {
    const auto text = ReadFile(folder / file);
    const auto content = text ? ParseJsonObject(*text) : Result<json::object>();
    if (!text || !content) {
      std::printf("jose: missing: %s\n", file);
      return {};
    }
    for (const json::value& group : content->at("testGroups").as_array()) {
      RunGroup(file, group.as_object(), count);
    }
  }
  std::printf("jose: %d accepted, %d refused\n", count.accepted, count.score.all - count.accepted);
  return count.score;
}

}  // namespace falconer::test
