/* SPDX-License-Identifier: MIT */
/* The environment that the program under test gets. */
#include "engine/worker/target.h"
#include "engine/worker/worker.h"
#include "unit.h"

#include <stdlib.h>

static const char *get(char **environment, const char *name)
{
    const char *found = NULL;

    for (; *environment != NULL; environment++) {
        if (strncmp(*environment, name, strlen(name)) == 0 && (*environment)[strlen(name)] == '=') {
            CHECK(found == NULL); /* each name once */
            found = *environment + strlen(name) + 1;
        }
    }
    return found ? found : "(none)";
}

static void release(char **environment)
{
    for (char **e = environment; *e != NULL; e++)
        free(*e);
    free(environment);
}

static void the_runtime_comes_first(void)
{
    char *from[] = {"HOME=/somewhere", "LD_PRELOAD=/x.so", "GLIBC_TUNABLES=a=b", "PLAIT_BOARD=7",
                    NULL};
    char **to = pl_target_environment(from, "/lib/plait", false);

    CHECK_STR(get(to, "LD_PRELOAD"), "/lib/plait/libplait.so:/x.so");
    CHECK_STR(get(to, "GLIBC_TUNABLES"), "glibc.pthread.rseq=0:a=b");
    CHECK_STR(get(to, "GOMP_SPINCOUNT"), "0");
    CHECK_STR(get(to, "LD_BIND_NOW"), "1");
    CHECK_STR(get(to, "HOME"), "/somewhere");
    CHECK(atoi(get(to, "PLAIT_BOARD")) == pl_worker_fd(PL_WORKER_FD_BOARD));
    CHECK_STR(get(to, "LD_LIBRARY_PATH"), "(none)");
    release(to);
}

static void libtsan_is_replaced(void)
{
    char *from[] = {"LD_LIBRARY_PATH=/opt/lib", NULL};
    char **to = pl_target_environment(from, "/lib/plait", true);

    CHECK_STR(get(to, "LD_LIBRARY_PATH"), "/lib/plait/tsan:/opt/lib");
    CHECK_STR(get(to, "LD_PRELOAD"), "/lib/plait/libplait.so");
    release(to);
}

int main(void)
{
    the_runtime_comes_first();
    libtsan_is_replaced();
    return unit_result();
}
