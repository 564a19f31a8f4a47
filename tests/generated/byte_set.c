/* SPDX-License-Identifier: MIT */
/* See byte_set.h. */
#include "byte_set.h"

#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static uint64_t hash(const unsigned char *bytes, size_t size)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < size; i++)
        h = (h ^ bytes[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

static struct entry **slot_of(const struct byte_set *s, const unsigned char *bytes, size_t size)
{
    for (size_t i = hash(bytes, size);; i++) {
        struct entry **e = &s->slots[i & (s->capacity - 1)];

        if (*e == NULL || ((*e)->size == size && memcmp((*e)->bytes, bytes, size) == 0))
            return e;
    }
}

static void make_room(struct byte_set *s)
{
    struct byte_set old = *s;

    if (s->n * 2 < s->capacity)
        return;
    s->capacity = old.capacity > 0 ? old.capacity * 2 : 1024;
    s->slots = must(calloc(s->capacity, sizeof(struct entry *)));
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.slots[i] != NULL)
            *slot_of(s, old.slots[i]->bytes, old.slots[i]->size) = old.slots[i];
    }
    free(old.slots);
}

struct entry *byte_set_add(struct byte_set *s, const void *bytes, size_t size, bool *is_new)
{
    make_room(s);
    struct entry **e = slot_of(s, bytes, size);

    *is_new = *e == NULL;
    if (*is_new) {
        *e = must(malloc(sizeof(struct entry) + size));
        (*e)->number = 0;
        (*e)->size = size;
        memcpy((*e)->bytes, bytes, size);
        s->n++;
    }
    return *e;
}

void byte_set_clear(struct byte_set *s)
{
    for (size_t i = 0; i < s->capacity; i++)
        free(s->slots[i]);
    free(s->slots);
    *s = (struct byte_set){0};
}
