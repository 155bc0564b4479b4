#define _GNU_SOURCE
#include "CPicture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* What this process has mapped, in bytes; 0 if it is not known. */
static uint64_t mapped_bytes(void) {
    char text[64];
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    uint64_t pages = 0;
    for (const char *digit = text; *digit >= '0' && *digit <= '9'; digit++) {
        pages = pages * 10 + (uint64_t)(*digit - '0');
    }
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static int limit(__rlimit_resource_t resource, uint64_t soft, uint64_t hard) {
    struct rlimit value = {.rlim_cur = soft, .rlim_max = hard};
    if (setrlimit(resource, &value) == 0) return 0;
    /* A limit below ours is in force already. */
    struct rlimit now;
    if (getrlimit(resource, &now) == 0 && now.rlim_max <= hard) return 0;
    return errno != 0 ? errno : EPERM;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
/* Each loads the number anew: the one before may have loaded something else. */
#define ALLOW_CALL(name) LOAD(nr), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), ALLOW
/* The third argument says how pages may be used; its lower half stands first on both processors. */
#define ALLOW_DATA_PAGES(name)                                                                       \
    LOAD(nr), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 3), LOAD(args[2]),                 \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), ALLOW

/* A refused call fails with EPERM, so that a C library that asks for something of no account goes on. */
static void filter_calls(void) {
    static struct sock_filter rules[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        ALLOW_CALL(read),
        ALLOW_CALL(write),
        ALLOW_CALL(exit_group),
        ALLOW_CALL(exit),
        ALLOW_CALL(brk),
        ALLOW_DATA_PAGES(mmap),
        ALLOW_DATA_PAGES(mprotect),
        ALLOW_CALL(munmap),
        ALLOW_CALL(mremap),
        ALLOW_CALL(madvise),
        ALLOW_CALL(futex),
        ALLOW_CALL(getrandom),
        ALLOW_CALL(clock_gettime),
        ALLOW_CALL(rt_sigreturn),
        REFUSE,
    };
    struct sock_fprog program = {.len = sizeof rules / sizeof *rules, .filter = rules};
    /* A system without filters has the other limits. */
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
#else
static void filter_calls(void) {}
#endif

int cpicture_confine(uint64_t memory_bytes, uint32_t processor_seconds) {
    uint64_t mapped = mapped_bytes();
    if (mapped == 0) return ENOSYS;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return errno;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    int fault = limit(RLIMIT_AS, mapped + memory_bytes, mapped + memory_bytes);
    if (fault == 0) fault = limit(RLIMIT_CPU, processor_seconds, processor_seconds + 1);
    if (fault == 0) fault = limit(RLIMIT_CORE, 0, 0);
    if (fault == 0) fault = limit(RLIMIT_FSIZE, 0, 0);
    if (fault == 0) fault = limit(RLIMIT_NPROC, 0, 0);
    if (fault == 0) fault = limit(RLIMIT_NOFILE, 0, 0);
    if (fault != 0) return fault;
    /* Neither a debugger nor /proc shows a stranger's picture to other processes. */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    filter_calls();
    return 0;
}

static int fill(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int descriptor) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int fault = posix_spawn_file_actions_adddup2(actions, descriptor, STDIN_FILENO);
    if (fault == 0) fault = posix_spawn_file_actions_adddup2(actions, descriptor, STDOUT_FILENO);
    if (fault == 0) fault = posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (fault == 0) fault = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    if (fault == 0) fault = posix_spawnattr_setsigmask(attributes, &none);
    if (fault == 0) fault = posix_spawnattr_setsigdefault(attributes, &all);
    if (fault == 0) fault = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return fault;
}

/* The words are only read, but posix_spawn(3) does not say so. */
static char *word(const char *text) { return (char *)(uintptr_t)text; }

int cpicture_spawn(const char *program, const char *argument, int descriptor, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int fault = posix_spawn_file_actions_init(&actions);
    if (fault != 0) return fault;
    fault = posix_spawnattr_init(&attributes);
    if (fault == 0) {
        char *words[] = {word("lattice"), word(argument), NULL};
        /* A crash would start Swift's backtracer, which takes seconds and holds our descriptors. */
        char *environment[] = {word("SWIFT_BACKTRACE=enable=no"), NULL};
        fault = fill(&actions, &attributes, descriptor);
        if (fault == 0) fault = posix_spawn(child, program, &actions, &attributes, words, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return fault;
}
