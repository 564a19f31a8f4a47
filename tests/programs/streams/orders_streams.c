/* SPDX-License-Identifier: MIT */
/*
 * A row of streams.def each, and those of stdio that are written by hand: the first thread calls
 * the function, the second another one on the same stream.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete orders=99
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete orders=99
 *
 * RUN    native
 * EXPECT exit=0
 */
#include "../calls/orders.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <wchar.h>

/* As older programs call them. */
extern int _IO_getc(FILE *);
extern int _IO_putc(int, FILE *);

static FILE *f;
static fpos_t begin_of;
static fpos64_t begin_of_64;
static char text[] = "12 34 56 78\nab\n";

/* Functions without a lock are for those who have it. */
#define LOCKED(type, call) \
    flockfile(f);          \
    type result = call;    \
    funlockfile(f);        \
    return (long)result

/* ---- input: who reads first gets what comes first ---- */

static void input(void)
{
    f = fmemopen(text, sizeof(text) - 1, "r");
    MUST(f != NULL);
}

/* Streams over memory have no wide characters. */
static void wide_input(void)
{
    f = tmpfile();
    MUST(f != NULL && write(fileno(f), text, sizeof(text) - 1) == sizeof(text) - 1);
    MUST(lseek(fileno(f), 0, SEEK_SET) == 0);
}

static void wide_standard_input(void)
{
    wide_input();
    stdin = f;
}

static void standard_input(void)
{
    input();
    stdin = f;
}

static long formatted(int (*scan)(FILE *, const char *, va_list), const char *format, ...)
{
    va_list list;

    va_start(list, format);
    scan(f, format, list);
    va_end(list);
    return 0;
}

static long formatted_wide(int (*scan)(FILE *, const wchar_t *, va_list), const wchar_t *format,
                           ...)
{
    va_list list;

    va_start(list, format);
    scan(f, format, list);
    va_end(list);
    return 0;
}

static long standard(int (*scan)(const char *, va_list), const char *format, ...)
{
    va_list list;

    va_start(list, format);
    scan(format, list);
    va_end(list);
    return 0;
}

static long standard_wide(int (*scan)(const wchar_t *, va_list), const wchar_t *format, ...)
{
    va_list list;

    va_start(list, format);
    scan(format, list);
    va_end(list);
    return 0;
}

#define READS(function, ...) ORDER(function, input(), __VA_ARGS__, return getc(f))
#define READS_WIDE(function, ...) ORDER(function, wide_input(), __VA_ARGS__, return (long)getwc(f))
#define READS_STANDARD(function, ...) ORDER(function, standard_input(), __VA_ARGS__, return getc(f))
#define READS_STANDARD_WIDE(function, ...) \
    ORDER(function, wide_standard_input(), __VA_ARGS__, return (long)getwc(f))

READS(fgetc, return fgetc(f))
READS(getc, return (getc)(f))
READS(_IO_getc, return _IO_getc(f))
READS(fgetc_unlocked, LOCKED(long, (fgetc_unlocked)(f)))
READS(getc_unlocked, LOCKED(long, (getc_unlocked)(f)))
READS(getw, return getw(f))
READS(fgets, char b[3]; return fgets(b, 3, f)[0])
READS(fgets_unlocked, char b[3]; LOCKED(long, fgets_unlocked(b, 3, f)[0]))
READS(fread, char b[2]; MUST(fread(b, 1, 2, f) == 2); return b[0])
READS(fread_unlocked, char b[2]; flockfile(f); MUST((fread_unlocked)(b, 1, 2, f) == 2);
      funlockfile(f); return b[0])
