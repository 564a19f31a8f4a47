/* SPDX-License-Identifier: MIT */
/* See listing.h. */
#include "engine/campaign/listing.h"

#include "base/assert.h"
#include "engine/findings/describe.h"

#include <stdlib.h>

void pl_listing_open(struct pl_listing *p, const struct pl_request *request,
                     const struct pl_session *session)
{
    *p = (struct pl_listing){.request = request, .session = session};
    PL_ASSERT(request->paths == 0 || request->path != NULL);
    session->common->listing = request->paths != 0;
}

static const char *outcome_text(unsigned outcome)
{
    return outcome == PL_OUTCOME_CUT       ? "cut"
           : outcome == PL_OUTCOME_ABORTED ? "aborted"
           : outcome == PL_OUTCOME_SLOW    ? "given up"
                                           : "finished";
}

static void print_thread(FILE *to, const struct pl_scene *scene, pl_tid tid)
{
    char name[PL_RESULT_WORD];

    pl_describe_thread(scene, tid, name, sizeof(name));
    if (name[0] != '\0')
        fputs(name, to);
    else
        fprintf(to, "#%u", tid); /* there were too many to keep their names */
}

static void print_end(FILE *to, const struct pl_scene *scene, const struct pl_segment_end *e)
{
    char object[PL_RESULT_LINE];

    fputs(pl_operation_text(e->op), to);
    if (e->object.kind == PL_PLACE_THREAD) {
        fputc(' ', to);
        print_thread(to, scene, e->object.tid);
        return;
    }
    pl_describe_place(scene, &e->object, object, sizeof(object));
    if (object[0] != '\0')
        fprintf(to, " %s", object);
}

static void print_segment(FILE *to, const struct pl_scene *scene, const struct pl_segment *s)
{
    fputc(' ', to);
    print_thread(to, scene, s->tid);
    fputs(" <", to);
    print_end(to, scene, &s->first);
    if (s->operations > 1) {
        fputs(", ", to);
        print_end(to, scene, &s->last);
    }
    fputc('>', to);
}

/* "      from bank.c:12 (take), called at bank.c:30 (main)"; nothing where nothing is known. */
static void print_stack(FILE *to, const struct pl_scene *scene, const char *word,
                        const struct pl_segment_end *e)
{
    struct pl_trail trail = {e->pc, e->frames, e->n_frames};
    char place[PL_RESULT_LINE], callers[PL_SEGMENTS_FRAMES][PL_RESULT_LINE];
    uint64_t own = pl_describe_own_pc(scene, &trail);
    size_t n;

    pl_describe_location(scene, own, place, sizeof(place));
    n = pl_describe_callers(scene, &trail, own, callers, PL_SEGMENTS_FRAMES);
    if (place[0] == '\0')
        return;
    fprintf(to, "\n      %s %s", word, place);
    for (size_t i = 0; i < n; i++)
        fprintf(to, "%s%s", i > 0 ? ", " : ", called at ", callers[i]);
}

static void print_stacks(FILE *to, const struct pl_scene *scene, unsigned number,
                         const struct pl_segment *s)
{
    fprintf(to, "\n  %u ", number);
    print_thread(to, scene, s->tid);
    print_stack(to, scene, "from", &s->first);
    if (s->operations > 1)
        print_stack(to, scene, "to  ", &s->last);
}

static void print_late(FILE *to, const struct pl_scene *scene, const struct pl_segments *path)
{
    char place[PL_RESULT_LINE];

    fputs(", ", to);
    print_thread(to, scene, path->late);
    fputs(" ran too long", to);
    pl_describe_location(scene, path->late_pc, place, sizeof(place));
    if (place[0] != '\0')
        fprintf(to, " at %s", place);
}

void pl_listing_print(FILE *to, const struct pl_segments *path, struct pl_symbols *symbols,
                      bool stacks)
{
    struct pl_scene scene = {path->threads, path->n_threads, symbols, NULL, NULL};
    unsigned kept = path->n < PL_SEGMENTS_KEPT ? path->n : PL_SEGMENTS_KEPT;

    fprintf(to, "path %llu", (unsigned long long)path->execution - 1);
    if (path->section != 0)
        fprintf(to, " of section %u", path->section);
    fprintf(to, " %s", outcome_text(path->outcome));
    if (path->finding != PL_FINDING_NONE)
        fprintf(to, ", %s", pl_finding_text(path->finding));
    if (path->late != PL_TID_NONE)
        print_late(to, &scene, path);
    fputc(':', to);
    for (unsigned i = 0; i < kept; i++) {
        if (i + 1 == kept && path->n > kept)
            fprintf(to, " ... %u more ...", path->n - kept);
        print_segment(to, &scene, &path->list[i]);
    }
    for (unsigned i = 0; stacks && i < kept; i++)
        print_stacks(to, &scene, i + 1 < kept ? i + 1 : path->n, &path->list[i]);
}

static void list(struct pl_listing *p, const struct pl_slot *slot, const struct pl_segments *path)
{
    char *line = NULL;
    size_t size = 0;

    PL_ASSERT(p->request->path != NULL);
    if (p->listed > p->request->paths)
        return;
    FILE *to = open_memstream(&line, &size);

    if (to == NULL)
        abort();
    if (p->listed++ < p->request->paths) {
        pl_listing_print(to, path,
                         pl_symbols_of(&p->symbols, slot->board, slot->target->program.path),
                         p->request->settings.stacks);
    } else {
        p->session->common->listing = 0;
        fprintf(to, "no more than %llu paths are listed; --paths all lists every one",
                (unsigned long long)p->request->paths);
    }
    fclose(to);
    p->request->path(p->request->context, line);
    free(line);
}

static void empty(struct pl_listing *p, const struct pl_slot *slot)
{
    struct pl_segments_ring *ring = &slot->board->paths;

    for (; ring->tail < ring->head; ring->tail++)
        list(p, slot, &ring->paths[ring->tail % PL_SEGMENTS_RING]);
    if (ring->room == 0 && slot->board->phase == PL_PHASE_ASK)
        pl_slot_answer(&ring->room, 1);
}

void pl_listing_update(struct pl_listing *p)
{
    for (unsigned i = 0; p->request->paths != 0 && i < p->session->n_slots; i++)
        empty(p, &p->session->slots[i]);
}

void pl_listing_close(struct pl_listing *p)
{
    pl_symbols_close(p->symbols);
    p->symbols = NULL;
}
