/* SPDX-License-Identifier: MIT */
/* libuv: two threads send by a handle each, which is closed and freed when it has been heard of. */
#include <assert.h>
#include <stdlib.h>
#include <uv.h>

static int heard;

static void freed(uv_handle_t *handle)
{
    free(handle);
}

static void on_wake(uv_async_t *handle)
{
    heard++;
    uv_close((uv_handle_t *)handle, freed);
}

static void send_one(void *wake)
{
    uv_async_send(wake);
}

int main(void)
{
    uv_async_t *wakes[2];
    uv_thread_t threads[2];
    uv_loop_t loop;

    uv_loop_init(&loop);
    for (int i = 0; i < 2; i++) {
        wakes[i] = malloc(sizeof(*wakes[i]));
        uv_async_init(&loop, wakes[i], on_wake);
    }
    for (int i = 0; i < 2; i++)
        uv_thread_create(&threads[i], send_one, wakes[i]);
    uv_run(&loop, UV_RUN_DEFAULT);
    for (int i = 0; i < 2; i++)
        uv_thread_join(&threads[i]);
    assert(heard == 2 && uv_loop_close(&loop) == 0);
    return 0;
}
