/* SPDX-License-Identifier: MIT */
/*
 * What plait takes for proven about the results of atomics in a program: for each function whose
 * name begins with form_, a line with its name, whether each of its atomics is `used` or `unused`.
 *
 *   unused_results PROGRAM
 */
#include "engine/machine/image.h"
#include "engine/machine/unused.h"

#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static struct pl_unused *code;

static void print_atomics(const struct pl_image *image, const char *name, uint64_t start,
                          uint64_t end)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction i;
    ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
    size_t size;

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    printf("%s", name);
    for (uint64_t pc = start; pc < end; pc += i.length) {
        const uint8_t *bytes = pl_image_code(image, pc, &size);

        if (bytes == NULL || !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, &i, o)))
            break;
        if (i.mnemonic != ZYDIS_MNEMONIC_CALL || o[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
            continue;
        uint64_t behind = pc + i.length;

        if (pl_image_called(image, behind + o[0].imm.value.u, 0).call == PL_CALL_HOOK)
            printf(" %s", pl_unused_prove(code, behind, strstr(name, "_wide") != NULL) ? "unused"
                                                                                       : "used");
    }
    printf("\n");
}

static int visit(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr start,
                 void *context)
{
    struct pl_image image;
    int n = dwfl_module_getsymtab(module);

    if (!pl_image_read(&image, module))
        return DWARF_CB_OK;
    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr at;
        const char *text = dwfl_module_getsym_info(module, i, &sym, &at, NULL, NULL, NULL);

        if (text != NULL && strncmp(text, "form_", 5) == 0 && sym.st_size > 0 &&
            strchr(text, '.') == NULL)
            print_atomics(&image, text, at, at + sym.st_size);
    }
    pl_image_free(&image);
    return DWARF_CB_OK;
}

int main(int argc, char **argv)
{
    struct pl_board *board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (argc != 2 || board == MAP_FAILED)
        return 2;
    board->n_modules = 1;
    board->modules[0].instrumented = true;
    board->modules[0].end = UINT64_MAX >> 16;
    code = pl_unused_open(board, argv[1]);
    struct pl_symbols *symbols = pl_symbols_open(board, argv[1]);

    dwfl_getmodules(pl_symbols_session(symbols), visit, NULL, 0);
    pl_symbols_close(symbols);
    pl_unused_close(code);
    return 0;
}
