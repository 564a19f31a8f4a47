/* SPDX-License-Identifier: MIT */
/* Schedule files: what is written comes back, and what is damaged gets a sentence. */
#include "unit.h"

#include "model/name.h"
#include "trace/schedule.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char expected[] = "plait-schedule 1\n"
                               "program \"./bank\"\n"
                               "build-id 8a41\n"
                               "argument \"4\"\n"
                               "argument \"two words \\\"#\\\" \\001\\377\"\n"
                               "argument \"\"\n"
                               "strategy random\n"
                               "seed 7\n"
                               "execution 12\n"
                               "carrier fiber\n"
                               "option spurious\n"
                               "option expect-exit 0,3\n"
                               "finding assertion\n"
                               "signature 8f3ac00000000001\n"
                               "message \"balance == 100\"\n"
                               "location \"bank.c:31\"\n"
                               "minimal proven\n"
                               "preemptions 1\n"
                               "switches 4\n"
                               "why \"0.1 reads x before 0 writes it\"\n"
                               "passing \"passing-001-assertion.plait\"\n"
                               "detail \"0.1 waits\"\n"
                               "thread 0 main\n"
                               "thread 0.1 \"T<int, 3>::start\"\n"
                               "begin\n"
                               ". 0 12 thread-create 0.1 # - bank.c:40 main \"start.c:2 (begin)\"\n"
                               "> 0.1 3 switch 0.2 1/3 mutex-lock 00000000000091ac "
                               "# accounts[0].lock bank.c:31 withdraw\n"
                               ". 0.2 4 cond-timedwait timeout # \"a lock\" \"my file.c:3\" -\n"
                               "> 0.2 5 value - 2/4 choose ffffffffffffffff\n"
                               ". 0.2 6 blocking-i/o\n"
                               "end 5 ";

static void build(struct pl_schedule *s)
{
    pl_schedule_init(s);
    s->program = pl_schedule_keep(s, "./bank");
    s->build_id = pl_schedule_keep(s, "8a41");
    pl_schedule_add_argument(s, "4");
    pl_schedule_add_argument(s, "two words \"#\" \001\377");
    pl_schedule_add_argument(s, "");
    s->strategy = pl_schedule_keep(s, "random");
    s->seed = 7;
    s->execution = 12;
    pl_schedule_add_option(s, "spurious", NULL);
    pl_schedule_add_option(s, "expect-exit", "0,3");
    s->finding = PL_FINDING_ASSERTION;
    s->signature = UINT64_C(0x8f3ac00000000001);
    s->message = pl_schedule_keep(s, "balance == 100");
    s->location = pl_schedule_keep(s, "bank.c:31");
    s->minimal = pl_schedule_keep(s, "proven");
    s->preemptions = 1;
    s->switches = 4;
    s->why = pl_schedule_keep(s, "0.1 reads x before 0 writes it");
    s->passing = pl_schedule_keep(s, "passing-001-assertion.plait");
    pl_schedule_add_detail(s, "0.1 waits");
    pl_schedule_add_thread(s, "0", "main", 0, NULL);
    pl_schedule_add_thread(s, "0.1", "T<int, 3>::start", 0, NULL);
    pl_schedule_add_operation(s, &(struct pl_schedule_line){.op = PL_OP_THREAD_CREATE,
                                                            .ordinal = 12,
                                                            .thread = "0",
                                                            .target = "0.1",
                                                            .location = "bank.c:40",
                                                            .function = "main",
                                                            .callers = "start.c:2 (begin)"});
    pl_schedule_add_choice(s, &(struct pl_schedule_line){.kind = PL_CHOICE_THREAD,
                                                         .op = PL_OP_MUTEX_LOCK,
                                                         .taken = 1,
                                                         .options = 3,
                                                         .ordinal = 3,
                                                         .digest = 0x91ac,
                                                         .thread = "0.1",
                                                         .target = "0.2",
                                                         .object = "accounts[0].lock",
                                                         .location = "bank.c:31",
                                                         .function = "withdraw"});
    pl_schedule_add_operation(s, &(struct pl_schedule_line){.op = PL_OP_COND_TIMEDWAIT,
                                                            .way = PL_WAY_TIMEOUT,
                                                            .ordinal = 4,
                                                            .thread = "0.2",
                                                            .object = "a lock",
                                                            .location = "my file.c:3"});
    pl_schedule_add_choice(s, &(struct pl_schedule_line){.kind = PL_CHOICE_VALUE,
                                                         .op = PL_OP_CHOOSE,
                                                         .taken = 2,
                                                         .options = 4,
                                                         .ordinal = 5,
                                                         .digest = UINT64_MAX,
                                                         .thread = "0.2"});
    pl_schedule_add_operation(
        s, &(struct pl_schedule_line){.op = PL_OP_IO, .ordinal = 6, .thread = "0.2"});
    CHECK(!s->failed);
}

