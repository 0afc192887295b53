#include <sys/stat.h>

#include "app/cli.h"
#include "app/standard_streams.h"
#include "base/settings/settings.h"

namespace {

// What it makes is for its user alone: keys, records, files of pages.
constexpr mode_t kNobodyElse = 077;

}  // namespace

int main(int argc, char** argv) {
  ::umask(kNobodyElse);
  falconer::app::HoldStandardStreams();
  auto terminal = falconer::app::Terminal::OfProcess();
  return falconer::app::RunCommandLine({argv + 1, argv + argc}, falconer::ProcessEnvironment(),
                                       terminal);
}
