/* SPDX-License-Identifier: MIT */
/*
 * printf() and scanf(): the texts that a format names, what %n and conversions store, and where
 * the result goes; with _FORTIFY_SOURCE as well.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=48 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=48 exit=0
 *
 * RUN    plait test -s dpor --detect race --section 1
 * EXPECT race location~@here exit=1
 *
 * RUN    -O2 -D_FORTIFY_SOURCE=2 plait test -s dpor
 * EXPECT clean complete classes=49 exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "cases.h"

#include <fcntl.h>
#include <wchar.h>

static char own[2048];

static int open_null(void)
{
    static int fd = -1;

    return fd < 0 ? (fd = open("/dev/null", O_WRONLY)) : fd;
}

static int list_sprintf(char *to, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int n = vsnprintf(to, 16, format, args);

    va_end(args);
    return n;
}

static int list_scan(const char *from, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int n = vsscanf(from, format, args);

    va_end(args);
    return n;
}

static volatile int five = 5;
static const char *volatile word = "word";

READS(sprintf_string, result = sprintf(own, "%d %s", five, shared.text)) /* @here */
WRITES(sprintf_to, result = sprintf(shared.text, "%d", five))
READS(snprintf_string, result = snprintf(own, 16, "%*d %.*s", five, five, 2, shared.text))
WRITES(snprintf_to, result = snprintf(shared.text, 16, "%s", word))
WRITES(snprintf_n, result = snprintf(own, 16, "%s%ln", word, &shared.word))
CASE(snprintf_precision, strcpy(shared.text, "12345678 b"),
     result = snprintf(own, 16, "%.8s", shared.text), shared.text[8] = 'c')
WRITES(vsnprintf_to, result = list_sprintf(shared.text, "%d", five))
READS(vsnprintf_string, result = list_sprintf(own, "%Lf %lld %c %s", 1.5L, 1LL, 'c', shared.text))
READS(asprintf_string, char *s; result = asprintf(&s, "%s", shared.text); free(s))
WRITES(asprintf_to, result = asprintf((char **)&shared.pointer, "%d", five))
READS(dprintf_string, result = dprintf(open_null(), "%s", shared.text))
READS(fprintf_string, FILE *f = fmemopen(own, 2048, "w"); fprintf(f, "%g %s", 1.5, shared.text);
      fclose(f))
READS(fputs_, FILE *f = fmemopen(own, 2048, "w"); fputs(shared.text, f); fclose(f))
READS(fwrite_, FILE *f = fmemopen(own, 2048, "w"); fwrite(shared.text, 1, 4, f); fclose(f))
WRITES(swprintf_to, result = swprintf(shared.wide, 16, L"%d", five))
READS(swprintf_string, result = swprintf((wchar_t *)own, 16, L"%s", shared.text))
READS(sscanf_from, int n; result = sscanf(shared.text, "%d", &n))
WRITES(sscanf_number, result = sscanf("12", "%d", &shared.number))
WRITES(sscanf_later, int n; result = sscanf("1 2 3", "%d %*d %ld", &n, &shared.word))
WRITES(sscanf_string, result = sscanf("ab", "%[abc]", shared.text))
WRITES(sscanf_position, int n; result = sscanf("12", "%d%n", &n, &shared.number))
WRITES(vsscanf_real, result = list_scan("1.5", "%lf", &shared.real))
WRITES(fscanf_, char from[] = "12"; FILE *f = fmemopen(from, 2, "r");
       result = fscanf(f, "%d", &shared.number); fclose(f))

int main(void)
{
    RUN(sprintf_string), RUN(sprintf_to), RUN(snprintf_string), RUN(snprintf_to), RUN(snprintf_n);
    RUN(snprintf_precision), RUN(vsnprintf_to), RUN(vsnprintf_string), RUN(asprintf_string);
    RUN(asprintf_to), RUN(dprintf_string), RUN(fprintf_string), RUN(fputs_), RUN(fwrite_);
    RUN(swprintf_to), RUN(swprintf_string), RUN(sscanf_from), RUN(sscanf_number), RUN(sscanf_later);
    RUN(sscanf_string), RUN(sscanf_position), RUN(vsscanf_real), RUN(fscanf_);
    return 0;
}