/* The file's text; the caller frees it. */
static char *print(const struct pl_schedule *s)
{
    char *text = NULL;
    size_t size = 0;
    struct pl_err err = {0};
    FILE *to = open_memstream(&text, &size);

    CHECK(pl_schedule_print(to, s, &err) == 0);
    fclose(to);
    return text;
}

static char *sample(void)
{
    struct pl_schedule s;

    build(&s);

    char *text = print(&s);

    pl_schedule_free(&s);
    return text;
}

static void the_text_is_as_documented_and_the_same_every_time(void)
{
    char *text = sample(), *again = sample();
    size_t n = sizeof(expected) - 1;

    CHECK_STR(text, again);
    CHECK(strlen(text) == n + 17);
    text[n < strlen(text) ? n : 0] = '\0';
    CHECK_STR(text, expected);
    free(text);
    free(again);
}

static void what_is_written_comes_back(void)
{
    char *text = sample();
    struct pl_schedule s;
    struct pl_err err = {0};

    CHECK(pl_schedule_parse(text, strlen(text), &s, &err) == 0);
    CHECK_STR(err.text, "");
    CHECK_STR(s.program, "./bank");
    CHECK_STR(s.build_id, "8a41");
    CHECK(s.n_arguments == 3);
    CHECK_STR(s.arguments[1], "two words \"#\" \001\377");
    CHECK_STR(s.arguments[2], "");
    CHECK_STR(s.strategy, "random");
    CHECK(s.seed == 7 && s.execution == 12 && s.carrier == PL_CARRIER_FIBER);
    CHECK_STR(pl_schedule_option(&s, "spurious"), "");
    CHECK_STR(pl_schedule_option(&s, "expect-exit"), "0,3");
    CHECK(!pl_schedule_option(&s, "weak-cas"));
    CHECK(s.finding == PL_FINDING_ASSERTION && s.signature == UINT64_C(0x8f3ac00000000001));
    CHECK_STR(s.message, "balance == 100");
    CHECK_STR(s.location, "bank.c:31");
    CHECK_STR(s.minimal, "proven");
    CHECK(s.preemptions == 1 && s.switches == 4);
    CHECK_STR(s.why, "0.1 reads x before 0 writes it");
    CHECK_STR(s.passing, "passing-001-assertion.plait");
    CHECK_STR(s.details[0], "0.1 waits");
    CHECK_STR(pl_schedule_start_function(&s, "0.1"), "T<int, 3>::start");
    CHECK(!pl_schedule_start_function(&s, "0.2"));
    CHECK(s.n_lines == 5 && s.n_choices == 2);
    CHECK(!s.lines[0].is_choice && s.lines[0].op == PL_OP_THREAD_CREATE);
    CHECK(!s.lines[0].object);
    CHECK_STR(s.lines[0].callers, "start.c:2 (begin)");
    CHECK_STR(s.lines[0].target, "0.1");
    CHECK_STR(s.lines[1].object, "accounts[0].lock");
    CHECK_STR(s.lines[1].location, "bank.c:31");
    CHECK_STR(s.lines[1].function, "withdraw");
    CHECK(s.lines[2].way == PL_WAY_TIMEOUT && !s.lines[2].function);
    CHECK_STR(s.lines[2].location, "my file.c:3");

    char *again = print(&s);

    CHECK_STR(again, text);
    free(again);
    free(text);
    pl_schedule_free(&s);
}

