/* SPDX-License-Identifier: MIT */
/*
 * The memory that workers share: the lock excludes, and what a worker leaves
 * behind when it dies in the middle of a change is completed.
 */
#include "unit.h"

#include "model/common.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEAD = 2, OTHER = 1, TURNS = 100000 };

static struct pl_common *common;
static struct pl_board *board;

static void *reserve(size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                0);
}

/* A worker of three that has taken the lock, and died. */
static void fresh(void)
{
    if (common != NULL) {
        munmap(common, sizeof(*common));
        munmap(board, sizeof(*board));
    }
    common = reserve(sizeof(*common));
    board = reserve(sizeof(*board));
    common->n_workers = 3;
    common->epoch = 5;
    board->slot = DEAD;
    pl_common_lock(common, DEAD);
}

static void recover(void)
{
    pl_common_recover(common, board);
    CHECK(common->lock == 0);
}

static void the_lock_excludes(void)
{
    uint64_t *n;

    fresh();
    pl_common_unlock(common);
    n = &common->failures;
    for (unsigned slot = 0; slot < 3; slot++) {
        if (fork() != 0)
            continue;
        for (unsigned i = 0; i < TURNS; i++) {
            pl_common_lock(common, slot);
            uint64_t seen = *(volatile uint64_t *)n;

            if (i % 1000 == 0)
                usleep(1); /* long enough that others go to sleep */
            *(volatile uint64_t *)n = seen + 1;
            pl_common_unlock(common);
        }
        _exit(0);
    }
    for (unsigned slot = 0; slot < 3; slot++)
        CHECK(wait(NULL) > 0);
    CHECK(*n == 3 * TURNS);
    CHECK(common->lock == 0);
}

static void who_waits_for_a_dead_worker_goes_on(void)
{
    int status = -1;

    fresh();
    pid_t waiter = fork();

    if (waiter == 0) {
        pl_common_lock(common, OTHER);
        pl_common_unlock(common);
        _exit(0);
    }
    usleep(20000);
    CHECK(waitpid(waiter, &status, WNOHANG) == 0);
    recover();
    CHECK(waitpid(waiter, &status, 0) == waiter && status == 0);
}

static void only_ones_own_lock_is_given_back(void)
{
    fresh();
    pl_common_unlock(common);
    pl_common_lock(common, OTHER);
    board->in_hand = true;
    board->execution = 9;
    pl_common_recover(common, board);
    CHECK(common->lock != 0 && common->tickets == 0);
}

static void a_number_that_was_being_taken_is_taken(void)
{
    fresh();
    common->tickets = 7;
    board->execution = 8;
    board->in_hand = true;
    recover();
    CHECK(common->tickets == 8);

    fresh();
    common->tickets = 7;
    board->execution = 8; /* died before it was in hand */
    recover();
    CHECK(common->tickets == 7);
}

static void a_part_that_was_being_given_is_given(void)
{
    fresh();
    common->seats[OTHER].state = PL_SEAT_IDLE;
    common->n_idle = 1;
    board->giving = OTHER + 1;
    recover();
    CHECK(common->seats[OTHER].state == PL_SEAT_GIVEN);
    CHECK(board->giving == PL_GIVING_DONE); /* what is left is to cut it out of one's own work */
    CHECK(common->n_idle == 0);

    common->seats[OTHER].state = PL_SEAT_BUSY; /* it has been taken up */
    pl_common_lock(common, DEAD);
    recover();
    CHECK(common->seats[OTHER].state == PL_SEAT_BUSY);
}

static void the_root_is_taken_once(void)
{
    fresh();
    common->seats[DEAD].state = PL_SEAT_BUSY;
    board->epoch = common->epoch;
    recover();
    CHECK(common->root_epoch == common->epoch);

    fresh();
    common->seats[DEAD].state = PL_SEAT_BUSY;
    board->epoch = common->epoch - 1; /* it has work, but of an epoch that is over */
    recover();
    CHECK(common->root_epoch != common->epoch);
}

static void an_epoch_that_was_ending_has_ended(void)
{
    fresh();
    common->class_capacity = 4;
    common->class_top = 8;
    common->class_slots[5] = 77;
    common->classes = 1;
    pl_incomplete_add(&common->incomplete, PL_INCOMPLETE_UNFAIR | PL_INCOMPLETE_BLIND);
    common->growing = true;
    recover();
    CHECK(common->epoch == 6 && !common->growing);
    CHECK(common->incomplete == PL_INCOMPLETE_BLIND); /* which holds for ever */
    common->incomplete = 0;
    CHECK(common->classes == 0 && common->class_slots[5] == 0 && common->class_capacity == 0);
}

static void a_round_that_was_ending_has_ended(void)
{
    fresh();
    common->root_epoch = common->epoch;
    common->round = 2;
    common->incomplete = PL_INCOMPLETE_LEFT_OUT;
    common->next_round = 3; /* it died before anything else followed */
    recover();
    CHECK(common->round == 3 && common->incomplete == 0 && common->root_epoch != common->epoch);

    fresh();
    common->root_epoch = common->epoch;
    common->round = common->next_round = 2;
    common->incomplete = PL_INCOMPLETE_LEFT_OUT;
    recover(); /* it died with other things in hand */
    CHECK(common->round == 2 && common->incomplete == PL_INCOMPLETE_LEFT_OUT &&
          common->root_epoch == common->epoch);

    fresh();
    common->round = common->next_round = 2;
    common->growing = true;
    recover();
    CHECK(common->round == 0 && common->next_round == 0); /* rounds begin anew with an epoch */
}

static void classes_are_counted_again(void)
{
    fresh();
    common->class_capacity = 4;
    common->class_slots[5] = 77;
    common->class_slots[7] = 79; /* died before it counted this one */
    common->class_slots[3] = 77; /* of the set before it grew */
    common->classes = 1;
    recover();
    CHECK(common->classes == 2);
}

static void everybody_is_told_the_first_reason_to_end(void)
{
    fresh();
    pl_common_unlock(common);
    common->seats[0].state = PL_SEAT_BUSY;
    common->seats[OTHER].state = PL_SEAT_IDLE;
    pl_common_end(common, PL_WHY_FINDING);
    pl_common_end(common, PL_WHY_COMPLETE);
    CHECK(common->why == PL_WHY_FINDING);
    CHECK(common->seats[0].state == PL_SEAT_BUSY && common->seats[OTHER].state == PL_SEAT_CALLED);
}

int main(void)
{
    the_lock_excludes();
    who_waits_for_a_dead_worker_goes_on();
    only_ones_own_lock_is_given_back();
    a_number_that_was_being_taken_is_taken();
    a_part_that_was_being_given_is_given();
    the_root_is_taken_once();
    an_epoch_that_was_ending_has_ended();
    a_round_that_was_ending_has_ended();
    classes_are_counted_again();
    everybody_is_told_the_first_reason_to_end();
    return unit_result();
}
