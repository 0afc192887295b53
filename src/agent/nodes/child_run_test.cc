#include "agent/nodes/child_run.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ranges>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>

#include "agent/nodes/child_folder.h"
#include "agent/nodes/child_process.h"
#include "base/async/task_scope.h"
#include "base/text.h"
#include "tests/support/child_scripts.h"
#include "tests/support/co_test.h"

namespace falconer::agent {
namespace {

namespace asio = boost::asio;
using test::ChildScripts;

bool HasBound(const ChildEnd& end, std::string_view bound) {
  return std::ranges::find(end.bounds, bound) != end.bounds.end();
}

std::string ChildOutcome(const Result<ChildEnd>& end) {
  return end ? "exit code " + std::to_string(end->exit_code) + ": " + end->output + end->errors
             : std::string(end.error().name()) + ": " + end.error().message();
}

bool ChildFailedWith(const Result<ChildEnd>& end, ErrorCode code) {
  return !end && end.error().code() == code;
}

// Tells children of this test from those of another one that runs at the same time.
std::string OwnWord(std::string_view word) {
  return std::string(word) + "-" + std::to_string(::getpid());
}

// Whether a process with this word among its arguments still runs.
bool IsStillRunning(std::string_view word) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const auto words = ReadFile(entry.path() / "cmdline");
    if (words && words->contains(word)) return true;
  }
  return false;
}

CO_TEST(ChildRunTest, GivesInputAndTakesOutputErrorsAndExitCode) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Shell("cat; echo trouble >&2; exit 7");
  spec.input = std::string(300'000, 'x');

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(end) << ChildOutcome(end);
  if (!end) co_return;
  EXPECT_EQ(end->exit_code, 7);
  EXPECT_EQ(end->output, std::string(300'000, 'x'));
  EXPECT_EQ(end->errors, "trouble\n");
  EXPECT_GT(end->peak_memory_bytes, 100'000);
}

CO_TEST(ChildRunTest, NamesTheWallsThatAreThere) {
  const ChildScripts scripts;

  const auto end = co_await RunChild(ctx, scripts.Shell("exit 0"));

  EXPECT_TRUE(end) << ChildOutcome(end);
  if (!end) co_return;
  for (const std::string_view bound : {"rlimit", "no_new_privs", "seccomp", "process_limit"})
    EXPECT_TRUE(HasBound(*end, bound)) << bound;
  EXPECT_EQ(HasBound(*end, "other_user"), ::geteuid() == 0);
}

CO_TEST(ChildRunTest, SaysWhenThereIsNoSuchProgram) {
  const ChildScripts scripts;
  const auto script = scripts.Write("not_runnable", "no interpreter\n");
  std::filesystem::permissions(script, std::filesystem::perms(0644));

  const auto unknown = co_await RunChild(ctx, {.program = "falconer-no-such-program"});
  const auto missing = co_await RunChild(ctx, {.program = "/no/such/program"});
  const auto refused =
      co_await RunChild(ctx, {.program = script, .limits = ChildScripts::Generous()});

  EXPECT_TRUE(ChildFailedWith(unknown, ErrorCode::kToolUnavailable)) << ChildOutcome(unknown);
  EXPECT_TRUE(ChildFailedWith(missing, ErrorCode::kToolUnavailable)) << ChildOutcome(missing);
  EXPECT_TRUE(ChildFailedWith(refused, ErrorCode::kToolUnavailable)) << ChildOutcome(refused);
  EXPECT_TRUE(ChildOutcome(refused).contains("the program: Permission denied"))
      << ChildOutcome(refused);
}

CO_TEST(ChildRunTest, FindsProgramsInThePath) {
  const auto end = co_await RunChild(ctx, {.program = "sh",
                                           .arguments = {"-c", "echo \"$0 $1\"", "a", "b c"},
                                           .limits = ChildScripts::Generous()});

  EXPECT_TRUE(end && end->output == "a b c\n") << ChildOutcome(end);
}

CO_TEST(ChildRunTest, EndsWhatSaysTooMuch) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Shell("while :; do echo falconer; done");
  spec.limits.output_bytes = 100'000;

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(ChildFailedWith(end, ErrorCode::kBudgetExceeded)) << ChildOutcome(end);
  EXPECT_TRUE(ChildOutcome(end).contains("says more than 100000 bytes")) << ChildOutcome(end);
}

CO_TEST(ChildRunTest, TakesExactlyAsMuchAsMayBeSaid) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Python("print('x' * 99_999)");
  spec.limits.output_bytes = 100'000;

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(end && end->output.size() == 100'000) << ChildOutcome(end).substr(0, 200);
}

CO_TEST(ChildRunTest, EndsWhatNeedsTooMuchMemory) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Python("kept = []\nwhile True: kept.append(bytearray(1 << 20))\n");
  spec.limits.memory_bytes = std::int64_t{64} << 20;

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(ChildFailedWith(end, ErrorCode::kBudgetExceeded)) << ChildOutcome(end);
  EXPECT_TRUE(ChildOutcome(end).contains("memory")) << ChildOutcome(end);
  if (end) co_return;
  EXPECT_LT(end.error().details().at("memory_bytes").to_number<std::int64_t>(),
            std::int64_t{100} << 20);
}

Task<void> BurnsASecond(CallContext ctx) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Shell("while :; do :; done");
  spec.limits.cpu_seconds = 1;
  spec.limits.timeout = std::chrono::minutes(4);

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(ChildFailedWith(end, ErrorCode::kBudgetExceeded)) << ChildOutcome(end);
  EXPECT_TRUE(ChildOutcome(end).contains("processor")) << ChildOutcome(end);
  if (end) co_return;
  EXPECT_GE(end.error().details().at("cpu_ms").to_number<std::int64_t>(), 500);
}

