/* line-monitor link|route|address LINK: reads what `ip -oneline monitor` writes from standard input, recording
 * when it has each line that says that LINK, the default route or the address has come or gone. */
#include "bench.h"

static long state = 1;

/* What a line says, -1 for nothing. */
static long state_in(const char *line, const char *watched, const char *link)
{
    int is_deleted = strncmp(line, "Deleted ", 8) == 0;
    if (strcmp(watched, "route") == 0)
        return strncmp(is_deleted ? line + 8 : line, "default ", 8) != 0 ? -1 : !is_deleted;
    if (!strstr(line, link))
        return -1;
    if (strcmp(watched, "address") == 0)
        return strstr(line, " inet 192.0.2.2/") ? !is_deleted : -1;
    return strstr(line, "> mtu ") ? strstr(line, " state UP ") != NULL : -1;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: line-monitor link|route|address LINK\n");
        return 2;
    }
    begin_watching();
    record(now(), state, 0);
    say("ready");
    static char buffer[65536];
    size_t held = 0;
    while (!is_ended) {
        ssize_t count = read(STDIN_FILENO, buffer + held, sizeof buffer - held);
        long long time = now();
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        held += (size_t)count;
        char *line = buffer;
        for (char *end; (end = memchr(line, '\n', held)); line = end + 1) {
            *end = 0;
            long told = state_in(line, argv[1], argv[2]);
            if (told >= 0 && told != state)
                record(time, state = told, 0);
            held -= (size_t)(end + 1 - line);
        }
        memmove(buffer, line, held);
        if (held == sizeof buffer)
            held = 0;
    }
    // A program that has ended early tells nothing more; whoever watches this one finds out by that.
    while (!is_ended)
        pause();
    print_records();
    return 0;
}
