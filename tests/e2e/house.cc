#include "tests/e2e/house.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "app/command.h"

namespace falconer::test {
namespace {

constexpr auto kTurnTime = std::chrono::seconds(40);
constexpr const char* kShopAddress = "127.0.0.1";
constexpr const char* kEvilAddress = "127.0.0.9";

std::string PortOf(const std::string& url) {
  const auto colon = url.rfind(':');
  return url.substr(colon + 1, url.find('/', colon) - colon - 1);
}

std::string Words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void Replace(std::string& text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

std::string TextIn(const json::value& value, std::string_view pointer) {
  boost::system::error_code none;
  const json::value* found = value.find_pointer(pointer, none);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

std::vector<std::string> KnownAddresses(const std::string& name) {
  if (name == "shop.test" || name == "mirror.test") return {kShopAddress};
  if (name == "evil.test" || name.ends_with(".evil.test")) return {kEvilAddress};
  return {};
}

}  // namespace

bool Answer::is_success() const {
  const json::value* success = all.if_contains("success");
  return success != nullptr && success->is_bool() && success->get_bool();
}

std::string Answer::code() const {
  return TextIn(all, "/failure/code");
}

std::string Answer::reason() const {
  return TextIn(all, "/failure/details/reason");
}

House::House(app::Program& own_program, const std::filesystem::path& data)
    : ctx(own_program.NewCall()),
      evil(ctx, kEvilAddress),
      program(own_program),
      data_(data),
      dns_(ctx, [this](const net::DnsQuestion& question, std::string_view query, DnsServer::Way) {
        return Reply(question, query);
      }) {
}

std::vector<std::string> House::Reply(const net::DnsQuestion& question, std::string_view query) {
  constexpr int kNoSuchName = 3;
  const bool is_v4 = question.type == net::DnsType::kA;
  int& times = times_[question.name];
  auto addresses = names ? names(question.name, times) : std::vector<std::string>();
  if (addresses.empty()) addresses = KnownAddresses(question.name);
  // Both kinds are asked for at the same time; one of them counts.
  if (is_v4) {
    ++times;
    asked_.push_back(question.name);
  }
  DnsAnswer answer{.status = addresses.empty() ? kNoSuchName : 0};
  for (const std::string& address : addresses) {
    if (address.contains(':') == is_v4) continue;
    answer.records.push_back(is_v4 ? ARecord(question.name, address.c_str())
                                   : AaaaRecord(question.name, address.c_str()));
  }
  return {WriteDnsReply(query, answer)};
}

std::vector<std::string> House::SettingsFor(const Wishes& wishes) const {
  const std::string port = PortOf(site.Url("/"));
  std::vector<std::string> allow{"shop.test:" + port, kShopAddress + (":" + port)};
  for (const std::string& more : wishes.allow) allow.push_back(Filled(more));
  std::vector<std::string> settings{
      "data.dir=" + data_.string(), "policy.allow_domains=" + Words(allow),
      "egress.dns=127.0.0.1:" + std::to_string(dns_.endpoint().port()), "timeouts.navigation=5s",
      "timeouts.default=5s"};
  for (const std::string& setting : wishes.settings) settings.push_back(Filled(setting));
  return settings;
}

Task<Result<void>> House::Live(Wishes wishes, std::function<Task<void>(House*)> body) {
  app::Arguments arguments;
  arguments.settings = SettingsFor(wishes);
  CO_TRY_ASSIGN(const auto input, app::SettingsInputFrom(arguments));
  CO_TRY_ASSIGN(auto loaded, LoadSettings(input));
  CO_TRY_ASSIGN(host, app::RuntimeHost::Open(program, {.settings = std::move(loaded.values)}));
  co_await body(this);
  co_await host->Stop(program.NewCleanup());
  co_await evil.Stop();
  co_await dns_.Stop();
  co_return Result<void>();
}

void House::Run(Wishes wishes, std::function<Task<void>(House*)> body) {
  const auto data = TempDir::Create("falconer-e2e-");
  ASSERT_TRUE(data);
  app::Arguments arguments;
  arguments.settings = {"data.dir=" + data->path().string()};
  const auto program = app::Program::Create(arguments, app::LogReader::kPerson);
  ASSERT_TRUE(program) << Describe(program.error());
  House house(**program, data->path());
  const auto done = (*program)->Run(house.Live(std::move(wishes), std::move(body)));
  EXPECT_TRUE(done) << Describe(done.error());
  house.host.reset();
}

Task<Answer> House::Do(json::object action, json::object more) {
  more["workflow_id"] = "w1";
  more["run_id"] = "r1";
  more["step_index"] = step_++;
  more["agent_id"] = "obedient";
  // A page that leaves for where it may not go never finishes loading.
  more["timeout"] = {{"execute_ms", 4000}};
  more["action_spec"] = std::move(action);
  const auto bytes = co_await host->runtime().Execute(ctx.WithTimeout(kTurnTime),
                                                      host->local_caller(), std::move(more));
  EXPECT_TRUE(bytes) << Describe(bytes.error());
  if (!bytes) co_return Answer();
  const auto value = ParseJson(**bytes);
  co_return Answer{value && value->is_object() ? value->get_object() : json::object()};
}

Task<Answer> House::Navigate(std::string url) {
  return Do({{"action_type", "navigate"}, {"url", std::move(url)}});
}

Task<std::string> House::Read(std::string selector) {
  const auto read = co_await Do({{"action_type", "extract"}, {"selector", selector}});
  const std::string text = TextIn(read.all, "/outcome/extracted");
  co_return text.empty() ? TextIn(read.all, "/outcome/extracted/text") : text;
}

std::string House::UrlAt(std::string_view at, std::string_view path) const {
  return "http://" + std::string(at) + ":" + PortOf(site.Url("/")) + std::string(path);
}

std::uint16_t House::port() const {
  return static_cast<std::uint16_t>(std::stoi(PortOf(site.Url("/"))));
}

std::string House::EvilUrl(std::string_view path, std::string_view at) const {
  return "http://" + std::string(at) + ":" + std::to_string(evil.port()) + std::string(path);
}

std::string House::Filled(std::string text) const {
  const std::string port = std::to_string(evil.port());
  Replace(text, "{EVIL}", "evil.test:" + port);
  Replace(text, "{EVIL_ADDRESS}", std::string(kEvilAddress) + ":" + port);
  Replace(text, "{EVIL_PORT}", port);
  Replace(text, "{SHOP}", "shop.test:" + PortOf(site.Url("/")));
  Replace(text, "{MIRROR}", "mirror.test:" + PortOf(site.Url("/")));
  return text;
}

int House::Asked(const std::string& name) const {
  return static_cast<int>(std::ranges::count(asked_, name));
}

}  // namespace falconer::test
