/* SPDX-License-Identifier: MIT */
/*
 * The library comes to life: finds the board, maps its memory, takes its own
 * traces out of the environment, wraps main().
 *
 * malloc() may be the very first call that arrives, long before constructors;
 * so every interposed function begins with pl_on(), which comes here once.  This is the only place
 * that knows all rooms: it hands those below what those above them do.
 */
#include "base/assert.h"
#include "base/hash.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/common.h"
#include "model/inputs.h"
#include "model/name.h"
#include "runtime/access/sites.h"
#include "runtime/campaign/account.h"
#include "runtime/campaign/measure.h"
#include "runtime/campaign/outputs.h"
#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/company.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/fiber.h"
#include "runtime/core/observer.h"
#include "runtime/core/spin.h"
#include "runtime/core/strategy.h"
#include "runtime/free/free.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/place.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/native/native.h"
#include "runtime/observe/aim.h"
#include "runtime/observe/cover.h"
#include "runtime/observe/deadlock.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/marks.h"
#include "runtime/observe/meeting.h"
#include "runtime/observe/pairs.h"
#include "runtime/observe/report.h"
#include "runtime/observe/segments.h"
#include "runtime/observe/sought.h"
#include "runtime/observe/stacks.h"
#include "runtime/observe/starve.h"
#include "runtime/observe/trace.h"
#include "runtime/restart/carried.h"
#include "runtime/restart/keeper.h"
#include "runtime/restart/own.h"
#include "runtime/restart/section.h"
#include "runtime/start/join.h"
#include "runtime/sync/others.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_rows.h"
#include "runtime/system/client.h"
#include "runtime/system/deadly.h"
#include "runtime/system/file_times.h"
#include "runtime/system/functions.h"
#include "runtime/system/libc_fork.h"
#include "runtime/system/libc_memory.h"
#include "runtime/system/libc_process.h"
#include "runtime/system/libc_stdio.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

extern void *__libc_stack_end;
extern struct pl_gate plait_runtime_gate; /* access.c */

/* A failed assertion: the tool is told where in the search that was. */
static void tell_bug(const struct pl_assert_place *place)
{
    if (!pl_active)
        return;
    pl_board->error_class = PL_ERR_INTERNAL;
    pl_text_format(pl_board->error, sizeof(pl_board->error),
                   "internal error at %s:%d (%s): %s; strategy %s, execution %lu, "
                   "choice %lu, thread %u about to do %s",
                   place->file, place->line, place->function, place->text,
                   pl_board->settings.strategy, pl_board->execution, pl_board->n_choices,
                   pl_stage->current, pl_operation_text(pl_thread_self()->op.kind));
    pl_board->why = PL_WHY_ERROR;
    pl_board->phase = PL_PHASE_FINISHED;
}