static void choices_become_steps(void)
{
    struct pl_schedule s;
    struct pl_step steps[2] = {{0}};

    build(&s);
    CHECK(pl_schedule_steps(&s, NULL, 0) == 2);
    CHECK(pl_schedule_steps(&s, steps, 1) == 2);
    CHECK(steps[0].at == pl_name_parse("0.1") && steps[0].target == pl_name_parse("0.2"));
    CHECK(steps[0].digest == 0x91ac && steps[0].ordinal == 3 && steps[0].taken == 1);
    CHECK(steps[0].kind == PL_CHOICE_THREAD && steps[0].op == PL_OP_MUTEX_LOCK);
    CHECK(steps[1].at == 0);
    CHECK(pl_schedule_steps(&s, steps, 2) == 2);
    CHECK(steps[1].target == 0 && steps[1].kind == PL_CHOICE_VALUE && steps[1].taken == 2);
    pl_schedule_free(&s);
}

/* The error's text for a file's bytes, or "fine". */
static const char *judge(const char *data, size_t size)
{
    static struct pl_err err;
    struct pl_schedule s;

    err = (struct pl_err){0};
    if (pl_schedule_parse(data, size, &s, &err) == 0) {
        pl_schedule_free(&s);
        return "fine";
    }
    CHECK(err.class == PL_ERR_USER && !s.lines && !s.chunks);
    return err.text;
}

/* The same for the sample with the first `old` replaced. */
static const char *judge_edited(const char *old, const char *replacement)
{
    char *text = sample();
    char *at = strstr(text, old);
    char *edited = NULL;

    CHECK(at != NULL);
    if (asprintf(&edited, "%.*s%s%s", (int)(at - text), text, replacement, at + strlen(old)) < 0)
        abort();

    const char *verdict = judge(edited, strlen(edited));

    free(edited);
    free(text);
    return verdict;
}

#define CHECK_SAYS(verdict, words)                    \
    do {                                              \
        const char *said = (verdict);                 \
        CHECK(strstr(said, words) != NULL);           \
        if (!strstr(said, words))                     \
            fprintf(stderr, "  it says: %s\n", said); \
    } while (0)

static void foreign_files_get_a_sentence(void)
{
    CHECK_SAYS(judge("", 0), "empty");
    CHECK_SAYS(judge("#!/bin/sh\n", 10), "not a schedule but something else");
    CHECK_SAYS(judge("\177ELF\2\1\1\0\0", 9), "not a schedule but a binary file");
    CHECK_SAYS(judge("plait-schedule 5\nfuture\n", 24), "newer plait (format 5; this one reads 4)");
    CHECK_SAYS(judge("plait-schedule 0\nfuture\n", 24), "names no version");
    CHECK_SAYS(judge("plait-schedule \nfuture\n", 23), "names no version");
    CHECK_SAYS(judge("plait-schedule 99999999999\nx\n", 29), "names no version");
    CHECK_SAYS(judge_edited("plait-schedule 1", "plait-schedule 5"), "newer plait");
}

static void a_file_cut_off_anywhere_is_recognised(void)
{
    char *text = sample();
    size_t size = strlen(text);

    for (size_t n = 1; n < size - 1; n++) {
        char *copy = malloc(n); /* exactly as long, so that a sanitizer sees what reads on */

        memcpy(copy, text, n);
        CHECK_SAYS(judge(copy, n), "cut off");
        free(copy);
    }
    CHECK_STR(judge(text, size - 1), "fine"); /* only the last newline is gone */
    free(text);
}

static void a_changed_byte_is_noticed_outside_of_annotations(void)
{
    char *text = sample();
    bool in_note = false;

    for (size_t i = 0; i < strlen(text); i++) {
        char old = text[i];
        bool body = strstr(text, "\nbegin\n") + 6 < text + i;

        if (old == '\n')
            in_note = false;
        text[i] = (char)(old ^ 1);
        if (body && in_note && old != '\n')
            CHECK_STR(judge(text, strlen(text)), "fine");
        else if (!body || old != ' ' || text[i + 1] != '#') /* the blank before # is part of none */
            CHECK(strcmp(judge(text, strlen(text)), "fine") != 0);
        text[i] = old;
        if (body && old == '#')
            in_note = true;
    }
    free(text);
}

