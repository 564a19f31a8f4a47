/* SPDX-License-Identifier: MIT */
/*
 * All detectors, by what their rows in model/detectors.def and the rows of their findings in
 * model/finding.def say of them: a new detector is tested here by being in the table; what only
 * it finds has a test of its own.
 */
#include "unit.h"

#include "detect_host.h"
#include "model/detector.h"

enum { X = 0x1000, A = 0x2000, B = 0x3000 };

static const struct pl_detector_part *part; /* that is tested */

/* ---- what threads do; a detector need not want to know ---- */

static void lock(pl_tid tid, uint64_t addr)
{
    host_acquire((struct pl_sync){.kind = PL_SYNC_LOCK,
                                  .object = PL_OBJECT_MUTEX,
                                  .tid = tid,
                                  .other = PL_TID_NONE,
                                  .addr = addr,
                                  .op = PL_OP_MUTEX_LOCK,
                                  .pc = addr + tid});
}

static void write(pl_tid tid)
{
    if (part->access != NULL)
        host_write(tid, X, 8, 0x100u + tid);
}

/* Each of two threads writes with two locks, in the same order or in different ones, or none. */
static void work(bool locks, bool crossed)
{
    for (pl_tid tid = 1; tid <= 2; tid++)
        host_thread(PL_SYNC_CREATE, 0, tid);
    for (unsigned i = 0; i < 4; i++) {
        pl_tid tid = (pl_tid)(1 + i % 2);
        uint64_t first = crossed && tid == 2 ? B : A, second = first == A ? B : A;

        if (locks) {
            lock(tid, first);
            lock(tid, second);
        }
        if (!crossed)
            write(tid);
        if (locks) {
            host_unlock(tid, second);
            host_unlock(tid, first);
        }
    }
}

static unsigned found(void)
{
    return host.n_findings + host.n_predicted;
}

/* ---- what holds for all ---- */

static void a_program_that_keeps_all_rules_is_left_alone(void)
{
    host_begin(part);
    work(true, false);
    CHECK(found() == 0 && !host.full);
}

/* What it finds bears its name, and the execution goes on with it. */
static void findings_are_what_the_rows_say(void)
{
    const struct pl_detector_row *row = &pl_detector_rows[part->detector];
    unsigned kind = pl_finding_find(row->text);

    host_begin(part);
    work(false, false);
    work(true, true);
    CHECK(found() > 0);
    for (unsigned i = 0; i < host.n_findings; i++)
        CHECK(host.findings[i].kind == kind);
    CHECK(kind < PL_FINDING_KINDS && pl_finding_is(kind, PL_FINDING_IS_NOTED));
    CHECK(!pl_finding_ends(kind));
    CHECK(host.n_predicted == 0 || pl_finding_is(kind, PL_FINDING_IS_PENDING_DEADLOCK));
}

/* What one execution has shown is not known in another. */
static void every_execution_begins_with_nothing(void)
{
    unsigned first = found();

    host_begin(part);
    work(true, false);
    CHECK(found() == 0);
    host_begin(part);
    work(false, false);
    work(true, true);
    CHECK(found() == first);
}

static void without_memory_nothing_is_found(void)
{
    host_reset(part);
    host.room = 0;
    part->start();
    work(false, false);
    work(true, true);
    CHECK(found() == 0);
}

/* ---- rows ---- */

static void rows_of_detectors_and_findings_agree(void)
{
    for (unsigned i = 0; i < PL_DETECTORS; i++) {
        const struct pl_detector_row *row = &pl_detector_rows[i];
        unsigned kind = pl_finding_find(row->text);
        bool predicts = (row->traits & PL_DETECTOR_PREDICTS) != 0;

        CHECK(kind < PL_FINDING_KINDS);
        CHECK(predicts == pl_finding_is(kind, PL_FINDING_IS_PREDICTED));
        CHECK(((row->traits & PL_DETECTOR_FORESEES_DEADLOCKS) != 0) ==
              pl_finding_is(kind, PL_FINDING_IS_PENDING_DEADLOCK));
        CHECK(!predicts || (row->traits & PL_DETECTOR_USUAL) == 0);
    }
    for (unsigned kind = 0; kind < PL_FINDING_KINDS; kind++) {
        bool noted = pl_finding_is(kind, PL_FINDING_IS_NOTED);

        CHECK(pl_finding_find(pl_finding_text(kind)) == kind);
        CHECK(pl_finding_ends(kind) == !noted);
        CHECK(noted || !pl_finding_is(kind, PL_FINDING_IS_PREDICTED | PL_FINDING_IS_WANTED));
        CHECK(pl_finding_is(kind, PL_FINDING_IS_PREDICTED) ||
              !pl_finding_is(kind, PL_FINDING_IS_DRIVABLE | PL_FINDING_IS_PENDING_DEADLOCK));
    }
    CHECK(!pl_finding_is(PL_FINDING_KINDS, ~0u));
}

static void parts_stand_in_the_order_of_the_rows(void)
{
    unsigned n = 0;

    for (; pl_detector_parts[n] != NULL; n++) {
        CHECK(pl_detector_parts[n]->detector < PL_DETECTORS);
        CHECK(n == 0 || pl_detector_parts[n - 1]->detector < pl_detector_parts[n]->detector);
    }
    CHECK(n > 0);
}

int main(void)
{
    rows_of_detectors_and_findings_agree();
    parts_stand_in_the_order_of_the_rows();
    for (unsigned i = 0; pl_detector_parts[i] != NULL; i++) {
        part = pl_detector_parts[i];
        a_program_that_keeps_all_rules_is_left_alone();
        findings_are_what_the_rows_say();
        every_execution_begins_with_nothing();
        without_memory_nothing_is_found();
    }
    return unit_result();
}
