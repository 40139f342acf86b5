#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

/* linux/magic.h. */
#define CGROUP2_MAGIC 0x63677270

int adslot_pidfd_open(pid_t pid)
{
    return pidfd_open(pid, 0);
}

int adslot_pidfd_signal(int pidfd, int signal)
{
    return pidfd_send_signal(pidfd, signal, NULL, 0);
}

int adslot_is_cgroup2(int directory)
{
    struct statfs status;
    if (fstatfs(directory, &status) < 0)
        return -1;
    return status.f_type == CGROUP2_MAGIC;
}

int adslot_open_beneath(int directory, const char *name)
{
    return openat(directory, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int adslot_open_in(int directory, const char *name, int writes)
{
    return openat(directory, name, (writes ? O_WRONLY : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC);
}

/* Of the child's life only this much comes before exec, all of it async-signal-safe (signal-safety(7)). */
static void run_held(char *const *arguments, int go, int failed)
{
    char byte;
    ssize_t count;
    do
        count = read(go, &byte, 1);
    while (count < 0 && errno == EINTR);
    /* The parent closed its end: it is not to be. */
    if (count != 1)
        _exit(0);
    execvp(arguments[0], arguments);
    int code = errno;
    if (write(failed, &code, sizeof code) < 0)
        _exit(126);
    _exit(code == ENOENT ? 127 : 126);
}

pid_t adslot_fork_held(char *const *arguments, int session, int *go, int *failed)
{
    int start[2], failure[2];
    if (pipe2(start, O_CLOEXEC) < 0)
        return -1;
    if (pipe2(failure, O_CLOEXEC) < 0) {
        close(start[0]);
        close(start[1]);
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        if (session)
            setsid();
        else
            setpgid(0, 0);
        close(start[1]);
        if (write(failure[1], "", 1) != 1)
            _exit(126);
        run_held(arguments, start[0], failure[1]);
    }
    int code = errno;
    close(start[0]);
    close(failure[1]);
    if (child < 0) {
        close(start[1]);
        close(failure[0]);
        errno = code;
        return -1;
    }
    *go = start[1];
    *failed = failure[0];
    /* It leads its group once this has come. */
    char byte;
    while (read(failure[0], &byte, 1) < 0 && errno == EINTR)
        ;
    return child;
}

int adslot_wait_child(pid_t child, int *status)
{
    pid_t result = waitpid(child, status, WNOHANG | WUNTRACED | WCONTINUED);
    return result < 0 ? -1 : result == child;
}

int adslot_ignore_terminal_output_stop(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    return sigaction(SIGTTOU, &ignore, NULL);
}
