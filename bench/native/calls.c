/* SPDX-License-Identifier: MIT */
/* Recursion over a tree: as many function entries and exits as accesses. */
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH = 16 };

struct node {
    struct node *left, *right;
    long value;
};

static struct node *build(int depth, long value)
{
    struct node *n = malloc(sizeof(*n));

    *n = (struct node){.value = value};
    if (depth > 0) {
        n->left = build(depth - 1, 2 * value);
        n->right = build(depth - 1, 2 * value + 1);
    }
    return n;
}

static long sum(const struct node *n)
{
    return n ? n->value + sum(n->left) + sum(n->right) : 0;
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 1;
    struct node *root = build(DEPTH, 1);
    long total = 0;

    for (long i = 0; i < rounds; i++) {
        total += sum(root);
        root->value++; /* or one sum would serve for all rounds */
    }
    printf("%ld\n", total);
    return 0;
}