// On a busy machine a second of the processor takes many others.
TEST(ChildRunTest, EndsWhatNeedsTooMuchOfTheProcessor) {
  SystemClock clock;
  asio::io_context io;
  test::RunCo(io, BurnsASecond(CallContext(io.get_executor(), clock)), std::chrono::minutes(4));
}

CO_TEST(ChildRunTest, LetsNobodyStartMoreProcessesThanAllowed) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Python(R"(
import os, sys
started = 0
try:
    for _ in range(64):
        if os.fork() == 0:
            sys.stdin.read()
            os._exit(0)
        started += 1
except BlockingIOError:
    pass
print(started)
)");
  spec.limits.processes = 8;

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(end) << ChildOutcome(end);
  if (!end) co_return;
  const auto started = ParseWhole(Trim(end->output));
  EXPECT_TRUE(started && *started >= 1 && *started <= 8) << end->output;
}

CO_TEST(ChildRunTest, EndsWhatWritesFilesThatAreTooLarge) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Python("open('large', 'wb').write(bytes(200_000))");
  spec.limits.output_bytes = 100'000;

  const auto end = co_await RunChild(ctx, std::move(spec));

  // Python ignores the signal and is told by the call.
  EXPECT_TRUE(end && end->exit_code == 1 && end->errors.contains("File too large"))
      << ChildOutcome(end);
}

CO_TEST(ChildRunTest, EndsWhatTakesTooLong) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Shell("trap 'echo asked; exit 3' TERM; while :; do sleep 0.01; done");
  spec.limits.timeout = std::chrono::milliseconds(1500);

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(ChildFailedWith(end, ErrorCode::kToolTimeout)) << ChildOutcome(end);
}

CO_TEST(ChildRunTest, KillsWhatDoesNotListen) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Python(R"(
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True: time.sleep(1000)
)");
  spec.arguments.push_back(OwnWord("falconer-deaf-child"));
  spec.limits.timeout = std::chrono::milliseconds(1000);
  spec.limits.grace = std::chrono::milliseconds(50);

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(ChildFailedWith(end, ErrorCode::kToolTimeout)) << ChildOutcome(end);
  EXPECT_FALSE(IsStillRunning(OwnWord("falconer-deaf-child")));
}

CO_TEST(ChildRunTest, KillsWhatHasLeftItsGroup) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Python(R"(
import ctypes, os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
ctypes.CDLL(None).prctl(1, 0)  # not to end with its keeper
other = os.fork()
if other == 0:
    while True: time.sleep(1000)
os.setpgid(other, other)
os.setpgid(0, other)
while True: time.sleep(1000)
)");
  spec.arguments.push_back(OwnWord("falconer-runaway"));
  spec.limits.timeout = std::chrono::milliseconds(1500);
  spec.limits.grace = std::chrono::milliseconds(50);

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(ChildFailedWith(end, ErrorCode::kToolTimeout)) << ChildOutcome(end);
  EXPECT_FALSE(IsStillRunning(OwnWord("falconer-runaway")));
}

