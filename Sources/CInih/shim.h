#include <ini.h>

/* The manner of our files: one line a value, comments behind white space too, no short line limit.
   The switches are process-wide variables of the library; they are set before each parse. */
static inline void adslot_ini_configure(int line_bytes_max)
{
    static char comments[] = ";#";
    ini_allow_multiline = false;
    ini_allow_inline_comments = true;
    ini_inline_comment_prefixes = comments;
    ini_use_stack = false;
    ini_allow_realloc = false;
    ini_initial_alloc = line_bytes_max;
    ini_max_line = line_bytes_max;
    ini_stop_on_first_error = true;
}
