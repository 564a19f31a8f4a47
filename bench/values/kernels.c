/* SPDX-License-Identifier: MIT */
/*
 * Kernels of the kinds that Chen's thesis measures (Table 3.2), written for pthreads: one macro
 * each, KERNEL_twostage and so on.  Each has the defect that its name stands for.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define LOCK(m) pthread_mutex_lock(&(m))
#define UNLOCK(m) pthread_mutex_unlock(&(m))
#define MUTEX PTHREAD_MUTEX_INITIALIZER
#define CONDITION PTHREAD_COND_INITIALIZER

typedef void *body(void *);

#if defined(KERNEL_twostage) /* two locked steps that should be one */
static pthread_mutex_t a = MUTEX, b = MUTEX;
static int data1, data2;
static void *first(void *arg)
{
    LOCK(a);
    data1 = 1;
    UNLOCK(a);
    LOCK(b);
    data2 = data1 + 1;
    UNLOCK(b);
    return arg;
}
static void *second(void *arg)
{
    int t1, t2;

    LOCK(a);
    t1 = data1;
    UNLOCK(a);
    LOCK(b);
    t2 = data2;
    UNLOCK(b);
    assert(t1 == 0 || t2 == t1 + 1);
    return arg;
}
static body *const bodies[] = {first, second};

#elif defined(KERNEL_wronglock) /* one thread takes another lock */
static pthread_mutex_t a = MUTEX, b = MUTEX;
static int data;
static void *first(void *arg)
{
    LOCK(a);
    int x = data;

    data++;
    assert(data == x + 1);
    UNLOCK(a);
    return arg;
}
static void *second(void *arg)
{
    LOCK(b);
    data++;
    UNLOCK(b);
    return arg;
}
static body *const bodies[] = {first, second};

#elif defined(KERNEL_reorder) /* two writes that are seen in part */
static int a, b;
static void *sets(void *arg)
{
    a = 1;
    b = -1;
    return arg;
}
static void *checks(void *arg)
{
    int x = a, y = b;

    assert((x == 0 && y == 0) || (x == 1 && y == -1));
    return arg;
}
static body *const bodies[] = {sets, checks};

#elif defined(KERNEL_deadlock1) || defined(KERNEL_deadlock2) /* opposite orders; behind a call */
static pthread_mutex_t a = MUTEX, b = MUTEX;
static int n;
static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
    pthread_mutex_lock(x);
    pthread_mutex_lock(y);
    n++;
    pthread_mutex_unlock(y);
    pthread_mutex_unlock(x);
}
#ifdef KERNEL_deadlock1
static void *first(void *arg)
{
    LOCK(a);
    LOCK(b);
    n++;
    UNLOCK(b);
    UNLOCK(a);
    return arg;
}
#else
static void *first(void *arg)
{
    both(&a, &b);
    return arg;
}
#endif
static void *second(void *arg)
{
    both(&b, &a);
    return arg;
}
static body *const bodies[] = {first, second};

#elif defined(KERNEL_diningphilosopher)
enum { N = 5 };
static pthread_mutex_t forks[N] = {MUTEX, MUTEX, MUTEX, MUTEX, MUTEX};
static int meals[N];
static void *eat(void *arg)
{
    size_t i = (size_t)arg;

    LOCK(forks[i]);
    LOCK(forks[(i + 1) % N]);
    meals[i]++;
    UNLOCK(forks[(i + 1) % N]);
    UNLOCK(forks[i]);
    return NULL;
}
static body *const bodies[] = {eat, eat, eat, eat, eat};

#elif defined(KERNEL_losenotify) || defined(KERNEL_clean)
/* A notification before the wait is lost; `clean` looks at a flag outside of the lock. */
static pthread_mutex_t m = MUTEX;
static pthread_cond_t c = CONDITION;
static int ready;
static void *waits(void *arg)
{
#ifdef KERNEL_clean
    if (!ready) {
        LOCK(m);
        pthread_cond_wait(&c, &m);
        UNLOCK(m);
    }
#else
    LOCK(m);
    pthread_cond_wait(&c, &m);
    UNLOCK(m);
#endif
    return arg;
}
static void *notifies(void *arg)
{
    ready = 1;
    LOCK(m);
    pthread_cond_broadcast(&c);
    UNLOCK(m);
    return arg;
}
static body *const bodies[] = {waits, notifies};

#elif defined(KERNEL_nestedmonitor) /* waits inside with the outer lock in hand */
static pthread_mutex_t outer = MUTEX, inner = MUTEX;
static pthread_cond_t c = CONDITION;
static int full;
static void *takes(void *arg)
{
    LOCK(outer);
    LOCK(inner);
    while (!full)
        pthread_cond_wait(&c, &inner);
    UNLOCK(inner);
    UNLOCK(outer);
    return arg;
}
static void *puts_in(void *arg)
{
    LOCK(outer);
    LOCK(inner);
    full = 1;
    pthread_cond_signal(&c);
    UNLOCK(inner);
    UNLOCK(outer);
    return arg;
}
static body *const bodies[] = {takes, puts_in};