// A descendant that has left the group and the session, and holds the pipes.
constexpr std::string_view kLeavesGrandchild = R"(
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True: time.sleep(1000)
    os._exit(0)
os.wait()
print('gone')
)";

CO_TEST(ChildRunTest, LeavesNoGrandchildrenBehind) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Python(kLeavesGrandchild);
  spec.arguments.push_back(OwnWord("falconer-grandchild"));

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(end && end->output == "gone\n") << ChildOutcome(end);
  EXPECT_FALSE(IsStillRunning(OwnWord("falconer-grandchild")));
}

CO_TEST(ChildRunTest, LeavesNoGrandchildrenBehindWhenItIsKilled) {
  const ChildScripts scripts;
  ChildSpec spec =
      scripts.Python(std::string(kLeavesGrandchild) + "while True: time.sleep(1000)\n");
  spec.arguments.push_back(OwnWord("falconer-other-grandchild"));
  spec.limits.timeout = std::chrono::milliseconds(1500);
  spec.limits.grace = std::chrono::milliseconds(50);

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(ChildFailedWith(end, ErrorCode::kToolTimeout)) << ChildOutcome(end);
  EXPECT_FALSE(IsStillRunning(OwnWord("falconer-other-grandchild")));
}

CO_TEST(ChildRunTest, WaitsForWhatClosesItsOutputEarly) {
  const ChildScripts scripts;

  const auto end =
      co_await RunChild(ctx, scripts.Shell("echo early; exec >&- ; sleep 0.2; exit 4"));

  EXPECT_TRUE(end && end->exit_code == 4 && end->output == "early\n") << ChildOutcome(end);
}

CO_TEST(ChildRunTest, TellsACrashFromAnExit) {
  const ChildScripts scripts;

  const auto end = co_await RunChild(ctx, scripts.Shell("echo before >&2; kill -SEGV $$"));

  EXPECT_TRUE(ChildFailedWith(end, ErrorCode::kExecutionError)) << ChildOutcome(end);
  EXPECT_TRUE(ChildOutcome(end).contains("signal 11 (SEGV)")) << ChildOutcome(end);
  if (!end) EXPECT_EQ(TextAt(end.error().details(), "errors"), "before\n");
}

CO_TEST(ChildRunTest, TakesBytesThatAreNoText) {
  const ChildScripts scripts;

  const auto end =
      co_await RunChild(ctx, scripts.Python("import os; os.write(1, bytes(range(256)))"));

  EXPECT_TRUE(end && end->output.size() == 256) << ChildOutcome(end);
}

CO_TEST(ChildRunTest, GivesNothingOfOurEnvironment) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Python(R"(
import os, sys
print(sorted(os.environ))
print(os.environ['HOME'] == os.getcwd() == os.environ['TMPDIR'], os.listdir('.'))
for pid in (sys.argv[1], str(os.getppid())):
    for file in ('environ', 'maps', 'mem'):
        try:
            open(f'/proc/{pid}/{file}', 'rb').read(1)
            print('read', file, 'of', 'Falconer' if pid == sys.argv[1] else 'keeper')
        except OSError: pass
)");
  spec.environment = {{"NAMED", "yes"}};
  spec.arguments.push_back(std::to_string(::getpid()));

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(end) << ChildOutcome(end);
  if (!end) co_return;
  const std::string_view names = std::string_view(end->output).substr(0, end->output.find('\n'));
  for (const auto part : std::views::split(names, ' ')) {
    const std::string name(part.begin(), part.end());
    const bool is_known = std::ranges::any_of(
        std::initializer_list<std::string_view>{"'HOME'", "'TMPDIR'", "'PATH'", "'NAMED'", "'LANG'",
                                                "'LC_ALL'", "'LC_CTYPE'"},
        [&name](std::string_view known) { return name.contains(known); });
    EXPECT_TRUE(is_known) << name;
  }
  EXPECT_TRUE(end->output.contains("True []")) << end->output;
  EXPECT_FALSE(end->output.contains("of keeper")) << end->output;
  // The same user without a namespace may look into all of its processes.
  if (HasBound(*end, "user_namespace") || HasBound(*end, "other_user")) {
    EXPECT_FALSE(end->output.contains("of Falconer")) << end->output;
  }
}

