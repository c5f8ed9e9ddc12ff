/* Other grids under sanitizers, without Python: sets within regions of a 9x9 and a 4x4 grid, and
 * random tables, of which the unsound ones are refused and the others survived.
 * test_others_sanitized.py builds and runs it; exit status 0 means that all is well: each set that
 * comes out can be filled in another way, and the givens that it was asked about miss it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "others.h"

enum { LIMIT = 20 };

/* Rows, columns and boxes of n x n cells, and what a digit of a cell excludes. */
static satdoku_others *square(int n, int box)
{
    int cells = n * n, entries = 0, house = 0;
    satdoku_others *t = calloc(1, sizeof *t);
    uint8_t *grid = malloc((size_t)cells), *houses = malloc((size_t)(3 * n * n));
    int32_t *start = malloc(((size_t)(cells * n) + 1) * sizeof *start);
    uint8_t *cell = malloc((size_t)(cells * n) * (size_t)cells);
    uint16_t *digits = malloc((size_t)(cells * n) * (size_t)cells * sizeof *digits);
    for (int c = 0; c < cells; c++)
        grid[c] = (uint8_t)((box * (c / n % box) + c / n / box + c % n) % n);
    for (int c = 0; c < cells; c++)
        for (int d = 0; d < n; d++) {
            start[c * n + d] = entries;
            for (int o = 0; o < cells; o++) {
                int boxes = c / n / box == o / n / box && c % n / box == o % n / box;
                if (o == c || (c / n != o / n && c % n != o % n && !boxes)) continue;
                cell[entries] = (uint8_t)o, digits[entries++] = (uint16_t)(1u << d);
            }
        }
    start[cells * n] = entries;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) houses[house++] = (uint8_t)(a * n + b);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) houses[house++] = (uint8_t)(b * n + a);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            houses[house++] = (uint8_t)((a / box * box + b / box) * n + a % box * box + b % box);
    *t = (satdoku_others){cells, n, 3 * n, entries, grid, start, cell, digits, houses};
    return t;
}

static void release(satdoku_others *t)
{
    free((void *)t->grid), free((void *)t->kill_start), free((void *)t->kill_cell);
    free((void *)t->kill_digits), free((void *)t->house), free(t);
}

/* 1 if an answer is wrong. */
static int ask(const satdoku_others *t, int keep)
{
    satdoku_set givens = {{0, 0}}, other, sets[LIMIT + 1];
    uint8_t *filling = malloc((size_t)t->cells);
    int wrong = 0;
    for (int c = 0; c < t->cells; c++)
        if (rand() % 100 < keep) givens.word[c / 64] |= 1ull << c % 64;
    if (satdoku_other(t, givens, &other)) {
        wrong |= !!((other.word[0] & givens.word[0]) | (other.word[1] & givens.word[1]));
        wrong |= !satdoku_filling(t, other, filling);
        for (int c = 0; c < t->cells; c++)
            wrong |= (other.word[c / 64] >> c % 64 & 1) && filling[c] == t->grid[c] + 1;
    }
    satdoku_set region = {{~givens.word[0], ~givens.word[1]}};
    int64_t count = satdoku_within(t, region, 12, rand() % (LIMIT + 1), sets);
    for (int64_t i = 0; i < count; i++) wrong |= !satdoku_filling(t, sets[i], filling);
    free(filling);
    return wrong;
}

/* Change an entry of a table; a sound one is asked. */
static void spoil(satdoku_others *t)
{
    int entry = rand() % (int)t->kills;
    switch (rand() % 5) {
    case 0: ((uint8_t *)t->grid)[rand() % t->cells] = (uint8_t)(rand() % 20); break;
    case 1: ((int32_t *)t->kill_start)[rand() % (t->cells * t->digits + 1)] = rand(); break;
    case 2: ((uint8_t *)t->kill_cell)[entry] = (uint8_t)rand(); break;
    case 3: ((uint16_t *)t->kill_digits)[entry] = (uint16_t)rand(); break;
    default: ((uint8_t *)t->house)[rand() % (int)(t->houses * t->digits)] = (uint8_t)rand();
    }
    if (!satdoku_others_fault(t)) ask(t, 60);
}

int main(void)
{
    for (int turn = 0; turn < 200; turn++) {
        srand((unsigned)turn);
        satdoku_others *t = turn % 2 ? square(4, 2) : square(9, 3);
        if (satdoku_others_fault(t)) return printf("turn %d: refused\n", turn), 1;
        if (ask(t, 30 + rand() % 70)) return printf("turn %d: a wrong answer\n", turn), 1;
        spoil(t);
        release(t);
    }
    return 0;
}