#elif defined(KERNEL_raxextend) /* many threads, of which two race */
static pthread_mutex_t m = MUTEX;
static int events, count;
static void *works(void *arg)
{
    LOCK(m);
    events++;
    UNLOCK(m);
    return arg;
}
static void *counts(void *arg)
{
    int before = count;

    count = before + 1;
    assert(count == before + 1);
    return arg;
}
static body *const bodies[] = {works, works, works, works, counts, counts};

#elif defined(KERNEL_accountrace) || defined(KERNEL_accountdeadlock)
/* Transfers between accounts of an array, with the locks of both or of one. */
enum { N = 3 };
static struct {
    pthread_mutex_t lock;
    int balance;
} accounts[N] = {{MUTEX, 10}, {MUTEX, 10}, {MUTEX, 10}};
static void *transfers(void *arg)
{
    size_t from = (size_t)arg, to = (from + 1) % N;

    LOCK(accounts[from].lock);
#ifdef KERNEL_accountdeadlock
    LOCK(accounts[to].lock);
#endif
    accounts[from].balance -= 5;
    accounts[to].balance += 5;
#ifdef KERNEL_accountdeadlock
    UNLOCK(accounts[to].lock);
#endif
    UNLOCK(accounts[from].lock);
    return NULL;
}
static body *const bodies[] = {transfers, transfers, transfers};
#define CHECK assert(accounts[0].balance + accounts[1].balance + accounts[2].balance == 30)

#elif defined(KERNEL_boundedbuffer) /* one signal where all should be told */
static pthread_mutex_t m = MUTEX;
static pthread_cond_t c = CONDITION;
static int used;
static void *produces(void *arg)
{
    LOCK(m);
    while (used == 1)
        pthread_cond_wait(&c, &m);
    used++;
    pthread_cond_signal(&c);
    UNLOCK(m);
    return arg;
}
static void *consumes(void *arg)
{
    LOCK(m);
    while (used == 0)
        pthread_cond_wait(&c, &m);
    used--;
    pthread_cond_signal(&c);
    UNLOCK(m);
    return arg;
}
static body *const bodies[] = {consumes, consumes, produces, produces};

#elif defined(KERNEL_linkedlist) /* an insertion without a lock loses another */
static struct node {
    struct node *next;
} nodes[4], *head;
static void *inserts(void *arg)
{
    size_t i = (size_t)arg;

    for (size_t k = 0; k < 2; k++) {
        nodes[2 * i + k].next = head;
        head = &nodes[2 * i + k];
    }
    return NULL;
}
static int length(void)
{
    int n = 0;

    for (struct node *p = head; p != NULL; p = p->next)
        n++;
    return n;
}
static body *const bodies[] = {inserts, inserts};
#define CHECK assert(length() == 4)

#elif defined(KERNEL_alarmclock) /* what is looked at before the lock is gone after it */
static pthread_mutex_t m = MUTEX;
static int alarms[2], *next = &alarms[0];
static void *rings(void *arg)
{
    if (next != NULL) {
        LOCK(m);
        int *due = next;

        assert(due != NULL);
        *due = 1;
        UNLOCK(m);
    }
    return arg;
}
static void *clears(void *arg)
{
    LOCK(m);
    next = NULL;
    UNLOCK(m);
    return arg;
}
static void *sets(void *arg)
{
    LOCK(m);
    alarms[1]++;
    UNLOCK(m);
    return arg;
}
static body *const bodies[] = {rings, clears, sets};

#elif defined(KERNEL_producerconsumer) || defined(KERNEL_blockbarrier)
/* Who is woken does not look again: somebody else may have taken what there was. */
static pthread_mutex_t m = MUTEX;
static pthread_cond_t c = CONDITION;
static int items;
static void *produces(void *arg)
{
    LOCK(m);
    items++;
    pthread_cond_broadcast(&c);
    UNLOCK(m);
    return arg;
}
static void *consumes(void *arg)
{
    LOCK(m);
    if (items == 0)
        pthread_cond_wait(&c, &m);
    assert(items > 0);
    items--;
    UNLOCK(m);
    return arg;
}
#ifdef KERNEL_blockbarrier
static body *const bodies[] = {consumes, consumes, produces, produces};
#else
static body *const bodies[] = {consumes, consumes, consumes, produces, produces, produces};
#endif

