/* SPDX-License-Identifier: MIT */
/*
 * load_script: a loader notes which script is being loaded and starts to load it; when it is there,
 * it compiles the script that was noted.  Each step is locked, the two together are not, and there
 * is one note for all loaders.
 *
 * Described in: Lu, Park, Seo, Zhou, "Learning from mistakes", ASPLOS 2008, and as `loadscript` in
 * Wang, Said, Gupta, ICSE 2011 (Mozilla, gCurrentScript).
 *
 * BUG: another loader changes or clears the note between the two steps
 * TYPE: atomicity
 * FINDS: assertion
 * INPUTS: 3 4
 */
#include "guided.h"

#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static int current; /* 0: none */

static void note(int script)
{
    pthread_mutex_lock(&lock);
    current = script;
    pthread_mutex_unlock(&lock);
}

static void compile(int script)
{
    pthread_mutex_lock(&lock);
    assert(current == script);
    current = 0;
    pthread_mutex_unlock(&lock);
}

static void *load(void *arg)
{
    int script = thread_number(arg) + 1;

#ifdef FIXED
    pthread_mutex_lock(&loading);
#endif
    note(script);
    tally();
    compile(script);
#ifdef FIXED
    pthread_mutex_unlock(&loading);
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    (void)loading;
    threads_start(size_given(argc, argv, 3, 16), load);
    threads_join();
    return 0;
}
