#include "app/quota/quota_commands.h"

#include <fmt/format.h>

#include "app/desk/control_desk.h"
#include "app/desk/desk_work.h"
#include "app/host/control_settings.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/units.h"
#include "browser/context/artifact_manager.h"

namespace falconer::app {
namespace {

constexpr std::string_view kDefaultWord = "default";

Result<std::uint64_t> ArtifactBytesOf(const ControlDesk& desk, const TenantId& tenant) {
  browser::ArtifactManager artifacts({.root = ArtifactsFolder(desk.settings())}, desk.clock());
  return artifacts.UsedBytes(tenant);
}

Task<Result<json::object>> GetQuotaWork(ControlDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  const TenantId tenant = desk->TenantOf(*arguments);
  const model::TenantQuota defaults = QuotaFrom(desk->settings());
  CO_TRY_ASSIGN(const auto quota, co_await store->GetQuota(tenant, defaults));
  CO_TRY_ASSIGN(const auto use, co_await store->GetUse(tenant));
  CO_TRY_ASSIGN(const auto others, co_await store->ListQuotas());
  CO_TRY_ASSIGN(const std::uint64_t bytes, ArtifactBytesOf(*desk, tenant));
  json::array own;
  for (const model::QuotaRow& row : model::kQuotaRows) {
    if (quota.*row.member != defaults.*row.member) own.emplace_back(row.name);
  }
  json::array tenants;
  for (const TenantId& other : others) tenants.emplace_back(other.value());
  co_return json::object{{"tenant", tenant.value()},
                         {"quota", quota.ToJson()},
                         {"own_limits", std::move(own)},
                         {"use",
                          {{"sessions", use.sessions},
                           {"actions_last_minute", use.actions_last_minute},
                           {"actions_last_hour", use.actions_last_hour},
                           {"artifact_bytes", bytes}}},
                         {"tenants_with_own_limits", std::move(tenants)}};
}

void PrintQuota(const json::object& answer, Terminal& terminal) {
  terminal.Print("tenant " + TextAt(answer, "tenant"));
  const json::array& own = answer.at("own_limits").as_array();
  for (const json::key_value_pair& limit : answer.at("quota").as_object()) {
    const auto number = limit.value().to_number<std::uint64_t>();
    const bool is_own = std::ranges::find(own, json::value(limit.key())) != own.end();
    terminal.Print(fmt::format("  {:<27} {}{}", std::string_view(limit.key()),
                               number == 0 ? "no limit" : std::to_string(number),
                               is_own ? "  (its own)" : ""));
  }
  const json::object& use = answer.at("use").as_object();
  terminal.Print(fmt::format("now {} sessions, {} actions in the last minute, {} of artifacts",
                             use.at("sessions").to_number<std::uint64_t>(),
                             use.at("actions_last_minute").to_number<std::uint64_t>(),
                             FormatBytes(use.at("artifact_bytes").to_number<std::int64_t>())));
}

std::vector<std::string> LimitNames() {
  std::vector<std::string> names;
  for (const model::QuotaRow& row : model::kQuotaRows) names.emplace_back(row.name);
  return names;
}

std::unexpected<Error> BadLimit(const std::string& text, const std::string& why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("LIMIT {}: {}", text, why));
}

// "max_actions_per_minute=60", "max_artifact_bytes=1GiB", "max_step_tokens=default".
Result<std::pair<std::string, std::optional<std::uint64_t>>> LimitOf(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    return BadLimit(text, "write NAME=NUMBER, such as max_actions_per_minute=60");
  std::string name = text.substr(0, equals);
  const model::QuotaRow* row = model::QuotaRowNamed(name);
  if (row == nullptr) {
    const auto meant = Closest(name, LimitNames());
    return BadLimit(text, meant ? "there is no such limit; did you mean " + *meant + "?"
                                : "there is no such limit");
  }
  const std::string value = text.substr(equals + 1);
  if (value == kDefaultWord) return std::pair(std::move(name), std::optional<std::uint64_t>());
  const bool is_size = row->member == &model::TenantQuota::max_artifact_bytes;
  const std::optional<std::int64_t> number = is_size ? ParseBytes(value) : ParseWhole(value);
  if (!number || *number < 0 || static_cast<std::uint64_t>(*number) > row->most)
    return BadLimit(text, fmt::format("expected default or a number from 0 to {}", row->most));
  return std::pair(std::move(name), std::optional(static_cast<std::uint64_t>(*number)));
}

Task<Result<json::object>> SetQuotaWork(ControlDesk* desk, const Arguments* arguments) {
  if (arguments->tenant.empty())
    co_return Fail(ErrorCode::kInvalidArgument, "--tenant: say whose limits");
  store::QuotaChange change{.tenant = TenantId(arguments->tenant)};
  json::object noted;
  for (const std::string& text : arguments->limits) {
    CO_TRY_ASSIGN(auto limit, LimitOf(text));
    noted[limit.first] = limit.second ? json::value(*limit.second) : json::value(kDefaultWord);
    change.values.push_back(std::move(limit));
  }
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  CO_TRY(co_await store->SetQuota(std::move(change)));
  json::object note{{"tenant", arguments->tenant}, {"limits", std::move(noted)}};
  CO_TRY(co_await desk->Record(TenantId(arguments->tenant), "quota_set", std::move(note)));
  co_return co_await GetQuotaWork(desk, arguments);
}

Task<Result<json::object>> ListBreakersWork(ControlDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  store::CircuitQuery query{.tenant = TenantId(arguments->tenant),
                            .window = BreakerLimitsFrom(desk->settings()).window};
  CO_TRY_ASSIGN(const auto rows, co_await store->ListCircuits(std::move(query)));
  json::array out;
  for (const store::ListedCircuit& row : rows) out.push_back(row.ToJson());
  co_return json::object{{"circuits", std::move(out)}};
}

void PrintBreakers(const json::object& answer, Terminal& terminal) {
  const json::array& rows = answer.at("circuits").as_array();
  if (rows.empty()) terminal.Print("every circuit is closed, and no site failed lately");
  for (const json::value& value : rows) {
    const json::object& row = value.as_object();
    const auto* left = row.if_contains("retry_after_ms");
    terminal.Print(fmt::format(
        "{:<9} {}/{}  {} failures{}", TextAt(row, "state"), TextAt(row, "tenant"),
        TextAt(row, "domain"), row.at("failures").to_number<std::uint64_t>(),
        left ? fmt::format(", tried again in {}", FormatDuration(std::chrono::milliseconds(
                                                      left->to_number<std::int64_t>())))
             : ""));
  }
}

Task<Result<json::object>> ResetBreakersWork(ControlDesk* desk, const Arguments* arguments) {
  CO_TRY_ASSIGN(store::SqliteStore* const store, desk->store());
  const TenantId tenant(arguments->tenant);
  CO_TRY_ASSIGN(const std::uint64_t count,
                co_await store->ResetCircuits({tenant, arguments->domain}));
  json::object note{
      {"tenant", arguments->tenant}, {"domain", arguments->domain}, {"circuits", count}};
  CO_TRY(co_await desk->Record(tenant, "breakers_reset", std::move(note)));
  co_return json::object{{"reset", count}};
}

void PrintReset(const json::object& answer, Terminal& terminal) {
  terminal.Print(
      fmt::format("{} circuits were closed", answer.at("reset").to_number<std::uint64_t>()));
}

}  // namespace

int RunQuotaGet(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &GetQuotaWork, &PrintQuota);
}

int RunQuotaSet(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &SetQuotaWork, &PrintQuota);
}

int RunBreakersList(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &ListBreakersWork, &PrintBreakers);
}

int RunBreakersReset(const Arguments& arguments, Terminal& terminal) {
  return RunDeskWork<ControlDesk>(arguments, terminal, &ResetBreakersWork, &PrintReset);
}

}  // namespace falconer::app
