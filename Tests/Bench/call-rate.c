/* call-rate SOCKET COUNT DEPTH REQUEST: makes COUNT calls on one connection, at most DEPTH unanswered, and
 * prints how many were answered a second.
 *
 * REQUEST is varlink (Get of org.adslotd.Reachability) or redis (GET of a key that is not there). */
#include "bench.h"

enum { DEPTH_MAX = 256 };

static const char varlink[] = "{\"method\":\"org.adslotd.Reachability.Get\"}";
static const char redis[] = "GET reachability\r\n";

int main(int argc, char **argv)
{
    if (argc != 5 || atoi(argv[3]) < 1 || atoi(argv[3]) > DEPTH_MAX) {
        fprintf(stderr, "usage: call-rate SOCKET COUNT DEPTH varlink|redis\n");
        return 2;
    }
    int is_varlink = strcmp(argv[4], "varlink") == 0;
    const char *request = is_varlink ? varlink : redis;
    size_t size = is_varlink ? sizeof varlink : sizeof redis - 1;
    char last = is_varlink ? 0 : '\n';
    long count = atol(argv[2]), depth = atol(argv[3]), sent = 0, answered = 0;
    static char requests[DEPTH_MAX * sizeof varlink], buffer[1 << 20];
    for (long i = 0; i < depth; i++)
        memcpy(requests + (size_t)i * size, request, size);

    int server = connect_to(argv[1]);
    long long before = now();
    while (answered < count) {
        // What was answered is asked for again in one go.
        long more = depth - (sent - answered);
        if (more > count - sent)
            more = count - sent;
        send_all(server, requests, (size_t)more * size);
        sent += more;
        ssize_t received = recv(server, buffer, sizeof buffer, 0);
        if (received <= 0)
            fail("recv");
        for (char *from = buffer, *end; (end = memchr(from, last, (size_t)(buffer + received - from)));
             from = end + 1)
            answered++;
        if (memmem(buffer, (size_t)received, "\"error\"", 7)) {
            fprintf(stderr, "an error instead of an answer: %.*s\n", (int)received, buffer);
            return 1;
        }
    }
    printf("%.0f\n", (double)count * 1e9 / (double)(now() - before));
    return answered == count ? 0 : 1;
}
