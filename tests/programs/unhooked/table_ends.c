/* SPDX-License-Identifier: MIT */
/*
 * Two tables of distances, one behind the other.  Read on into the second one, the first one would
 * lead into the middle of store(), between a hook and its access: that would be announced twice.
 * And what has no hook right before a call, a part of a bit-field, is performed elsewhere together
 * with the call, which comes back to its own place.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=4
 *
 * RUN    -DTORN=1 plait test -s dfs
 * EXPECT assertion exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef TORN
#define TORN 0
#endif

void store(int *to);
void choose(int which);

/* choose() goes by the first table; nobody goes by the second one, whose address it takes. */
__asm__(".text\n.globl store, choose\n.type store, @function\n.type choose, @function\n"
        "store: push %rbx\n mov %rdi, %rbx\n call __tsan_write4\n"
        "inside: movl $1, (%rbx)\n pop %rbx\n ret\n.size store, . - store\n"
        "choose: lea second(%rip), %rcx\n lea first(%rip), %rdx\n movslq %edi, %rax\n"
        " movslq (%rdx, %rax, 4), %rax\n add %rdx, %rax\n jmp *%rax\n"
        "one: ret\ntwo: ret\n.size choose, . - choose\n"
        ".section .rodata\n.balign 4\n"
        "first: .long one - first, two - first\nsecond: .long inside - first\n.text\n");

struct parts {
    unsigned low : 4, high : 28;
};

static int stored;
static struct parts *parts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void *caller(void)
{
    return __builtin_return_address(0);
}

__attribute__((noinline)) static void *set(struct parts *p, unsigned value)
{
    p->high = value;
    return caller();
}

static void *work(void *arg)
{
    store(&stored);
    if (!TORN)
        pthread_mutex_lock(&lock);
    unsigned before = parts->high;
    char *at = set(parts, before + 1);

    assert(at > (char *)set && at < (char *)set + 200);
    if (!TORN)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    parts = calloc(1, sizeof(*parts));
    choose(0);
    choose(1);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(parts->high == 2 && stored == 1);
    free(parts);
    return 0;
}
