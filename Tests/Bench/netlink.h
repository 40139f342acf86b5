/* rtnetlink in a few lines (rtnetlink(7)): requests with an acknowledgement, and what messages say. */
#ifndef NETLINK_H
#define NETLINK_H

#include "bench.h"

#include <arpa/inet.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/ioctl.h>

/* The groups that a watcher of links, addresses and routes joins. */
enum {
    ALL_GROUPS = RTMGRP_LINK | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR
};

/* 192.0.2.2 and the gateway 192.0.2.1 (RFC 5737). */
enum { UPLINK_ADDRESS = 0xC0000202, UPLINK_GATEWAY = 0xC0000201 };

struct request {
    struct nlmsghdr header;
    union {
        struct ifinfomsg link;
        struct rtmsg route;
        struct ifaddrmsg address;
    };
    char attributes[256];
};

/* Joins these groups and leaves the others. */
static inline void set_groups(int socket_, unsigned groups)
{
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
    socklen_t length = sizeof address;
    struct sockaddr_nl bound = {0};
    if (getsockname(socket_, (struct sockaddr *)&bound, &length) == 0)
        address.nl_pid = bound.nl_pid;
    if (bind(socket_, (struct sockaddr *)&address, sizeof address) < 0)
        fail("netlink groups");
}

static inline int open_netlink(unsigned groups)
{
    int socket_ = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (socket_ < 0)
        fail("netlink socket");
    set_groups(socket_, groups);
    return socket_;
}

/* The index of a link, asked on any socket of its network namespace. */
static inline int index_of(int socket_, const char *name)
{
    struct ifreq request = {0};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(socket_, SIOCGIFINDEX, &request) < 0)
        fail(name);
    return request.ifr_ifindex;
}

static inline void add_attribute(struct request *request, int type, const void *value, size_t size)
{
    struct rtattr *attribute = (void *)((char *)request + NLMSG_ALIGN(request->header.nlmsg_len));
    attribute->rta_type = (unsigned short)type;
    attribute->rta_len = (unsigned short)RTA_LENGTH(size);
    memcpy(RTA_DATA(attribute), value, size);
    request->header.nlmsg_len
        = (unsigned)(NLMSG_ALIGN(request->header.nlmsg_len) + RTA_ALIGN(RTA_LENGTH(size)));
}

/* Sends a request that asks for an acknowledgement, and waits for that.
 * Returns the moment right before the request was sent. */
static inline long long perform(int socket_, const struct request *request, const char *what)
{
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[1024];
    } answer;
    long long before = now();
    if (send(socket_, request, request->header.nlmsg_len, 0) < 0
        || recv(socket_, &answer, sizeof answer, 0) < 0)
        fail(what);
    if (answer.header.nlmsg_type != NLMSG_ERROR || answer.error.error != 0) {
        errno = -answer.error.error;
        fail(what);
    }
    return before;
}

/* The attribute of that type behind a message's fixed part, or NULL. */
static inline const struct rtattr *find_attribute(const struct nlmsghdr *message, size_t fixed, int type)
{
    const struct rtattr *attribute = (const void *)((const char *)NLMSG_DATA(message) + NLMSG_ALIGN(fixed));
    int remaining = (int)(message->nlmsg_len - NLMSG_LENGTH(fixed));
    for (; RTA_OK(attribute, remaining); attribute = RTA_NEXT(attribute, remaining))
        if (attribute->rta_type == type)
            return attribute;
    return NULL;
}

#endif
