/* libcurl, loaded when it is first needed: it and the thirty libraries that it brings cost 2 MiB, which a
   daemon that never speaks HTTP does not pay. Its variadic calls are here under one name for each type of
   argument. Every call but the first needs adslot_curl_load() to have succeeded. */
#pragma once
#include <curl/curl.h>

/* Loads and initialises the library, once. NULL when it is ready, else why it is not; the text stays. */
const char *adslot_curl_load(void);

/* curl_easy_setopt(3), a CURLcode. */
CURLcode adslot_easy_set_number(CURL *easy, CURLoption option, long value);
CURLcode adslot_easy_set_size(CURL *easy, CURLoption option, curl_off_t value);
CURLcode adslot_easy_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode adslot_easy_set_data(CURL *easy, CURLoption option, void *value);
CURLcode adslot_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
CURLcode adslot_easy_set_callback(
    CURL *easy, CURLoption option, size_t (*callback)(char *, size_t, size_t, void *));
/* curl_easy_getinfo(3) for a number; 0 when there is none. */
long adslot_easy_number(CURL *easy, CURLINFO info);

/* CURL_REDIR_POST_ALL, a macro that Swift cannot read. */
static const long adslot_redirect_post_all = CURL_REDIR_POST_ALL;

CURL *adslot_easy_init(void);
void adslot_easy_cleanup(CURL *easy);
const char *adslot_easy_error(CURLcode code);
struct curl_slist *adslot_list_append(struct curl_slist *list, const char *text);
void adslot_list_free(struct curl_slist *list);

/* curl_multi_setopt(3) for the callbacks of curl_multi_socket_action(3). */
CURLMcode adslot_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context);
CURLMcode adslot_multi_set_number(CURLM *multi, CURLMoption option, long value);
CURLM *adslot_multi_init(void);
CURLMcode adslot_multi_cleanup(CURLM *multi);
CURLMcode adslot_multi_add(CURLM *multi, CURL *easy);
CURLMcode adslot_multi_remove(CURLM *multi, CURL *easy);
CURLMcode adslot_multi_act(CURLM *multi, curl_socket_t socket, int events);
/* The next transfer that has ended and its result; NULL when there is none. */
CURL *adslot_multi_next_done(CURLM *multi, CURLcode *result);
