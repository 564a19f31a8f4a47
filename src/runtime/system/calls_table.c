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
    PL_ASSERT(rows != NULL && rows->of != NULL && rows->has_function != NULL);
    table = rows;
}

const struct pl_calls_row *pl_calls_row(long number)
{
    return table->of(number);
}

bool pl_calls_has_function(long number)
{
    return table->has_function(number);
}

long pl_calls_call_function(long number, const uint64_t a[6])
{
    return table->call_function(number, a);
}