CO_TEST(ChildRunTest, GivesNoneOfOurFiles) {
  const ChildScripts scripts;
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);  // without the flag that would keep it here

  const auto end = co_await RunChild(
      ctx, scripts.Python("import os; print(sorted(os.listdir('/proc/self/fd'))[:4])"));
  ::close(ends[0]);
  ::close(ends[1]);

  // The fourth is the listing itself.
  EXPECT_TRUE(end && end->output == "['0', '1', '2', '3']\n") << ChildOutcome(end);
}

constexpr std::string_view kDials = R"(
import socket, sys
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_PACKET):
    try:
        socket.socket(family, socket.SOCK_RAW if family == socket.AF_PACKET else socket.SOCK_STREAM)
        print('open', family.name)
    except OSError as e:
        print('closed', family.name)
try:
    socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)
    print('open raw')
except OSError: print('closed raw')
socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
try:
    socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    print('open datagrams')
except OSError: print('closed datagrams')
try:
    socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5).close()
    print('reached')
except OSError: print('not reached')
)";

CO_TEST(ChildRunTest, KeepsItOffTheNetwork) {
  const ChildScripts scripts;
  const asio::ip::tcp::acceptor server(*io, {asio::ip::address_v4::loopback(), 0});
  ChildSpec spec = scripts.Python(kDials);
  spec.arguments.push_back(std::to_string(server.local_endpoint().port()));

  const auto end = co_await RunChild(ctx, spec);

  EXPECT_TRUE(end) << ChildOutcome(end);
  if (!end) co_return;
  EXPECT_EQ(end->output,
            "closed AF_INET\nclosed AF_INET6\nclosed AF_UNIX\nclosed AF_PACKET\nclosed raw\n"
            "closed datagrams\nnot reached\n");
}

CO_TEST(ChildRunTest, LetsItReachTheNetworkWhenItMay) {
  const ChildScripts scripts;
  const asio::ip::tcp::acceptor server(*io, {asio::ip::address_v4::loopback(), 0});
  ChildSpec spec = scripts.Python(kDials);
  spec.arguments.push_back(std::to_string(server.local_endpoint().port()));
  spec.network = ChildNetwork::kAsParent;

  const auto end = co_await RunChild(ctx, spec);

  EXPECT_TRUE(end) << ChildOutcome(end);
  if (!end) co_return;
  EXPECT_EQ(end->output,
            "open AF_INET\nopen AF_INET6\nopen AF_UNIX\nclosed AF_PACKET\nclosed raw\n"
            "open datagrams\nreached\n");
}

