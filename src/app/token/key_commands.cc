#include "app/token/key_commands.h"

#include <fmt/format.h>

#include "app/desk/option_values.h"
#include "app/token/token_desk.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units.h"

namespace falconer::app {
namespace {

Result<policy::TokenAlgorithm> KeyAlgorithmOf(const Arguments& arguments) {
  if (arguments.algorithm.empty()) return policy::TokenAlgorithm::kRs256;
  const auto algorithm = ValueIn(policy::kTokenAlgorithms, arguments.algorithm);
  if (algorithm) return *algorithm;
  return Fail(ErrorCode::kInvalidArgument, "--algorithm: expected RS256, ES256 or EdDSA");
}

Result<std::chrono::seconds> GraceOf(const Arguments& arguments) {
  TRY_ASSIGN(const auto grace, SecondsOf("--grace", arguments.grace));
  return grace.value_or(policy::kKeyGrace);
}

Result<policy::RingKey> FreshKey(const Arguments& arguments, WallTime now) {
  TRY_ASSIGN(const policy::TokenAlgorithm algorithm, KeyAlgorithmOf(arguments));
  policy::TokenKey key = policy::TokenKey::Generate(algorithm);
  const std::string name = arguments.key_name.empty() ? key.id() : arguments.key_name;
  return policy::RingKey{name, policy::KeyState::kActive, now, std::nullopt, std::move(key)};
}

// Public facts only.
json::object KeyRow(const policy::RingKey& key, WallTime now) {
  const bool is_retired = key.IsRetired(now);
  json::object row{{"kid", key.name},
                   {"algorithm", NameIn(policy::kTokenAlgorithms, key.key.algorithm())},
                   {"state", is_retired ? "retired" : NameIn(policy::kKeyStates, key.state)},
                   {"signs", key.key.can_sign()},
                   {"created", IsoTime(key.created)}};
  if (key.retires) row["retires"] = IsoTime(*key.retires);
  return row;
}

json::object RingAnswer(const policy::KeyRing& ring, WallTime now) {
  json::array rows;
  for (const policy::RingKey& key : ring.keys()) rows.push_back(KeyRow(key, now));
  return {{"keys", std::move(rows)}};
}

void PrintKeys(const json::object& answer, Terminal& terminal) {
  const json::array& rows = answer.at("keys").as_array();
  if (rows.empty()) terminal.Print("no keys yet: falconer token keygen");
  for (const json::value& row : rows) {
    const json::object& key = row.as_object();
    const std::string retires = TextAt(key, "retires");
    terminal.Print(fmt::format(
        "{:<24} {:<6} {:<10} {} since {}{}", TextAt(key, "kid"), TextAt(key, "algorithm"),
        TextAt(key, "state"), IsTrueAt(key, "signs") ? "signs and checks" : "checks only     ",
        TextAt(key, "created"), retires.empty() ? "" : ", accepted until " + retires));
  }
}

using RingChange = std::function<Result<void>(policy::KeyRing&)>;

// Changes the ring, has it on record, and answers what is in it now.
Task<Result<json::object>> ChangeRing(TokenDesk* desk, std::string event, std::string name,
                                      RingChange change) {
  CO_TRY(desk->CheckKeys());
  CO_TRY_ASSIGN(const policy::KeyRing ring, desk->key_folder().Change(change));
  CO_TRY(co_await desk->Record(event, {{"kid", name}}));
  co_return RingAnswer(ring, desk->clock().WallNow());
}

Task<Result<json::object>> ListKeys(TokenDesk* desk, const Arguments* /*arguments*/) {
  CO_TRY(desk->CheckKeys());
  CO_TRY_ASSIGN(const policy::KeyRing ring, desk->key_folder().Load());
  co_return RingAnswer(ring, desk->clock().WallNow());
}

Task<Result<json::object>> MakeKey(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(policy::RingKey key, FreshKey(*arguments, desk->clock().WallNow()));
  const std::string name = key.name;
  co_return co_await ChangeRing(desk, "key_made", name, [key](policy::KeyRing& ring) {
    policy::RingKey added = key;
    if (ring.primary() == nullptr) added.state = policy::KeyState::kPrimary;
    return ring.Add(std::move(added));
  });
}

Task<Result<json::object>> RotateKey(TokenDesk* desk, const Arguments* arguments) {
  const WallTime now = desk->clock().WallNow();
  CO_TRY_ASSIGN(const std::chrono::seconds grace, GraceOf(*arguments));
  CO_TRY_ASSIGN(policy::RingKey key, FreshKey(*arguments, now));
  const std::string name = key.name;
  co_return co_await ChangeRing(
      desk, "key_rotated", name,
      [key, now, grace](policy::KeyRing& ring) { return ring.Rotate(key, now, grace); });
}

Task<Result<json::object>> SetPrimaryKey(TokenDesk* desk, const Arguments* arguments) {
  const std::string name = arguments->key_name;
  co_return co_await ChangeRing(desk, "key_made_primary", name,
                                [name](policy::KeyRing& ring) { return ring.SetPrimary(name); });
}

Task<Result<json::object>> DeprecateKey(TokenDesk* desk, const Arguments* arguments) {
  const WallTime now = desk->clock().WallNow();
  const std::string name = arguments->key_name;
  CO_TRY_ASSIGN(const std::chrono::seconds grace, GraceOf(*arguments));
  co_return co_await ChangeRing(
      desk, "key_deprecated", name,
      [name, now, grace](policy::KeyRing& ring) { return ring.Deprecate(name, now, grace); });
}

Task<Result<json::object>> RemoveKey(TokenDesk* desk, const Arguments* arguments) {
  const std::string name = arguments->key_name;
  co_return co_await ChangeRing(desk, "key_removed", name,
                                [name](policy::KeyRing& ring) { return ring.Remove(name); });
}

// As authorities publish them: PEM, or a JWK.
Result<policy::TokenKey> ReadTokenKey(const std::string& text) {
  if (!Trim(text).starts_with('{')) return policy::TokenKey::FromPem(text);
  TRY_ASSIGN(const json::object jwk, ParseJsonObject(text));
  return policy::TokenKey::FromJwk(jwk);
}

// A private key in the file is not taken along: it belongs to the other issuer.
Result<policy::RingKey> ImportedKey(const Arguments& arguments, WallTime now) {
  if (arguments.key_name.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "--kid: say what tokens call the key");
  }
  TRY_ASSIGN(const std::string text, ReadFile(arguments.file));
  TRY_ASSIGN(const policy::TokenKey key, ReadTokenKey(text));
  TRY_ASSIGN(policy::TokenKey half, policy::TokenKey::FromPem(key.PublicPem()));
  return policy::RingKey{arguments.key_name, policy::KeyState::kActive, now, std::nullopt,
                         std::move(half)};
}

Task<Result<json::object>> ImportKey(TokenDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(const policy::RingKey key, ImportedKey(*arguments, desk->clock().WallNow()));
  co_return co_await ChangeRing(desk, "key_imported", key.name,
                                [key](policy::KeyRing& ring) { return ring.Add(key); });
}

}  // namespace

int RunTokenKeygen(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &MakeKey, &PrintKeys);
}

int RunKeysList(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &ListKeys, &PrintKeys);
}

int RunKeysRotate(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &RotateKey, &PrintKeys);
}

int RunKeysSetPrimary(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &SetPrimaryKey, &PrintKeys);
}

int RunKeysDeprecate(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &DeprecateKey, &PrintKeys);
}

int RunKeysRemove(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &RemoveKey, &PrintKeys);
}

int RunKeysImport(const Arguments& arguments, Terminal& terminal) {
  return RunTokenWork(arguments, terminal, &ImportKey, &PrintKeys);
}

}  // namespace falconer::app
