/* netlink-reader LINK link|route|address [SOCKET]: the least that can know of a change, for comparison.
 *
 * Without SOCKET it records when it has read the kernel's message (the state of LINK, the IPv4 default route,
 * or the address 192.0.2.2). With SOCKET it tells each change to its one client instead, which is the least
 * that a daemon can do. Blocking calls, no route lookup, no dump. */
#include "netlink.h"

static long state = -1;

static const char *watched;
static int link_index;

static int is_watched(const char *what) { return strcmp(watched, what) == 0; }

/* Whether traffic can go over the link: the rule of RFC 2863, without dormant. */
static int is_usable(const struct nlmsghdr *message, const struct ifinfomsg *link)
{
    const struct rtattr *carrier = find_attribute(message, sizeof *link, IFLA_CARRIER);
    const struct rtattr *operational = find_attribute(message, sizeof *link, IFLA_OPERSTATE);
    unsigned char word = operational ? *(unsigned char *)RTA_DATA(operational) : IF_OPER_UNKNOWN;
    return (link->ifi_flags & IFF_UP) && carrier && *(unsigned char *)RTA_DATA(carrier) == 1
        && (word == IF_OPER_UP || word == IF_OPER_UNKNOWN);
}

static int is_uplink_address(const struct nlmsghdr *message)
{
    const struct rtattr *local = find_attribute(message, sizeof(struct ifaddrmsg), IFA_LOCAL);
    return local && ntohl(*(uint32_t *)RTA_DATA(local)) == UPLINK_ADDRESS;
}

/* What a message says of the state, -1 for nothing. */
static long state_in(const struct nlmsghdr *message)
{
    const struct ifinfomsg *link = NLMSG_DATA(message);
    const struct rtmsg *route = NLMSG_DATA(message);
    const struct ifaddrmsg *address = NLMSG_DATA(message);
    switch (message->nlmsg_type) {
    case RTM_NEWLINK:
        if (!is_watched("link") || link->ifi_family != AF_UNSPEC || link->ifi_index != link_index)
            return -1;
        return is_usable(message, link);
    case RTM_NEWROUTE:
    case RTM_DELROUTE:
        if (!is_watched("route") || route->rtm_family != AF_INET || route->rtm_dst_len != 0)
            return -1;
        return message->nlmsg_type == RTM_NEWROUTE;
    case RTM_NEWADDR:
    case RTM_DELADDR:
        if (!is_watched("address") || address->ifa_family != AF_INET || (int)address->ifa_index != link_index
            || !is_uplink_address(message))
            return -1;
        return message->nlmsg_type == RTM_NEWADDR;
    default:
        return -1;
    }
}

static void tell(int client, long sequence)
{
    char text[160];
    int length = snprintf(
        text, sizeof text,
        "{\"parameters\":{\"reachability\":{\"reachable\":%s,\"sequence\":%ld}},\"continues\":true}",
        state == 1 ? "true" : "false", sequence);
    send_all(client, text, (size_t)length + 1);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: netlink-reader LINK link|route|address [SOCKET]\n");
        return 2;
    }
    watched = argv[2];
    int client = -1;
    int events = open_netlink(ALL_GROUPS);
    link_index = index_of(events, argv[1]);
    begin_watching();
    int listener = argc > 3 ? listen_at(argv[3]) : -1;
    say("ready");
    if (listener >= 0 && (client = accept(listener, NULL, NULL)) >= 0)
        tell(client, 0);

    static char buffer[65536] __attribute__((aligned(NLMSG_ALIGNTO)));
    while (!is_ended) {
        ssize_t count = recv(events, buffer, sizeof buffer, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fail("recv");
        struct nlmsghdr *message = (void *)buffer;
        for (int rest = (int)count; NLMSG_OK(message, (unsigned)rest); message = NLMSG_NEXT(message, rest)) {
            long told = state_in(message);
            if (told < 0 || told == state)
                continue;
            state = told;
            record(now(), state, 0);
            if (client >= 0)
                tell(client, record_count);
        }
    }
    if (client < 0)
        print_records();
    return 0;
}
