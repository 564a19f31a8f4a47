/* SPDX-License-Identifier: MIT */
/*
 * What every page of plait has in it: a style for light, dark and narrow screens and for paper,
 * and a script without which the page is as complete but less convenient.
 */
#ifndef PL_REPORT_COVERAGE_PAGE_H
#define PL_REPORT_COVERAGE_PAGE_H

#include <stdio.h>

/* Up to the beginning of the body, with a title that is text; and the end of it. */
void pl_page_begin(FILE *to, const char *title);
void pl_page_end(FILE *to);

#endif /* PL_REPORT_COVERAGE_PAGE_H */
