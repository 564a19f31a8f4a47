/* SPDX-License-Identifier: MIT */
/*
 * What libstdc++.so does to the program's memory where templates do not become the program's own
 * code: std::string, streams, and the links of lists and trees.
 *
 * The functions of libstdcxx.def announce what their row says and call the library's own.  Lists
 * are linked here, access by access, since it is between these that another thread's change gets
 * lost; so are the steps of iterators over trees.  Layouts are those of the library's binary
 * interface (libstdc++.so.6, 64 bits), which does not change.
 *
 * The standard streams are not told from one another: what goes through them is stdio's, and
 * several threads may use them at once.
 *
 * What moves on in a buffer looks where it is and then says where it is next.  The library does
 * both in one step here; so if another thread has moved on in between, that is undone before, and
 * is lost as it would be.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "base/hash.h"
#include "base/sys.h"
#include "runtime/core/spin.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/system/functions.h"
#include "runtime/system/texts.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>

struct string {
    char *data;
    size_t size;
};

/* std::streambuf */
struct buffer {
    const void *calls;
    char *get_begin, *get, *get_end, *put_begin, *put, *put_end;
};

/* std::istream, of which the first word is also all that std::ostream has. */
struct stream {
    const int64_t *calls; /* before them, where its std::ios is from here */
    int64_t count;
};

/* std::ios */
struct ios {
    const void *calls;
    int64_t precision, width;
    uint32_t flags, exceptions;
    uint32_t state;
    char between[196];
    struct buffer *buffer;
};
_Static_assert(offsetof(struct ios, buffer) == 232, "as the library has it");

/* std::pmr::monotonic_buffer_resource, as far as it matters */
struct monotonic {
    const void *calls;
    struct monotonic_rest {
        char *at;
        uint64_t left;
    } rest;
};

/* std::pmr::unsynchronized_pool_resource */
struct pools {
    const void *calls;
    uint64_t options[2];
};

static const struct ios *ios_of(const struct stream *s)
{
    return (const struct ios *)((const char *)s + s->calls[-3]);
}

/* ---- the library's own ---- */

