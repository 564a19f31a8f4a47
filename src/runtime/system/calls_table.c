/* SPDX-License-Identifier: MIT */
/*
 * The rows of calls for those whom the rows name: calls.c and what it asks.  Learned at the start,
 * so that nobody needs whoever needs him.
 */
#include "base/assert.h"
#include "runtime/system/calls_rows.h"

static const struct pl_calls_table *table;

void pl_calls_learn(const struct pl_calls_table *rows)
{
    PL_ASSERT(rows != NULL && rows->of != NULL && rows->same != NULL);
    table = rows;
}

const struct pl_calls_row *pl_calls_row(long number)
{
    return table->of(number);
}

pl_syscall_function *pl_calls_same(long number)
{
    return table->same(number);
}
