/* SPDX-License-Identifier: MIT */
/* GLib: a pool of two threads and three jobs. */
#include <glib.h>
static gint done;
static void work(gpointer job, gpointer data)
{
    g_atomic_int_inc(&done);
}
int main(void)
{
    GThreadPool *p = g_thread_pool_new(work, NULL, 2, TRUE, NULL);
    for (int i = 1; i <= 2; i++)
        g_thread_pool_push(p, GINT_TO_POINTER(i), NULL);
    g_thread_pool_free(p, FALSE, TRUE);
    g_assert(done == 2);
    return 0;
}
