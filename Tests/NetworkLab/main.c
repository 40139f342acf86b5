/* network-lab: a private network whose links come and go as a script says.
 *
 * Started inside a fresh network namespace (unshare --user --map-root-user --net --mount), it reads one
 * command a line from standard input and answers each with "ok" or "error TEXT":
 *
 *   ip ARGUMENTS           run ip(8)
 *   tap NAME [ARPHRD]      make a tap device and hold it open; ARPHRD sets its hardware type
 *   tun NAME [ARPHRD]      the same without link-layer header
 *   carrier NAME on|off    TUNSETCARRIER on a device made here
 *   close NAME             let go of a device made here: the kernel removes it
 *   shell COMMAND          run a line of sh
 *
 * What it made goes away with it. At the start it brings lo up and mounts a sysfs of its own namespace, so
 * that /sys/class/net shows the links that are really there. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEVICES_MAX = 64, LINE_BYTES_MAX = 65536 };

static struct {
    char name[IFNAMSIZ];
    int descriptor;
} devices[DEVICES_MAX];
static int device_count;

static void answer(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

static int find(const char *name)
{
    for (int i = 0; i < device_count; i++)
        if (strcmp(devices[i].name, name) == 0)
            return i;
    return -1;
}

/* Opens a tun or tap device; its hardware type can only be set while it is down, so that comes first. */
static void open_device(const char *name, const char *type, int flags)
{
    if (!name || strlen(name) >= IFNAMSIZ)
        return answer("error no or too long a name");
    if (device_count == DEVICES_MAX)
        return answer("error too many devices");
    int descriptor = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return answer("error /dev/net/tun: %s", strerror(errno));
    struct ifreq request = {.ifr_flags = (short)(flags | IFF_NO_PI)};
    strcpy(request.ifr_name, name);
    if (ioctl(descriptor, TUNSETIFF, &request) < 0
        || (type && ioctl(descriptor, TUNSETLINK, atol(type)) < 0)) {
        answer("error %s: %s", name, strerror(errno));
        close(descriptor);
        return;
    }
    strcpy(devices[device_count].name, name);
    devices[device_count++].descriptor = descriptor;
    answer("ok");
}

static void set_carrier(const char *name, const char *state)
{
    int index = name ? find(name) : -1;
    if (index < 0 || !state)
        return answer("error no such device, or no state");
    int carrier = strcmp(state, "on") == 0;
    if (ioctl(devices[index].descriptor, TUNSETCARRIER, &carrier) < 0)
        return answer("error %s: %s", name, strerror(errno));
    answer("ok");
}

static void close_device(const char *name)
{
    int index = name ? find(name) : -1;
    if (index < 0)
        return answer("error no such device");
    close(devices[index].descriptor);
    devices[index] = devices[--device_count];
    answer("ok");
}

static void run(const char *command)
{
    int status = system(command);
    if (status == 0)
        answer("ok");
    else if (status > 0 && WIFEXITED(status))
        answer("error exit code %d: %s", WEXITSTATUS(status), command);
    else
        answer("error status %d: %s", status, command);
}

/* The mount of control groups of version 2, open; -1 where there is none. */
static int open_control_groups(void)
{
    static char line[LINE_BYTES_MAX], place[LINE_BYTES_MAX];
    int found = -1;
    FILE *table = fopen("/proc/self/mountinfo", "r");
    while (found < 0 && table && fgets(line, sizeof line, table))
        if (strstr(line, " - cgroup2 ") && sscanf(line, "%*s %*s %*s %*s %s", place) == 1)
            found = open(place, O_PATH | O_CLOEXEC);
    if (table)
        fclose(table);
    return found;
}

static void mount_sysfs(void)
{
    char place[64];
    int groups = open_control_groups();
    /* Without it the device types come from another namespace's files and are left out, no more. */
    if (mount("sysfs", "/sys", "sysfs", 0, NULL) < 0) {
        fprintf(stderr, "network-lab: no sysfs of its own: %s, ignoring\n", strerror(errno));
        return;
    }
    if (groups < 0)
        return;
    /* What lay beneath the old one. */
    snprintf(place, sizeof place, "/proc/self/fd/%d", groups);
    if (mount(place, "/sys/fs/cgroup", NULL, MS_BIND, NULL) < 0)
        fprintf(stderr, "network-lab: no control groups: %s, ignoring\n", strerror(errno));
    close(groups);
}

int main(void)
{
    mount_sysfs();
    if (system("ip link set lo up") != 0) {
        fprintf(stderr, "network-lab: ip link set lo up failed\n");
        return 1;
    }
    answer("ok");

    static char line[LINE_BYTES_MAX];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "ip ", 3) == 0) {
            run(line);
            continue;
        }
        if (strncmp(line, "shell ", 6) == 0) {
            run(line + 6);
            continue;
        }
        char *word = strtok(line, " ");
        char *first = word ? strtok(NULL, " ") : NULL;
        char *second = first ? strtok(NULL, " ") : NULL;
        if (word && strcmp(word, "tap") == 0)
            open_device(first, second, IFF_TAP);
        else if (word && strcmp(word, "tun") == 0)
            open_device(first, second, IFF_TUN);
        else if (word && strcmp(word, "carrier") == 0)
            set_carrier(first, second);
        else if (word && strcmp(word, "close") == 0)
            close_device(first);
        else
            answer("error unknown command %s", word ? word : "");
    }
    return 0;
}