CO_TEST(ChildRunTest, RefusesWhatWouldOpenTheWalls) {
  const ChildScripts scripts;

  const auto end = co_await RunChild(ctx, scripts.Python(R"(
import ctypes, platform
libc = ctypes.CDLL(None, use_errno=True)
clone, bpf = (56, 321) if platform.machine() == 'x86_64' else (220, 280)
print('unshare', libc.unshare(0x10000000), ctypes.get_errno())
print('mount', libc.mount(b'none', b'/mnt', b'tmpfs', 0, None), ctypes.get_errno())
print('ptrace', libc.ptrace(16, 1, 0, 0), ctypes.get_errno())
print('clone', libc.syscall(clone, 0x10000000 | 17, 0, 0, 0, 0), ctypes.get_errno())
print('bpf', libc.syscall(bpf, 0, 0, 0), ctypes.get_errno())
)"));

  EXPECT_TRUE(end) << ChildOutcome(end);
  if (!end) co_return;
  for (const std::string_view call : {"unshare", "mount", "ptrace", "clone", "bpf"})
    EXPECT_TRUE(end->output.contains(std::string(call) + " -1 1\n")) << end->output;
}

CO_TEST(ChildRunTest, LetsItWriteOnlyToItsOwnFolder) {
  const ChildScripts scripts;
  const auto other = scripts.folder() / "open";
  std::filesystem::create_directory(other);
  std::filesystem::permissions(other, std::filesystem::perms(0777));
  const auto hidden = scripts.folder() / "hidden";
  std::filesystem::create_directory(hidden);
  std::ofstream(hidden / "key") << "secret";
  std::filesystem::permissions(hidden, std::filesystem::perms(0755));
  ChildSpec spec = scripts.Python(R"(
import os, sys
open('mine', 'w').write('x')
print(os.getcwd())
for path in (sys.argv[1] + '/theirs', '/tmp/falconer-theirs'):
    try:
        open(path, 'w').write('x')
        print('written')
    except OSError: pass
print(os.path.exists(sys.argv[2]))
)");
  spec.arguments.push_back(other.string());
  spec.arguments.push_back((hidden / "key").string());
  spec.hidden = {hidden};

  const auto end = co_await RunChild(ctx, std::move(spec));

  EXPECT_TRUE(end) << ChildOutcome(end);
  if (!end) co_return;
  const std::string folder = end->output.substr(0, end->output.find('\n'));
  EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
  if (HasBound(*end, "mount_namespace")) {
    EXPECT_EQ(end->output, folder + "\nFalse\n");
  }
}

CO_TEST(ChildRunTest, EndsWithTheReasonOfItsCaller) {
  const ChildScripts scripts;
  CancelSource source;
  TaskScope scope(ctx.executor());
  ChildSpec spec = scripts.Shell("while :; do sleep 0.01; done");
  spec.arguments.push_back(OwnWord("falconer-cancelled-child"));

  std::optional<Result<ChildEnd>> end;
  scope.Spawn("child",
              [](CallContext c, ChildSpec s, std::optional<Result<ChildEnd>>* out) -> Task<void> {
                out->emplace(co_await RunChild(c, std::move(s)));
              }(ctx.WithCancel(source.token()), std::move(spec), &end));
  source.Cancel(Error(ErrorCode::kCancelled, "no longer wanted"));
  co_await scope.Join();
  const auto late = co_await RunChild(ctx.WithTimeout(std::chrono::milliseconds(800)),
                                      scripts.Shell("while :; do sleep 0.01; done"));

  EXPECT_TRUE(end && ChildFailedWith(*end, ErrorCode::kCancelled));
  EXPECT_FALSE(IsStillRunning(OwnWord("falconer-cancelled-child")));
  EXPECT_TRUE(ChildFailedWith(late, ErrorCode::kTimeout)) << ChildOutcome(late);
}

// Looks until it holds, at most for a time that no machine needs.
bool ComesTrue(const std::function<bool()>& holds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    ::usleep(10'000);
  }
  return true;
}

TEST(ChildDeathTest, EndsWhenFalconerIsKilled) {
  const ChildScripts scripts;
  ChildSpec spec = scripts.Python(kLeavesGrandchild);
  spec.arguments.push_back(OwnWord("falconer-lonely-grandchild"));
  const pid_t falconer = ::fork();
  if (falconer == 0) {
    boost::asio::io_context io;
    SystemClock clock;
    test::RunCo(
        io,
        [](CallContext ctx, ChildSpec run) -> Task<void> {
          const ChildSpec kept = std::move(run);
          const auto child = co_await ChildProcess::Start(ctx, &kept);
          Alarm never(ctx.executor(), ctx.clock());
          co_await never.Wait(Deadline::Never());
        }(CallContext(io.get_executor(), clock), std::move(spec)),
        std::chrono::seconds(300));
    ::_exit(0);
  }
  const auto runs = [] { return IsStillRunning(OwnWord("falconer-lonely-grandchild")); };
  const bool did_run = ComesTrue(runs);

  ::kill(falconer, SIGKILL);
  ::waitpid(falconer, nullptr, 0);

  EXPECT_TRUE(did_run);
  EXPECT_TRUE(ComesTrue([&runs] { return !runs(); }));
}

TEST(ChildFolderTest, RemovesWhatNobodyHoldsAnyMore) {
  const auto held = ChildFolder::Create();
  ASSERT_TRUE(held) << Describe(held.error());
  const auto base = std::filesystem::temp_directory_path();
  const auto left = base / ("falconer-child-" + std::to_string(::getpid()) + "-left");
  std::filesystem::create_directory(left);
  std::ofstream(left / "file") << "x";

  RemoveAbandonedChildFolders();
  const bool is_young_kept = std::filesystem::exists(left);
  RemoveAbandonedChildFolders(std::chrono::seconds(0));

  EXPECT_TRUE(is_young_kept);
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_TRUE(std::filesystem::exists(held->path()));
}

}  // namespace
}  // namespace falconer::agent
