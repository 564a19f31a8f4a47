/* SPDX-License-Identifier: MIT */
/* See page.h.  The assembler puts the two files in as they are. */
#include "report/coverage/page.h"

#include "report/coverage/html.h"

#define EMBED(name, file)                                                                 \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"" PL_PAGE_FOLDER "/" file "\"\n" \
            ".byte 0\n.popsection");                                                      \
    extern const char name[] __attribute__((visibility("hidden")))

EMBED(pl_page_style, "page.css");
EMBED(pl_page_script, "page.js");

void pl_page_begin(FILE *to, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>",
          to);
    pl_html_text(to, title);
    fprintf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", pl_page_style);
}

void pl_page_end(FILE *to)
{
    fprintf(to, "<script>\n%s</script>\n</body>\n</html>\n", pl_page_script);
}
