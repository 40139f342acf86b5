#include "CCurl.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Before 7.87 a transfer that ends while its name is being resolved waits for the resolver's thread. */
enum { version_needed = 0x075700 };

static __typeof__(curl_global_init) *global_init;
static __typeof__(curl_version_info) *version_info;
static __typeof__(curl_easy_init) *easy_init;
static __typeof__(curl_easy_cleanup) *easy_cleanup;
static CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
static CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
static __typeof__(curl_easy_strerror) *easy_strerror;
static __typeof__(curl_slist_append) *list_append;
static __typeof__(curl_slist_free_all) *list_free;
static __typeof__(curl_multi_init) *multi_init;
static __typeof__(curl_multi_cleanup) *multi_cleanup;
static CURLMcode (*multi_setopt)(CURLM *, CURLMoption, ...);
static __typeof__(curl_multi_add_handle) *multi_add;
static __typeof__(curl_multi_remove_handle) *multi_remove;
static __typeof__(curl_multi_socket_action) *multi_act;
static __typeof__(curl_multi_info_read) *multi_info_read;

static const struct {
    const char *name;
    void *place;
} symbols[] = {
    {"curl_global_init", &global_init},       {"curl_version_info", &version_info},
    {"curl_easy_init", &easy_init},           {"curl_easy_cleanup", &easy_cleanup},
    {"curl_easy_setopt", &easy_setopt},       {"curl_easy_getinfo", &easy_getinfo},
    {"curl_easy_strerror", &easy_strerror},   {"curl_slist_append", &list_append},
    {"curl_slist_free_all", &list_free},      {"curl_multi_init", &multi_init},
    {"curl_multi_cleanup", &multi_cleanup},   {"curl_multi_setopt", &multi_setopt},
    {"curl_multi_add_handle", &multi_add},    {"curl_multi_remove_handle", &multi_remove},
    {"curl_multi_socket_action", &multi_act}, {"curl_multi_info_read", &multi_info_read},
};

static const char *load(void)
{
    /* Never unloaded: OpenSSL would not survive it. */
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return "libcurl.so.4 cannot be loaded";
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol)
            return "libcurl.so.4 lacks a function";
        memcpy(symbols[i].place, &symbol, sizeof symbol);
    }
    if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return "libcurl cannot be initialised";
    const curl_version_info_data *version = version_info(CURLVERSION_NOW);
    if (version->version_num < version_needed)
        return "libcurl is older than 7.87";
    if (!(version->features & CURL_VERSION_ASYNCHDNS))
        return "this libcurl resolves names by blocking";
    return NULL;
}

const char *adslot_curl_load(void)
{
    static int is_loaded;
    static const char *failure;
    if (!is_loaded)
        failure = load();
    is_loaded = 1;
    return failure;
}

CURLcode adslot_easy_set_number(CURL *easy, CURLoption option, long value)
{
    return easy_setopt(easy, option, value);
}

CURLcode adslot_easy_set_size(CURL *easy, CURLoption option, curl_off_t value)
{
    return easy_setopt(easy, option, value);
}

CURLcode adslot_easy_set_text(CURL *easy, CURLoption option, const char *value)
{
    return easy_setopt(easy, option, value);
}

CURLcode adslot_easy_set_data(CURL *easy, CURLoption option, void *value)
{
    return easy_setopt(easy, option, value);
}

CURLcode adslot_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value)
{
    return easy_setopt(easy, option, value);
}

CURLcode adslot_easy_set_callback(
    CURL *easy, CURLoption option, size_t (*callback)(char *, size_t, size_t, void *))
{
    return easy_setopt(easy, option, callback);
}

long adslot_easy_number(CURL *easy, CURLINFO info)
{
    long value = 0;
    return easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

CURL *adslot_easy_init(void) { return easy_init(); }

void adslot_easy_cleanup(CURL *easy) { easy_cleanup(easy); }

const char *adslot_easy_error(CURLcode code) { return easy_strerror(code); }

struct curl_slist *adslot_list_append(struct curl_slist *list, const char *text)
{
    return list_append(list, text);
}

void adslot_list_free(struct curl_slist *list) { list_free(list); }

CURLMcode adslot_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context)
{
    CURLMcode code = multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    if (code == CURLM_OK)
        code = multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    if (code == CURLM_OK)
        code = multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    if (code == CURLM_OK)
        code = multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return code;
}

CURLMcode adslot_multi_set_number(CURLM *multi, CURLMoption option, long value)
{
    return multi_setopt(multi, option, value);
}

CURLM *adslot_multi_init(void) { return multi_init(); }

CURLMcode adslot_multi_cleanup(CURLM *multi) { return multi_cleanup(multi); }

CURLMcode adslot_multi_add(CURLM *multi, CURL *easy) { return multi_add(multi, easy); }

CURLMcode adslot_multi_remove(CURLM *multi, CURL *easy) { return multi_remove(multi, easy); }

CURLMcode adslot_multi_act(CURLM *multi, curl_socket_t socket, int events)
{
    int running;
    return multi_act(multi, socket, events, &running);
}

CURL *adslot_multi_next_done(CURLM *multi, CURLcode *result)
{
    int left;
    CURLMsg *message;
    while ((message = multi_info_read(multi, &left)))
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    return NULL;
}
