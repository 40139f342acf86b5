#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
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

int adslot_lock(int file)
{
    return flock(file, LOCK_EX | LOCK_NB);
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

int adslot_epoll_create(void)
{
    return epoll_create1(EPOLL_CLOEXEC);
}

int adslot_epoll_control(int epoll, int change, int descriptor, uint32_t events)
{
    static const int operations[] = { EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL };
    struct epoll_event event = { .events = events, .data.fd = descriptor };

    return epoll_ctl(epoll, operations[change], descriptor, &event);
}

int adslot_epoll_ready(int epoll, int *descriptors, uint32_t *events, int capacity)
{
    struct epoll_event ready[8];
    int count = epoll_wait(epoll, ready, capacity < 8 ? capacity : 8, 0);

    for (int index = 0; index < count; index++) {
        descriptors[index] = ready[index].data.fd;
        events[index] = ready[index].events;
    }
    return count;
}

int adslot_timer_create(void)
{
    return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

int adslot_timer_set(int timer, int64_t microseconds)
{
    struct itimerspec time = { 0 };

    if (microseconds > 0) {
        time.it_value.tv_sec = microseconds / 1000000;
        time.it_value.tv_nsec = microseconds % 1000000 * 1000;
    }
    return timerfd_settime(timer, 0, &time, NULL);
}

int adslot_wake_up_create(void)
{
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

struct thread {
    void (*body)(void *);
    void *context;
};

static void *run_thread(void *argument)
{
    struct thread thread = *(struct thread *)argument;

    free(argument);
    thread.body(thread.context);
    return NULL;
}

int adslot_thread_start(void (*body)(void *), void *context)
{
    struct thread *thread = malloc(sizeof *thread);
    sigset_t all, previous;
    pthread_t id;
    int code;

    if (thread == NULL)
        return -1;
    *thread = (struct thread){ body, context };
    /* A thread inherits the mask of the one that starts it. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    code = pthread_create(&id, NULL, run_thread, thread);
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    if (code != 0) {
        free(thread);
        errno = code;
        return -1;
    }
    pthread_detach(id);
    return 0;
}

int adslot_clock_is_synchronised(void)
{
    struct timex state = {.modes = 0};
    int clock = adjtimex(&state);
    return clock >= 0 && clock != TIME_ERROR && !(state.status & STA_UNSYNC);
}