static void every_damage_has_its_sentence(void)
{
    static const struct {
        const char *old, *edited, *says;
    } cases[] = {
        {"program", "programme", "line 2 is damaged: 'programme \"./bank\"' is not known"},
        {"\"./bank\"", "", "one word or one \"quoted text\""},
        {"\"./bank\"", "a b", "one word or one \"quoted text\""},
        {"\"./bank\"", "\"a", "one word or one \"quoted text\""},
        {"\"./bank\"", "\"\\q\"", "one word or one \"quoted text\""},
        {"\"./bank\"", "\"\\000\"", "one word or one \"quoted text\""},
        {"\"./bank\"", "a\nprogram b", "there is a second 'program'"},
        {"program \"./bank\"\n", "", "the header has no 'program'"},
        {"8a41", "8g41", "build id"},
        {"seed 7", "seed -7", "a number is expected"},
        {"seed 7", "seed 18446744073709551616", "a number is expected"},
        {"carrier fiber", "carrier pigeon", "fiber, thread or free, not 'pigeon'"},
        {"option spurious", "option \033[31m", "control character (byte 27)"},
        {"option spurious", "option \302\233x", "'??x' is not an option"},
        {"option spurious", "option spurious 1", "takes no value"},
        {"option expect-exit 0,3", "option expect-exit", "takes one value"},
        {"option expect-exit 0,3", "option spurious", "'spurious' is given twice"},
        {"option expect-exit 0,3", "option json x", "'json' is not an option that belongs"},
        {"finding assertion", "finding bug", "'bug' is not a kind of finding"},
        {"8f3ac00000000001", "8f3ac", "a signature is 16"},
        {"thread 0.1", "thread 1", "'1' is not a thread"},
        {"thread 0 main", "thread 0 main x", "one start function"},
        {"begin\n", "", "is not known in a header"},
        {". 0 12", ", 0 12", "begins with '. ' or '> '"},
        {". 0 12", ".", "'thread-create' is not a thread"},
        {". 0 12", ". 0.0 12", "'0.0' is not a thread"},
        {". 0 12", ". 0 4294967296", "a number is expected after the thread"},
        {"thread-create", "thread-destroy", "an operation is expected"},
        {"timeout", "later", "'later' does not belong here"},
        {"timeout", "timeout timeout", "'timeout' does not belong here"},
        {"3 switch", "3 swap", "'swap' is not a kind of choice"},
        {"minimal proven", "minimal maybe", "neither proven nor tried"},
        {"switches 4", "switches few", "number"},
        {"preemptions 1", "preemptions 1 2", "number"},
        {"switch 0.2", "switch -", "'-' is not a thread"},
        {"1/3", "3/3", "such as 1/3"},
        {"1/3", "1", "such as 1/3"},
        {"1/3", "1/65536", "such as 1/3"},
        {"00000000000091ac", "91ac", "16 hexadecimal digits"},
        {"choose", "choose now", "16 hexadecimal digits"},
        {"seed 7", "seed 8", "corrupted"},
        {"end 5", "end 6", "corrupted"},
        {". 0.2 6 blocking-i/o\n", "", "corrupted"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        CHECK_SAYS(judge_edited(cases[i].old, cases[i].edited), cases[i].says);
}

static void text_after_the_end_is_refused(void)
{
    char *text = sample(), *longer = NULL;

    if (asprintf(&longer, "%s\n \n# a remark\n", text) < 0)
        abort();
    CHECK_STR(judge(longer, strlen(longer)), "fine");
    strcpy(strrchr(longer, '#'), ". 0 1\n");
    CHECK_SAYS(judge(longer, strlen(longer)), "something after the end");
    free(longer);
    free(text);
}

static void people_may_edit_annotations_and_line_ends(void)
{
    CHECK_STR(judge_edited("accounts[0].lock bank.c:31 withdraw", "here it goes wrong!"), "fine");
    CHECK_STR(judge_edited("accounts[0].lock bank.c:31", "\"never closed"), "fine");
    CHECK_STR(judge_edited(" # accounts[0].lock bank.c:31 withdraw", ""), "fine");
    CHECK_STR(judge_edited("begin\n", "begin\n# a remark\n\n"), "fine");

    char *text = sample();
    char *crlf = malloc(2 * strlen(text) + 1), *to = crlf;

    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\n')
            *to++ = '\r';
        *to++ = *p;
    }
    CHECK_STR(judge(crlf, (size_t)(to - crlf)), "fine");
    free(crlf);
    free(text);
}

static void an_edited_annotation_is_kept_as_it_is(void)
{
    static const char note[] = "here \\q it goes wrong";
    char *text = sample();
    char *at = strstr(text, "accounts");
    struct pl_schedule s;
    struct pl_err err = {0};

    memset(at, ' ', strcspn(at, "\n"));
    memcpy(at, note, sizeof(note) - 1);
    CHECK(pl_schedule_parse(text, strlen(text), &s, &err) == 0);
    CHECK_STR(s.lines[1].object, note);
    CHECK(!s.lines[1].location && !s.lines[1].function);
    free(text);

    char *again = print(&s);

    CHECK(strstr(again, "# \"here \\\\q it goes wrong\" - -\n") != NULL);
    free(again);
    pl_schedule_free(&s);
}

static void sizes_are_bounded(void)
{
    size_t size = PL_SCHEDULE_LINE_MAX + 64;
    char *text = malloc(size);
    struct pl_schedule s;
    struct pl_err err = {0};
    FILE *nowhere = fopen("/dev/null", "w");

    memset(text, 'x', size);
    memcpy(text, "plait-schedule 1\nprogram ", 25);
    memcpy(text + size - 25, "\nend 0 0123456789abcdef00", 25);
    CHECK_SAYS(judge(text, size), "longer than 1048576 bytes");

    build(&s);
    text[size - 1] = '\0';
    pl_schedule_add_argument(&s, text);
    CHECK(pl_schedule_print(nowhere, &s, &err) != 0);
    CHECK_SAYS(err.text, "too large");
    pl_schedule_free(&s);

    build(&s);
    memset(text, 'x', PL_SCHEDULE_NOTE_MAX - 1);
    strcpy(text + PL_SCHEDULE_NOTE_MAX - 1, "\303\244");
    pl_schedule_add_operation(&s, &(struct pl_schedule_line){.thread = "0", .object = text});
    CHECK(strlen(s.lines[5].object) == PL_SCHEDULE_NOTE_MAX - 1); /* no half character */
    for (unsigned i = 0; i <= PL_SCHEDULE_ITEMS_MAX; i++)
        pl_schedule_add_detail(&s, "same");
    CHECK(s.failed && s.n_details == PL_SCHEDULE_ITEMS_MAX);
    CHECK(pl_schedule_print(nowhere, &s, &err) != 0);
    pl_schedule_free(&s);
    fclose(nowhere);
    free(text);
}

static void many_strings_are_kept_apart(void)
{
    struct pl_schedule s;
    char text[32];

    pl_schedule_init(&s);
    const char *first = pl_schedule_keep(&s, "0");

    for (unsigned i = 0; i < 20000; i++) {
        snprintf(text, sizeof(text), "%u", i);
        CHECK_STR(pl_schedule_keep(&s, text), text);
    }
    CHECK_STR(first, "0");
    CHECK(pl_schedule_keep(&s, "0") == first);
    CHECK(!pl_schedule_keep(&s, NULL));
    pl_schedule_free(&s);
}

static const char *judge_path(const char *path)
{
    static struct pl_err err;
    struct pl_schedule s;

    err = (struct pl_err){0};
    if (pl_schedule_read(path, &s, &err) == 0) {
        pl_schedule_free(&s);
        return "fine";
    }
    CHECK(err.class == PL_ERR_USER);
    return err.text;
}

static void files_that_are_none_get_a_sentence(void)
{
    CHECK_SAYS(judge_path("missing.plait"), "there is no file 'missing.plait'");
    CHECK_SAYS(judge_path("."), "'.' is a folder");
    CHECK_SAYS(judge_path("/dev/null"), "not a regular file");
    CHECK(mkfifo("fifo", 0600) == 0);
    CHECK_SAYS(judge_path("fifo"), "not a regular file");
    fclose(fopen("empty", "w"));
    CHECK_SAYS(judge_path("empty"), "empty: the file is empty");
    CHECK(truncate("empty", (off_t)PL_SCHEDULE_FILE_MAX + 1) == 0);
    CHECK_SAYS(judge_path("empty"), "larger than any schedule");
    CHECK(unlink("fifo") == 0 && unlink("empty") == 0);
}

static void files_are_written_whole_and_leave_nothing_else(void)
{
    struct pl_schedule s;
    struct pl_err err = {0};
    char *text = sample(), found[4096];

    build(&s);
    for (unsigned i = 0; i < 2; i++) { /* new, then over the old one */
        CHECK(pl_schedule_write("a.plait", &s, &err) == 0);
        CHECK_STR(err.text, "");
        CHECK_STR(judge_path("a.plait"), "fine");
    }

    FILE *from = fopen("a.plait", "r");
    size_t n = fread(found, 1, sizeof(found) - 1, from);

    fclose(from);
    found[n] = '\0';
    CHECK_STR(found, text);
    free(text);

    CHECK(pl_schedule_write("missing/a.plait", &s, &err) != 0);
    CHECK_SAYS(err.text, "cannot write 'missing/a.plait': No such file");
    CHECK(pl_schedule_write(".", &s, &err) != 0);
    CHECK_SAYS(err.text, "not a regular file");
    s.failed = true;
    CHECK(pl_schedule_write("b.plait", &s, &err) != 0);
    CHECK(access("b.plait", F_OK) != 0);
    pl_schedule_free(&s);
    CHECK(unlink("a.plait") == 0);
}

static void every_option_of_a_schedule_is_an_option_of_test(void)
{
    static const char *const names[] = {
#define PL_OPTION(id, name, letter, type, value, commands, help) name,
#include "model/options.def"
#undef PL_OPTION
    };
    static const char *const kept[] = {"detect",      "spurious",      "weak-cas",  "restart",
                                       "points",      "check",         "max-steps", "hang-time",
                                       "expect-exit", "expect-output", "section"};
    bool is_flag;

    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        bool found = false;

        for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++)
            found = found || strcmp(names[j], kept[i]) == 0;
        CHECK(found && pl_schedule_knows_option(kept[i], &is_flag));
    }
    CHECK(!pl_schedule_knows_option("output", &is_flag));
}

