/* Threads that never rest: each writes down the time, again and again, into a file that is mapped.

   busy-threads FILE COUNT: the latest word of each thread, nanoseconds of CLOCK_MONOTONIC, 8 bytes apiece and a
   cache line apart. Says "ready" once all of them run, and ends with its standard input. */
#include "bench.h"

#include <pthread.h>
#include <stdint.h>

enum { LINE_BYTES = 64 };

static char *words;

static void *work(void *context)
{
    volatile uint64_t *word = (volatile uint64_t *)(words + LINE_BYTES * (size_t)context);
    for (;;) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        *word = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    size_t count = strtoul(argv[2], NULL, 10);
    int file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ftruncate(file, (off_t)(count * LINE_BYTES)) < 0)
        return 1;
    words = mmap(NULL, count * LINE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (words == MAP_FAILED)
        return 1;
    for (size_t i = 0; i < count; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, (void *)i) != 0)
            return 1;
    }
    for (size_t i = 0; i < count; i++)
        while (*(volatile uint64_t *)(words + LINE_BYTES * i) == 0)
            usleep(1000);
    printf("ready\n");
    fflush(stdout);
    while (getchar() != EOF)
        ;
    return 0;
}
