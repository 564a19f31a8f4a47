/* SPDX-License-Identifier: MIT */
/* GLib: a pool of threads, with locks and conditions made of futexes. */
#include <assert.h>
#include <glib.h>
static GMutex lock;
static int sum;
static void work(gpointer number, gpointer x)
{
    g_mutex_lock(&lock);
    sum += GPOINTER_TO_INT(number);
    g_mutex_unlock(&lock);
}
int main(void)
{
    GThreadPool *pool = g_thread_pool_new(work, NULL, 2, TRUE, NULL);
    g_thread_pool_push(pool, GINT_TO_POINTER(1), NULL);
    g_thread_pool_push(pool, GINT_TO_POINTER(2), NULL);
    g_thread_pool_free(pool, FALSE, TRUE);
    assert(sum == 3);
    return 0;
}