/* A long schedule: a loop, then what seems to be chance, with an exit in between. */
static struct pl_schedule_line packed_choice(size_t i)
{
    bool first = i % 2 == 0, ends = i == 6000;
    uint32_t draw = (uint32_t)(i * 2654435761u) >> 28;

    return (struct pl_schedule_line){.kind = PL_CHOICE_THREAD,
                                     .op = ends        ? PL_OP_THREAD_EXIT
                                           : draw == 3 ? PL_OP_MUTEX_LOCK
                                                       : PL_OP_ATOMIC_LOAD,
                                     .taken = first ? 1 : 0,
                                     .options = 2,
                                     .ordinal =
                                         (uint32_t)(i < 5000 ? 3 * i : 20000 + 16 * i + draw),
                                     .digest = 7 * i + 1,
                                     .thread = first ? "0" : "0.1",
                                     .target = first ? "0.1" : "0"};
}

static void pack(struct pl_schedule *s, size_t n)
{
    struct pl_schedule_line last = packed_choice(n);

    pl_schedule_init(s);
    s->program = pl_schedule_keep(s, "./bank");
    s->strategy = pl_schedule_keep(s, "random");
    for (size_t i = 0; i < n; i++) {
        struct pl_schedule_line line = packed_choice(i);

        pl_schedule_pack_choice(s, &line);
    }
    pl_schedule_add_choice(s, &last);
}

