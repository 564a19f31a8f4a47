/* SPDX-License-Identifier: MIT */
/*
 * A reference count is decremented under the lock but looked at after it: the
 * other user may have freed the object by then, or both free it.  With
 * -DFIXED=1 the value is taken under the lock.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT use-after-free|misuse exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT use-after-free|misuse exit=1
 *
 * RUN    -DFIXED=1 plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 */
#include <pthread.h>
#include <stdlib.h>

#ifndef FIXED
#define FIXED 0
#endif

struct object {
    pthread_mutex_t lock;
    int users;
};

static void *release(void *arg)
{
    struct object *object = arg;
    int left;

    pthread_mutex_lock(&object->lock);
    left = --object->users;
    pthread_mutex_unlock(&object->lock);
    if (!FIXED)
        left = object->users;
    if (left == 0) {
        pthread_mutex_destroy(&object->lock);
        free(object);
    }
    return NULL;
}

int main(void)
{
    struct object *object = malloc(sizeof(*object));
    pthread_t t;

    pthread_mutex_init(&object->lock, NULL);
    object->users = 2;
    pthread_create(&t, NULL, release, object);
    release(object);
    pthread_join(t, NULL);
    return 0;
}
