/* SPDX-License-Identifier: MIT */
/* From options as given to what the engine is asked to do. */
#ifndef PL_CLI_SETTINGS_H
#define PL_CLI_SETTINGS_H

#include "cli/options.h"
#include "result/request.h"

/*
 * Fill the settings, or say which option makes no sense and what would.  The
 * strategy is not looked at for a replay, which has its own.
 */
int pl_settings_fill(struct pl_settings *settings, const struct pl_options *options, bool replay,
                     struct pl_err *err);

/* Milliseconds after which the search stops; 0: never. */
uint64_t pl_settings_time(const struct pl_settings *settings, const struct pl_options *options);

/* How many paths to list; UINT64_MAX for all of them. */
int pl_settings_paths(struct pl_request *request, const struct pl_options *options,
                      struct pl_err *err);

/* What is to be reached: request->until. */
/* Predecessor sets of earlier campaigns, which only some strategies have a use for. */
int pl_settings_coverage(struct pl_request *request, const struct pl_options *options,
                         struct pl_err *err);
int pl_settings_until(struct pl_request *request, const struct pl_options *options,
                      struct pl_err *err);

/* Workers to explore with; 1 unless --jobs says more. */
int pl_settings_jobs(unsigned *jobs, const struct pl_options *options, struct pl_err *err);

/* How much making a schedule simpler may cost: request->budget and minimize_ms. */
void pl_settings_minimize(struct pl_request *request, const struct pl_options *options);

/* Bits of exit statuses such as "0,3,10-12"; exposed for its test. */
int pl_settings_exits(uint8_t bits[32], const char *list, struct pl_err *err);

/* Bits of detectors such as "deadlock,exit" or "-misuse"; exposed for its test. */
int pl_settings_detect(uint32_t *bits, const char *list, struct pl_err *err);

/* The options that a schedule records; returns how many of at most PL_OPTIONS. */
size_t pl_settings_recorded(const struct pl_options *options,
                            struct pl_request_option recorded[PL_OPTIONS]);

/* What the program does to files, by --files or as it is usual. */
const char *pl_settings_files(const struct pl_options *o);

#endif /* PL_CLI_SETTINGS_H */
