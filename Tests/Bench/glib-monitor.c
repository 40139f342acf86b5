/* glib-monitor: GLib's GNetworkMonitor (the one on netlink), recording when network-changed says that the
 * network has become available or unavailable. */
#include "bench.h"

#include <gio/gio.h>
#include <glib-unix.h>

static void changed(GNetworkMonitor *monitor, gboolean is_available, gpointer context)
{
    (void)monitor, (void)context;
    long long time = now();
    if (record_count == 0 || records[record_count - 1].state != is_available)
        record(time, is_available, 0);
}

static gboolean quit(gpointer loop)
{
    g_main_loop_quit(loop);
    return G_SOURCE_REMOVE;
}

int main(void)
{
    g_setenv("GIO_USE_NETWORK_MONITOR", "netlink", TRUE);
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    GNetworkMonitor *monitor = g_network_monitor_get_default();
    record(now(), g_network_monitor_get_network_available(monitor), 0);
    g_signal_connect(monitor, "network-changed", G_CALLBACK(changed), NULL);
    g_unix_signal_add(SIGTERM, quit, loop);
    fprintf(stderr, "%s\n", G_OBJECT_TYPE_NAME(monitor));
    say("ready");
    g_main_loop_run(loop);
    print_records();
    return 0;
}
