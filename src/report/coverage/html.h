/* SPDX-License-Identifier: MIT */
/*
 * Text as part of an HTML page.  Names and source lines come from programs and from other
 * people's files: markup in them is shown, never obeyed.  What is no valid UTF-8, control
 * characters and those that turn the direction of writing become U+FFFD; tabs stay.
 */
#ifndef PL_REPORT_COVERAGE_HTML_H
#define PL_REPORT_COVERAGE_HTML_H

#include <stddef.h>
#include <stdio.h>

/* For contents and for values of attributes within quotation marks. */
void pl_html_text(FILE *to, const char *text);

/* The first n bytes of it. */
void pl_html_part(FILE *to, const char *text, size_t n);

#endif /* PL_REPORT_COVERAGE_HTML_H */
