/* flapper UPLINK FAR TAP STUB: makes links, addresses and routes come and go, and says when.
 *
 * It holds two network namespaces: the one it was started in, where UPLINK, TAP and STUB are, and one of its
 * own for FAR, UPLINK's other end, so that only UPLINK's changes are seen outside. It makes TAP itself.
 *
 * One command a line on standard input:
 *
 *   flap KIND COUNT PAUSE PROGRESS    COUNT times a loss, a pause, a gain, a pause
 *   make KIND STATE                   a loss (0) or a gain (1)
 *   storm COUNT BURST PAUSE           COUNT changes of STUB that make no difference, a pause after each BURST
 *
 * KIND is
 *
 *   carrier    FAR goes down and up
 *   route      the default route over UPLINK goes and comes
 *   address    UPLINK's address goes and comes; the default route stays
 *   admin      UPLINK itself goes down and up, then its default route is put back
 *   tap        TAP's carrier (TUNSETCARRIER)
 *
 * PAUSE is in microseconds, and in a flap is longer while the watcher whose state is in the file PROGRESS has
 * not seen the change, a second at most; "-" waits for nobody. The answer is a line for each change, the moment
 * right before the system call and the state that it leads to; of a storm a line with the number of messages
 * that it made. Then comes "done". */
#include "netlink.h"

#include <linux/if_tun.h>
#include <sched.h>

enum { PREFIX_LENGTH = 24, STUB_ADDRESS = 0xC6120001 };

static const char *uplink, *far_end, *stub;
/* Sockets for requests in the two namespaces, one that counts messages in the first, and TAP. */
static int home, away, events, tap;

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

static void set_alias(int index, const char *alias)
{
    struct request request = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)), .nlmsg_type = RTM_NEWLINK,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
        .link = {.ifi_index = index}};
    add_attribute(&request, IFLA_IFALIAS, alias, strlen(alias) + 1);
    perform(home, &request, "set alias");
}

/* What creates an object that is not there yet, or deletes it. */
static unsigned short flags_for(int is_there)
{
    return NLM_F_REQUEST | NLM_F_ACK | (is_there ? NLM_F_CREATE | NLM_F_EXCL : 0);
}

/* The default route over UPLINK. */
static long long set_route(int index, int is_there)
{
    struct request request = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)),
                   .nlmsg_type = is_there ? RTM_NEWROUTE : RTM_DELROUTE, .nlmsg_flags = flags_for(is_there)},
        .route = {.rtm_family = AF_INET, .rtm_table = RT_TABLE_MAIN, .rtm_protocol = RTPROT_BOOT,
                  .rtm_scope = RT_SCOPE_UNIVERSE, .rtm_type = RTN_UNICAST}};
    struct in_addr gateway = {htonl(UPLINK_GATEWAY)};
    add_attribute(&request, RTA_GATEWAY, &gateway, sizeof gateway);
    add_attribute(&request, RTA_OIF, &index, sizeof index);
    return perform(home, &request, "set route");
}

static long long set_address(int index, unsigned address, int is_there)
{
    struct request request = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifaddrmsg)),
                   .nlmsg_type = is_there ? RTM_NEWADDR : RTM_DELADDR, .nlmsg_flags = flags_for(is_there)},
        .address = {.ifa_family = AF_INET, .ifa_prefixlen = PREFIX_LENGTH, .ifa_index = (unsigned)index}};
    struct in_addr local = {htonl(address)};
    add_attribute(&request, IFA_LOCAL, &local, sizeof local);
    return perform(home, &request, "set address");
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
    if (strcmp(kind, "tap") == 0)
        return set_carrier(state);
    int index = index_of(home, uplink);
    if (strcmp(kind, "route") == 0)
        return set_route(index, state);
    if (strcmp(kind, "address") == 0)
        return set_address(index, UPLINK_ADDRESS, state);
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
    await(seen, 1);
    for (int i = 0; i < 2 * count; i++) {
        record(change(kind, i % 2), i % 2, 0);
        usleep((useconds_t)pause);
        await(seen, i % 2);
    }
    if (seen)
        munmap(seen, sizeof *seen);
    print_records();
}

/* How many messages wait; none are left. */
static long count_messages(void)
{
    static char buffer[65536] __attribute__((aligned(NLMSG_ALIGNTO)));
    long messages = 0;
    for (;;) {
        ssize_t count = recv(events, buffer, sizeof buffer, MSG_DONTWAIT);
        if (count < 0 && errno == EAGAIN)
            return messages;
        if (count < 0)
            fail("storm");
        struct nlmsghdr *message = (void *)buffer;
        for (int rest = (int)count; NLMSG_OK(message, (unsigned)rest); message = NLMSG_NEXT(message, rest))
            messages++;
    }
}

static void storm(int count, int burst, int pause)
{
    int index = index_of(home, stub);
    long messages = 0;
    set_groups(events, ALL_GROUPS);
    for (int i = 0; i < count; i++) {
        if (i % 2)
            set_alias(index, i % 4 == 1 ? "one" : "other");
        else
            set_address(index, STUB_ADDRESS, i % 4 == 0);
        if ((i + 1) % burst == 0 || i + 1 == count) {
            messages += count_messages();
            if (pause)
                usleep((useconds_t)pause);
        }
    }
    set_groups(events, 0);
    printf("%ld\n", messages);
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: flapper UPLINK FAR TAP STUB\n");
        return 2;
    }
    uplink = argv[1];
    far_end = argv[2];
    stub = argv[4];
    home = open_netlink(0);
    events = open_netlink(0);
    tap = open_tap(argv[3]);
    if (unshare(CLONE_NEWNET) < 0)
        fail("unshare");
    away = open_netlink(0);
    say("ready");

    char line[512], kind[16], path[256];
    int count, burst, pause;
    while (fgets(line, sizeof line, stdin)) {
        record_count = 0;
        if (sscanf(line, "flap %15s %d %d %255s", kind, &count, &pause, path) == 4) {
            flap(kind, count, pause, path);
        } else if (sscanf(line, "make %15s %d", kind, &count) == 2) {
            record(change(kind, count), count, 0);
            print_records();
        } else if (sscanf(line, "storm %d %d %d", &count, &burst, &pause) == 3 && burst > 0) {
            storm(count, burst, pause);
        } else {
            fprintf(stderr, "flapper: not a command: %s", line);
            return 2;
        }
        say("done");
    }
    return 0;
}
