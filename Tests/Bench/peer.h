/* One Varlink connection: whole messages out of a stream. */
#ifndef PEER_H
#define PEER_H

#include "bench.h"

enum { PEER_BYTES_MAX = 32768 };

struct peer {
    int socket;
    size_t held;
    char lease[64];
    char buffer[PEER_BYTES_MAX];
};

/* Calls `take` with each whole message that has arrived. */
static inline void peer_read(struct peer *peer, void *context, void (*take)(void *, struct peer *, char *))
{
    ssize_t count = recv(peer->socket, peer->buffer + peer->held, sizeof peer->buffer - peer->held, 0);
    if (count < 0 && errno == EINTR)
        return;
    if (count <= 0) {
        fprintf(stderr, "the connection ended\n");
        exit(1);
    }
    peer->held += (size_t)count;
    char *message = peer->buffer;
    for (char *end; (end = memchr(message, 0, peer->held)); message = end + 1) {
        if (strstr(message, "\"error\":")) {
            fprintf(stderr, "an error instead of an answer: %s\n", message);
            exit(1);
        }
        take(context, peer, message);
        peer->held -= (size_t)(end + 1 - message);
    }
    memmove(peer->buffer, message, peer->held);
}

static inline void peer_call(struct peer *peer, const char *text)
{
    send_all(peer->socket, text, strlen(text) + 1);
}

/* The number that follows `key` in a message, -1 where there is none. */
static inline long number_after(const char *message, const char *key)
{
    const char *found = strstr(message, key);
    return found ? strtol(found + strlen(key), NULL, 10) : -1;
}

/* Keeps the lease of a first reply; false where the message is another. */
static inline int take_lease(struct peer *peer, const char *message)
{
    const char *found = strstr(message, "\"lease\":\"");
    if (!found)
        return 0;
    sscanf(found + 9, "%63[^\"]", peer->lease);
    return 1;
}

#endif
