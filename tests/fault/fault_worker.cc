// A program that carries out contracts and is meant to be killed: by itself, when a contract passes
// a stage for the n-th time, or by whoever started it. It prints each answer as a line, once it has
// it; what is printed is acknowledged.
//
//   fault_worker STAGE:N|never FILE KEY=VALUE...

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "app/host/runtime_host.h"
#include "base/file.h"

namespace falconer::test {
namespace {

constexpr auto kPatience = std::chrono::seconds(30);

struct KillPoint {
  std::optional<engine::TurnStage> stage;
  int times = 0;
};

KillPoint KillPointFrom(const std::string& word) {
  const auto colon = word.find(':');
  if (colon == std::string::npos) return {};
  return {ValueIn(engine::kTurnStages, word.substr(0, colon)),
          std::atoi(word.substr(colon + 1).c_str())};
}

Task<Result<void>> CarryOut(app::Program* program, app::RuntimeHost* host, std::string contract) {
  CO_TRY_ASSIGN(auto value, ParseJson(contract));
  CO_TRY_ASSIGN(const auto answer,
                co_await host->runtime().Execute(program->NewCall().WithTimeout(kPatience),
                                                 host->local_caller(), std::move(value)));
  std::cout << *answer << std::endl;
  co_return Result<void>();
}

Task<Result<void>> CarryOutAll(app::Program* program, app::RuntimeHost* host, std::string file) {
  CO_TRY_ASSIGN(const std::string content, ReadFile(file));
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) CO_TRY(co_await CarryOut(program, host, line));
  co_return Result<void>();
}

// Whatever happened, the browser goes and the ledger is signed.
Task<Result<void>> CarryOutAndStop(app::Program* program, app::RuntimeHost* host,
                                   std::string file) {
  auto done = co_await CarryOutAll(program, host, std::move(file));
  co_await host->Stop(program->NewCleanup());
  co_return done;
}

int Main(const std::vector<std::string>& words) {
  app::Arguments arguments;
  arguments.settings.assign(words.begin() + 2, words.end());
  const auto program = app::Program::Create(arguments, app::LogReader::kPerson);
  if (!program) return EXIT_FAILURE;
  KillPoint kill = KillPointFrom(words[0]);
  auto host = app::RuntimeHost::Open(**program, {.on_stage = [&kill](engine::TurnStage stage) {
    if (kill.stage == stage && --kill.times == 0) ::kill(::getpid(), SIGKILL);
  }});
  if (!host) {
    std::cerr << Describe(host.error()) << "\n";
    return EXIT_FAILURE;
  }
  const auto done = (*program)->Run(CarryOutAndStop(program->get(), host->get(), words[1]));
  if (!done) std::cerr << Describe(done.error()) << "\n";
  return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace falconer::test

int main(int argc, char** argv) {
  if (argc < 3) return EXIT_FAILURE;
  return falconer::test::Main({argv + 1, argv + argc});
}
