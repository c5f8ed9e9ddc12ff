/* Connected regions while a solver searches.
 *
 * Invariant: `flooding.py` says what is found, and why it is true; this is the same, literal by
 * literal, and the tests compare the two. */
#ifndef SATDOKU_FLOODING_H
#define SATDOKU_FLOODING_H

#include "../../runtime/portable.h"

enum { SATDOKU_FLOODING_CELLS = 1024, SATDOKU_FLOODING_WORDS = SATDOKU_FLOODING_CELLS / 64 };

/* Bit i stands for cell i; only the first `words` words of a board count. */
typedef struct {
    uint64_t word[SATDOKU_FLOODING_WORDS];
} satdoku_flooding_set;

typedef struct {
    satdoku_flooding_set yes, no; /* cells that have the label, and that do not */
    int32_t least, most;          /* cells, if there are any */
    int changed;
} satdoku_flooding_label;

/* Why a literal follows. */
typedef struct {
    satdoku_flooding_set yes, no;
} satdoku_flooding_reason;

/* A place is label * cells + cell. */
typedef struct {
    int cells, labels, words;
    int32_t variables;                 /* the greatest of the literals */
    const int32_t *literal;            /* of each place */
    int32_t *place;                    /* of each variable, or -1 */
    satdoku_flooding_set *neighbours;  /* of each cell */
    satdoku_flooding_label *label;
    uint8_t *fixed;                    /* of each place */
    int32_t *trail, *level;            /* places in the order of time, and where each level starts */
    int32_t trailed, levels, level_room;
    satdoku_flooding_reason *reason;   /* of each place, why it is not so, and why it is */
    int32_t *found;                    /* literals that follow */
    int32_t found_count;
    satdoku_flooding_set told;         /* cells of the label that is being flooded */
} satdoku_flooding;

void satdoku_flooding_assign(satdoku_flooding *f, int32_t literal, int fixed);
/* 0 if there is no memory */
int satdoku_flooding_level(satdoku_flooding *f);
void satdoku_flooding_backtrack(satdoku_flooding *f, int32_t to);
void satdoku_flooding_propagate(satdoku_flooding *f);
/* The clause of a literal that was found, first of all that literal; returns its length, 0 if the
 * literal is none of the places. `clause` has room for all cells. */
int satdoku_flooding_clause(const satdoku_flooding *f, int32_t literal, int32_t *clause);

#endif
