/* flapper UPLINK FAR TAP: makes links and routes come and go, and says when.
 *
 * It holds two network namespaces: the one it was started in, where UPLINK and TAP are, and one of its own
 * for FAR, UPLINK's other end, so that only UPLINK's changes are seen outside. It makes TAP itself.
 *
 * One command a line on standard input; each flap is a loss, a pause, a gain, a pause:
 *
 *   carrier COUNT PAUSE PROGRESS    FAR goes down and up
 *   route COUNT PAUSE PROGRESS      the default route over UPLINK goes and comes
 *   admin COUNT PAUSE PROGRESS      UPLINK itself goes down and up, then its default route is put back
 *   tap COUNT PAUSE PROGRESS        TAP's carrier (TUNSETCARRIER)
 *
 * PAUSE is in microseconds, and is longer while the watcher whose state is in the file PROGRESS has not
 * seen the change, a second at most; "-" waits for nobody. The answer is a line for each change, the moment right before the system call
 * and the state that it leads to, and "done". */
#include "netlink.h"

#include <arpa/inet.h>
#include <linux/if_tun.h>
#include <sched.h>

static const char *uplink, *far_end;
static int home, away, tap;

static int open_tap(const char *name)
{
    int descriptor = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (descriptor < 0 || ioctl(descriptor, TUNSETIFF, &request) < 0)
        fail(name);
    return descriptor;
}

static long long set_link(int socket_, int index, int is_up)
{
    struct request request = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)), .nlmsg_type = RTM_NEWLINK,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
        .link = {.ifi_index = index, .ifi_flags = is_up ? IFF_UP : 0, .ifi_change = IFF_UP}};
    return perform(socket_, &request, "set link");
}

/* The default route over UPLINK by the gateway 192.0.2.1 (RFC 5737). */
static long long set_route(int index, int is_there)
{
    struct request request = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)),
                   .nlmsg_type = is_there ? RTM_NEWROUTE : RTM_DELROUTE,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | (is_there ? NLM_F_CREATE | NLM_F_EXCL : 0)},
        .route = {.rtm_family = AF_INET, .rtm_table = RT_TABLE_MAIN, .rtm_protocol = RTPROT_BOOT,
                  .rtm_scope = RT_SCOPE_UNIVERSE, .rtm_type = RTN_UNICAST}};
    struct in_addr gateway = {htonl(0xC0000201)};
    add_attribute(&request, RTA_GATEWAY, &gateway, sizeof gateway);
    add_attribute(&request, RTA_OIF, &index, sizeof index);
    return perform(home, &request, "set route");
}

static long long set_carrier(int is_on)
{
    long long before = now();
    if (ioctl(tap, TUNSETCARRIER, &is_on) < 0)
        fail("TUNSETCARRIER");
    return before;
}

static long long change(const char *kind, int state)
{
    if (strcmp(kind, "carrier") == 0)
        return set_link(away, index_of(away, far_end), state);
    if (strcmp(kind, "route") == 0)
        return set_route(index_of(home, uplink), state);
    if (strcmp(kind, "tap") == 0)
        return set_carrier(state);
    int index = index_of(home, uplink);
    long long before = set_link(home, index, state);
    if (state)
        set_route(index, 1);
    return before;
}

/* Waits for the watcher, so that a busy machine makes a change late and not missed. */
static void await(const _Atomic long *seen, long state)
{
    for (int i = 0; seen && *seen != state && i < 1000; i++)
        usleep(1000);
}

static void flap(const char *kind, int count, int pause, const char *path)
{
    _Atomic long *seen = strcmp(path, "-") == 0 ? NULL : map_state(path);
    record_count = 0;
    await(seen, 1);
    for (int i = 0; i < 2 * count; i++) {
        record(change(kind, i % 2), i % 2, 0);
        usleep((useconds_t)pause);
        await(seen, i % 2);
    }
    if (seen)
        munmap(seen, sizeof *seen);
    print_records();
    say("done");
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: flapper UPLINK FAR TAP\n");
        return 2;
    }
    uplink = argv[1];
    far_end = argv[2];
    home = open_netlink(0);
    tap = open_tap(argv[3]);
    if (unshare(CLONE_NEWNET) < 0)
        fail("unshare");
    away = open_netlink(0);
    say("ready");

    char kind[16], path[256];
    int count, pause;
    while (scanf("%15s %d %d %255s", kind, &count, &pause, path) == 4)
        flap(kind, count, pause, path);
    return 0;
}
