/* SPDX-License-Identifier: MIT */
/*
 * node_state: a node is entered into the tree before its state has been made.  A thread that walks
 * the tree expects every node to have one.
 *
 * Described as: `nodestate` in Wang, Said, Gupta, ICSE 2011 (Mozilla).
 *
 * BUG: the walk meets the node before its state is there
 * TYPE: order
 * FINDS: crash
 * INPUTS: 2 3
 */
#include "guided.h"

#include <stdatomic.h>

struct state {
    atomic_int visits;
};

struct node {
    _Atomic(struct state *) state;
};

static pthread_mutex_t tree = PTHREAD_MUTEX_INITIALIZER;
static struct state first_state;
static struct node first_node;
static struct node *root;

static void enter(struct node *node)
{
    pthread_mutex_lock(&tree);
    root = node;
    pthread_mutex_unlock(&tree);
}

static void *build(void *arg)
{
    (void)arg;
    tally();
#ifdef FIXED
    first_node.state = &first_state;
    enter(&first_node);
#else
    enter(&first_node);
    first_node.state = &first_state;
#endif
    tally();
    return NULL;
}

static void *walk(void *arg)
{
    struct node *node;

    (void)arg;
    tally();
    pthread_mutex_lock(&tree);
    node = root;
    pthread_mutex_unlock(&tree);
    if (node) {
        struct state *state = node->state;

        state->visits++;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    thread_start(build, 0);
    threads_start(size_given(argc, argv, 2, 16), walk);
    threads_join();
    return 0;
}
