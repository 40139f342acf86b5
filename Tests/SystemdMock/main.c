/* Stands in for systemd's manager on a bus of the tests' own: a few units that can be frozen and thawed.

     game.service     runs                     watched.service  runs, and has a watchdog
     dead.service     does not run             other names      are not found

   Words on standard input, each answered by a line once it is done:

     state UNIT       `running` or `frozen`    stop UNIT        it ends, and systemd says so
     freeze UNIT      as somebody else         start UNIT       it runs, as another invocation
     refuse | allow   to freeze and thaw       version TEXT     of the manager

   DBUS_SYSTEM_BUS_ADDRESS names the bus. */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

static const char manager_path[] = "/org/freedesktop/systemd1";
static const char prefix[] = "/org/freedesktop/systemd1/unit";

struct unit {
    const char *name;
    int is_known, is_active, is_frozen, invocation;
    uint64_t watchdog;
    char path[128];
};

static struct unit units[] = {
    {.name = "game.service", .is_known = 1, .is_active = 1, .invocation = 1},
    {.name = "watched.service", .is_known = 1, .is_active = 1, .invocation = 1, .watchdog = 10000000},
    {.name = "dead.service", .is_known = 1},
    {.name = "missing.service"},
};
enum { UNIT_COUNT = sizeof units / sizeof *units };

static char version[64] = "252.39-1~deb12u1";
static int refuses;

static void check(int result, const char *what)
{
    if (result >= 0)
        return;
    fprintf(stderr, "%s: %s\n", what, strerror(-result));
    exit(1);
}

