/* SPDX-License-Identifier: MIT */
/*
 * The functions of plait.h: passed through the gate, or with their native
 * meaning.  No stdio: the program may fail while it holds a lock of stdio.
 */
#include "gate/gate.h"
#include "plait.h"

#include <stdlib.h>
#include <unistd.h>

/* A line of text; what does not fit is cut off. */
struct line {
    char text[512];
    size_t n;
};

static void append(struct line *to, const char *text)
{
    while (*text && to->n < sizeof(to->text))
        to->text[to->n++] = *text++;
}

static void append_number(struct line *to, int number)
{
    char digits[12];
    char *at = digits + sizeof(digits) - 1;

    *at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    append(to, at);
}

unsigned plait_choose(unsigned n)
{
    const struct pl_gate *gate = pl_gate_now;

    return gate ? gate->choose(n, PL_GATE_PC) : 0;
}

void plait_assume(int condition)
{
    const struct pl_gate *gate = pl_gate_now;

    if (gate && !condition)
        gate->give_up(PL_GATE_PC);
}

int plait_active(void)
{
    return pl_gate_now != NULL;
}

/* A line number is never negative, so append_number() knows no sign. */
static void tell(const char *file, int line, const char *function, const char *text)
{
    struct line out = {.n = 0};

    append(&out, file);
    append(&out, ":");
    append_number(&out, line);
    append(&out, ": ");
    append(&out, function);
    append(&out, ": plait_assert(");
    append(&out, text);
    append(&out, ") failed\n");
    if (write(STDERR_FILENO, out.text, out.n) < 0)
        return; /* the abort will have to speak for itself */
}

void plait_fail(const char *file, int line, const char *function, const char *text)
{
    const struct pl_gate *gate = pl_gate_now;

    if (gate)
        gate->fail(file, line, function, text, PL_GATE_PC);
    else
        tell(file, line, function, text);
    abort();
}
