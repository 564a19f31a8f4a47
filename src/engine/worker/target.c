/* SPDX-License-Identifier: MIT */
/*
 * See target.h.  Lazy binding writes to memory at surprising moments and
 * restartable sequences are written by the kernel, so both are turned off.
 */
#include "engine/worker/target.h"

#include "base/assert.h"
#include "engine/worker/client.h"
#include "engine/worker/inputs.h"

#include "engine/worker/worker.h"
#include "model/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_RSEQ "glibc.pthread.rseq=0"

static const char *value_of(char **environment, const char *name)
{
    size_t n = strlen(name);

    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, name, n) == 0 && (*environment)[n] == '=')
            return *environment + n + 1;
    }
    return NULL;
}

/* NAME=ours, with the user's own value behind it. */
static char *join(const char *name, const char *ours, const char *theirs)
{
    char *text;
    bool more = theirs != NULL && theirs[0] != '\0';

    if (asprintf(&text, "%s=%s%s%s", name, ours, more ? ":" : "", more ? theirs : "") < 0)
        abort();
    return text;
}

static bool is_replaced(const char *entry, bool libtsan)
{
    static const char *const names[] = {"LD_PRELOAD", "LD_BIND_NOW", "GLIBC_TUNABLES", PL_BOARD_ENV,
                                        "LD_LIBRARY_PATH"};
    size_t n = sizeof(names) / sizeof(names[0]) - (libtsan ? 0 : 1);

    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(names[i]);

        if (strncmp(entry, names[i], length) == 0 && entry[length] == '=')
            return true;
    }
    return false;
}

char **pl_target_environment(char **from, const char *libdir, bool libtsan)
{
    size_t n = 0, k = 0;
    char path[4200];

    while (from[n] != NULL)
        n++;
    char **to = calloc(n + 8, sizeof(*to));

    if (to == NULL)
        abort();
    snprintf(path, sizeof(path), "%s/libplait.so", libdir);
    to[k++] = join("LD_PRELOAD", path, value_of(from, "LD_PRELOAD"));
    to[k++] = join("LD_BIND_NOW", "1", NULL);
    to[k++] = join("GLIBC_TUNABLES", NO_RSEQ, value_of(from, "GLIBC_TUNABLES"));
    snprintf(path, sizeof(path), "%d", pl_worker_fd(PL_WORKER_FD_BOARD));
    to[k++] = join(PL_BOARD_ENV, path, NULL);
    if (libtsan) {
        snprintf(path, sizeof(path), "%s/tsan", libdir);
        to[k++] = join("LD_LIBRARY_PATH", path, value_of(from, "LD_LIBRARY_PATH"));
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_replaced(from[i], libtsan) && (to[k++] = strdup(from[i])) == NULL)
            abort();
    }
    /* Teams of OpenMP spin before they wait, for which there is no reason where threads take turns.
     */
    if (value_of(from, "GOMP_SPINCOUNT") == NULL && value_of(from, "OMP_WAIT_POLICY") == NULL)
        to[k++] = join("GOMP_SPINCOUNT", "0", NULL);
    PL_ASSERT(k < n + 8 && to[k] == NULL);
    return to;
}

int pl_target_open(struct pl_target *target, char **argv, const char *files, const char *client,
                   const void *inputs, struct pl_err *err)
{
    const struct pl_input_record *given = pl_inputs_stdin(inputs);

    PL_ASSERT(argv != NULL && argv[0] != NULL);
    memset(target, 0, sizeof(*target));
    target->argv = argv;
    target->files = files;
    target->input.fd = -1;
    target->client = client[0] != '\0' ? pl_client_copy(client, err) : -1;
    if (client[0] != '\0' && target->client < 0)
        return -1;
    if (pl_program_open(&target->program, argv[0], err) != 0 ||
        pl_program_libdir(target->libdir, sizeof(target->libdir), err) != 0 ||
        (given != NULL
             ? pl_stdin_from(&target->input, pl_inputs_bytes(inputs, given), given->size, err)
             : pl_stdin_open(&target->input, err)) != 0)
        return -1;
    char **wanted = pl_inputs_environment(inputs, environ);

    target->environment = pl_target_environment(wanted, target->libdir, target->program.libtsan);
    free(wanted);
    return 0;
}

void pl_target_close(struct pl_target *target)
{
    for (char **e = target->environment; e != NULL && *e != NULL; e++)
        free(*e);
    free(target->environment);
    target->environment = NULL;
    pl_stdin_close(&target->input);
    if (target->client >= 0)
        close(target->client);
    target->client = -1;
}
