/* SPDX-License-Identifier: MIT */
/* See known.h. */
#include "trace/known.h"

#include "base/assert.h"
#include "base/file.h"
#include "trace/value.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VERSION = 1 };
static const char format[] = "plait pairs";

const char *pl_known_text(enum pl_known_status status)
{
    static const char *const texts[PL_KNOWN_STATUSES] = {
        [PL_KNOWN_OPEN] = "open",
        [PL_KNOWN_IMPOSSIBLE] = "impossible",
        [PL_KNOWN_SHOWN] = "shown",
        [PL_KNOWN_FAILED] = "failed",
    };

    PL_ASSERT(status < PL_KNOWN_STATUSES);
    return texts[status];
}

static struct pl_known_order *find(const struct pl_known *known, unsigned kind, uint64_t first,
                                   uint64_t second)
{
    for (size_t i = 0; i < known->n; i++) {
        struct pl_known_order *o = &known->orders[i];

        if (o->first == first && o->second == second && o->kind == kind)
            return o;
    }
    return NULL;
}

const struct pl_known_order *pl_known_find(const struct pl_known *known, unsigned kind,
                                           uint64_t first, uint64_t second)
{
    return find(known, kind, first, second);
}

void pl_known_add(struct pl_known *known, const struct pl_known_order *order)
{
    struct pl_known_order *o = find(known, order->kind, order->first, order->second);

    if (o == NULL) {
        if (known->n == known->room) {
            known->room = known->room ? 2 * known->room : 64;
            known->orders =
                pl_err_must(realloc(known->orders, known->room * sizeof(*known->orders)));
        }
        known->orders[known->n++] = *order;
        return;
    }
    uint64_t attempts = o->attempts + order->attempts, of[PL_JUDGED_KINDS];

    for (unsigned k = 0; k < PL_JUDGED_KINDS; k++)
        of[k] = o->of[k] + order->of[k];
    if (order->status > o->status || (order->status == o->status && order->why[0] != '\0'))
        *o = *order;
    o->attempts = attempts;
    memcpy(o->of, of, sizeof(of));
}

void pl_known_free(struct pl_known *known)
{
    free(known->orders);
    *known = (struct pl_known){0};
}

struct pl_known_sum pl_known_sum(const struct pl_known *known, const struct pl_pair_table *t)
{
    struct pl_known_sum sum = {0};
    const struct pl_pair_site *sites = pl_pair_sites(t);

    for (uint32_t i = 0; i < t->n_pairs; i++) {
        const struct pl_pair *p = &pl_pair_pairs(t)[i];

        for (unsigned d = 0; d < (p->a == p->b ? 1 : 2); d++) {
            const struct pl_known_order *o = find(known, p->kind, sites[d == 0 ? p->a : p->b].key,
                                                  sites[d == 0 ? p->b : p->a].key);

            sum.orders++;
            sum.of[o != NULL ? o->status : PL_KNOWN_OPEN]++;
        }
    }
    return sum;
}

/* ---- the file ---- */

static json_t *order_to_json(const struct pl_known_order *o)
{
    char first[32], second[32];
    json_t *to = json_object(), *of = json_object();

    snprintf(first, sizeof(first), "%016" PRIx64, o->first);
    snprintf(second, sizeof(second), "%016" PRIx64, o->second);
    json_object_set_new(to, "kind", json_string(pl_pair_text(o->kind)));
    json_object_set_new(to, "first", json_string(first));
    json_object_set_new(to, "second", json_string(second));
    json_object_set_new(to, "status", json_string(pl_known_text(o->status)));
    json_object_set_new(to, "attempts", pl_value_number(o->attempts));
    for (unsigned k = 0; k < PL_JUDGED_KINDS; k++) {
        if (o->of[k] > 0)
            json_object_set_new(of, pl_judged_text(k), pl_value_number(o->of[k]));
    }
    json_object_set_new(to, "verdicts", of);
    if (o->execution > 0)
        json_object_set_new(to, "execution", pl_value_number(o->execution));
    if (o->why[0] != '\0')
        json_object_set_new(to, "why", pl_value_text(o->why));
    if (o->schedule[0] != '\0')
        json_object_set_new(to, "schedule", pl_value_text(o->schedule));
    return to;
}

int pl_known_write(const struct pl_known *known, const char *path, struct pl_err *err)
{
    json_t *list = json_array(), *all = json_object();
    char beside[4096];

    for (size_t i = 0; i < known->n; i++)
        json_array_append_new(list, order_to_json(&known->orders[i]));
    json_object_set_new(all, "format", json_string(format));
    json_object_set_new(all, "version", json_integer(VERSION));
    json_object_set_new(all, "orders", list);
    int fd = pl_file_draft(path, beside, sizeof(beside));
    int rc = fd >= 0 && close(fd) == 0 ? pl_value_write(beside, all) : (json_decref(all), -1);

    if (rc == 0 && rename(beside, path) == 0)
        return 0;
    if (fd >= 0)
        unlink(beside);
    return pl_err_set(err, PL_ERR_SYSTEM, "%.300s could not be written: %s.", path,
                      strerror(errno));
}

static uint64_t number_of(const json_t *o, const char *key)
{
    json_int_t n = json_integer_value(json_object_get(o, key));

    return n > 0 ? (uint64_t)n : 0;
}

static const char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));

    return text != NULL ? text : "";
}

static bool order_from_json(const json_t *from, struct pl_known_order *o)
{
    unsigned status = 0;

    *o = (struct pl_known_order){.kind = pl_pair_find_kind(text_of(from, "kind")),
                                 .first = strtoull(text_of(from, "first"), NULL, 16),
                                 .second = strtoull(text_of(from, "second"), NULL, 16),
                                 .attempts = number_of(from, "attempts"),
                                 .execution = number_of(from, "execution")};
    while (status < PL_KNOWN_STATUSES &&
           strcmp(text_of(from, "status"), pl_known_text((enum pl_known_status)status)) != 0)
        status++;
    if (o->kind == PL_PAIR_KINDS || status == PL_KNOWN_STATUSES)
        return false;
    o->status = (enum pl_known_status)status;
    for (unsigned k = 0; k < PL_JUDGED_KINDS; k++)
        o->of[k] = number_of(json_object_get(from, "verdicts"), pl_judged_text(k));
    snprintf(o->why, sizeof(o->why), "%s", text_of(from, "why"));
    snprintf(o->schedule, sizeof(o->schedule), "%s", text_of(from, "schedule"));
    return true;
}

int pl_known_read(struct pl_known *known, const char *path, struct pl_err *err)
{
    json_error_t error;
    json_t *all = access(path, F_OK) == 0 ? pl_value_load(path, &error) : json_object();
    const json_t *list = json_object_get(all, "orders");
    struct pl_known read = {0};
    bool ours = json_object_size(all) == 0 || (strcmp(text_of(all, "format"), format) == 0 &&
                                               number_of(all, "version") == VERSION);

    for (size_t i = 0; ours && i < json_array_size(list); i++) {
        struct pl_known_order o;

        ours = order_from_json(json_array_get(list, i), &o);
        if (ours)
            pl_known_add(&read, &o);
    }
    bool is_json = all != NULL;

    json_decref(all);
    if (!is_json || !ours) {
        pl_known_free(&read);
        return pl_err_set(err, PL_ERR_USER,
                          "%.300s is not what `plait test` writes there. Remove it.", path);
    }
    for (size_t i = 0; i < read.n; i++)
        pl_known_add(known, &read.orders[i]);
    pl_known_free(&read);
    return 0;
}
