/* SPDX-License-Identifier: MIT */
/*
 * Which array in a variable a pointer moves about in.
 *
 * C has whoever adds to a pointer into an array stay in that array, or one element behind it.  So
 * what is indexed in `struct { char name[16]; struct node *next; }' does not come to `next'.  What
 * a pointer is into is not known from where it points to alone: one to the beginning of a structure
 * may be meant for the structure, one to the end of an array for what lies behind it.  Then it is
 * both.  An array of one element may be the beginning of a longer one.  Who leaves an array by a
 * constant comes to the beginning of a structure around it, or else he was further on in it.
 */
#include "static/flow.h"

#include <llvm-c/Core.h>
#include <string.h>

struct looking {
    LLVMTargetDataRef layout;
    int64_t offset, low, high; /* high 0: nothing was found */
    bool anywhere;
};

static void found(struct looking *l, int64_t low, int64_t high)
{
    l->low = l->high == 0 || low < l->low ? low : l->low;
    l->high = high > l->high ? high : l->high;
}

/* Unions have the members of one of theirs. */
static bool is_union(LLVMTypeRef type)
{
    const char *name = LLVMGetStructName(type);

    return name != NULL && strncmp(name, "union.", 6) == 0;
}

static void look(struct looking *l, LLVMTypeRef type, int64_t at, unsigned depth)
{
    int64_t size = LLVMTypeIsSized(type) ? (int64_t)LLVMABISizeOfType(l->layout, type) : 0;

    if (l->offset < at || l->offset > at + size)
        return;
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        if (LLVMGetArrayLength(type) > 1)
            found(l, at, at + size);
        else
            l->anywhere = true;
        return;
    }
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return;
    if (depth > 0 && is_union(type)) {
        found(l, at, at + size);
        return;
    }
    if (l->offset == at || l->offset == at + size)
        l->anywhere = true;
    unsigned n = LLVMCountStructElementTypes(type);

    for (unsigned i = 0; i < n && !l->anywhere; i++)
        look(l, LLVMStructGetTypeAtIndex(type, i),
             at + (int64_t)LLVMOffsetOfElement(l->layout, type, i), depth + 1);
}

enum pl_solve_part pl_flow_bound(void *context, const struct pl_solve_object *o, int64_t offset,
                                 int64_t *low, int64_t *high)
{
    const struct pl_flow *f = context;
    struct looking l = {.layout = f->ir->layout, .offset = offset};
    LLVMTypeRef type = NULL;

    if (o->sort == PL_OBJECT_GLOBAL_SORT)
        type = LLVMGlobalGetValueType(o->value);
    else if (o->sort == PL_OBJECT_LOCAL_SORT && LLVMIsAConstantInt(LLVMGetOperand(o->value, 0)) &&
             LLVMConstIntGetZExtValue(LLVMGetOperand(o->value, 0)) == 1)
        type = LLVMGetAllocatedType(o->value);
    if (type == NULL || LLVMGetTypeKind(type) != LLVMStructTypeKind || is_union(type))
        return PL_SOLVE_ANY;
    look(&l, type, 0, 0);
    if (l.anywhere)
        return PL_SOLVE_ANY;
    *low = l.low;
    *high = l.high;
    return l.high != 0 ? PL_SOLVE_ARRAY : PL_SOLVE_MEMBER;
}