static struct unit *find(const char *name)
{
    for (int i = 0; i < UNIT_COUNT; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

static struct unit *named(sd_bus_message *message, int *result)
{
    const char *name;
    *result = sd_bus_message_read(message, "s", &name);
    struct unit *unit = *result < 0 ? NULL : find(name);
    if (!unit && *result >= 0)
        *result = -ENOENT;
    return unit;
}

static int load(sd_bus_message *message, void *context, sd_bus_error *error)
{
    (void)context, (void)error;
    int result;
    struct unit *unit = named(message, &result);
    return unit ? sd_bus_reply_method_return(message, "o", unit->path) : result;
}

static int freeze(sd_bus_message *message, void *context, sd_bus_error *error)
{
    (void)context;
    int result;
    struct unit *unit = named(message, &result);
    if (!unit)
        return result;
    if (refuses)
        return sd_bus_error_set(error, SD_BUS_ERROR_ACCESS_DENIED, "Permission denied");
    if (!unit->is_active)
        return sd_bus_error_set(error, "org.freedesktop.systemd1.UnitInactive", "Unit is not active");
    unit->is_frozen = 1;
    return sd_bus_reply_method_return(message, NULL);
}

static int thaw(sd_bus_message *message, void *context, sd_bus_error *error)
{
    (void)context;
    int result;
    struct unit *unit = named(message, &result);
    if (!unit)
        return result;
    if (refuses)
        return sd_bus_error_set(error, SD_BUS_ERROR_ACCESS_DENIED, "Permission denied");
    unit->is_frozen = 0;
    return sd_bus_reply_method_return(message, NULL);
}

static int subscribe(sd_bus_message *message, void *context, sd_bus_error *error)
{
    (void)context, (void)error;
    return sd_bus_reply_method_return(message, NULL);
}

static int get_version(sd_bus *bus, const char *path, const char *interface, const char *property,
                       sd_bus_message *reply, void *context, sd_bus_error *error)
{
    (void)bus, (void)path, (void)interface, (void)property, (void)context, (void)error;
    return sd_bus_message_append(reply, "s", version);
}

static int get(sd_bus *bus, const char *path, const char *interface, const char *property,
               sd_bus_message *reply, void *context, sd_bus_error *error)
{
    (void)bus, (void)path, (void)interface, (void)error;
    struct unit *unit = context;
    uint8_t invocation[16] = {(uint8_t)unit->invocation};
    if (strcmp(property, "Id") == 0)
        return sd_bus_message_append(reply, "s", unit->name);
    if (strcmp(property, "LoadState") == 0)
        return sd_bus_message_append(reply, "s", unit->is_known ? "loaded" : "not-found");
    if (strcmp(property, "ActiveState") == 0)
        return sd_bus_message_append(reply, "s", unit->is_active ? "active" : "inactive");
    if (strcmp(property, "FreezerState") == 0)
        return sd_bus_message_append(reply, "s", unit->is_frozen ? "frozen" : "running");
    if (strcmp(property, "CanFreeze") == 0)
        return sd_bus_message_append(reply, "b", 1);
    if (strcmp(property, "InvocationID") == 0)
        return sd_bus_message_append_array(reply, 'y', invocation, sizeof invocation);
    if (strcmp(property, "ControlGroup") == 0)
        return sd_bus_message_append(reply, "s", "");
    return sd_bus_message_append(reply, "t", unit->watchdog);
}

static const sd_bus_vtable manager_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("Version", "s", get_version, 0, 0),
    SD_BUS_METHOD("LoadUnit", "s", "o", load, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("FreezeUnit", "s", "", freeze, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("ThawUnit", "s", "", thaw, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Subscribe", "", "", subscribe, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable unit_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("Id", "s", get, 0, 0),
    SD_BUS_PROPERTY("LoadState", "s", get, 0, 0),
    SD_BUS_PROPERTY("ActiveState", "s", get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_PROPERTY("FreezerState", "s", get, 0, 0),
    SD_BUS_PROPERTY("CanFreeze", "b", get, 0, 0),
    SD_BUS_PROPERTY("InvocationID", "ay", get, 0, 0),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable service_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("ControlGroup", "s", get, 0, 0),
    SD_BUS_PROPERTY("WatchdogUSec", "t", get, 0, 0),
    SD_BUS_VTABLE_END,
};

static void serve(sd_bus *bus)
{
    check(sd_bus_add_object_vtable(bus, NULL, manager_path, "org.freedesktop.systemd1.Manager",
                                   manager_table, NULL), "manager");
    for (int i = 0; i < UNIT_COUNT; i++) {
        char *path;
        check(sd_bus_path_encode(prefix, units[i].name, &path), "sd_bus_path_encode");
        snprintf(units[i].path, sizeof units[i].path, "%s", path);
        free(path);
        check(sd_bus_add_object_vtable(bus, NULL, units[i].path, "org.freedesktop.systemd1.Unit", unit_table,
                                       &units[i]), "unit");
        check(sd_bus_add_object_vtable(bus, NULL, units[i].path, "org.freedesktop.systemd1.Service",
                                       service_table, &units[i]), "service");
    }
    check(sd_bus_request_name(bus, "org.freedesktop.systemd1", 0), "sd_bus_request_name");
}

static void changed(sd_bus *bus, const struct unit *unit)
{
    check(sd_bus_emit_properties_changed(bus, unit->path, "org.freedesktop.systemd1.Unit", "ActiveState",
                                         NULL), "properties changed");
}

static void obey(sd_bus *bus, char *line)
{
    const char *word = strtok(line, " \n"), *rest = strtok(NULL, "\n"), *answer = "ok";
    struct unit *unit = rest ? find(rest) : NULL;
    if (!word)
        exit(1);
    if (strcmp(word, "refuse") == 0) {
        refuses = 1;
    } else if (strcmp(word, "allow") == 0) {
        refuses = 0;
    } else if (strcmp(word, "version") == 0 && rest) {
        snprintf(version, sizeof version, "%s", rest);
    } else if (!unit) {
        exit(1);
    } else if (strcmp(word, "state") == 0) {
        answer = unit->is_frozen ? "frozen" : "running";
    } else if (strcmp(word, "freeze") == 0) {
        unit->is_frozen = 1;
    } else if (strcmp(word, "stop") == 0) {
        unit->is_active = unit->is_frozen = 0;
        changed(bus, unit);
    } else if (strcmp(word, "start") == 0) {
        unit->is_active = 1;
        unit->invocation++;
        changed(bus, unit);
    } else {
        exit(1);
    }
    check(sd_bus_flush(bus), "sd_bus_flush");
    printf("%s\n", answer);
    fflush(stdout);
}

int main(void)
{
    sd_bus *bus = NULL;
    char line[128];
    setvbuf(stdin, NULL, _IONBF, 0);
    check(sd_bus_open_system(&bus), "sd_bus_open_system");
    serve(bus);
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        int more;
        do {
            more = sd_bus_process(bus, NULL);
            check(more, "sd_bus_process");
        } while (more > 0);
        int events = sd_bus_get_events(bus);
        check(events, "sd_bus_get_events");
        struct pollfd watched[] = {{sd_bus_get_fd(bus), (short)events, 0}, {STDIN_FILENO, POLLIN, 0}};
        if (poll(watched, 2, -1) < 0 && errno != EINTR)
            check(-errno, "poll");
        if (!watched[1].revents)
            continue;
        if (!fgets(line, sizeof line, stdin))
            return 0;
        obey(bus, line);
    }
}
