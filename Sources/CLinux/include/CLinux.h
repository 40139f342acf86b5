/* Calls and constants that the Glibc module does not show to Swift: GNU extensions, macros of
   function form and variadic calls. Each is a thin name for the call itself: on failure -1 with
   errno set. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Stream sockets of the Unix domain with SOCK_CLOEXEC | SOCK_NONBLOCK, one or a connected pair. The
   constants come from a header that more than one module includes, so Swift does not always find them. */
int adslot_stream_socket(void);
int adslot_stream_pair(int sockets[2]);

/* SOCK_STREAM, for the same reason. */
enum { ADSLOT_SOCK_STREAM = 1 };

/* accept4(2) with SOCK_CLOEXEC | SOCK_NONBLOCK. */
int adslot_accept(int listener);

/* SO_PEERCRED of unix(7). */
int adslot_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

/* SO_PEERGROUPS: the supplementary groups of the peer; the number of groups it has, of which at most
   `capacity` are stored. */
int adslot_peer_groups(int socket, gid_t *groups, int capacity);

/* Blocks the signals given in sigprocmask(2), so that they reach the event loop's descriptor. */
int adslot_block_signals(const int *signals, size_t count);

/* Raises the soft limit of open descriptors to the hard one, at most to `maximum`. */
int adslot_raise_descriptor_limit(unsigned long maximum);

/* Opens /dev/null in the place of each of the three standard streams that is closed, so that none of their
   numbers goes to something else. */
int adslot_open_standard_streams(void);

/* A descriptor of timerfd_create(2), non-blocking, that becomes readable when CLOCK_REALTIME jumps: reading
   it then fails with ECANCELED. */
int adslot_clock_jump_timer(void);

/* epoll(7), close-on-exec. `change` is 0 to add a descriptor, 1 to change and 2 to remove it; `events` are
   bits of poll(2). */
int adslot_epoll_create(void);
int adslot_epoll_control(int epoll, int change, int descriptor, uint32_t events);

/* What is ready now, without waiting: the number of descriptors stored. */
int adslot_epoll_ready(int epoll, int *descriptors, uint32_t *events, int capacity);

/* A timer of timerfd_create(2) on CLOCK_BOOTTIME, and one shot of it after so many microseconds; never for
   0 or less. */
int adslot_timer_create(void);
int adslot_timer_set(int timer, int64_t microseconds);

/* A counter of eventfd(2) that one thread raises to wake another. */
int adslot_wake_up_create(void);

/* Starts a detached thread with all signals blocked: they belong to the threads of the program. 0, or -1
   with errno set. */
int adslot_thread_start(void (*body)(void *), void *context);

/* Whether somebody keeps CLOCK_REALTIME synchronised, by adjtimex(2): 1 or 0. */
int adslot_clock_is_synchronised(void);

/* flock(2) of an open file, exclusively and without waiting. */
int adslot_lock(int file);

/* Ignores SIGPIPE: a peer that went away is an error of the write, not a death. */
int adslot_ignore_sigpipe(void);

/* pidfd_open(2). */
int adslot_pidfd_open(pid_t pid);

/* pidfd_send_signal(2), as kill(2) would. */
int adslot_pidfd_signal(int pidfd, int signal);

/* Whether an open directory is one of a control group of version 2. */
int adslot_is_cgroup2(int directory);

/* openat(2) of a directory (O_PATH) that is no symbolic link. */
int adslot_open_beneath(int directory, const char *name);

/* openat(2) of a file that is there, for reading or for writing. */
int adslot_open_in(int directory, const char *name, int writes);

/* Forks a child, leader of a process group and, if asked for, of a session of its own, that waits: a byte
   written to *go has it run a program found along PATH, closing *go has it end. *failed tells the value of
   errno where the program could not be run, and nothing where it runs. */
pid_t adslot_fork_held(char *const *arguments, int session, int *go, int *failed);

/* waitpid(2) without waiting, for ends, stops and continuations: 1 with *status, 0 where nothing is new. */
int adslot_wait_child(pid_t child, int *status);

/* Ignores SIGTTOU, so that a program in the background may hand the terminal over (tcsetpgrp(3)). */
int adslot_ignore_terminal_output_stop(void);
