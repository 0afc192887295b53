#include "app/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

namespace falconer::app {

void HoldStandardStreams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // Open the wrong way round; the lowest free number is this one. Children hold it too.
    [[maybe_unused]] const int held = ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace falconer::app
