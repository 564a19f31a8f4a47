/* SPDX-License-Identifier: MIT */
/*
 * Value schedules on the little machine: tables of pairs made of its programs, searches to their
 * end, and what came of attempts.
 */
#ifndef VALUES_HOST_H
#define VALUES_HOST_H

#include "unit.h"

#include "machine.h"
#include "model/judged.h"
#include "model/pair.h"
#include "strategy/shared/table.h"

#include <stdlib.h>

enum {
    VALUES_MOST = 1 << 16,
    VALUES_CLASSES = 1 << 14,
    VALUES_PLACES = MACHINE_THREADS * MACHINE_STEPS
};

/* Cells, mutexes and the condition of programs. */
enum {
    X = 0x1000,
    Y = 0x1008,
    Z = 0x1010,
    B = 0x1018,
    M = 0x2000,
    N = 0x2040,
    O = 0x2080,
    C = 0x3000
};

struct values_seen {
    uint64_t class[VALUES_CLASSES];
    unsigned n, executions, whole, aborted, samples, findings;
    bool left_out;
};

extern struct machine values_machine;
extern struct pl_judgements values_verdicts;
extern struct values_seen values_all, values_guided;

/* Of the last search: classes that end with X as it was, or as Y is, and with another value. */
extern unsigned values_passed, values_failed;
/* Of these: with step `values_step` of all, and with that before `values_before`, if it is not 0;
 * and those that end with X below what it was. */
extern uint64_t values_step, values_before;
extern unsigned values_with, values_below;
/* Switches of all searches, each of which was made at a step with a static partner. */
extern unsigned values_switches;
extern bool values_compares_accounts, values_is_pruned;
/* Whether tables say of steps that are always at one object that this is settled. */
extern bool values_settles;

uint64_t values_pc_of(unsigned t, unsigned step);
void values_place_steps(struct machine_program *p);
unsigned values_stack_of(pl_tid tid, uint64_t *pcs, unsigned room, bool *whole);
struct pl_pair_table *values_table_of(const struct machine_program *p, bool coarse);
struct pl_pair_table *values_table_without(const struct machine_program *p, uint64_t addr);
/* All executions of one round of a strategy; false if there are too many. */
bool values_explore_round(const struct pl_strategy *s, const char *parameters,
                          const struct machine_program *p, const struct pl_pair_table *table,
                          uint64_t round, struct values_seen *seen);
bool values_explore(const struct pl_strategy *s, const char *parameters,
                    const struct machine_program *p, const struct pl_pair_table *table,
                    struct values_seen *seen);
/* One whole execution of each class that dfs shows, with every choice of parameters. */
unsigned values_compare(struct machine_program p, bool coarse);
void values_add_update(struct machine_program *p, unsigned t, uint64_t addr, int64_t by);
void values_add_lock(struct machine_program *p, unsigned t, uint64_t mutex);
void values_add_unlock(struct machine_program *p, unsigned t, uint64_t mutex);
void values_add_wait(struct machine_program *p, unsigned t);
void values_add_notify(struct machine_program *p, unsigned t, enum pl_op_kind kind, bool locked);
/* What came of attempts to perform step b of its thread before step a of the other. */
const struct pl_judged *values_judged(const struct pl_pair_table *t, uint64_t a, uint64_t b);
/* Explore and say how step b before step a fared: NULL parameters are the default ones. */
struct pl_judged values_fate(struct machine_program p, bool coarse, uint64_t a, uint64_t b);
/* How many pairs of a kind the table has. */
unsigned values_pairs_of(struct machine_program p, unsigned kind);
/* T1 books 10 to X and to Y, T2 takes them from there; with Y < 0 it sets X to 0. */
struct machine_program values_accounts(bool third);

#endif /* VALUES_HOST_H */