#elif defined(KERNEL_rwexception) /* readers who count themselves without the lock */
static pthread_mutex_t m = MUTEX;
static int readers, value;
static void *reads(void *arg)
{
    readers++;
    int x = value;

    assert(x % 2 == 0);
    readers--;
    return arg;
}
static void *writes(void *arg)
{
    LOCK(m);
    if (readers == 0) {
        value++;
        value++;
    }
    UNLOCK(m);
    return arg;
}
static body *const bodies[] = {writes, writes, reads, reads};

#elif defined(KERNEL_daisy) /* a disk in blocks; where a file ends is looked up without its lock \
                             */
enum { BLOCKS = 3 };
static pthread_mutex_t locks[BLOCKS] = {MUTEX, MUTEX, MUTEX}, inode = MUTEX;
static int disk[BLOCKS], length;
static void *writes(void *arg)
{
    LOCK(inode);
    length = BLOCKS;
    UNLOCK(inode);
    for (int i = 0; i < BLOCKS; i++) {
        LOCK(locks[i]);
        disk[i] = 7;
        UNLOCK(locks[i]);
    }
    return arg;
}
static void *reads(void *arg)
{
    int n = length;

    for (int i = 0; i < n; i++) {
        LOCK(locks[i]);
        assert(disk[i] == 7);
        UNLOCK(locks[i]);
    }
    return arg;
}
static body *const bodies[] = {writes, reads};

#elif defined(KERNEL_piper) /* a pipe of one place; whoever comes wakes one, perhaps of its kind \
                             */
static pthread_mutex_t m = MUTEX;
static pthread_cond_t c = CONDITION;
static int full;
static void *puts_in(void *arg)
{
    LOCK(m);
    while (full)
        pthread_cond_wait(&c, &m);
    full = 1;
    pthread_cond_signal(&c);
    UNLOCK(m);
    return arg;
}
static void *takes_out(void *arg)
{
    LOCK(m);
    while (!full)
        pthread_cond_wait(&c, &m);
    full = 0;
    pthread_cond_signal(&c);
    UNLOCK(m);
    return arg;
}
static body *const bodies[] = {takes_out, takes_out, puts_in, puts_in};

#elif defined(KERNEL_replicatedworker) /* that all work is done is looked at without the lock */
static pthread_mutex_t m = MUTEX;
static pthread_cond_t c = CONDITION;
static int work, done;
static void *works(void *arg)
{
    LOCK(m);
    while (work == 0 && !done)
        pthread_cond_wait(&c, &m);
    if (work > 0)
        work--;
    UNLOCK(m);
    return arg;
}
static void *hands_out(void *arg)
{
    LOCK(m);
    work = 1;
    pthread_cond_signal(&c);
    UNLOCK(m);
    done = 1;
    pthread_cond_broadcast(&c);
    return arg;
}
static body *const bodies[] = {works, works, hands_out};

#elif defined(KERNEL_rwdeadlock) /* the last reader wakes nobody if he miscounts */
static pthread_mutex_t m = MUTEX;
static pthread_cond_t c = CONDITION;
static int readers, value;
static void *reads(void *arg)
{
    LOCK(m);
    readers++;
    UNLOCK(m);
    int x = value;

    if (--readers == 0) {
        LOCK(m);
        pthread_cond_broadcast(&c);
        UNLOCK(m);
    }
    return (char *)arg + 0 * x;
}
static void *writes(void *arg)
{
    LOCK(m);
    while (readers > 0)
        pthread_cond_wait(&c, &m);
    value++;
    UNLOCK(m);
    return arg;
}
static body *const bodies[] = {reads, reads, writes, writes};

#elif defined(KERNEL_accountsubtype) /* accounts of two kinds, of which one does not lock */
struct account {
    pthread_mutex_t lock;
    int balance;
    void (*add)(struct account *self, int amount);
};
static void add_locked(struct account *self, int amount)
{
    LOCK(self->lock);
    self->balance += amount;
    UNLOCK(self->lock);
}
static void add_plain(struct account *self, int amount)
{
    self->balance += amount;
}
static struct account accounts[] = {
    {MUTEX, 10, add_locked}, {MUTEX, 10, add_plain}, {MUTEX, 10, add_locked}};
static void *transfers(void *arg)
{
    size_t from = (size_t)arg % 3, to = (from + 1) % 3;

    accounts[from].add(&accounts[from], -1);
    accounts[to].add(&accounts[to], 1);
    return arg;
}
#define CHECK assert(accounts[0].balance + accounts[1].balance + accounts[2].balance == 30)
static body *const bodies[] = {transfers, transfers, transfers};
#endif

#ifndef CHECK
#define CHECK
#endif

int main(void)
{
    enum { THREADS = sizeof(bodies) / sizeof(bodies[0]) };
    pthread_t t[THREADS];

    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, bodies[i], (void *)i);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    CHECK;
    return 0;
}
