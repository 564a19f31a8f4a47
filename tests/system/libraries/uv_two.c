/* SPDX-License-Identifier: MIT */
/* libuv: a loop and two threads that send to it. */
#include <assert.h>
#include <uv.h>
static uv_async_t wake;
static int sent;
static uv_mutex_t m;
static void on_wake(uv_async_t *a)
{
    uv_mutex_lock(&m);
    int n = sent;
    uv_mutex_unlock(&m);
    if (n == 2)
        uv_close((uv_handle_t *)a, NULL);
}
static void send_one(void *x)
{
    uv_mutex_lock(&m);
    sent++;
    uv_mutex_unlock(&m);
    uv_async_send(&wake);
}
int main(void)
{
    uv_loop_t loop;
    uv_thread_t a, b;
    uv_loop_init(&loop);
    uv_mutex_init(&m);
    uv_async_init(&loop, &wake, on_wake);
    uv_thread_create(&a, send_one, NULL);
    uv_thread_create(&b, send_one, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    uv_thread_join(&a);
    uv_thread_join(&b);
    assert(sent == 2);
    assert(uv_loop_close(&loop) == 0);
    return 0;
}
