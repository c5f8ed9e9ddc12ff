/* The steps of a puzzle as numbers, for Python.
 *
 * Invariant: a step is the numbers
 *     technique, level, rating in tenths, placed candidate or -1,
 *     n, n struck candidates,  n, n cells of the pattern,  digits of the pattern as bits,
 *     n, n houses of the pattern,  n, n strands
 * and a strand is n and n nodes, its end first: candidate, whether it holds, cause, n, n parents as
 * numbers in the strand. docs/RATINGS.md says what they mean. */
#ifndef SATDOKU_RATINGS_RECORD_H
#define SATDOKU_RATINGS_RECORD_H

#include "found.h"

typedef struct {
    int32_t *number;
    int numbers, number_room, failed;
} Record;

static void note(Record *r, int number)
{
    if (GROW(r, number, 1)) r->number[r->numbers++] = number;
    else r->failed = 1;
}

static void note_struck(Record *r, const Step *step)
{
    note(r, count_struck(step));
    for (int i = 0; i < step->struck_cells; i++)
        EACH_BIT(digit, step->struck_digits[i]) note(r, candidate(step->struck[i], digit));
}

static void note_pattern(Record *r, const Step *step)
{
    note(r, size_of(step->cells));
    EACH_CELL(cell, step->cells) note(r, cell);
    note(r, step->digits);
    note(r, step->houses);
    for (int i = 0; i < step->houses; i++) note(r, step->house[i]);
}

static const int32_t *note_strand(Record *r, const ChainNode *node, int n, const int32_t *parent)
{
    note(r, n);
    for (const ChainNode *end = node + n; node < end; node++) {
        note(r, node->candidate);
        note(r, node->holds);
        note(r, node->cause);
        note(r, node->parents);
        for (int k = 0; k < node->parents; k++) note(r, *parent++);
    }
    return parent;
}

/* `found` holds the chain of the step, if it is one; else it is NULL. */
static void note_step(Record *r, const Step *step, const Found *found, int tenths)
{
    note(r, (int)step->technique);
    note(r, step->level);
    note(r, tenths);
    note(r, step->placed);
    note_struck(r, step);
    note_pattern(r, step);
    note(r, found ? found->chain[0].lists : 0);
    if (!found) return;
    const ChainNode *node = found->node + found->chain[0].first_node;
    const int32_t *parent = found->parent;
    for (int s = 0; s < found->chain[0].lists; node += found->chain[0].length[s++])
        parent = note_strand(r, node, found->chain[0].length[s], parent);
}

#endif