/* It may have been loaded for a module alone, where a search does not find it. */
static void *find(const char *name)
{
    void *found = pl_real_find(name);
    void *(*open)(const char *, int) = NULL;

    if (found != NULL)
        return found;
    *(void **)&open = pl_real_find("dlopen");
    void *library = open != NULL ? open("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD) : NULL;

    return library != NULL ? dlsym(library, name) : NULL;
}

#define STRING(rest) _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE##rest
#define STRING_CONST(rest) _ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE##rest
#define PL_STRING(ret, rest, ...) PL_CXX(ret, STRING(rest), __VA_ARGS__)
#define PL_STRING_CONST(ret, rest, ...) PL_CXX(ret, STRING_CONST(rest), __VA_ARGS__)
#define PL_CXX(ret, name, ...) PL_CXX_(ret, name, __VA_ARGS__)
#define PL_CXX_SIMPLE(ret, name, ...) PL_CXX_(ret, name, __VA_ARGS__)
#define PL_CXX_INPUT(ret, name, ...) PL_CXX_(ret, name, __VA_ARGS__)

#define PL_CXX_(ret, name, params, ...) ret(*name##_) params;
static struct {
#include "runtime/system/libstdcxx.def"
    void (*insert)(bool, void *, void *, void *);
    void *(*erase)(void *, void *);
    void (*join)(uint64_t *), (*detach)(uint64_t *);
    void *(*from_monotonic)(struct monotonic *, size_t, size_t);
    const void *out, *in, *error, *log, *wide_out, *wide_error,
        *wide_log; /* the standard streams */
} library;
#undef PL_CXX_

#define INSERT _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_
#define ERASE _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_
#define JOIN _ZNSt6thread4joinEv
#define DETACH _ZNSt6thread6detachEv
#define TEXT_OF_NAME(name) #name
#define NAMED(name) TEXT_OF_NAME(name)

static void *allocate_monotonic(struct monotonic *m, size_t size, size_t alignment);

/*
 * Only the table of virtual functions leads to it.  That is read-only by now, and the program may
 * have a copy of its own.
 */
static void lead_to_monotonic(void)
{
    enum { ALLOCATE = 4 }; /* behind offset, type and two destructors */
    const char *name = "_ZTVNSt3pmr25monotonic_buffer_resourceE";
    void **tables[] = {find(name), dlsym(RTLD_DEFAULT, name)}, *to = (void *)allocate_monotonic;
    long memory = pl_sys(SYS_open, "/proc/self/mem", O_RDWR | O_CLOEXEC, 0);

    for (unsigned i = 0; i < 2 && memory >= 0; i++) {
        if (tables[i] == NULL || tables[i][ALLOCATE] == to)
            continue;
        *(void **)&library.from_monotonic = tables[i][ALLOCATE];
        pl_sys(SYS_pwrite64, memory, &to, sizeof(to), &tables[i][ALLOCATE]);
    }
    if (memory >= 0)
        pl_sys(SYS_close, memory);
}

void pl_libstdcxx_init(void)
{
    library.out = pl_real_find("_ZSt4cout");
    if (library.out == NULL)
        return; /* the program has no need for it; see REAL() */
    library.in = pl_real_find("_ZSt3cin");
    library.error = pl_real_find("_ZSt4cerr");
    library.log = pl_real_find("_ZSt4clog");
    library.wide_out = pl_real_find("_ZSt5wcout");
    library.wide_error = pl_real_find("_ZSt5wcerr");
    library.wide_log = pl_real_find("_ZSt5wclog");
    *(void **)&library.insert = find(NAMED(INSERT));
    *(void **)&library.erase = find(NAMED(ERASE));
    lead_to_monotonic();
#define PL_CXX_(ret, name, ...) *(void **)&library.name##_ = find(#name);
#include "runtime/system/libstdcxx.def"
#undef PL_CXX_
}

#define REAL(name)                             \
    (library.name##_ != NULL ? library.name##_ \
                             : (*(void **)&library.name##_ = find(#name), library.name##_))

/* ---- the words of the rows ---- */

#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define READ(p, n) pl_call_touches(p, (uint64_t)(n), false, who);
#define WRITE(p, n) pl_call_touches(p, (uint64_t)(n), true, who);
#define OUT(p) WRITE(p, sizeof(*(p)))
#define TEXT(s) pl_text_announce(s, PL_TEXT_WHOLE, who);
#define LOOKS(s) READ(s, sizeof(*(s))) READ((s)->data, (s)->size)
#define CHANGES(s) WRITE(s, sizeof(*(s))) WRITE((s)->data, (s)->size + 1)
#define MAKES(s) WRITE(s, sizeof(*(s)))
/* A look before the change, of which detectors are told. */
#define AT_FIRST(p) pl_access_look(p, who.pc, who.entry);
#define PUTS(os) puts_to(os, who);
#define TAKES(is) takes_from(is, who);
#define USES(p) use_pools(p, who);
#define STATE(name) pl_access_state(&pl_stage->process.library[PL_STATE_##name], who.pc, who.entry);
#define STATE_LOOK(name) \
    pl_access_look(&pl_stage->process.library[PL_STATE_##name], who.pc, who.entry);

static bool is_standard(const struct stream *s)
{
    return s == library.out || s == library.in || s == library.error || s == library.log ||
           s == library.wide_out || s == library.wide_error || s == library.wide_log;
}

/* How it is to be printed, or read. */
static void look_at_format(const struct ios *i, struct pl_call who)
{
    READ(&i->precision,
         offsetof(struct ios, state) + sizeof(i->state) - offsetof(struct ios, precision))
}

/* Where a stream is, in what begins there. */
static void moves_on(char **at, char *const *begin, struct pl_call who)
{
    AT_FIRST(at)
    char *was = *at;
    const char *from = *begin;

    OUT(at)
    if (pl_free || *at == was)
        return;
    if (*begin == from)
        *at = was;
    else
        pl_unmodelled("operator<<", PL_UNMODELLED_FUNCTION, who.pc);
}

static void puts_to(const struct stream *s, struct pl_call who)
{
    const struct ios *i = ios_of(s);
    struct buffer *b = is_standard(s) ? NULL : i->buffer;

    look_at_format(i, who);
    if (b != NULL)
        moves_on(&b->put, &b->put_begin, who);
}

static void takes_from(const struct stream *s, struct pl_call who)
{
    const struct ios *i = ios_of(s);
    struct buffer *b = is_standard(s) ? NULL : i->buffer;

    look_at_format(i, who);
    if (b == NULL)
        return;
    OUT(&s->count)
    moves_on(&b->get, &b->get_begin, who);
}

/* Calls so far, by where the pools are: what happens in them is not known. */
static uint64_t uses[64];

static void use_pools(const struct pools *p, struct pl_call who)
{
    uint64_t *n = &uses[pl_hash_mix((uint64_t)p) % 64];

    AT_FIRST(p->options)
    uint64_t before = *n;

    WRITE(p->options, sizeof(p->options))
    if (!pl_free && *n != before)
        pl_unmodelled("std::pmr::unsynchronized_pool_resource", PL_UNMODELLED_FUNCTION, who.pc);
    ++*n;
}

/* A loop around input that was there goes round for a reason. */
static void took(const struct stream *s)
{
    if (pl_on() && !pl_inside() && !pl_free && ios_of(s)->state == 0)
        pl_spin_progress(pl_thread_self());
}

/* ---- the functions of the rows ---- */

#undef PL_CXX
#undef PL_CXX_SIMPLE
#undef PL_CXX_INPUT
#define PL_CXX(ret, name, params, args, accesses) PL_CXX_(ret, name, params, args, accesses)
#define PL_CXX_(ret, name, params, args, accesses) \
    PL_ANNOUNCED(ret, name, params, accesses, REAL(name) args)
#define PL_CXX_SIMPLE(ret, name, params, args, accesses) \
    PL_ANNOUNCED_SIMPLE(ret, name, params, accesses, REAL(name) args)
#define PL_CXX_INPUT(ret, name, params, args, accesses) \
    PL_INTERPOSE(ret, name, params)                     \
    {                                                   \
        struct pl_call who = PL_CALL_ENTERED;           \
        if (pl_call_wanted(who)) {                      \
            accesses                                    \
        }                                               \
        ret result_ = REAL(name) args;                  \
        took(is);                                       \
        return result_;                                 \
    }

#include "runtime/system/libstdcxx.def"

/* ---- std::list ---- */

struct link {
    struct link *next, *previous;
};

static void touch(const void *p, size_t size, bool write, struct pl_call who)
{
    if (pl_call_wanted(who))
        pl_call_touches(p, size, write, who);
}

/* A word is read, or written, right behind its announcement. */
static struct link *get(struct link **from, struct pl_call who)
{
    touch(from, sizeof(*from), false, who);
    return *from;
}

static void set(struct link **to, struct link *value, struct pl_call who)
{
    touch(to, sizeof(*to), true, who);
    *to = value;
}

#define LIST(rest) _ZNSt8__detail15_List_node_base##rest
#define PL_LIST(name, params) PL_LIST_(name, params)
#define PL_LIST_(name, params) PL_INTERPOSE(void, name, params)

PL_LIST(LIST(7_M_hookEPS0_), (struct link * l, struct link *at))
{
    struct pl_call who = PL_CALL_ENTERED;

    set(&l->next, at, who);
    set(&l->previous, get(&at->previous, who), who);
    set(&get(&at->previous, who)->next, l, who);
    set(&at->previous, l, who);
}

PL_LIST(LIST(9_M_unhookEv), (struct link * l))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct link *next = get(&l->next, who), *previous = get(&l->previous, who);

    set(&previous->next, next, who);
    set(&next->previous, previous, who);
}

/* What is from `first` to before `last` comes before l. */
PL_LIST(LIST(11_M_transferEPS0_S1_), (struct link * l, struct link *first, struct link *last))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (l == last)
        return;
    struct link *end = get(&last->previous, who);

    set(&end->next, l, who);
    struct link *before = get(&first->previous, who);

    set(&before->next, last, who);
    struct link *at = get(&l->previous, who);

    set(&at->next, first, who);
    set(&l->previous, end, who);
    set(&last->previous, before, who);
    set(&first->previous, at, who);
}

PL_LIST(LIST(10_M_reverseEv), (struct link * l))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct link *at = l;

    do {
        struct link *next = get(&at->next, who);

        set(&at->next, get(&at->previous, who), who);
        set(&at->previous, next, who);
        at = next;
    } while (at != l);
}

/* A head takes over what the other one had. */
static void adopt(struct link *head, struct link *first, struct link *last, struct link *other,
                  struct pl_call who)
{
    bool any = first != other;

    set(&head->next, any ? first : head, who);
    set(&head->previous, any ? last : head, who);
    if (any) {
        set(&first->previous, head, who);
        set(&last->next, head, who);
    }
}

PL_LIST(LIST(4swapERS0_S1_), (struct link * a, struct link *b))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct link *first_a = get(&a->next, who), *last_a = get(&a->previous, who);
    struct link *first_b = get(&b->next, who), *last_b = get(&b->previous, who);

    adopt(a, first_b, last_b, b, who);
    adopt(b, first_a, last_a, a, who);
}

/* ---- std::map and std::set ---- */

struct node {
    uint32_t black;
    struct node *parent, *left, *right;
};

static struct node *step(struct node **from, struct pl_call who)
{
    touch(from, sizeof(*from), false, who);
    return *from;
}

static struct node *next_node(struct node *n, struct pl_call who)
{
    struct node *child = step(&n->right, who);

    if (child != NULL) {
        while ((n = child, child = step(&n->left, who)) != NULL)
            ;
        return n;
    }
    struct node *up = step(&n->parent, who);

    while (n == step(&up->right, who)) {
        n = up;
        up = step(&up->parent, who);
    }
    return step(&n->right, who) != up ? up : n; /* from the root's own header it goes nowhere */
}

static struct node *previous_node(struct node *n, struct pl_call who)
{
    touch(&n->black, sizeof(n->black), false, who);
    struct node *parent = step(&n->parent, who);

    if (!n->black && step(&parent->parent, who) == n)
        return step(&n->right, who); /* n is the header, behind the last one */
    struct node *child = step(&n->left, who);

    if (child != NULL) {
        while ((n = child, child = step(&n->right, who)) != NULL)
            ;
        return n;
    }
    while (n == step(&parent->left, who)) {
        n = parent;
        parent = step(&parent->parent, who);
    }
    return parent;
}

#define PL_STEP(name, function)                   \
    PL_INTERPOSE(void *, name, (struct node * n)) \
    {                                             \
        struct pl_call who = PL_CALL_ENTERED;     \
        return function(n, who);                  \
    }

PL_STEP(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, next_node)
PL_STEP(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, next_node)
PL_STEP(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, previous_node)
PL_STEP(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, previous_node)

static void changes(struct node *n, struct pl_call who)
{
    pl_call_touches(n, n != NULL ? sizeof(*n) : 0, true, who);
}

/* What keeps the tree balanced goes up from the new node as long as it finds red below red. */
static void announce_insert(struct node *n, struct node *parent, struct node *header,
                            struct pl_call who)
{
    changes(header, who);
    changes(n, who);
    changes(parent, who);
    for (n = parent; n != header && !n->black && n->parent != header;) {
        struct node *above = n->parent, *other = above->left == n ? above->right : above->left;

        changes(above, who);
        changes(other, who);
        if (other == NULL || other->black)
            break;
        n = above->parent;
        changes(n, who);
    }
}

static void announce_erase(struct node *n, struct node *header, struct pl_call who)
{
    struct node *heir = n->right;

    changes(header, who);
    changes(n, who);
    changes(n->parent, who);
    changes(n->left, who);
    changes(n->right, who);
    while (heir != NULL && heir->left != NULL)
        heir = heir->left;
    if (heir != NULL) {
        changes(heir, who);
        changes(heir->right, who);
        changes(heir->parent, who);
    }
}

#define PL_TREE(ret, name, params) PL_INTERPOSE(ret, name, params)

PL_TREE(void, INSERT, (bool left, struct node *n, struct node *parent, struct node *header))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (library.insert == NULL)
        *(void **)&library.insert = find(NAMED(INSERT));
    if (pl_call_wanted(who))
        announce_insert(n, parent, header, who);
    library.insert(left, n, parent, header);
}

