/* SPDX-License-Identifier: MIT */
/* What campaigns came to for orders of pairs: merged, and as a file. */
#include "unit.h"

#include "trace/known.h"

#include <stdlib.h>
#include <unistd.h>

static struct pl_known_order order(uint64_t first, enum pl_known_status status, const char *why)
{
    struct pl_known_order o = {
        .first = first, .second = 9, .kind = PL_PAIR_RW, .status = status, .attempts = 2};

    o.of[PL_JUDGED_BRANCH] = 1;
    snprintf(o.why, sizeof(o.why), "%s", why);
    return o;
}

static void add(struct pl_known *k, uint64_t first, enum pl_known_status status, const char *why)
{
    struct pl_known_order o = order(first, status, why);

    pl_known_add(k, &o);
}

static void what_was_shown_stays_shown(void)
{
    struct pl_known k = {0};

    add(&k, 1, PL_KNOWN_OPEN, "a");
    add(&k, 1, PL_KNOWN_IMPOSSIBLE, "b");
    CHECK(k.n == 1 && k.orders[0].status == PL_KNOWN_IMPOSSIBLE);
    add(&k, 1, PL_KNOWN_SHOWN, "");
    add(&k, 1, PL_KNOWN_OPEN, "c");
    const struct pl_known_order *o = pl_known_find(&k, PL_PAIR_RW, 1, 9);

    CHECK(o != NULL && o->status == PL_KNOWN_SHOWN && o->attempts == 8);
    CHECK(o->of[PL_JUDGED_BRANCH] == 4 && o->why[0] == '\0');
    CHECK(pl_known_find(&k, PL_PAIR_MM, 1, 9) == NULL &&
          pl_known_find(&k, PL_PAIR_RW, 9, 1) == NULL);
    pl_known_free(&k);
}

static void a_file_holds_all_of_it(void)
{
    char path[] = "/tmp/plait-known-XXXXXX";
    struct pl_known k = {0}, back = {0};
    struct pl_err err = {0};
    int fd = mkstemp(path);

    CHECK(fd >= 0 && close(fd) == 0 && unlink(path) == 0);
    CHECK(pl_known_read(&back, path, &err) == 0 && back.n == 0); /* there is none */
    for (unsigned status = 0; status < PL_KNOWN_STATUSES; status++)
        add(&k, 100 + status, (enum pl_known_status)status, "it \"went\" away");
    snprintf(k.orders[3].schedule, sizeof(k.orders[3].schedule), "x.plait");
    k.orders[3].execution = 7;
    CHECK(pl_known_write(&k, path, &err) == 0);
    CHECK(pl_known_read(&back, path, &err) == 0 && back.n == k.n);
    for (size_t i = 0; i < k.n && i < back.n; i++) {
        CHECK(back.orders[i].status == k.orders[i].status);
        CHECK(back.orders[i].first == k.orders[i].first && back.orders[i].attempts == 2);
        CHECK(back.orders[i].of[PL_JUDGED_BRANCH] == 1);
        CHECK(back.orders[i].execution == k.orders[i].execution);
        CHECK_STR(back.orders[i].why, "it \"went\" away");
        CHECK_STR(back.orders[i].schedule, k.orders[i].schedule);
    }
    pl_known_free(&back);
    static const char *const bad[] = {
        "", "[]", "{\"format\": \"x\"}",
        "{\"format\": \"plait pairs\", \"version\": 1, \"orders\": [{}]}"};

    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        FILE *f = fopen(path, "w");

        CHECK(f != NULL && fputs(bad[i], f) >= 0 && fclose(f) == 0);
        if (strcmp(bad[i], "[]") == 0)
            continue; /* nothing is in it */
        CHECK(pl_known_read(&back, path, &err) != 0 && back.n == 0);
    }
    unlink(path);
    pl_known_free(&k);
}

int main(void)
{
    what_was_shown_stays_shown();
    a_file_holds_all_of_it();
    return unit_result();
}
