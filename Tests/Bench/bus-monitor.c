/* bus-monitor NetworkManager|networkd link|route|address LINK: a client of one of the two on the message bus,
 * recording when it is told the change in the words that come first:
 *
 *                      link                         route                   address
 *   NetworkManager     the device's InterfaceFlags  IP4Config's Gateway     IP4Config's AddressData
 *   networkd           the link's CarrierState      (nothing)               the link's IPv4AddressState
 *
 * What NetworkManager makes of it, its State, can come seconds later. DBUS_SYSTEM_BUS_ADDRESS names the bus. */
#include "bench.h"

#include <systemd/sd-bus.h>

enum { READY_SECONDS_MAX = 60, POLL_MICROSECONDS = 50000 };

/* NM_DEVICE_INTERFACE_FLAG_UP and _CARRIER. */
enum { IS_UP = 0x1, HAS_CARRIER = 0x10000 };

static const char uplink_address[] = "192.0.2.2";

#define NETWORK_MANAGER "org.freedesktop.NetworkManager"
#define NETWORKD "org.freedesktop.network1"

/* Where a property is: at the link's own object, or at the one that the link's Ip4Config names. */
static const struct source {
    const char *service, *watched, *name, *interface, *property;
    int is_ip4_config;
} sources[] = {
    {"NetworkManager", "link", NETWORK_MANAGER, NETWORK_MANAGER ".Device", "InterfaceFlags", 0},
    {"NetworkManager", "route", NETWORK_MANAGER, NETWORK_MANAGER ".IP4Config", "Gateway", 1},
    {"NetworkManager", "address", NETWORK_MANAGER, NETWORK_MANAGER ".IP4Config", "AddressData", 1},
    {"networkd", "link", NETWORKD, NETWORKD ".Link", "CarrierState", 0},
    {"networkd", "address", NETWORKD, NETWORKD ".Link", "IPv4AddressState", 0},
};

static const struct source *source;
static char object[256];

static int check(int result, const char *what)
{
    if (result < 0) {
        errno = -result;
        fail(what);
    }
    return result;
}

/* AddressData is an array of dictionaries, each with an "address". */
static long has_address(sd_bus_message *message)
{
    long found = 0;
    check(sd_bus_message_enter_container(message, 'a', "a{sv}"), "addresses");
    while (check(sd_bus_message_enter_container(message, 'a', "{sv}"), "address") > 0) {
        while (check(sd_bus_message_enter_container(message, 'e', "sv"), "entry") > 0) {
            const char *key, *text;
            check(sd_bus_message_read(message, "s", &key), "key");
            if (strcmp(key, "address") == 0) {
                check(sd_bus_message_read(message, "v", "s", &text), "address");
                found |= strcmp(text, uplink_address) == 0;
            } else {
                check(sd_bus_message_skip(message, "v"), "value");
            }
            check(sd_bus_message_exit_container(message), "entry");
        }
        check(sd_bus_message_exit_container(message), "address");
    }
    check(sd_bus_message_exit_container(message), "addresses");
    return found;
}

/* What the property's value says: 1 for usable. */
static long state_in(sd_bus_message *message)
{
    const char *text;
    uint32_t flags;
    if (strcmp(source->property, "AddressData") == 0)
        return has_address(message);
    if (strcmp(source->property, "InterfaceFlags") == 0) {
        check(sd_bus_message_read(message, "u", &flags), "flags");
        return (flags & (IS_UP | HAS_CARRIER)) == (IS_UP | HAS_CARRIER);
    }
    check(sd_bus_message_read(message, "s", &text), "text");
    if (strcmp(source->property, "Gateway") == 0)
        return text[0] != 0;
    return strcmp(text, "carrier") == 0 || strcmp(text, "routable") == 0;
}