READS(getline, char *b = NULL; size_t n = 0; return getline(&b, &n, f))
READS(getdelim, char *b = NULL; size_t n = 0; return getdelim(&b, &n, ' ', f))
READS(fscanf, int n = 0; MUST(fscanf(f, "%d", &n) == 1); return n)
READS(vfscanf, int n = 0; formatted(vfscanf, "%d", &n); return n)
READS_WIDE(fgetwc, return (long)fgetwc(f))
READS_WIDE(getwc, return (long)(getwc)(f))
READS_WIDE(fgetwc_unlocked, LOCKED(long, (fgetwc_unlocked)(f)))
READS_WIDE(getwc_unlocked, LOCKED(long, (getwc_unlocked)(f)))
READS_WIDE(fgetws, wchar_t b[3]; return fgetws(b, 3, f)[0])
READS_WIDE(fgetws_unlocked, wchar_t b[3]; LOCKED(long, fgetws_unlocked(b, 3, f)[0]))
READS_WIDE(fwscanf, int n = 0; MUST(fwscanf(f, L"%d", &n) == 1); return n)
READS_WIDE(vfwscanf, int n = 0; formatted_wide(vfwscanf, L"%d", &n); return n)
READS_STANDARD(getchar, return (getchar)())
READS_STANDARD(getchar_unlocked, LOCKED(long, (getchar_unlocked)()))
READS_STANDARD(scanf, int n = 0; MUST(scanf("%d", &n) == 1); return n)
READS_STANDARD(vscanf, int n = 0; standard(vscanf, "%d", &n); return n)
READS_STANDARD_WIDE(getwchar, return (long)(getwchar)())
READS_STANDARD_WIDE(getwchar_unlocked, LOCKED(long, (getwchar_unlocked)()))
READS_STANDARD_WIDE(wscanf, int n = 0; MUST(wscanf(L"%d", &n) == 1); return n)
READS_STANDARD_WIDE(vwscanf, int n = 0; standard_wide(vwscanf, L"%d", &n); return n)
READS(ungetc, return ungetc('x', f))
READS_WIDE(ungetwc, return (long)ungetwc(L'x', f))

/* ---- position and state ---- */

static void in_the_middle(void)
{
    input();
    MUST(getc(f) == '1' && fgetpos(f, &begin_of) == 0 && fgetpos64(f, &begin_of_64) == 0);
    MUST(getc(f) == '2');
}

static void at_the_end(void)
{
    input();
    fseek(f, 0, SEEK_END);
    MUST(getc(f) == EOF);
}

#define MOVES(function, ...) ORDER(function, in_the_middle(), __VA_ARGS__, return getc(f))
#define TELLS(function, ...) ORDER(function, in_the_middle(), __VA_ARGS__, return getc(f))

MOVES(fseek, return fseek(f, 0, SEEK_SET))
MOVES(fseeko, return fseeko(f, 0, SEEK_SET))
MOVES(fseeko64, return fseeko64(f, 0, SEEK_SET))
MOVES(rewind, rewind(f); return 0)
MOVES(fsetpos, return fsetpos(f, &begin_of))
MOVES(fsetpos64, return fsetpos64(f, &begin_of_64))
TELLS(ftell, return ftell(f))
TELLS(ftello, return ftello(f))
TELLS(ftello64, return ftello64(f))
TELLS(fgetpos, fpos_t p; MUST(fgetpos(f, &p) == 0); return p.__pos)
TELLS(fgetpos64, fpos64_t p; MUST(fgetpos64(f, &p) == 0); return p.__pos)
ORDER(feof, at_the_end(), return feof(f) != 0, rewind(f); return 0)
ORDER(feof_unlocked, at_the_end(), LOCKED(int, (feof_unlocked)(f) != 0), rewind(f); return 0)
ORDER(ferror, input(), return ferror(f) != 0, return putc('x', f))
ORDER(ferror_unlocked, input(), LOCKED(int, (ferror_unlocked)(f) != 0), return putc('x', f))
ORDER(clearerr, at_the_end(), clearerr(f); return 0, return feof(f) != 0)
ORDER(clearerr_unlocked, at_the_end(), flockfile(f); clearerr_unlocked(f); funlockfile(f);
      return 0, return feof(f) != 0)
ORDER(fwide, wide_input(), return fwide(f, 1), return fwide(f, -1))

/* ---- output: who prints first stands first ---- */

static void look(void)
{
    char c = 0;

    fflush(f);
    MUST(pread(fileno(f), &c, 1, 0) == 1);
    seen = c;
}

static void output(void)
{
    f = tmpfile();
    MUST(f != NULL);
    after = look;
}

static void standard_output(void)
{
    output();
    stdout = f;
}

static void standard_error(void)
{
    output();
    MUST(dup2(fileno(f), 2) == 2);
}

static long print(int (*printing)(FILE *, const char *, va_list), const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int n = printing(f, format, list);

    va_end(list);
    return n;
}

static long print_wide(int (*printing)(FILE *, const wchar_t *, va_list), const wchar_t *format,
                       ...)
{
    va_list list;

    va_start(list, format);
    int n = printing(f, format, list);

    va_end(list);
    return n;
}

static long print_standard(int (*printing)(const char *, va_list), const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int n = printing(format, list);

    va_end(list);
    return n;
}