static void map_at(uint64_t address, uint64_t size)
{
    long p = pl_sys(SYS_mmap, address, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    if ((uint64_t)p != address) {
        static const char text[] =
            "plait: cannot reserve address space; is there a limit on virtual "
            "memory (ulimit -v), or does vm.overcommit_memory forbid it?\n";

        pl_sys(SYS_write, 2, text, sizeof(text) - 1);
        pl_sys(SYS_exit_group, 3);
    }
}

/* What the environment says: how this process stands to the board. */
struct relation {
    bool any, of_parent, joins, through;
    long fd;
    uint32_t number; /* of one that joins, or goes through */
};

static uint64_t read_number(const char **text)
{
    uint64_t n = 0;

    for (; **text >= '0' && **text <= '9'; ++*text)
        n = n * 10 + (uint64_t)(**text - '0');
    *text += **text == ':';
    return n;
}

static struct relation read_relation(void)
{
    const char *text = pl_entry_environment(PL_BOARD_ENV);
    struct relation r = {.any = text != NULL};

    if (text == NULL)
        return r;
    r.of_parent = pl_text_starts(text, PL_BOARD_OF_PARENT);
    r.joins = pl_text_starts(text, PL_BOARD_JOINS);
    r.through = pl_text_starts(text, PL_BOARD_THROUGH);
    while (*text != '\0' && (*text < '0' || *text > '9'))
        text++;
    r.fd = (long)read_number(&text);
    r.number = (uint32_t)read_number(&text);
    return r;
}

/* Who started this program again may have closed all that it does not know; its parent has not. */
static long descriptor_of_parent(long fd)
{
    char path[64];

    if (pl_sys(SYS_fcntl, fd, F_GETFD) >= 0)
        return fd;
    pl_text_format(path, sizeof(path), "/proc/%ld/fd/%ld", pl_sys(SYS_getppid), fd);
    return pl_sys(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
}

/* The same where all of them are needed, each under its own number. */
static void open_descriptors(void)
{
    for (enum pl_fd which = PL_FD_BOARD; which <= PL_FD_BELL; which++) {
        long found = descriptor_of_parent(pl_fd(which));

        if (found == pl_fd(which) || found < 0)
            continue;
        pl_fd_place(found, which);
        pl_sys(SYS_close, found);
    }
}

static bool map_board(const struct relation *r)
{
    bool of_parent = r->of_parent || r->through;
    long fd = r->fd;

    if (!r->any)
        return false;
    if (r->joins)
        open_descriptors();
    if (of_parent)
        fd = descriptor_of_parent(fd);
    long p = pl_sys(SYS_mmap, PL_BOARD_ADDRESS, sizeof(struct pl_board), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);

    if (of_parent && fd >= 0 && fd != r->fd)
        pl_sys(SYS_close, fd); /* the program's numbers are its own */
    if ((uint64_t)p != PL_BOARD_ADDRESS)
        return false;
    return pl_board->magic == PL_BOARD_MAGIC && pl_board->version == PL_BOARD_VERSION &&
           pl_board->size_of_board == sizeof(struct pl_board);
}

static bool map_common(void)
{
    long p = pl_sys(SYS_mmap, PL_COMMON_ADDRESS, sizeof(struct pl_common), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, pl_fd(PL_FD_COMMON), 0);

    return (uint64_t)p == PL_COMMON_ADDRESS && pl_common->magic == PL_COMMON_MAGIC &&
           pl_common->size_of_common == sizeof(struct pl_common);
}

static bool is_of_plait(const char *variable)
{
    return pl_text_starts(variable, PL_BOARD_ENV "=") || pl_text_starts(variable, "LD_PRELOAD=") ||
           pl_text_starts(variable, "LD_BIND_NOW=") || pl_text_starts(variable, "GLIBC_TUNABLES=");
}

/*
 * Programs started by the program are not our business: they must not find the board.  The texts
 * lie one behind the other, and that memory is what /proc/self/environ says, so the others move
 * to where they would have been.
 */
static void clean_environment(void)
{
    char **to = pl_entry_environment_start(), *next = *to, *place = *to;

    for (char **from = to; *from != NULL; from++) {
        char *text = *from;
        uint64_t size = pl_text_length(text) + 1;
        bool own = is_of_plait(text);

        while (text > next && is_of_plait(next)) /* the loader has a copy of that */
            next += pl_text_length(next) + 1;
        if (text == next) { /* it is the next one there */
            next += size;
            if (!own) {
                pl_memory_move(place, text, size);
                text = place;
                place += size;
            }
        }
        if (!own)
            *to++ = text;
    }
    *to = NULL;
    if (next > place)
        pl_memory_fill(place, 0, (uint64_t)(next - place));
}

/* What libraries have read by the time main() is called, and nobody else is to see. */
static void clean_late(void)
{
    char **to = pl_entry_environment_start();

    for (char **from = to; *from != NULL; from++) {
        if (!pl_text_equal(*from, "GOMP_SPINCOUNT=0"))
            *to++ = *from;
        else
            pl_memory_fill(*from, 0, pl_text_length(*from));
    }
    *to = NULL;
}

static void init_main_thread(void)
{
    struct pl_thread *t = pl_thread_by_id(0);
    void *tp;

    __asm__("mov %%fs:0, %0" : "=r"(tp));
    *t = (struct pl_thread){
        .id = 0,
        .parent = PL_TID_NONE,
        .state = PL_THREAD_ALIVE,
        .main = true,
        .name = PL_NAME_MAIN,
        .joiner = PL_TID_NONE,
        .joined_by = PL_TID_NONE,
        .tp = tp,
        .stack_low = (uint64_t)__libc_stack_end - pl_stage->fibers.default_stack,
        .stack_high = (uint64_t)__libc_stack_end,
    };
    pl_sys(SYS_rt_sigprocmask, 0, NULL, &t->mask, 8);
    pl_stage->signals.kernel_mask = t->mask;
    pl_stage->current = 0;
    pl_stage->n_threads = 1;
    pl_stage->n_alive = 1;
    pl_stage->n_unjoined = 1;
}

/* As libc does: what the limit says when the program starts; else libc is asked what threads get.
 */
static void find_default_stack(void)
{
    struct rlimit limit;
    bool limited = pl_sys(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) == 0 &&
                   limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= PL_STACK_SLOT / 2;

    pl_stage->fibers.default_stack = limited ? limit.rlim_cur : 8 << 20;
    pl_stage->fibers.default_changed = !limited;
}

/* A strategy has seen that there can be a deadlock. */
static void foresee(const struct pl_cycle *cycle)
{
    if (pl_detect_wants(PL_DETECT_DEADLOCK) || pl_detect_wants(PL_DETECT_LOCK_ORDER))
        pl_report_predicted(cycle);
}

static void init_strategy(void)
{
    pl_stage->context = (struct pl_strategy_context){
        .settings = &pl_board->settings,
        .arena = pl_board->arena,
        .arena_size = sizeof(pl_board->arena),
        .steps = pl_board->steps,
        .n_steps = pl_board->n_steps,
        .divergence = &pl_board->divergence,
        .board = pl_board,
        .coverage = &pl_board->coverage,
        .predict = foresee,
        .parked = pl_spin_is_parked,
        .hapset = &pl_common->hapset,
        .reads_from = &pl_common->reads_from,
        .stack = pl_pairs_stack,
        .aims = pl_aim_left,
        .risk = pl_board->settings.risk ? pl_cover_risk : NULL,
    };
    pl_stage->strategy = pl_strategy_find(pl_board->settings.strategy);
    /* A schedule may switch at any access, known to be shared or not. */
    if (pl_stage->strategy != NULL && pl_strategy_is(pl_stage->strategy, PL_TRAIT_REPLAYS))
        pl_board->settings.points_all = true;
    if (pl_stage->strategy != NULL && pl_strategy_is(pl_stage->strategy, PL_TRAIT_FREE)) {
        pl_board->settings.carrier = PL_CARRIER_FREE;
        pl_board->settings.record_inputs = PL_INPUTS_WORLD | PL_INPUTS_CLOCKS;
    }
    if (pl_stage->strategy == NULL) {
        pl_board->error_class = PL_ERR_USER;
        pl_text_format(pl_board->error, sizeof(pl_board->error), "there is no strategy '%s'",
                       pl_board->settings.strategy);
    }
}

static void fail(const char *file, int line, const char *function, const char *text, void *pc)
{
    pl_process_assertion(file, line, function, text, (uint64_t)pc);
}

/* main() is wrapped so that returning from it is a call of the interposed exit(). */
static int (*real_main)(int, char **, char **);

static void arrive(void)
{
    pl_join_arrive((uint64_t)real_main);
}

/* ---- who stands above whom ---- */

static const struct pl_descriptor simple = {.enabled = NULL};

#define PL_SIMPLE(name)
#define PL_MODELLED(name) extern const struct pl_descriptor pl_describe_##name;
#define PL_OP(name, text, phrase, model, ...) PL_##model(name)
#include "model/operation.def"
#undef PL_OP
#undef PL_SIMPLE
#undef PL_MODELLED

static const struct pl_descriptor *const descriptors[PL_OP_KINDS] = {
#define PL_SIMPLE(name) &simple
#define PL_MODELLED(name) &pl_describe_##name
#define PL_OP(name, text, phrase, model, ...) PL_##model(name),
#include "model/operation.def"
#undef PL_OP
#undef PL_SIMPLE
#undef PL_MODELLED
};

/* In the order in which they are told.  Statements are given to operations after coverage, which
 * may have looked them up. */
static const struct pl_observer *const observers[] = {
    &pl_trace_observer,   &pl_class_observer,   &pl_measure_observer,  &pl_strategy_observer,
    &pl_cover_observer,   &pl_cover_statements, &pl_segments_observer, &pl_marks_observer,
    &pl_meeting_observer, &pl_sought_observer,  &pl_pairs_observer,    &pl_aim_observer,
    &pl_outputs_observer, &pl_sites_observer,   &pl_starve_observer,   NULL,
};

/* Whether it says anything that the simple one does not. */
static bool is_described(const struct pl_descriptor *d)
{
    return d->enabled != NULL || d->effect != NULL || d->holder != NULL || d->waits_for != NULL ||
           d->may_leave != NULL || d->may_fail != NULL || d->pause != NULL ||
           d->native_blocked != NULL || d->native_holder != NULL;
}

/* The tables are whole: nobody asks again whether what he wants is there. */
static void check_tables(void)
{
    const unsigned n = sizeof(observers) / sizeof(observers[0]);

    for (unsigned kind = 0; kind < PL_OP_KINDS; kind++) {
        PL_ASSERT(descriptors[kind] != NULL);
        PL_ASSERT(descriptors[kind] == &simple || is_described(descriptors[kind]));
    }
    _Static_assert(sizeof(observers) / sizeof(observers[0]) <= PL_OBSERVERS + 1, "there is room");
    PL_ASSERT(observers[n - 1] == NULL);
    for (unsigned i = 0; i + 1 < n; i++)
        PL_ASSERT(observers[i] != NULL);
    PL_ASSERT(pl_ports.findings != NULL && pl_ports.restart != NULL);
    PL_ASSERT(pl_ports.free != NULL && pl_ports.process != NULL && pl_ports.client != NULL);
}

/* What the lower rooms ask of the upper ones; see ground/ports.h. */
static void hand_over(void)
{
    pl_ports = (struct pl_ports){
        .findings = &pl_deadlock_port,
        .restart = &pl_restart_port,
        .free = &pl_free_port,
        .process = &pl_process_port,
        .client = &pl_client_port,
        .cancelled = pl_cancel_act,
        .inherit = pl_own_inherit,
        .ask = pl_own_ask,
        .adopt = pl_native_adopt,
        .before = pl_native_before,
        .after = pl_native_after,
        .forget_descriptor = pl_epoll_forget,
        .exposed = pl_spin_exposed,
    };
    pl_descriptor_learn(descriptors);
    pl_calls_learn(&pl_calls_rows);
    pl_observers = observers;
    pl_fiber_body = pl_thread_body;
    plait_runtime_gate.fail = fail;
    plait_runtime_gate.marked = pl_section_marked;
    plait_runtime_gate.begin = pl_section_begin;
    plait_runtime_gate.end = pl_section_end;
    plait_runtime_gate.test = pl_section_test;
    check_tables();
}

/* Another process of the campaign's program: it counts its threads, and is on its own otherwise;
 * or one that may become a program which is not. */
static void start_aside(const struct relation *r)
{
    pl_stage->process.child = map_board(r);
    clean_environment();
    if (pl_stage->process.child)
        pl_stage->clock.ahead = pl_board->clock_ahead;
    if (!r->through || !pl_stage->process.child)
        return;
    pl_stage->process.coming = r->number;
    pl_company_expected(r->number, (int32_t)pl_sys(SYS_getpid));
}

/* What a process of the execution that is under way has to itself, and one that begins has. */
static void start_own(const struct relation *r)
{
    if (r->joins) {
        static struct pl_restart_port port;

        port = pl_restart_port;
        port.root = arrive;
        pl_ports.restart = &port;
        pl_join_begin(r->number);
        return;
    }
    pl_stage->now = PL_CLOCK_REAL * 1000000000;
    pl_file_times_start();
    init_main_thread();
}

static void start_worker(const struct relation *r)
{
    map_at(PL_SHADOW_ADDRESS, PL_SHADOW_SIZE);
    pl_stage->fibers.have_wrfsbase = (getauxval(AT_HWCAP2) & 2) != 0;
    pl_stage->rng = pl_hash_mix(pl_board->settings.seed);
    find_default_stack();
    PL_ASSERT(pl_board->slot < PL_WORKERS_MAX && pl_common->n_workers <= PL_WORKERS_MAX);
    start_own(r);
    init_strategy();
    pl_carried_begin();
    pl_fiber_init();
    clean_environment();
    pl_free_init();
    pl_native_decide();
    if (pl_native)
        pl_board->settings.record_inputs = 0; /* there will be no schedule */
    if (pl_native)
        pl_native_gate_open(&plait_runtime_gate);
    else if (pl_free)
        pl_free_gate_open(&plait_runtime_gate);
    if (!r->joins) {
        pl_board->keeper_pid = (int32_t)pl_sys(SYS_getpid);
        pl_feed_start();
    }
    pl_stacks_init();
    pl_observer_choose(false);
    pl_active = true;
    pl_place_modules();
    pl_deadly_init();
    pl_others_init();
    if (pl_native)
        pl_native_init();
    if (!r->joins && pl_board->restart == PL_RESTART_EXEC)
        pl_keeper_resume_exec();
    if (!r->joins)
        pl_inputs_start();
    pl_files_start();
}

static void start(void)
{
    if (pl_ready)
        return;
    map_at(PL_STAGE_ADDRESS, sizeof(struct pl_stage));
    map_at(PL_HEAP_ADDRESS, PL_HEAP_SIZE);
    pl_ready = true; /* from here on malloc() works */
    pl_assert_handle(tell_bug);
    pl_stage->busy = 1;
    hand_over();
    pl_real_init();
    pl_libc_memory_init();
    pl_stdio_init();
    pl_streams_init();
    pl_libstdcxx_init();
    pl_words_init();
    pl_functions_init();
    pl_formats_init();
    pl_statics_init();
    pl_tokens_init();
    pl_converted_init();
    pl_answers_init();
    struct relation r = read_relation();

    if (r.any)
        pl_fd_begin((int)r.fd);
    if (r.of_parent || r.through)
        start_aside(&r);
    else if (map_board(&r) && map_common())
        start_worker(&r);
    pl_stage->busy = 0;
}

PL_STARTER(start);

/* Called by ld.so in the order of loading; the program's own constructors come later. */
__attribute__((constructor(101))) static void construct(void)
{
    start();
}

/* At the beginning of main(): that is the root. */
static void begin_client(void)
{
    const char *why = pl_client_load();

    if (why != NULL) {
        pl_board->error_class = PL_ERR_TARGET;
        pl_text_format(pl_board->error, sizeof(pl_board->error),
                       "the client could not be loaded: %s. Try it by itself.", why);
        pl_account_finish(PL_WHY_ERROR);
    }
    pl_client_begin((uint64_t)real_main + 1);
}

static int wrapped_main(int argc, char **argv, char **envp)
{
    if (pl_active) {
        pl_thread_by_id(pl_stage->process.first)->stack_high = (uint64_t)__builtin_frame_address(0);
        clean_late();
        pl_place_modules();
        arrive();
        if (pl_board->settings.client_words > 0 && pl_stage->process.coming == 0)
            begin_client();
    }
    exit(real_main(argc, argv, envp));
}

PL_EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                                void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                                void *stack_end);

PL_EXPORT int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv,
                                void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                                void *stack_end)
{
    start();
    if (real_main != NULL)
        pl_client_run(main, argc, argv);
    real_main = main;
    pl_process_at_exit();
    pl_fork_init();
    return pl_real.start_main(wrapped_main, argc, argv, init, fini, rtld_fini, stack_end);
}