static char *print_packed(size_t n, size_t *size)
{
    struct pl_schedule s;
    struct pl_err err;
    char *text = NULL;
    FILE *to = open_memstream(&text, size);

    pack(&s, n);
    CHECK(to != NULL && pl_schedule_print(to, &s, &err) == 0);
    fclose(to);
    pl_schedule_free(&s);
    return text;
}

static void packed_choices_come_back(void)
{
    enum { N = 12000 };
    static struct pl_step steps[N + 1];
    struct pl_schedule s;
    struct pl_err err;
    size_t size, digests = 0;
    char *text = print_packed(N, &size);

    CHECK(strncmp(text, "plait-schedule 2\n", 17) == 0);
    CHECK(size < 60000);
    CHECK(pl_schedule_parse(text, size, &s, &err) == 0);
    CHECK(s.n_packed == N && s.n_choices == 1);
    CHECK(pl_schedule_steps(&s, steps, N + 1) == N + 1);
    for (size_t i = 0; i <= N; i++) {
        struct pl_schedule_line line = packed_choice(i);

        CHECK(steps[i].at == pl_name_parse(line.thread) && steps[i].ordinal == line.ordinal);
        CHECK(steps[i].target == pl_name_parse(line.target) && steps[i].op == line.op);
        CHECK(steps[i].digest == 0 || steps[i].digest == line.digest);
        CHECK(line.op != PL_OP_THREAD_EXIT || steps[i].digest == line.digest);
        digests += steps[i].digest != 0;
    }
    CHECK(digests == 5); /* of two full lines, the exit, what is left, and the last line */
    pl_schedule_free(&s);
    free(text);
}

