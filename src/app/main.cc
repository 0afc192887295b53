#include "app/cli.h"
#include "app/standard_streams.h"
#include "base/settings/settings.h"

int main(int argc, char** argv) {
  falconer::app::HoldStandardStreams();
  auto terminal = falconer::app::Terminal::OfProcess();
  return falconer::app::RunCommandLine({argv + 1, argv + argc}, falconer::ProcessEnvironment(),
                                       terminal);
}
