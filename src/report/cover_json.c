/* SPDX-License-Identifier: MIT */
/* See cover.h: the object of `plait coverage --json`; plait-coverage(1) lists its members. */
#include "report/cover.h"
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

int pl_cover_json_write(const char *path, const struct pl_cover_view *v)
{
    json_t *o = json_object();

    json_object_set_new(o, "campaigns", pl_value_number(v->n_campaigns));
    json_object_set_new(o, "executions", pl_value_number(v->sum.executions));
    json_object_set_new(o, "latest", pl_value_number(v->sum.latest));
    json_object_set_new(o, "lost", json_boolean(v->lost));
    json_object_set_new(o, "m1", of_model(v, 0));
    json_object_set_new(o, "m2", of_model(v, 1));
    json_object_set_new(o, "m3", of_model(v, 2));
    json_object_set_new(o, "growth", of_growth(v));
    json_object_set_new(o, "functions", of_rows(v));
    json_object_set_new(o, "predecessor_sets", of_sets(v));
    return pl_value_write(path, o);
}