PL_TREE(void *, ERASE, (struct node * n, struct node *header))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (library.erase == NULL)
        *(void **)&library.erase = find(NAMED(ERASE));
    if (pl_call_wanted(who))
        announce_erase(n, header, who);
    return library.erase(n, header);
}

/* ---- std::thread ---- */

/* It looks who the thread is, waits, and says that it is nobody. */
static void give_away(void (*real)(uint64_t *), uint64_t *thread, struct pl_call who)
{
    touch(thread, sizeof(*thread), false, who);
    uint64_t was = *thread;

    real(thread);
    if (!pl_call_wanted(who))
        return;
    if (pl_free) { /* it has been written */
        touch(thread, sizeof(*thread), true, who);
        return;
    }
    *thread = was;
    touch(thread, sizeof(*thread), true, who);
    *thread = 0;
}

#define PL_GIVES_AWAY(name, function) PL_GIVES_AWAY_(name, function)
#define PL_GIVES_AWAY_(name, function)                       \
    PL_INTERPOSE(void, name, (uint64_t * thread))            \
    {                                                        \
        struct pl_call who = PL_CALL_ENTERED;                \
        if (library.function == NULL)                        \
            *(void **)&library.function = find(NAMED(name)); \
        give_away(library.function, thread, who);            \
    }

PL_GIVES_AWAY(JOIN, join)
PL_GIVES_AWAY(DETACH, detach)

/* ---- std::pmr ---- */

static void *allocate_monotonic(struct monotonic *m, size_t size, size_t alignment)
{
    struct pl_call who = PL_CALL_EXPOSED;

    if (pl_call_wanted(who)) {
        AT_FIRST(&m->rest)
        struct monotonic_rest was = m->rest;

        OUT(&m->rest)
        if (!pl_free)
            m->rest = was;
    }
    return library.from_monotonic(m, size, alignment);
}