/* The sentence about a packed schedule in which `old` has been replaced. */
static const char *judge_packed(const char *old, const char *edited)
{
    static char said[400];
    size_t size;
    char *text = print_packed(20, &size), *at = strstr(text, old), *whole = NULL;

    CHECK(at != NULL);
    CHECK(asprintf(&whole, "%.*s%s%s", (int)(at - text), text, edited, at + strlen(old)) > 0);
    snprintf(said, sizeof(said), "%s", judge(whole, strlen(whole)));
    free(whole);
    free(text);
    return said;
}

static void damage_among_packed_choices_has_its_sentence(void)
{
    CHECK_SAYS(judge_packed(" 0+0", " 0+1"), "checksum");
    CHECK_SAYS(judge_packed(" 0+0", " 9+0"), "means nothing there");
    CHECK_SAYS(judge_packed(" 0+0", " 0-1"), "out of range");
    CHECK_SAYS(judge_packed(" 0+0", " *1x1"), "means nothing there");
    CHECK_SAYS(judge_packed(" 0+0", " 0+0 *1x4096"), "means nothing there");
    CHECK_SAYS(judge_packed(" 0+0", " 0+0 *1x99999999999"), "means nothing there");
    CHECK_SAYS(judge_packed("= 0 ", "= x "), "'x' is not a thread");
    CHECK_SAYS(judge_packed("plait-schedule 2", "plait-schedule 1"), "begins with '. ' or '> '");
}

int main(void)
{
    char folder[] = "/tmp/plait-unit-XXXXXX";

    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    the_text_is_as_documented_and_the_same_every_time();
    what_is_written_comes_back();
    choices_become_steps();
    foreign_files_get_a_sentence();
    a_file_cut_off_anywhere_is_recognised();
    a_changed_byte_is_noticed_outside_of_annotations();
    every_damage_has_its_sentence();
    text_after_the_end_is_refused();
    people_may_edit_annotations_and_line_ends();
    an_edited_annotation_is_kept_as_it_is();
    sizes_are_bounded();
    many_strings_are_kept_apart();
    files_that_are_none_get_a_sentence();
    files_are_written_whole_and_leave_nothing_else();
    every_option_of_a_schedule_is_an_option_of_test();
    packed_choices_come_back();
    damage_among_packed_choices_has_its_sentence();
    CHECK(rmdir(folder) == 0); /* fails when anything was left over */
    return unit_result();
}
