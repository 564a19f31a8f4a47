/* SPDX-License-Identifier: MIT */
/*
 * What a search that cannot see everything has seen: for the strategy that
 * plans by it and for the report that states it.
 */
#ifndef PL_MODEL_COVERAGE_H
#define PL_MODEL_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

/* The equivalence classes of the executions so far; see runtime/campaign/seen.c. */
struct pl_seen {
    uint64_t classes;
    uint64_t once, twice; /* those of them that one sample showed, that two did */
    bool fresh;           /* the last execution was the first of its class */
};

/* Pairs of places in the program whose operations conflict. */
struct pl_pair_counts {
    uint32_t both, one; /* seen in both orders, in one only */
    bool full;          /* there are more than could be remembered */
};

/* The paths of a search over blocks; see docs/design/exitblock.md. */
struct pl_paths {
    bool known;            /* there is such a search */
    uint64_t total;        /* of which the following four are the parts */
    uint64_t finished;     /* up to the end of the program */
    uint64_t cut;          /* up to where all that could follow had been seen */
    uint64_t stuck;        /* up to where nobody could go on */
    uint64_t late;         /* up to where a thread had had all operations that it may perform */
    uint64_t aborts;       /* attempts that failed to take a lock */
    uint64_t reports;      /* deadlocks seen, or seen to be possible */
    uint64_t atomic_pc;    /* an operation that is a block of its own; 0: none */
    uint64_t outside_pc;   /* an access that another could change places with; 0: none */
    uint64_t beside_pc;    /* and that one */
    uint64_t outside_addr; /* what they access */
    bool full;             /* something did not fit: the search is not what it seems */
};

/* What a strategy that also samples says about itself, and what one does that counts paths. */
struct pl_coverage {
    bool known; /* the first does */
    struct pl_paths paths;
    struct pl_pair_counts pairs;
    uint64_t searched; /* executions of the exhaustive search since it last started over */
    bool stopped;      /* that search had to be given up, */
    bool ended;        /* or came to its end without having seen everything */
};

/* The models of coverage, M1 to M3; see model/cover.h. */
enum { PL_COVER_MODELS = 3 };

/* Tasks of the models. */
struct pl_coverage_tasks {
    uint64_t executions;
    uint64_t covered[PL_COVER_MODELS],
        total[PL_COVER_MODELS]; /* of each model; total: that could be covered */
    uint64_t latest;            /* number of the execution that covered a new one last */
    bool lost;                  /* there are more than could be kept */
    bool given;                 /* sets of earlier campaigns were, */
    uint64_t given_statements;  /* with so many statements, */
    uint64_t given_met;         /* of which this one has executed so many */
};

#endif /* PL_MODEL_COVERAGE_H */
