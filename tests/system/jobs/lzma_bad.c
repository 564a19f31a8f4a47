/* SPDX-License-Identifier: MIT */
/* liblzma: a file of several blocks, one of them damaged, is unpacked by two threads and handed
 * over in small pieces; that it is damaged is said, and nothing else happens. */
#include <assert.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 128, MOST = 1 << 16 };

int main(int argc, char **argv)
{
    static unsigned char in[MOST], out[MOST];
    FILE *file = fopen(argc > 1 ? argv[1] : "packed.xz", "rb");
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_mt options = {.threads = 2, .memlimit_threading = UINT64_MAX, .memlimit_stop = UINT64_MAX};
    lzma_ret ret = LZMA_OK;

    assert(file != NULL);
    size_t n = fread(in, 1, sizeof(in), file);

    fclose(file);
    in[12 + (in[12] + 1) * 4] = 0x7f; /* what the first block begins with, behind its header */
    assert(lzma_stream_decoder_mt(&stream, &options) == LZMA_OK);
    stream.next_out = out;
    stream.avail_out = sizeof(out);
    for (size_t at = 0; ret == LZMA_OK && at < n; at += PIECE) {
        stream.next_in = in + at;
        stream.avail_in = n - at < PIECE ? n - at : PIECE;
        while (ret == LZMA_OK && stream.avail_in > 0)
            ret = lzma_code(&stream, LZMA_RUN);
    }
    if (ret == LZMA_OK)
        ret = lzma_code(&stream, LZMA_FINISH);
    assert(ret == LZMA_DATA_ERROR);
    lzma_end(&stream);
    return 0;
}
