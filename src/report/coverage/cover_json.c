/* SPDX-License-Identifier: MIT */
/* See cover.h: the object of `plait coverage --json`; plait-coverage(1) lists its members. */
#include "report/coverage/cover.h"
#include "trace/value.h"

static json_t *of_list(const struct pl_cover_list *list)
{
    json_t *a = json_array();

    for (size_t i = 0; i < list->n; i++)
        json_array_append_new(a, pl_value_text(list->lines[i]));
    return a;
}

static json_t *of_model(const struct pl_cover_view *v, unsigned model)
{
    json_t *o = json_object();

    json_object_set_new(o, "covered", pl_value_number(v->sum.covered[model]));
    json_object_set_new(o, "total", pl_value_number(v->sum.total[model]));
    json_object_set_new(o, "tasks", of_list(&v->covered[model]));
    json_object_set_new(o, "uncovered", of_list(&v->open[model]));
    json_object_set_new(o, "uncoverable", of_list(&v->never[model]));
    if (v->open[model].more > 0)
        json_object_set_new(o, "uncovered_more", pl_value_number(v->open[model].more));
    return o;
}

static json_t *of_growth(const struct pl_cover_view *v)
{
    json_t *list = json_array();

    for (unsigned i = 0; i < PL_COVER_GROWTH; i++) {
        json_t *o = json_object();

        json_object_set_new(o, "executions", pl_value_number(v->growth[i].executions));
        json_object_set_new(o, "m1", pl_value_number(v->growth[i].covered[0]));
        json_object_set_new(o, "m2", pl_value_number(v->growth[i].covered[1]));
        json_object_set_new(o, "m3", pl_value_number(v->growth[i].covered[2]));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_rows(const struct pl_cover_view *v)
{
    json_t *list = json_array();

    for (size_t i = 0; i < v->n_rows; i++) {
        const struct pl_cover_row *r = &v->rows[i];
        json_t *o = json_object();

        json_object_set_new(o, "module", pl_value_text(r->function->module));
        json_object_set_new(o, "name", pl_value_text(r->function->name));
        json_object_set_new(o, "file", pl_value_text(r->function->file));
        json_object_set_new(o, "interrupted",
                            json_boolean(r->function->interrupted.execution != 0));
        json_object_set_new(o, "whole", json_boolean(r->function->whole.execution != 0));
        json_object_set_new(o, "interrupted_by", pl_value_number(r->partners));
        json_object_set_new(o, "interrupted_by_total", pl_value_number(r->partners_total));
        json_object_set_new(o, "pairs", pl_value_number(r->pairs));
        json_object_set_new(o, "pairs_total", pl_value_number(r->pairs_total));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_sets(const struct pl_cover_view *v)
{
    json_t *list = json_array();

    for (size_t i = 0; i < v->n_sets; i++) {
        json_t *o = json_object();

        json_object_set_new(o, "statement", pl_value_text(v->sets[i].statement));
        json_object_set_new(o, "predecessors", of_list(&v->sets[i].predecessors));
        json_array_append_new(list, o);
    }
    return list;
}

/* Whatever has no line has only its place. */
static json_t *of_statements(const struct pl_cover_view *v)
{
    json_t *list = json_array();

    for (size_t i = 0; i < v->set->n_statements; i++) {
        const struct pl_covered_statement *s = &v->set->statements[i];
        const struct pl_covered_function *f = &v->set->functions[s->function];
        json_t *o = json_object();

        json_object_set_new(o, "place", pl_value_text(s->place));
        if (v->places[i].line != 0) {
            json_object_set_new(o, "file", pl_value_text(v->places[i].file));
            json_object_set_new(o, "line", pl_value_number(v->places[i].line));
        }
        if (v->places[i].column != 0)
            json_object_set_new(o, "column", pl_value_number(v->places[i].column));
        json_object_set_new(o, "operation", pl_value_text(s->operation));
        json_object_set_new(o, "function", pl_value_text(f->name));
        json_object_set_new(o, "module", pl_value_text(f->module));
        json_object_set_new(o, "caller", pl_value_text(s->caller));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_order(const struct pl_cover_view *v, const struct pl_covered_order *order)
{
    static const char *const states[] = {"covered", "uncovered", "impossible"};
    json_t *o = json_object();

    json_object_set_new(o, "before", pl_value_number(order->a));
    json_object_set_new(o, "after", pl_value_number(order->b));
    json_object_set_new(o, "state", pl_value_text(states[order->state]));
    if (order->why != PL_COVERED_WHY_NOT) {
        char reason[1400];

        pl_cover_view_reason(v->set, order, reason, sizeof(reason));
        json_object_set_new(o, "reason", pl_value_text(reason));
    }
    if (order->why == PL_COVERED_APART)
        json_object_set_new(o, "locks", json_pack("[ii]", order->locks[0], order->locks[1]));
    json_object_set_new(o, "m3", json_boolean(order->pair));
    json_object_set_new(o, "good", json_boolean(order->good));
    json_object_set_new(o, "tried", json_boolean(order->tried));
    if (order->state == PL_COVERED_SHOWN)
        json_object_set_new(o, "execution",
                            pl_value_number(pl_covered_position(v->set, order->first)));
    return o;
}

static json_t *of_orders(const struct pl_cover_view *v)
{
    json_t *list = json_array();

    for (size_t i = 0; i < v->orders.n; i++)
        json_array_append_new(list, of_order(v, &v->orders.items[i]));
    return list;
}

/* Execution, tasks of M1, M2 and M3 after it. */
static json_t *of_curve(const struct pl_cover_view *v)
{
    json_t *list = json_array();

    for (size_t i = 0; i < v->curve.n; i++) {
        json_t *point = json_array();

        json_array_append_new(point, pl_value_number(v->curve.points[i].at));
        for (unsigned m = 0; m < PL_COVERED_MODELS; m++)
            json_array_append_new(point, pl_value_number(v->curve.points[i].covered[m]));
        json_array_append_new(list, point);
    }
    return list;
}

static json_t *of_starts(const struct pl_cover_view *v)
{
    json_t *list = json_array();

    for (size_t i = 0; i < v->curve.n_campaigns; i++)
        json_array_append_new(list, pl_value_number(v->curve.starts[i] + 1));
    return list;
}

static json_t *of_pairs(const struct pl_known_sum *p)
{
    json_t *o = json_object();

    json_object_set_new(o, "orders", pl_value_number(p->orders));
    for (unsigned k = 0; k < PL_KNOWN_STATUSES; k++)
        json_object_set_new(o, pl_known_text((enum pl_known_status)k), pl_value_number(p->of[k]));
    return o;
}

int pl_cover_json_write(const char *path, const struct pl_cover_view *v)
{
    json_t *o = json_object();

    json_object_set_new(o, "format", pl_value_text("plait-coverage"));
    json_object_set_new(o, "version", pl_value_number(1));
    json_object_set_new(o, "campaigns", pl_value_number(v->n_campaigns));
    json_object_set_new(o, "executions", pl_value_number(v->sum.executions));
    json_object_set_new(o, "latest", pl_value_number(v->sum.latest));
    json_object_set_new(o, "lost", json_boolean(v->lost));
    json_object_set_new(o, "m1", of_model(v, 0));
    json_object_set_new(o, "m2", of_model(v, 1));
    json_object_set_new(o, "m3", of_model(v, 2));
    if (v->pairs != NULL)
        json_object_set_new(o, "pairs", of_pairs(v->pairs));
    json_object_set_new(o, "growth", of_growth(v));
    json_object_set_new(o, "functions", of_rows(v));
    json_object_set_new(o, "predecessor_sets", of_sets(v));
    json_object_set_new(o, "statements", of_statements(v));
    json_object_set_new(o, "orders", of_orders(v));
    json_object_set_new(o, "curve", of_curve(v));
    json_object_set_new(o, "campaigns_begin_at", of_starts(v));
    return pl_value_write(path, o);
}
