#include "agent/nodes/keeper/keeper_filter.h"

#include <cerrno>
#include <cstddef>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace falconer::agent {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kOwnArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kOwnArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the numbers of system calls are not known here"
#endif

// Calls of the x32 interface have this bit; they would be a way around every rule.
constexpr std::uint32_t kForeignCallBit = 0x40000000;

constexpr std::uint32_t kDenied = SECCOMP_RET_ERRNO | EPERM;
// Libraries take the older call then, whose arguments can be looked at.
constexpr std::uint32_t kNotThere = SECCOMP_RET_ERRNO | ENOSYS;

constexpr std::uint32_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                         CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

// The rest of a socket's type are flags.
constexpr std::uint32_t kSocketTypes = 0xF;

// Other processes, the kernel, mounts, keys, time and namespaces.
constexpr std::uint32_t kDeniedCalls[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_process_madvise,
    SYS_mount,
    SYS_umount2,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_pivot_root,
    SYS_chroot,
    SYS_setns,
    SYS_unshare,
    SYS_bpf,
    SYS_kexec_load,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_syslog,
    SYS_vhangup,
#if defined(__x86_64__)
    SYS_iopl,
    SYS_ioperm,
    SYS_kexec_file_load,
    SYS_modify_ldt,
#endif
};

// Rings would do what the filter never sees.
constexpr std::uint32_t kMissingCalls[] = {SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter,
                                           SYS_io_uring_register};

class FilterText {
 public:
  void Load(std::size_t offset) {
    Add(BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset));
  }
  void LoadCall() { Load(offsetof(seccomp_data, nr)); }
  // The lower half, which is all that the kernel reads of an int. Little endian.
  void LoadArgument(std::size_t index) {
    Load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
  }
  void Return(std::uint32_t action) { Add(BPF_RET | BPF_K, 0, 0, action); }
  // The next `steps` steps are taken only if what is loaded is, or is not, the value.
  void OnlyIf(std::uint32_t value, std::uint8_t steps) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, 0, steps, value);
  }
  void OnlyUnless(std::uint32_t value, std::uint8_t steps) {
    Add(BPF_JMP | BPF_JEQ | BPF_K, steps, 0, value);
  }
  void OnlyIfAnyBit(std::uint32_t bits, std::uint8_t steps) {
    Add(BPF_JMP | BPF_JSET | BPF_K, 0, steps, bits);
  }
  void Mask(std::uint32_t bits) { Add(BPF_ALU | BPF_AND | BPF_K, 0, 0, bits); }

  bool Install() {
    const sock_fprog program{.len = size_, .filter = steps_};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

 private:
  void Add(int code, std::uint8_t if_true, std::uint8_t if_false, std::uint32_t value) {
    steps_[size_++] = {static_cast<std::uint16_t>(code), if_true, if_false, value};
  }

  sock_filter steps_[256];
  std::uint16_t size_ = 0;
};

void RefuseForeign(FilterText& out) {
  out.Load(offsetof(seccomp_data, arch));
  out.OnlyUnless(kOwnArchitecture, 1);
  out.Return(SECCOMP_RET_KILL_PROCESS);
  out.LoadCall();
#if defined(__x86_64__)
  out.OnlyIfAnyBit(kForeignCallBit, 1);
  out.Return(kNotThere);
#endif
}

void RefuseCalls(FilterText& out) {
  for (const std::uint32_t call : kDeniedCalls) {
    out.OnlyIf(call, 1);
    out.Return(kDenied);
  }
  for (const std::uint32_t call : kMissingCalls) {
    out.OnlyIf(call, 1);
    out.Return(kNotThere);
  }
}

void RefuseNamespaces(FilterText& out) {
  out.OnlyIf(SYS_clone, 4);
  out.LoadArgument(0);
  out.OnlyIfAnyBit(kNewNamespaces, 1);
  out.Return(kDenied);
  out.Return(SECCOMP_RET_ALLOW);
}

// A terminal that somebody else reads from must not be written to as if a person typed.
void RefuseTyping(FilterText& out) {
  out.OnlyIf(SYS_ioctl, 6);
  out.LoadArgument(1);
  out.OnlyIf(TIOCSTI, 1);
  out.Return(kDenied);
  out.OnlyIf(TIOCLINUX, 1);
  out.Return(kDenied);
  out.Return(SECCOMP_RET_ALLOW);
}

// Sockets of files lead to others who run outside, with their powers. Pairs lead nowhere, but for
// those of datagrams, which can be told another address at any time.
void CloseNetwork(FilterText& out) {
  out.OnlyIf(SYS_socket, 1);
  out.Return(SECCOMP_RET_ERRNO | EACCES);
  out.OnlyIf(SYS_socketpair, 6);
  out.LoadArgument(1);
  out.Mask(kSocketTypes);
  out.OnlyUnless(SOCK_STREAM, 2);
  out.OnlyUnless(SOCK_SEQPACKET, 1);
  out.Return(SECCOMP_RET_ERRNO | EACCES);
  out.Return(SECCOMP_RET_ALLOW);
}

// Nothing but what programs speak over: raw packets would be others' too.
void NarrowNetwork(FilterText& out) {
  out.OnlyIf(SYS_socket, 13);
  out.LoadArgument(0);
  out.OnlyUnless(AF_UNIX, 4);
  out.OnlyUnless(AF_NETLINK, 3);
  out.OnlyUnless(AF_INET, 3);
  out.OnlyUnless(AF_INET6, 2);
  out.Return(SECCOMP_RET_ERRNO | EACCES);
  out.Return(SECCOMP_RET_ALLOW);
  out.LoadArgument(1);
  out.Mask(kSocketTypes);
  out.OnlyIf(SOCK_RAW, 1);
  out.Return(SECCOMP_RET_ERRNO | EACCES);
  out.OnlyIf(SOCK_PACKET, 1);
  out.Return(SECCOMP_RET_ERRNO | EACCES);
}

}  // namespace

bool InstallFilter(FilterNetwork network) {
  FilterText text;
  RefuseForeign(text);
  RefuseCalls(text);
  RefuseNamespaces(text);
  RefuseTyping(text);
  network == FilterNetwork::kClosed ? CloseNetwork(text) : NarrowNetwork(text);
  text.Return(SECCOMP_RET_ALLOW);
  return text.Install();
}

}  // namespace falconer::agent
