/* hosts SOCKET COUNT STALLED: COUNT hosts, one for each of the slots slot0, slot1 and so on, of which the
 * first STALLED stop reading once each of them shows an ad.
 *
 * Says "ready" when all show. Each time that all that read are told to hide, and each time that all show
 * again, it records the moment at which the last one had it, with the state (0 hidden, 1 shown) and how many
 * nanoseconds after the first one that was. */
#include "bench.h"
#include "peer.h"

#include <sys/epoll.h>
#include <sys/resource.h>

static int count, stalled, is_ready;
static int told[2];
static long long first_time;
static char *is_shown;

static void take(void *context, struct peer *peer, char *message)
{
    int index = *(int *)context;
    if (take_lease(peer, message))
        return;
    int shows = strstr(message, "\"kind\":\"show\"") != NULL;
    if (!shows && !strstr(message, "\"kind\":\"hide\""))
        return;
    if (is_shown[index] == shows)
        return;
    is_shown[index] = (char)shows;
    long long time = now();
    if (told[shows]++ == 0)
        first_time = time;
    int awaited = is_ready ? count - stalled : count;
    if (told[shows] < awaited)
        return;
    told[0] = told[1] = 0;
    if (is_ready)
        record(time, shows, time - first_time);
    else
        say("ready");
    is_ready = 1;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: hosts SOCKET COUNT STALLED\n");
        return 2;
    }
    count = atoi(argv[2]);
    stalled = atoi(argv[3]);
    struct rlimit limit = {(rlim_t)count + 64, (rlim_t)count + 64};
    setrlimit(RLIMIT_NOFILE, &limit);
    begin_watching();
    struct peer *hosts = calloc((size_t)count, sizeof *hosts);
    int *indices = calloc((size_t)count, sizeof *indices);
    is_shown = calloc((size_t)count, 1);
    int poll = epoll_create1(EPOLL_CLOEXEC);
    if (!hosts || !indices || !is_shown || poll < 0)
        fail("hosts");
    for (int i = 0; i < count; i++) {
        char text[256];
        hosts[i].socket = connect_to(argv[1]);
        indices[i] = i;
        snprintf(text, sizeof text,
                 "{\"method\":\"org.adslotd.Slots.Attach\",\"more\":true,\"parameters\":{\"slot\":\"slot%d\","
                 "\"viewport\":{\"width\":400,\"height\":800}}}",
                 i);
        peer_call(&hosts[i], text);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (unsigned)i};
        epoll_ctl(poll, EPOLL_CTL_ADD, hosts[i].socket, &event);
    }
    int has_stalled = 0;
    while (!is_ended) {
        struct epoll_event events[256];
        int arrived = epoll_wait(poll, events, 256, -1);
        for (int i = 0; i < arrived; i++) {
            unsigned index = events[i].data.u32;
            if (is_ready && index < (unsigned)stalled)
                continue;
            peer_read(&hosts[index], &indices[index], take);
        }
        if (is_ready && !has_stalled) {
            has_stalled = 1;
            for (int i = 0; i < stalled; i++)
                epoll_ctl(poll, EPOLL_CTL_DEL, hosts[i].socket, NULL);
        }
    }
    print_records();
    return 0;
}
