/* launcher SOCKET COUNT PROGRAM ARGUMENTS...: how long PROGRAM takes from exec to its first answer.
 *
 * Each time it hands PROGRAM a listening socket as the service manager would (sd_listen_fds(3)) with a call
 * of Get waiting in it already, and a NOTIFY_SOCKET. It prints a line for each start: microseconds until
 * READY=1 came, and until the answer to Get was there. */
#include "bench.h"

#include <poll.h>
#include <sys/wait.h>

enum { WAIT_MILLISECONDS_MAX = 10000 };

static const char call[] = "{\"method\":\"org.adslotd.Reachability.Get\"}";

static pid_t start(int listener, const char *notify_path, char **command)
{
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child > 0)
        return child;
    char pid[32];
    snprintf(pid, sizeof pid, "%d", getpid());
    setenv("LISTEN_PID", pid, 1);
    setenv("LISTEN_FDS", "1", 1);
    setenv("NOTIFY_SOCKET", notify_path, 1);
    if (listener == 3)
        fcntl(3, F_SETFD, 0);
    else
        dup2(listener, 3);
    execv(command[0], command);
    fail(command[0]);
    return -1;
}

static void measure(int listener, const char *path, int notify, const char *notify_path, char **command)
{
    char buffer[65536];
    int client = connect_to(path);
    send_all(client, call, sizeof call);
    long long before = now(), ready = 0, answered = 0;
    pid_t child = start(listener, notify_path, command);
    while (!ready || !answered) {
        struct pollfd waiting[] = {{ready ? -1 : notify, POLLIN, 0}, {answered ? -1 : client, POLLIN, 0}};
        if (poll(waiting, 2, WAIT_MILLISECONDS_MAX) <= 0) {
            fprintf(stderr, "no answer in %d s\n", WAIT_MILLISECONDS_MAX / 1000);
            kill(child, SIGKILL);
            exit(1);
        }
        long long time = now();
        if (waiting[0].revents) {
            ssize_t count = recv(notify, buffer, sizeof buffer - 1, 0);
            buffer[count > 0 ? count : 0] = 0;
            if (strstr(buffer, "READY=1"))
                ready = time;
        }
        if (waiting[1].revents) {
            ssize_t count = recv(client, buffer, sizeof buffer, 0);
            if (count <= 0 || !memmem(buffer, (size_t)count, "\"reachability\":", 15)) {
                fprintf(stderr, "a wrong answer to Get\n");
                exit(1);
            }
            answered = time;
        }
    }
    printf("%.1f %.1f\n", (double)(ready - before) / 1e3, (double)(answered - before) / 1e3);
    close(client);
    kill(child, SIGTERM);
    int status;
    if (waitpid(child, &status, 0) < 0 || status != 0) {
        fprintf(stderr, "the program ended with status %d\n", status);
        exit(1);
    }
    // What it said on its way out is not the next start's.
    while (recv(notify, buffer, sizeof buffer, MSG_DONTWAIT) > 0)
        ;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: launcher SOCKET COUNT PROGRAM ARGUMENTS...\n");
        return 2;
    }
    char notify_path[108];
    snprintf(notify_path, sizeof notify_path, "%s.notify", argv[1]);
    struct sockaddr_un address = address_of(notify_path);
    unlink(notify_path);
    int notify = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (notify < 0 || bind(notify, (struct sockaddr *)&address, sizeof address) < 0)
        fail(notify_path);
    int listener = listen_at(argv[1]);
    for (int i = 0; i < atoi(argv[2]); i++)
        measure(listener, argv[1], notify, notify_path, argv + 3);
    unlink(argv[1]);
    unlink(notify_path);
    return 0;
}