static long print_standard_wide(int (*printing)(const wchar_t *, va_list), const wchar_t *format,
                                ...)
{
    va_list list;

    va_start(list, format);
    int n = printing(format, list);

    va_end(list);
    return n;
}

static long print_to(int (*printing)(int, const char *, va_list), const char *format, ...)
{
    va_list list;

    va_start(list, format);
    int n = printing(fileno(f), format, list);

    va_end(list);
    return n;
}

#define PRINTS(function, ...) ORDER(function, output(), __VA_ARGS__, return fputs("B", f))
#define PRINTS_WIDE(function, ...) ORDER(function, output(), __VA_ARGS__, return fputws(L"B", f))
#define PRINTS_STANDARD(function, ...) \
    ORDER(function, standard_output(), __VA_ARGS__, return fputs("B", f))
#define PRINTS_STANDARD_WIDE(function, ...) \
    ORDER(function, standard_output(), __VA_ARGS__, return fputws(L"B", f))
#define COMPLAINS(function, ...) \
    ORDER(function, standard_error(), __VA_ARGS__, return fputs("B", stderr))

PRINTS(fputc, return fputc('x', f))
PRINTS(putc, return (putc)('x', f))
PRINTS(_IO_putc, return _IO_putc('x', f))
PRINTS(fputc_unlocked, LOCKED(long, (fputc_unlocked)('x', f)))
PRINTS(putc_unlocked, LOCKED(long, (putc_unlocked)('x', f)))
PRINTS(putw, return putw('x', f))
PRINTS(fputs, return fputs("xy", f))
PRINTS(fputs_unlocked, LOCKED(long, fputs_unlocked("xy", f)))
PRINTS(fwrite, return (long)fwrite("xy", 1, 2, f))
PRINTS(fwrite_unlocked, LOCKED(long, (fwrite_unlocked)("xy", 1, 2, f)))
PRINTS(fprintf, return fprintf(f, "%d", 7))
PRINTS(vfprintf, return print(vfprintf, "%d", 7))
PRINTS_WIDE(fputwc, return (long)fputwc(L'x', f))
PRINTS_WIDE(putwc, return (long)(putwc)(L'x', f))
PRINTS_WIDE(fputwc_unlocked, LOCKED(long, (fputwc_unlocked)(L'x', f)))
PRINTS_WIDE(putwc_unlocked, LOCKED(long, (putwc_unlocked)(L'x', f)))
PRINTS_WIDE(fputws, return fputws(L"xy", f))
PRINTS_WIDE(fputws_unlocked, LOCKED(long, fputws_unlocked(L"xy", f)))
PRINTS_WIDE(fwprintf, return fwprintf(f, L"%d", 7))
PRINTS_WIDE(vfwprintf, return print_wide(vfwprintf, L"%d", 7))
PRINTS_STANDARD(puts, return puts("xy"))
PRINTS_STANDARD(putchar, return (putchar)('x'))
PRINTS_STANDARD(putchar_unlocked, LOCKED(long, (putchar_unlocked)('x')))
PRINTS_STANDARD(printf, return printf("%d", 7))
PRINTS_STANDARD(vprintf, return print_standard(vprintf, "%d", 7))
PRINTS_STANDARD_WIDE(putwchar, return (long)(putwchar)(L'x'))
PRINTS_STANDARD_WIDE(putwchar_unlocked, LOCKED(long, (putwchar_unlocked)(L'x')))
PRINTS_STANDARD_WIDE(wprintf, return wprintf(L"%d", 7))
PRINTS_STANDARD_WIDE(vwprintf, return print_standard_wide(vwprintf, L"%d", 7))
COMPLAINS(perror, perror("x"); return 0)
COMPLAINS(psignal, psignal(SIGTERM, "x"); return 0)
COMPLAINS(psiginfo, siginfo_t i = {.si_signo = SIGTERM}; psiginfo(&i, "x"); return 0)
ORDER(dprintf, output(); setvbuf(f, NULL, _IONBF, 0), return dprintf(fileno(f), "%d", 7),
                         return dprintf(fileno(f), "B"))
ORDER(vdprintf, output(); setvbuf(f, NULL, _IONBF, 0), return print_to(vdprintf, "%d", 7),
                          return dprintf(fileno(f), "B"))

/* ---- buffers, the end ---- */

static long on_disk(void)
{
    return lseek(fileno(f), 0, SEEK_END);
}

static void unflushed(void)
{
    f = tmpfile();
    MUST(f != NULL && fputs("ab", f) >= 0);
}

static void unbuffered_yet(void)
{
    f = tmpfile();
    MUST(f != NULL);
}

