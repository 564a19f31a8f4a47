/* SPDX-License-Identifier: MIT */
/*
 * What is indexed stays in its array: `kept' is never what the slots have.  Who begins behind the
 * end of an array, or leaves it for the structure around it, comes where C lets him.  The distance
 * of two pointers is no pointer, nor is what is read from libc.
 *
 * OPT 0
 * PAIR RW reached
 * PAIR RW both.first[]
 * PAIR RW message.length
 * NONE slotted
 * NONE counted
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static int slotted, counted, reached;
static struct {
    long before;
    int *slots[4];
    int *kept;
    char letters[16];
    long far;
} box = {.kept = &reached};
static struct {
    long before;
    char first[8], second[8];
} both;
static struct message {
    long length;
    char data[16];
} message;

static void fill(unsigned i, const char *name)
{
    box.slots[i % 4] = &slotted;
    *box.slots[i % 4] = 1;
    box.letters[i % 16] = name[i];
    box.far = (char *)&counted - (char *)box.slots[i % 4];
}

static void backwards(void)
{
    char *p = both.first + sizeof both.first;

    while (p > both.first)
        *--p = 1;
}

static void send(char *data)
{
    ((struct message *)(data - offsetof(struct message, data)))->length = 1;
}

static void *one(void *arg)
{
    fill((unsigned)rand(), getenv("HOME") ? "a" : "b");
    *box.kept = 1;
    backwards();
    send(message.data);
    counted = 1;
    return arg;
}

static void *two(void *arg)
{
    long far = box.far;

    *box.kept += both.first[3] + (int)message.length;
    return far ? arg : NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", reached);
    return 0;
}
