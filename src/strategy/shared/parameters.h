/* SPDX-License-Identifier: MIT */
/*
 * The parameters of a strategy: "key=value,...", as given after its name.  The
 * value of the most natural key may stand alone in first place: pct:3.
 */
#ifndef PL_STRATEGY_SHARED_PARAMETERS_H
#define PL_STRATEGY_SHARED_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The number given for `key`, or with `first` the first word if it has no key.
 * *value stays as it is when nothing is given.  False when what is given is no
 * number.
 */
bool pl_parameter_number(const char *parameters, const char *key, bool first, uint64_t *value);

/* The same for a number with up to two decimals, which *value has hundredths of. */
bool pl_parameter_decimal(const char *parameters, const char *key, uint64_t *value);

/* The same for a time such as 200us, 1.5ms or 2s, in nanoseconds. */
bool pl_parameter_time(const char *parameters, const char *key, uint64_t *value);

/*
 * The same for a word out of n: *value becomes its position among them.  False
 * when what is given is none of them.
 */
bool pl_parameter_word(const char *parameters, const char *key, bool first,
                       const char *const *words, unsigned n, unsigned *value);

/* The text given for `key`, up to *end; NULL when nothing is given. */
const char *pl_parameter_text(const char *parameters, const char *key, const char **end);

/* Whether there is nothing but the n keys; with `first` the first word needs none. */
bool pl_parameters_known(const char *parameters, const char *const *keys, unsigned n, bool first);

#endif /* PL_STRATEGY_SHARED_PARAMETERS_H */
