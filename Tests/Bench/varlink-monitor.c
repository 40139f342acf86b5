/* varlink-monitor SOCKET: a client of org.adslotd.Reachability.Monitor that records when it has each whole
 * notification, with its sequence number as the note. */
#include "bench.h"

static const char call[] = "{\"method\":\"org.adslotd.Reachability.Monitor\",\"more\":true}";

static void take(const char *message, long long time)
{
    const char *sequence = strstr(message, "\"sequence\":");
    if (!strstr(message, "\"reachable\":") || !sequence) {
        fprintf(stderr, "not a notification: %s\n", message);
        exit(1);
    }
    record(time, strstr(message, "\"reachable\":true") != NULL, strtol(sequence + 11, NULL, 10));
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: varlink-monitor SOCKET\n");
        return 2;
    }
    begin_watching();
    int server = connect_to(argv[1]);
    send_all(server, call, sizeof call);

    static char buffer[65536];
    size_t held = 0;
    while (!is_ended) {
        ssize_t count = recv(server, buffer + held, sizeof buffer - held, 0);
        long long time = now();
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            fprintf(stderr, "the connection ended\n");
            return 1;
        }
        held += (size_t)count;
        char *message = buffer;
        for (char *end; (end = memchr(message, 0, held)); message = end + 1) {
            take(message, time);
            held -= (size_t)(end + 1 - message);
            if (record_count == 1)
                say("ready");
        }
        memmove(buffer, message, held);
    }
    print_records();
    return 0;
}
