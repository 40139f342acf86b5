/* SQLite, and two of its macros and variadic calls that Swift does not see. */
#pragma once
#include <sqlite3.h>

/* SQLITE_TRANSIENT: SQLite takes a copy of the text. */
static inline int adslot_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

/* The same of bytes. */
static inline int adslot_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE: the log stays as it is when the connection is closed. */
static inline int adslot_leave_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* SQLITE_DBCONFIG_LOOKASIDE with no slots: a connection that is rarely used needs no cache of small blocks,
   which would be 120 KB from its first moment. */
static inline int adslot_disable_lookaside(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_LOOKASIDE, (void *)0, 0, 0);
}
