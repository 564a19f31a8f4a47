/* SPDX-License-Identifier: MIT */
/* What is known of functions without bitcode. */
#include "unit.h"

#include <string.h>

#include "model/operation.h"
#include "static/model.h"

static void hooks_say_what_they_are_in_their_names(void)
{
    const struct pl_model *m = pl_model_find("__tsan_unaligned_volatile_write8");

    CHECK(m != NULL && m->does == PL_MODEL_HOOK && m->op == PL_OP_WRITE && m->size == 8);
    m = pl_model_find("__tsan_read_range");
    CHECK(m != NULL && m->op == PL_OP_READ && m->size == 0);
    m = pl_model_find("__tsan_atomic32_compare_exchange_val");
    CHECK(m != NULL && m->op == PL_OP_ATOMIC_CAS && m->size == 4 && m->does == PL_MODEL_COMPARE);
    m = pl_model_find("__tsan_atomic64_fetch_add");
    CHECK(m != NULL && m->op == PL_OP_ATOMIC_RMW && m->size == 8);
    m = pl_model_find("__tsan_func_entry");
    CHECK(m != NULL && m->does == PL_MODEL_FRAMES && m->op == PL_OP_NONE);
    CHECK(pl_model_find("__tsan_memcpy") == pl_model_find("memcpy"));
    CHECK(pl_model_find("llvm.memset.p0i8.i64") == pl_model_find("memset"));
}

static void rows_are_found_and_others_are_unknown(void)
{
    const struct pl_model *m = pl_model_find("snprintf");

    CHECK(m != NULL && pl_model_letter(m, 0) == 'w' && pl_model_letter(m, 1) == '-');
    CHECK(pl_model_letter(m, 2) == 'r' && pl_model_letter(m, 9) == 'r');
    m = pl_model_find("getenv");
    CHECK(m != NULL && pl_model_letter(m, 0) == 'r' && pl_model_letter(m, 1) == '-');
    CHECK(pl_model_find("png_read_image") == NULL &&
          pl_model_find("malloc")->result == PL_MODEL_HEAP);
}

static void what_the_runtime_announces_is_known_by_its_tables(void)
{
    CHECK(pl_model_announced("memfrob") != NULL && pl_model_announced("fwrite") != NULL);
    CHECK(pl_model_announced("copy_file_range") != NULL);
    CHECK(strstr(pl_model_announced("pthread_getconcurrency"), "STATE_LOOK(THREADS)") != NULL);
    CHECK(strstr(pl_model_announced("localtime"), "what it returns") != NULL);
    CHECK(pl_model_announced("deflate") == NULL && pl_model_announced("emfrob") == NULL);
}

int main(void)
{
    hooks_say_what_they_are_in_their_names();
    rows_are_found_and_others_are_unknown();
    what_the_runtime_announces_is_known_by_its_tables();
    return unit_result();
}
