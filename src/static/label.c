/* SPDX-License-Identifier: MIT */
/*
 * Labels before calls; see code.h.
 *
 * A label is a piece of inline assembly without operands: nothing but the row for the section comes
 * out of it.  No pass of the optimiser runs after this one, and the code generator moves no call
 * across it.  Calls of hooks at the beginning and the end of functions, and of intrinsics that copy
 * memory, get one, too: then a call that the code generator makes something else of, such as a
 * comparison of a few bytes, is recognised by the label that follows before any call.
 */
#include "static/code.h"

#include "base/assert.h"
#include "base/hash.h"

#include <errno.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

LLVMModuleRef pl_label_read(LLVMContextRef context, const char *path, struct pl_err *err)
{
    LLVMMemoryBufferRef buffer = NULL;
    LLVMModuleRef module = NULL;
    char *message = NULL;

    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) != 0) {
        pl_err_set(err, PL_ERR_USER, "'%s' cannot be read (%s). Have it made anew.", path,
                   message ? message : "?");
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (LLVMParseBitcodeInContext2(context, buffer, &module) != 0) {
        pl_err_set(
            err, PL_ERR_USER,
            "'%s' is bitcode of another version of LLVM than plait was built with. Build both "
            "with one.",
            path);
        module = NULL;
    }
    LLVMDisposeMemoryBuffer(buffer);
    return module;
}

bool pl_label_wanted(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;

    if (LLVMIsAInlineAsm(callee))
        return false;
    if (!LLVMIsAFunction(callee))
        return true;
    const char *name = LLVMGetValueName2(callee, &length);

    if (strncmp(name, "llvm.", 5) != 0)
        return true;
    return strncmp(name, "llvm.memcpy.", 12) == 0 || strncmp(name, "llvm.memmove.", 13) == 0 ||
           strncmp(name, "llvm.memset.", 12) == 0;
}

static bool is_call(LLVMValueRef instruction)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(instruction);

    return op == LLVMCall || op == LLVMInvoke;
}

typedef void visit_call(LLVMValueRef call, void *context);

static void each_call(LLVMModuleRef module, visit_call *visit, void *context)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (is_call(i) && pl_label_wanted(i))
                    visit(i, context);
            }
        }
    }
}

struct labelling {
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef type; /* of the assembly */
    unsigned kind;    /* of the metadata */
    uint32_t n;
    uint64_t hash;
};

static void number(LLVMValueRef call, void *context)
{
    struct labelling *l = context;
    LLVMMetadataRef value =
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(l->context), l->n++, false));

    LLVMSetMetadata(call, l->kind,
                    LLVMMetadataAsValue(l->context, LLVMMDNodeInContext2(l->context, &value, 1)));
}

static void put_label(LLVMValueRef call, void *context)
{
    struct labelling *l = context;
    char text[256];
    int n = snprintf(text, sizeof(text),
                     "7701:\n.pushsection " PL_CODE_ROWS ",\"\",@progbits\n"
                     ".quad 7701b,0x%llx\n.long %u,0\n.popsection",
                     (unsigned long long)l->hash, l->n++);
    char none[] = "";

    PL_ASSERT(n > 0 && (size_t)n < sizeof(text));
    LLVMValueRef code = LLVMGetInlineAsm(l->type, text, (size_t)n, none, 0, true, false,
                                         LLVMInlineAsmDialectATT, false);

    LLVMPositionBuilderBefore(l->builder, call);
    /* Of no line: a section that is switched to would take the line from what follows. */
    LLVMSetCurrentDebugLocation2(l->builder, NULL);
    LLVMBuildCall2(l->builder, l->type, code, NULL, 0, "");
}

/* Head and bitcode. */
static int keep(const char *path, const char *code, size_t size, uint64_t hash, bool by_place,
                struct pl_err *err)
{
    static const char padding[8];
    struct pl_code_head head = {.magic = PL_CODE_MAGIC,
                                .version = PL_CODE_VERSION,
                                .by_place = by_place,
                                .hash = hash,
                                .size = size};
    size_t rest = (8 - size % 8) % 8;
    FILE *f = fopen(path, "wbe");
    bool written = f != NULL && fwrite(&head, sizeof(head), 1, f) == 1 &&
                   fwrite(code, 1, size, f) == size && fwrite(padding, 1, rest, f) == rest;

    if (f != NULL && fclose(f) != 0)
        written = false;
    if (!written)
        return pl_err_set(err, PL_ERR_SYSTEM, "'%s' cannot be written (%s). Make room there.", path,
                          strerror(errno));
    return 0;
}

static uint64_t hash_of(const char *bytes, size_t n)
{
    uint64_t h = n, word = 0;

    for (size_t i = 0; i < n; i += sizeof(word)) {
        memcpy(&word, bytes + i, n - i < sizeof(word) ? n - i : sizeof(word));
        h = pl_hash_add(h, word);
    }
    return h;
}

/* Number the calls, and keep what comes of it. */
static int number_and_keep(struct labelling *l, LLVMModuleRef module, const char *kept,
                           bool by_place, struct pl_err *err)
{
    LLVMContextRef context = LLVMGetModuleContext(module);

    *l = (struct labelling){
        .context = context,
        .kind = LLVMGetMDKindIDInContext(context, PL_CODE_METADATA, strlen(PL_CODE_METADATA)),
        .type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false)};
    pl_hooks_complete(module);
    each_call(module, number, l);
    LLVMMemoryBufferRef code = LLVMWriteBitcodeToMemoryBuffer(module);

    l->hash = hash_of(LLVMGetBufferStart(code), LLVMGetBufferSize(code));
    int rc = keep(kept, LLVMGetBufferStart(code), LLVMGetBufferSize(code), l->hash, by_place, err);

    LLVMDisposeMemoryBuffer(code);
    return rc;
}

int pl_label_keep(LLVMModuleRef module, const char *kept, struct pl_err *err)
{
    struct labelling l;

    return number_and_keep(&l, module, kept, true, err);
}

int pl_label_module(LLVMModuleRef module, const char *kept, struct pl_err *err)
{
    struct labelling l;
    char *text = NULL;

    if (number_and_keep(&l, module, kept, false, err) != 0)
        return -1;
    l.n = 0;
    l.builder = LLVMCreateBuilderInContext(l.context);
    each_call(module, put_label, &l);
    LLVMDisposeBuilder(l.builder);
    int n = asprintf(&text,
                     "\n.pushsection " PL_CODE_SECTION ",\"\",@progbits\n.p2align 3\n"
                     ".incbin \"%s\"\n.popsection\n",
                     kept);

    if (n < 0)
        return pl_err_set(err, PL_ERR_SYSTEM, "There is no memory left.");
    LLVMAppendModuleInlineAsm(module, text, (size_t)n);
    free(text);
    return 0;
}
