/* Canonical forms under sanitizers, without Python: boards of every kind of box, puzzles from empty
 * to full, legal and not, symmetric and not. Built and run by test_symmetry_sanitized.py; exit
 * status 0 says that all is well and that every form is its own form. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canonical.h"

enum { KINDS = 8, COUNT = 16 };

static uint8_t cell(int kind, int n, int r, int c)
{
    int any = rand() % n + 1;
    switch (kind) {
    case 0: return 0;
    case 1: return r == 0 && c == 0;
    case 2: return 1;
    case 3: return (uint8_t)((r + c) % n + 1);
    case 4: return (uint8_t)(r == 0 ? c + 1 : 0);
    case 5: return (uint8_t)(r == c ? r + 1 : 0);
    case 6: return (uint8_t)(rand() % 10 ? 0 : any);
    default: return (uint8_t)(rand() % 3 ? any : 0);
    }
}

/* Forms on an array of exactly their size; those of the forms must be the same. */
static int by_lines(const satdoku_board *board, int kinds, int count)
{
    int n = board->size;
    size_t cells = (size_t)(n * n), bytes = (size_t)count * cells;
    uint8_t *puzzles = malloc(bytes), *forms = malloc(bytes), *again = malloc(bytes);
    uint8_t *orbits = malloc((size_t)count * (2 * (size_t)n + 1));
    for (size_t i = 0; i < bytes; i++) {
        int at = (int)(i % cells);
        puzzles[i] = cell((int)(i / cells) % kinds, n, at / n, at % n);
    }
    satdoku_by_lines(board, count, puzzles, forms, orbits);
    satdoku_by_lines(board, count, forms, again, NULL);
    int differ = memcmp(forms, again, bytes);
    free(puzzles), free(forms), free(again), free(orbits);
    return differ;
}

/* The transposition and the reversal of digits; digits in one class or each in its own. */
static int by_list(int n, int classes)
{
    size_t cells = (size_t)(n * n), bytes = COUNT * cells;
    uint16_t *source = malloc(2 * cells * sizeof *source);
    uint8_t *renamed = calloc(2 * (size_t)(n + 1), 1), *class_of = calloc((size_t)n + 1, 1);
    uint8_t *members = malloc((size_t)n), *start = calloc((size_t)n, 1);
    uint8_t *puzzles = malloc(bytes), *forms = malloc(bytes), *again = malloc(bytes);
    uint32_t *fixing = malloc(COUNT * sizeof *fixing);
    for (int i = 0; i < n * n; i++) {
        source[i] = (uint16_t)i;
        source[n * n + i] = (uint16_t)(i % n * n + i / n);
    }
    for (int d = 1; d <= n; d++) {
        renamed[d] = members[d - 1] = (uint8_t)d;
        renamed[n + 1 + d] = (uint8_t)(n + 1 - d);
        if (classes > 1) start[d - 1] = class_of[d] = (uint8_t)(d - 1);
    }
    satdoku_listing listing = {n, n * n, 2, 2, source, renamed, class_of, members, start};
    for (size_t i = 0; i < bytes; i++) puzzles[i] = cell(6 + i % 2, n, 0, 0);
    satdoku_by_list(&listing, COUNT, puzzles, forms, fixing);
    satdoku_by_list(&listing, COUNT, forms, again, NULL);
    int differ = memcmp(forms, again, bytes);
    free(source), free(renamed), free(class_of), free(members), free(start);
    free(puzzles), free(forms), free(again), free(fixing);
    return differ;
}

int main(void)
{
    static const satdoku_board boards[] = {
        {1, 1, 1, 1, 1}, {4, 2, 2, 1, 1},   {6, 2, 3, 0, 1},   {9, 3, 3, 1, 1},
        {9, 3, 3, 1, 0}, {12, 3, 4, 0, 1},  {16, 4, 4, 1, 0},  {7, 1, 7, 0, 1},
    };
    static const satdoku_board largest = {25, 5, 5, 1, 1}; /* empty: the deepest search */
    int failed = 0;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        failed |= by_lines(boards + i, KINDS, COUNT);
    failed |= by_lines(&largest, 1, 1);
    for (int n = 1; n <= SATDOKU_MAX_SIZE; n += 8) failed |= by_list(n, 1) | by_list(n, n);
    printf("%s\n", failed ? "failed" : "ok");
    return failed ? 1 : 0;
}
