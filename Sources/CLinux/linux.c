#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

_Static_assert(ADSLOT_SOCK_STREAM == SOCK_STREAM, "the header's number is wrong");

int adslot_stream_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int adslot_stream_pair(int sockets[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, sockets);
}

int adslot_accept(int listener)
{
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int adslot_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
        return -1;
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

int adslot_peer_groups(int socket, gid_t *groups, int capacity)
{
    socklen_t size = (socklen_t)((size_t)capacity * sizeof *groups);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0 && errno != ERANGE)
        return -1;
    return (int)(size / sizeof *groups);
}

int adslot_block_signals(const int *signals, size_t count)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < count; i++)
        sigaddset(&set, signals[i]);
    return sigprocmask(SIG_BLOCK, &set, NULL);
}

int adslot_raise_descriptor_limit(unsigned long maximum)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return -1;
    rlim_t wanted = limit.rlim_max < maximum ? limit.rlim_max : maximum;
    if (limit.rlim_cur >= wanted)
        return 0;
    limit.rlim_cur = wanted;
    return setrlimit(RLIMIT_NOFILE, &limit);
}

int adslot_open_standard_streams(void)
{
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream)
            return -1;
    return 0;
}

int adslot_ignore_sigpipe(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    return sigaction(SIGPIPE, &ignore, NULL);
}

int adslot_clock_jump_timer(void)
{
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (timer < 0)
        return -1;
    /* The end of time: a timer that has no date would not be cancelled. */
    struct itimerspec never = {.it_value = {.tv_sec = INT64_MAX}};
    if (timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) < 0) {
        int cause = errno;
        close(timer);
        errno = cause;
        return -1;
    }
    return timer;
}
