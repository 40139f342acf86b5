/* What the programs of the bench share: one clock, and a record of what was seen when.
 *
 * A program that watches keeps its records in memory and writes them out at the end, a line each:
 * nanoseconds of CLOCK_MONOTONIC, then the state, 1 for reachable and 0 for not. Writing meanwhile would
 * disturb what is measured. */
#ifndef BENCH_H
#define BENCH_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { RECORDS_MAX = 1 << 20 };

static struct {
    long long time;
    long state;
    long note;
} records[RECORDS_MAX];
static int record_count;
/* The last record's state, for the flapper to see; the file is named by BENCH_PROGRESS. */
static _Atomic long *seen_state;
static volatile sig_atomic_t is_ended;

static inline long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static inline void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static inline void record(long long time, long state, long note)
{
    if (record_count == RECORDS_MAX) {
        errno = ENOSPC;
        fail("records");
    }
    records[record_count].time = time;
    records[record_count].state = state;
    records[record_count++].note = note;
    if (seen_state)
        *seen_state = state;
}

/* The state that a program shares, in the file of that name. */
static inline _Atomic long *map_state(const char *path)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *space = file < 0 ? MAP_FAILED
                           : mmap(NULL, sizeof *seen_state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (space == MAP_FAILED)
        fail(path);
    close(file);
    return space;
}

static inline void print_records(void)
{
    for (int i = 0; i < record_count; i++)
        printf("%lld %ld %ld\n", records[i].time, records[i].state, records[i].note);
    fflush(stdout);
}

/* The driver waits for this line before it goes on. */
static inline void say(const char *line)
{
    puts(line);
    fflush(stdout);
}

static inline void end(int signal)
{
    (void)signal;
    is_ended = 1;
}

/* SIGTERM ends the watching: a blocking call returns with EINTR. */
static inline void begin_watching(void)
{
    const char *path = getenv("BENCH_PROGRESS");
    if (path)
        seen_state = map_state(path);
    struct sigaction action = {.sa_handler = end};
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static inline struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        fail(path);
    }
    strcpy(address.sun_path, path);
    return address;
}

static inline int connect_to(const char *path)
{
    struct sockaddr_un address = address_of(path);
    int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0 || connect(socket_, (struct sockaddr *)&address, sizeof address) < 0)
        fail(path);
    return socket_;
}

static inline int listen_at(const char *path)
{
    struct sockaddr_un address = address_of(path);
    unlink(path);
    int socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0 || bind(socket_, (struct sockaddr *)&address, sizeof address) < 0
        || listen(socket_, 16) < 0)
        fail(path);
    return socket_;
}

static inline void send_all(int socket_, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t sent = send(socket_, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            fail("send");
        if (sent > 0) {
            bytes += sent;
            count -= (size_t)sent;
        }
    }
}

#endif
