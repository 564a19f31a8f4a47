/* SPDX-License-Identifier: MIT */
/* Images of inputs: whole ones are taken, damaged ones refused, and none of them does harm. */
#include "unit.h"

#include "trace/image.h"
#include "trace/schedule.h"

#include <stdlib.h>
#include <unistd.h>

struct sample {
    struct pl_inputs_head head;
    struct pl_input_thread threads[2];
    unsigned char hole[PL_INPUTS_FIRST];
    struct pl_input_record opened, read, variable;
    char bytes[16];
};

/* Offset of a member in the area. */
#define AT(member) (offsetof(struct sample, member) - offsetof(struct sample, hole))

static struct sample make(void)
{
    struct sample s = {
        .head = {.magic = PL_INPUTS_MAGIC,
                 .version = PL_INPUTS_VERSION,
                 .flags = PL_INPUTS_WORLD,
                 .n_threads = 2},
        .threads = {{1, AT(opened), AT(read)}, {2, AT(variable), AT(variable)}},
        .opened = {.next = AT(read), .bytes = AT(bytes), .size = 4, .kind = PL_INPUT_OPEN},
        .read = {.bytes = AT(bytes) + 4, .size = 1, .result = 1, .kind = PL_INPUT_READ},
        .variable = {.bytes = AT(bytes) + 8, .size = 4, .kind = PL_INPUT_ENVIRONMENT},
        .bytes = "file1\0\0\0A=b",
    };

    s.head.used = sizeof(s) - offsetof(struct sample, hole);
    return s;
}

static void a_whole_one_is_taken(void)
{
    struct sample s = make();
    char text[200];

    CHECK(pl_image_check(&s, sizeof(s)) == NULL);
    pl_image_describe(&s, text, sizeof(text));
    CHECK_STR(text, "1 environment variable, 1 opened file (4 bytes), 1 read (1 byte)");
    s.head.flags |= PL_INPUTS_INCOMPLETE;
    pl_image_describe(&s, text, sizeof(text));
    CHECK(strstr(text, ", and more that did not fit") != NULL);
}

static void check_refused(const struct sample *s, size_t size, const char *why)
{
    const char *said = pl_image_check(s, size);

    CHECK_STR(said ? said : "nothing is wrong", why);
}

static void what_leads_astray_is_refused(void)
{
    struct sample s = make();

    check_refused(&s, 10, "it is something else");
    check_refused(&s, sizeof(s) - 8, "its size is not what it says");
    s.head.magic++;
    check_refused(&s, sizeof(s), "it is something else");
    s = make();
    s.head.version = 9;
    check_refused(&s, sizeof(s), "it was written by another version of plait");
    s = make();
    s.head.n_threads = UINT32_MAX;
    check_refused(&s, sizeof(s), "its size is not what it says");
    s = make();
    s.read.next = AT(opened); /* round and round */
    check_refused(&s, sizeof(s), "a record is outside of it");
    s = make();
    s.threads[1].first = AT(bytes) + 8;
    check_refused(&s, sizeof(s), "a record is outside of it");
    s = make();
    s.read.kind = 99;
    check_refused(&s, sizeof(s), "a record is of a kind that this plait does not know");
    s = make();
    s.read.size = UINT64_MAX;
    check_refused(&s, sizeof(s), "the bytes of a record are outside of it");
    s = make();
    s.opened.aux = 7;
    check_refused(&s, sizeof(s), "a file comes from nowhere");
    s = make();
    s.bytes[11] = 'c';
    check_refused(&s, sizeof(s), "an environment variable has no end");
}

/* Whatever is in it, looking at it ends, and stays inside. */
static void chance_does_no_harm(void)
{
    unsigned taken = 0;
    char text[300];

    srand(1);
    for (int i = 0; i < 200000; i++) {
        struct sample s = make();
        unsigned char *bytes = (unsigned char *)&s;

        for (int k = rand() % 4; k >= 0; k--)
            bytes[(size_t)rand() % sizeof(s)] = (unsigned char)rand();
        void *exact = malloc(sizeof(s)); /* so that tools see what is read behind it */

        memcpy(exact, &s, sizeof(s));
        if (pl_image_check(exact, sizeof(s)) == NULL) {
            pl_image_describe(exact, text, sizeof(text));
            taken++;
        }
        free(exact);
    }
    CHECK(taken > 1000 && taken < 199000);
}

