/* Stands in for NetworkManager on a bus of the tests' own: one property, changed by words on standard input.

     own          take the name          metered N    change the property and say so
     drop         give the name up       quiet N      change it and say nothing
     text         be of the wrong type   end          leave

   Each word is answered by a line `ok` once it is done. DBUS_SYSTEM_BUS_ADDRESS names the bus. */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

static const char name[] = "org.freedesktop.NetworkManager";
static const char path[] = "/org/freedesktop/NetworkManager";
static uint32_t metered;
static int is_text;

static int get(sd_bus *bus, const char *object, const char *interface, const char *property,
               sd_bus_message *reply, void *context, sd_bus_error *error)
{
    (void)bus, (void)object, (void)interface, (void)property, (void)context, (void)error;
    return sd_bus_message_append(reply, "u", metered);
}

static int get_text(sd_bus *bus, const char *object, const char *interface, const char *property,
                    sd_bus_message *reply, void *context, sd_bus_error *error)
{
    (void)bus, (void)object, (void)interface, (void)property, (void)context, (void)error;
    return sd_bus_message_append(reply, "s", "yes");
}

static const sd_bus_vtable vtable[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("Metered", "u", get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable text_vtable[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_PROPERTY("Metered", "s", get_text, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE),
    SD_BUS_VTABLE_END,
};

static void check(int result, const char *what)
{
    if (result >= 0)
        return;
    fprintf(stderr, "%s: %s\n", what, strerror(-result));
    exit(1);
}

static sd_bus_slot *object;

static void serve(sd_bus *bus)
{
    object = sd_bus_slot_unref(object);
    check(sd_bus_add_object_vtable(bus, &object, path, name, is_text ? text_vtable : vtable, NULL),
          "sd_bus_add_object_vtable");
}

static void obey(sd_bus *bus, const char *line)
{
    unsigned value;
    if (strcmp(line, "own\n") == 0) {
        check(sd_bus_request_name(bus, name, 0), "sd_bus_request_name");
    } else if (strcmp(line, "drop\n") == 0) {
        check(sd_bus_release_name(bus, name), "sd_bus_release_name");
    } else if (strcmp(line, "text\n") == 0) {
        is_text = 1;
        serve(bus);
    } else if (sscanf(line, "metered %u", &value) == 1) {
        metered = value;
        check(sd_bus_emit_properties_changed(bus, path, name, "Metered", NULL), "properties changed");
    } else if (sscanf(line, "quiet %u", &value) == 1) {
        metered = value;
    } else {
        exit(strcmp(line, "end\n") != 0);
    }
    check(sd_bus_flush(bus), "sd_bus_flush");
    printf("ok\n");
    fflush(stdout);
}

int main(void)
{
    sd_bus *bus = NULL;
    char line[64];
    setvbuf(stdin, NULL, _IONBF, 0);
    check(sd_bus_open_system(&bus), "sd_bus_open_system");
    serve(bus);
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
