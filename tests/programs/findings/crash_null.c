/* SPDX-License-Identifier: MIT */
/*
 * A pointer is tested and then used, and may become NULL in between.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT crash exit=1 message~SIGSEGV location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT crash exit=1
 *
 * What is read there may be a pointer itself, which plait looks at; or it is called.  With noise
 * the thread faults by itself, and in the replay at the same place.
 *
 * RUN    -DNEXT plait test -s dfs
 * EXPECT crash exit=1 message~SIGSEGV location~@next
 *
 * RUN    -DNEXT=sched_yield() plait test -s noise -n 2000
 * EXPECT crash exit=1 message~SIGSEGV location~@next
 *
 * RUN    -DCALL plait test -s dfs
 * EXPECT crash exit=1 message~SIGSEGV location~@call
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

struct node {
    struct node *next;
    int value;
};

static int value = 1;
static int *volatile pointer = &value;
static volatile int seen;
static struct node last, first = {&last, 1};
static struct node *volatile list = &first;

static void do_nothing(void)
{
}

static void (*volatile function)(void) = do_nothing;

static void *clear(void *arg)
{
    pointer = NULL;
    list = NULL;
    function = NULL;
    return arg;
}

static void use(void)
{
#if defined(NEXT)
    if (list != NULL) {
        (void)(NEXT + 0);
        list = list->next; /* @next */
    }
#elif defined(CALL)
    if (function != NULL)
        function(); /* @call */
    seen++;
#else
    if (pointer != NULL)
        seen = *pointer; /* @bug */
#endif
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, clear, NULL);
    use();
    pthread_join(t, NULL);
    return 0;
}
