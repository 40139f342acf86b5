/* clicks SOCKET WORK COUNT: a host of slot0, and WORK pieces of client work that acknowledge at once. COUNT
 * times it begins an action and ends it. Prints a line for each: nanoseconds from the call of BeginAction to
 * its answer. */
#include "bench.h"
#include "peer.h"

#include <poll.h>

static long banner = -1, action = -1;
static int registered;

static void take_host(void *context, struct peer *peer, char *message)
{
    (void)context;
    if (!take_lease(peer, message) && strstr(message, "\"kind\":\"show\""))
        banner = number_after(message, "\"banner\":");
}

static void take_work(void *context, struct peer *peer, char *message)
{
    (void)context;
    if (take_lease(peer, message)) {
        registered++;
        return;
    }
    if (!strstr(message, "\"kind\":\"pause\""))
        return;
    char text[256];
    snprintf(text, sizeof text,
             "{\"method\":\"org.adslotd.Work.Acknowledge\",\"oneway\":true,\"parameters\":{\"lease\":\"%s\","
             "\"token\":%ld}}",
             peer->lease, number_after(message, "\"token\":"));
    // On the caller's connection, so that no answer stands between the instructions.
    send_all(*(int *)context, text, strlen(text) + 1);
}

static void take_answer(void *context, struct peer *peer, char *message)
{
    (void)peer;
    if (strstr(message, "\"allowed\":true"))
        action = number_after(message, "\"action\":");
    *(int *)context = 1;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: clicks SOCKET WORK COUNT\n");
        return 2;
    }
    int work = atoi(argv[2]), count = atoi(argv[3]);
    static struct peer host, caller;
    struct peer *works = calloc((size_t)work + 1, sizeof *works);
    struct pollfd *waiting = calloc((size_t)work + 2, sizeof *waiting);
    int acknowledger = connect_to(argv[1]);
    char text[512];
    host.socket = connect_to(argv[1]);
    caller.socket = connect_to(argv[1]);
    peer_call(&host,
              "{\"method\":\"org.adslotd.Slots.Attach\",\"more\":true,\"parameters\":{\"slot\":\"slot0\","
              "\"viewport\":{\"width\":400,\"height\":800}}}");
    waiting[0] = (struct pollfd){host.socket, POLLIN, 0};
    waiting[1] = (struct pollfd){caller.socket, POLLIN, 0};
    for (int i = 0; i < work; i++) {
        works[i].socket = connect_to(argv[1]);
        waiting[i + 2] = (struct pollfd){works[i].socket, POLLIN, 0};
        snprintf(text, sizeof text,
                 "{\"method\":\"org.adslotd.Work.Register\",\"more\":true,\"parameters\":{\"name\":\"work%d\","
                 "\"kind\":\"client\"}}",
                 i);
        peer_call(&works[i], text);
    }
    for (int done = -1; done < count;) {
        int is_answered = 0;
        long long before = now();
        if (banner >= 0 && registered == work) {
            snprintf(text, sizeof text,
                     "{\"method\":\"org.adslotd.Slots.BeginAction\",\"parameters\":{\"lease\":\"%s\","
                     "\"banner\":%ld}}",
                     host.lease, banner);
            peer_call(&caller, text);
        } else {
            is_answered = -1;
        }
        do {
            if (poll(waiting, (nfds_t)work + 2, 5000) <= 0)
                fail("no answer");
            for (int i = 0; i < work + 2; i++) {
                if (!waiting[i].revents)
                    continue;
                if (i == 0)
                    peer_read(&host, NULL, take_host);
                else if (i == 1)
                    peer_read(&caller, &is_answered, take_answer);
                else
                    peer_read(&works[i - 2], &acknowledger, take_work);
            }
        } while (is_answered == 0);
        if (is_answered < 0)
            continue;
        // The first one warms up.
        if (done++ >= 0)
            printf("%lld\n", now() - before);
        if (action < 0) {
            fprintf(stderr, "an action was refused\n");
            return 1;
        }
        snprintf(text, sizeof text,
                 "{\"method\":\"org.adslotd.Slots.FinishAction\",\"parameters\":{\"lease\":\"%s\","
                 "\"action\":%ld}}",
                 host.lease, action);
        action = -1;
        is_answered = 0;
        peer_call(&caller, text);
        while (!is_answered)
            peer_read(&caller, &is_answered, take_answer);
    }
    return 0;
}
