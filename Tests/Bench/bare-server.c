/* bare-server SOCKET BYTES: answers each call, up to its NUL, with the same BYTES and nothing else: the least
 * that a server on this machine can do. One client at a time. */
#include "bench.h"

enum { REPLY_BYTES_MAX = 65536 };

static void serve(int client, const char *reply, size_t size)
{
    static char buffer[65536];
    ssize_t count;
    while ((count = recv(client, buffer, sizeof buffer, 0)) > 0) {
        static char replies[256 * 4096];
        size_t filled = 0;
        for (ssize_t i = 0; i < count; i++) {
            if (buffer[i] != 0)
                continue;
            if (filled + size > sizeof replies) {
                send_all(client, replies, filled);
                filled = 0;
            }
            memcpy(replies + filled, reply, size);
            filled += size;
        }
        send_all(client, replies, filled);
    }
}

int main(int argc, char **argv)
{
    size_t size = argc == 3 ? (size_t)atol(argv[2]) : 0;
    if (size == 0 || size > REPLY_BYTES_MAX) {
        fprintf(stderr, "usage: bare-server SOCKET BYTES\n");
        return 2;
    }
    static char reply[REPLY_BYTES_MAX];
    memset(reply, 'x', size);
    reply[size - 1] = 0;
    begin_watching();
    int listener = listen_at(argv[1]);
    say("ready");
    while (!is_ended) {
        int client = accept(listener, NULL, NULL);
        if (client < 0)
            continue;
        serve(client, reply, size);
        close(client);
    }
    return 0;
}
