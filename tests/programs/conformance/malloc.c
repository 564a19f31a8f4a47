/* SPDX-License-Identifier: MIT */
/*
 * The allocation family: alignment, zeroes, contents kept, sizes, errors, and blocks
 * that do not overlap.
 *
 * RUN    -fno-builtin plait test -s random -n 20
 * EXPECT clean exit=0
 *
 * RUN    -fno-builtin plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    -fno-builtin plait test -s random -n 5 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    -fno-builtin native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void sizes(void)
{
    for (size_t n = 0; n < 5000; n = n * 2 + 1) {
        char *a = malloc(n), *b = calloc(n, 1), *c;

        assert(a != NULL && b != NULL && a != b);
        assert((uintptr_t)a % alignof(max_align_t) == 0);
        assert(malloc_usable_size(a) >= n);
        for (size_t i = 0; i < n; i++)
            assert(b[i] == 0);
        memset(a, 1, n);
        memset(b, 2, n);
        c = realloc(a, 2 * n + 1);
        assert(c != NULL && c != b);
        for (size_t i = 0; i < n; i++)
            assert(c[i] == 1 && b[i] == 2);
        free(b);
        free(c);
    }
}

static void alignments(void)
{
    void *p;

    for (size_t a = sizeof(void *); a <= 8192; a *= 2) {
        assert(posix_memalign(&p, a, 100) == 0 && (uintptr_t)p % a == 0);
        memset(p, 3, 100);
        free(p);
        p = aligned_alloc(a, 2 * a);
        assert(p != NULL && (uintptr_t)p % a == 0);
        free(p);
        p = memalign(a, 10);
        assert(p != NULL && (uintptr_t)p % a == 0);
        free(p);
    }
    assert(posix_memalign(&p, 3, 8) == EINVAL);
}

static void *thread(void *arg)
{
    volatile size_t half = SIZE_MAX / 2;
    void *volatile refused;
    char *copy, *large;

    sizes();
    alignments();
    errno = 0;
    refused = calloc(half, 3);
    assert(refused == NULL && errno == ENOMEM);
    refused = malloc(half + 10);
    assert(refused == NULL && errno == ENOMEM);
    refused = reallocarray(NULL, half, 3);
    assert(refused == NULL && errno == ENOMEM);
    free(NULL);
    copy = strdup("text");
    assert(strcmp(copy, "text") == 0);
    copy = realloc(copy, 2);
    free(copy);
    large = malloc(10 << 20);
    assert(large != NULL);
    large[0] = large[(10 << 20) - 1] = 1;
    large = realloc(large, 20 << 20);
    assert(large[0] == 1 && large[(10 << 20) - 1] == 1);
    free(large);
    copy = realloc(NULL, 10);
    assert(copy != NULL);
    free(copy);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