static int changed(sd_bus_message *message, void *context, sd_bus_error *error)
{
    (void)context, (void)error;
    long long time = now();
    const char *interface, *property, *contents;
    check(sd_bus_message_read(message, "s", &interface), "interface");
    if (strcmp(interface, source->interface) != 0)
        return 0;
    if (!source->is_ip4_config && strcmp(sd_bus_message_get_path(message), object) != 0)
        return 0;
    check(sd_bus_message_enter_container(message, 'a', "{sv}"), "properties");
    while (check(sd_bus_message_enter_container(message, 'e', "sv"), "property") > 0) {
        check(sd_bus_message_read(message, "s", &property), "property");
        if (strcmp(property, source->property) == 0) {
            check(sd_bus_message_peek_type(message, NULL, &contents), "value");
            check(sd_bus_message_enter_container(message, 'v', contents), "value");
            long state = state_in(message);
            if (record_count == 0 || records[record_count - 1].state != state)
                record(time, state, 0);
            check(sd_bus_message_exit_container(message), "value");
        } else {
            check(sd_bus_message_skip(message, "v"), "value");
        }
        check(sd_bus_message_exit_container(message), "property");
    }
    return 0;
}

/* The object that a property of the link names; 0 where there is none yet. */
static int find_object(sd_bus *bus, const char *link)
{
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    const char *path;
    int index, result;
    if (strcmp(source->name, NETWORKD) == 0) {
        result = sd_bus_call_method(bus, NETWORKD, "/org/freedesktop/network1", NETWORKD ".Manager",
                                    "GetLinkByName", &error, &reply, "s", link);
        result = result < 0 ? result : sd_bus_message_read(reply, "io", &index, &path);
    } else {
        result = sd_bus_call_method(bus, NETWORK_MANAGER, "/org/freedesktop/NetworkManager", NETWORK_MANAGER,
                                    "GetDeviceByIpIface", &error, &reply, "s", link);
        result = result < 0 ? result : sd_bus_message_read(reply, "o", &path);
        if (result >= 0 && source->is_ip4_config) {
            char device[sizeof object];
            snprintf(device, sizeof device, "%s", path);
            reply = sd_bus_message_unref(reply);
            result = sd_bus_get_property(bus, NETWORK_MANAGER, device, NETWORK_MANAGER ".Device", "Ip4Config",
                                         &error, &reply, "o");
            result = result < 0 ? result : sd_bus_message_read(reply, "o", &path);
        }
    }
    if (result >= 0)
        snprintf(object, sizeof object, "%s", path);
    sd_bus_message_unref(reply);
    sd_bus_error_free(&error);
    return result >= 0 && strcmp(object, "/") != 0;
}

/* What the property says now; 0 where it cannot be had. */
static long ask(sd_bus *bus)
{
    static const char *types[] = {"u", "s", "aa{sv}"};
    for (int i = 0; i < 3; i++) {
        sd_bus_error error = SD_BUS_ERROR_NULL;
        sd_bus_message *reply = NULL;
        long state = 0;
        int result = sd_bus_get_property(bus, source->name, object, source->interface, source->property, &error,
                                         &reply, types[i]);
        if (result >= 0)
            state = state_in(reply);
        sd_bus_message_unref(reply);
        sd_bus_error_free(&error);
        if (result >= 0)
            return state;
    }
    return 0;
}

static void await_first_state(sd_bus *bus, const char *link)
{
    long long end = now() + READY_SECONDS_MAX * 1000000000LL;
    while (!find_object(bus, link) || !ask(bus)) {
        if (now() > end) {
            fprintf(stderr, "bus-monitor: %s does not know %s\n", source->service, link);
            exit(1);
        }
        usleep(POLL_MICROSECONDS);
    }
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 4 && i < sizeof sources / sizeof *sources; i++)
        if (strcmp(sources[i].service, argv[1]) == 0 && strcmp(sources[i].watched, argv[2]) == 0)
            source = &sources[i];
    if (!source) {
        fprintf(stderr, "usage: bus-monitor NetworkManager|networkd link|route|address LINK\n");
        return 2;
    }
    begin_watching();
    sd_bus *bus = NULL;
    char rule[256];
    check(sd_bus_open_system(&bus), "sd_bus_open_system");
    await_first_state(bus, argv[3]);
    snprintf(rule, sizeof rule, "type='signal',sender='%s',interface='org.freedesktop.DBus.Properties',"
             "member='PropertiesChanged'", source->name);
    check(sd_bus_add_match(bus, NULL, rule, changed, NULL), "sd_bus_add_match");
    record(now(), ask(bus), 0);
    say("ready");
    while (!is_ended) {
        int more = sd_bus_process(bus, NULL);
        if (more == 0)
            more = sd_bus_wait(bus, UINT64_MAX);
        if (more != -EINTR)
            check(more, "bus");
    }
    print_records();
    return 0;
}