static long put_and_look(void)
{
    fputs("ab\n", f);
    return (long)__fpending(f);
}

ORDER(fflush, unflushed(), return fflush(f), return on_disk())
ORDER(fflush_unlocked, unflushed(), LOCKED(int, fflush_unlocked(f)), return on_disk())
ORDER(setvbuf, unbuffered_yet(), return setvbuf(f, NULL, _IONBF, 0), return put_and_look())
ORDER(setbuf, unbuffered_yet(), setbuf(f, NULL); return 0, return put_and_look())
ORDER(setbuffer, unbuffered_yet(), setbuffer(f, NULL, 0); return 0, return put_and_look())
ORDER(setlinebuf, unbuffered_yet(), setlinebuf(f); return 0, return put_and_look())
ORDER(fsetlocking, unbuffered_yet(), return __fsetlocking(f, FSETLOCKING_BYCALLER),
      return __fsetlocking(f, FSETLOCKING_QUERY))
ORDER(flbf, unbuffered_yet(), return __flbf(f) != 0, setlinebuf(f); return 0)
ORDER(freopen, unflushed(), return freopen("/dev/null", "r", f) != NULL, return putc('x', f))
ORDER(freopen64, unflushed(), return freopen64("/dev/null", "r", f) != NULL, return putc('x', f))
ORDER(fclose, unflushed();
      seen = dup(fileno(f)), return fclose(f), return lseek((int)seen, 0, SEEK_END))
ORDER(pclose, f = popen("exit 3", "r"); MUST(f != NULL);
      seen = fileno(f), return pclose(f) >> 8, return said(fcntl((int)seen, F_GETFD)))
ORDER(flockfile, input(), flockfile(f); int a = getc(f) * 256 + getc(f); funlockfile(f);
      return a, return getc(f))
ORDER(funlockfile, input(), flockfile(f); funlockfile(f); return getc(f), flockfile(f);
      int a = getc(f); funlockfile(f); return a)
ORDER(
    ftrylockfile, input(), int r = ftrylockfile(f); if (r == 0) {
        getc(f);
        funlockfile(f);
    } return r == 0,
                                                    return getc(f))

ORDERS(&order_fgetc, &order_getc, &order__IO_getc, &order_fgetc_unlocked, &order_getc_unlocked,
       &order_getw, &order_fgets, &order_fgets_unlocked, &order_fread, &order_fread_unlocked,
       &order_getline, &order_getdelim, &order_fscanf, &order_vfscanf, &order_fgetwc, &order_getwc,
       &order_fgetwc_unlocked, &order_getwc_unlocked, &order_fgetws, &order_fgetws_unlocked,
       &order_fwscanf, &order_vfwscanf, &order_getchar, &order_getchar_unlocked, &order_scanf,
       &order_vscanf, &order_getwchar, &order_getwchar_unlocked, &order_wscanf, &order_vwscanf,
       &order_ungetc, &order_ungetwc, &order_fseek, &order_fseeko, &order_fseeko64, &order_rewind,
       &order_fsetpos, &order_fsetpos64, &order_ftell, &order_ftello, &order_ftello64,
       &order_fgetpos, &order_fgetpos64, &order_feof, &order_feof_unlocked, &order_ferror,
       &order_ferror_unlocked, &order_clearerr, &order_clearerr_unlocked, &order_fwide,
       &order_fputc, &order_putc, &order__IO_putc, &order_fputc_unlocked, &order_putc_unlocked,
       &order_putw, &order_fputs, &order_fputs_unlocked, &order_fwrite, &order_fwrite_unlocked,
       &order_fprintf, &order_vfprintf, &order_fputwc, &order_putwc, &order_fputwc_unlocked,
       &order_putwc_unlocked, &order_fputws, &order_fputws_unlocked, &order_fwprintf,
       &order_vfwprintf, &order_puts, &order_putchar, &order_putchar_unlocked, &order_printf,
       &order_vprintf, &order_putwchar, &order_putwchar_unlocked, &order_wprintf, &order_vwprintf,
       &order_perror, &order_psignal, &order_psiginfo, &order_dprintf, &order_vdprintf,
       &order_fflush, &order_fflush_unlocked, &order_setvbuf, &order_setbuf, &order_setbuffer,
       &order_setlinebuf, &order_fsetlocking, &order_flbf, &order_freopen, &order_freopen64,
       &order_fclose, &order_pclose, &order_flockfile, &order_funlockfile, &order_ftrylockfile)
