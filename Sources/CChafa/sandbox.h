#pragma once
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

static void sandbox_look_at_input(int signal) {
  (void)signal;
  int number = errno;
  struct pollfd input = {STDIN_FILENO, 0, 0};
  if(poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)))
    _exit(0);
  errno = number;
}

// Ends the process as soon as whoever feeds its standard input is gone, also in the middle of a
// picture. Returns 0, or the number of an error.
static inline int sandbox_end_with_input(void) {
  struct sigaction action = {0};
  action.sa_handler = sandbox_look_at_input;
  action.sa_flags = SA_RESTART;
  int flags = fcntl(STDIN_FILENO, F_GETFL);
  if(flags < 0 || sigaction(SIGIO, &action, NULL) != 0 ||
     fcntl(STDIN_FILENO, F_SETOWN, getpid()) != 0 ||
     fcntl(STDIN_FILENO, F_SETFL, flags | O_ASYNC) != 0)
    return errno;
  // It may have been gone before.
  sandbox_look_at_input(SIGIO);
  return 0;
}

// Limits that hold for the rest of the process: memory in bytes, no file, no descriptor but the
// first three, no process, no core. Returns 0, or the number of an error.
static inline int sandbox_set_limits(unsigned long memory) {
  struct { int resource; rlim_t limit; } limits[] = {
    {RLIMIT_AS, memory}, {RLIMIT_FSIZE, 0}, {RLIMIT_NOFILE, 3}, {RLIMIT_NPROC, 0}, {RLIMIT_CORE, 0},
  };
  for(size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    struct rlimit limit = {limits[i].limit, limits[i].limit};
    if(setrlimit(limits[i].resource, &limit) != 0)
      return errno;
  }
  return 0;
}

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define SANDBOX_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SANDBOX_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#endif

// Lets the process compute, get memory, talk over its open descriptors and end; every other call to
// the system fails with EPERM from here on. Returns 0, or the number of an error: ENOSYS where a
// system has no such thing.
static inline int sandbox_refuse_other_calls(void) {
#ifdef SANDBOX_ARCHITECTURE
#define ALLOW(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SANDBOX_ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    ALLOW(SYS_read), ALLOW(SYS_write), ALLOW(SYS_ppoll), ALLOW(SYS_setitimer),
    ALLOW(SYS_mmap), ALLOW(SYS_munmap), ALLOW(SYS_mremap), ALLOW(SYS_mprotect), ALLOW(SYS_madvise),
    ALLOW(SYS_brk), ALLOW(SYS_futex), ALLOW(SYS_getrandom), ALLOW(SYS_sched_yield),
    ALLOW(SYS_clock_gettime), ALLOW(SYS_gettimeofday), ALLOW(SYS_restart_syscall),
    ALLOW(SYS_rt_sigprocmask), ALLOW(SYS_rt_sigaction), ALLOW(SYS_rt_sigreturn),
    ALLOW(SYS_getpid), ALLOW(SYS_gettid), ALLOW(SYS_exit), ALLOW(SYS_exit_group),
#ifdef SYS_poll
    ALLOW(SYS_poll), ALLOW(SYS_alarm),
#endif
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
#undef ALLOW
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : errno;
#else
  return ENOSYS;
#endif
}
