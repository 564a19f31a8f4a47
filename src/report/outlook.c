/* SPDX-License-Identifier: MIT */
/* How much is still to come, in words: with two digits, since it is an estimate. */
#include "base/assert.h"
#include "report/report.h"

#include <string.h>

/* "1,234,567" */
static void with_commas(char *to, size_t size, double value)
{
    char digits[32];
    PL_ASSERT(value >= 0 && size > 0);
    size_t n = (size_t)snprintf(digits, sizeof(digits), "%.0f", value), used = 0;

    for (size_t i = 0; i < n && used + 2 < size; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            to[used++] = ',';
        to[used++] = digits[i];
    }
    to[used] = '\0';
}

static double two_digits(double value)
{
    double unit = 1;

    while (value / unit >= 100)
        unit *= 10;
    return unit * (double)(unsigned)(value / unit + 0.5);
}

/* A number of executions, at most 13 letters. */
static void amount(char *to, size_t size, double value)
{
    if (value >= 1e15)
        snprintf(to, size, "%.0e", value);
    else if (value >= 1e12)
        snprintf(to, size, "%.3g trillion", two_digits(value) / 1e12);
    else if (value >= 1e9)
        snprintf(to, size, "%.3g billion", two_digits(value) / 1e9);
    else
        with_commas(to, size, two_digits(value));
}

static void percent(char *to, size_t size, double share)
{
    snprintf(to, size, share > 0.995 ? "100" : share >= 0.1 ? "%.0f" : "%.2g", share * 100);
}

void pl_outlook_text(char *to, size_t size, const struct pl_outlook *o)
{
    char value[32], low[32], high[32];

    to[0] = '\0';
    if (o->kind == PL_OUTLOOK_LEFT) {
        amount(value, sizeof(value), o->value);
        amount(low, sizeof(low), o->low);
        amount(high, sizeof(high), o->high);
        snprintf(to, size, "about %s (%s to %s) executions left", value, low, high);
    } else if (o->kind == PL_OUTLOOK_NEW_CLASS) {
        percent(value, sizeof(value), o->value);
        percent(low, sizeof(low), o->low);
        percent(high, sizeof(high), o->high);
        snprintf(to, size, "%s %% (%s to %s) of further executions show a new class", value, low,
                 high);
    }
}