static void base64_comes_back(void)
{
    unsigned char bytes[200], back[200];
    char text[300];

    for (size_t n = 0; n <= sizeof(bytes); n++) {
        for (size_t i = 0; i < n; i++)
            bytes[i] = (unsigned char)(i * 37 + n);
        size_t length = pl_image_encode(text, bytes, n);

        CHECK(length == (n + 2) / 3 * 4 && strlen(text) == length);
        CHECK(pl_image_decode(back, sizeof(back), text) == (long)n && memcmp(back, bytes, n) == 0);
    }
    CHECK_STR((pl_image_encode(text, (const unsigned char *)"plait", 5), text), "cGxhaXQ=");
    CHECK(pl_image_decode(back, sizeof(back), "cGx") == -1);
    CHECK(pl_image_decode(back, sizeof(back), "cG!h") == -1);
    CHECK(pl_image_decode(back, sizeof(back), "c=Gx") == -1);
    CHECK(pl_image_decode(back, 4, "cGxhaXQ=") == -1);
}

static void fill(struct pl_schedule *s, const void *image, size_t size)
{
    pl_schedule_init(s);
    s->program = pl_schedule_keep(s, "./prog");
    s->strategy = pl_schedule_keep(s, "random");
    s->inputs = image;
    s->n_inputs = size;
}

static void a_schedule_carries_a_small_one(void)
{
    struct sample image = make();
    struct pl_schedule s, back;
    struct pl_err err;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);

    fill(&s, &image, sizeof(image));
    CHECK(to != NULL && pl_schedule_print(to, &s, &err) == 0);
    fclose(to);
    CHECK(pl_schedule_parse(text, size, &back, &err) == 0);
    CHECK(back.n_inputs == sizeof(image) && back.inputs != NULL);
    CHECK(back.inputs != NULL && memcmp(back.inputs, &image, sizeof(image)) == 0);
    pl_schedule_free(&back);
    pl_schedule_free(&s);
    free(text);
}

/* Beside it, once for two schedules. */
static void a_large_one_lies_beside_it(void)
{
    size_t size = sizeof(struct sample) + 100000;
    struct sample *image = calloc(1, size);
    char folder[] = "/tmp/plait-image-XXXXXX", path[100], name[200];
    struct pl_schedule s, back;
    struct pl_err err;

    CHECK(image != NULL && mkdtemp(folder) != NULL);
    *image = make();
    image->head.used += 100000;
    fill(&s, image, size);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof(path), "%s/%d.plait", folder, i);
        CHECK(pl_schedule_write(path, &s, &err) == 0);
        CHECK(pl_schedule_read(path, &back, &err) == 0);
        CHECK(back.n_inputs == size && memcmp(back.inputs, image, size) == 0);
        pl_schedule_free(&back);
    }
    snprintf(name, sizeof(name), "%s/%016llx.inputs", folder,
             (unsigned long long)pl_image_hash(image, size));
    CHECK(truncate(name, (off_t)size - 1) == 0);
    CHECK(pl_schedule_read(path, &back, &err) != 0 && err.class == PL_ERR_USER);
    CHECK(unlink(name) == 0 && pl_schedule_read(path, &back, &err) != 0);
    CHECK(unlink(path) == 0);
    snprintf(path, sizeof(path), "%s/0.plait", folder);
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
    pl_schedule_free(&s);
    free(image);
}

int main(void)
{
    a_whole_one_is_taken();
    what_leads_astray_is_refused();
    chance_does_no_harm();
    base64_comes_back();
    a_schedule_carries_a_small_one();
    a_large_one_lies_beside_it();
    return unit_result();
}
