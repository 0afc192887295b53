#include "bench/settings.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "bench/environment.h"

namespace falconer::bench {
namespace {

constexpr std::string_view kUsage = R"(bench_driver: the cost of driving a browser, side by side

  bench_driver [--only FIGURE[,FIGURE...]] [--subject CONTESTANT] [--out FILE]
  bench_driver --hold N --with CONTESTANT --site ORIGIN

  --only     measure these figures only
  --subject  the contestant that the rows are about (default: the first one)
  --out      where the rows go (default: build/bench/driver.json)
  --hold     open N sessions on ORIGIN, say so, and stay until stdin ends

  BENCH_SAMPLES   samples per operation (100)      BENCH_SECONDS  length of a throughput run (8)
  BENCH_CHROMIUM  path of the browser              BENCH_NODE     the Node program

  Figures:)";

Outcome<std::size_t> ParseCount(std::string_view name, std::string_view text, std::size_t most) {
  std::size_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size() || number < 1 || number > most) {
    return Fail(std::string(name) + ": expected a number from 1 to " + std::to_string(most) +
                ", got \"" + std::string(text) + "\"");
  }
  return number;
}

Outcome<std::size_t> CountFromEnvironment(const char* name, std::size_t otherwise,
                                          std::size_t most) {
  return ParseCount(name, FromEnvironment(name, std::to_string(otherwise)), most);
}

Outcome<std::vector<std::string>> ParseFigures(const std::string& text) {
  std::vector<std::string> figures;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (std::ranges::find(kFigureNames, part) == std::end(kFigureNames)) {
      return Fail("no figure " + part);
    }
    figures.push_back(part);
  }
  return figures;
}

HoldRequest& HoldOf(Settings& settings) {
  if (!settings.hold) settings.hold.emplace();
  return *settings.hold;
}

Outcome<void> Apply(Settings& settings, const std::string& option, const std::string& value) {
  if (option == "--out") {
    settings.out = value;
  } else if (option == "--subject") {
    settings.subject = value;
  } else if (option == "--only") {
    BENCH_TRY_ASSIGN(settings.only, ParseFigures(value));
  } else if (option == "--with") {
    HoldOf(settings).contestant = value;
  } else if (option == "--site") {
    HoldOf(settings).origin = value;
  } else if (option == "--hold") {
    BENCH_TRY_ASSIGN(HoldOf(settings).sessions, ParseCount(option, value, 256));
  } else {
    return Fail("unknown option " + option);
  }
  return {};
}

}  // namespace

bool Settings::Wants(std::string_view figure) const {
  return only.empty() || std::ranges::find(only, figure) != only.end();
}

std::string Usage() {
  std::string text(kUsage);
  for (const auto figure : kFigureNames) text.append(" ").append(figure);
  return text + "\n";
}

Outcome<Settings> ParseSettings(const std::vector<std::string>& arguments) {
  Settings settings;
  BENCH_TRY_ASSIGN(settings.samples,
                   CountFromEnvironment("BENCH_SAMPLES", settings.samples, 100000));
  BENCH_TRY_ASSIGN(const auto seconds, CountFromEnvironment("BENCH_SECONDS", 8, 3600));
  settings.cycles = std::chrono::seconds(seconds);
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    if (arguments[i] == "--help") {
      settings.wants_help = true;
      return settings;
    }
    if (i + 1 == arguments.size()) return Fail("option " + arguments[i] + " needs a value");
    BENCH_TRY(Apply(settings, arguments[i], arguments[i + 1]));
  }
  const auto& hold = settings.hold;
  if (hold && (hold->contestant.empty() || hold->origin.empty())) {
    return Fail("--hold, --with and --site go together");
  }
  return settings;
}

}  // namespace falconer::bench
