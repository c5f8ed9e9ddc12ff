/* Canonical forms and images under sanitizers, without Python: boards of every kind of box, puzzles
 * from empty to full, legal and not, symmetric and not, and listings and moves of random numbers.
 * test_symmetry_sanitized.py builds and runs it; exit status 0 means that all is well and that every
 * form is its own form. */
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
    int differ = satdoku_board_fault(board) != NULL;
    differ |= satdoku_by_lines(board, count, puzzles, forms, orbits) != count;
    differ |= satdoku_by_lines(board, count, forms, again, NULL) != count;
    differ |= memcmp(forms, again, bytes) != 0;
    puzzles[bytes - 1] = (uint8_t)(n + 1);
    differ |= satdoku_by_lines(board, count, puzzles, forms, orbits) != count - 1;
    free(puzzles), free(forms), free(again), free(orbits);
    return differ;
}

/* The transposition and the reversal of digits; digits in one class or each in its own. */
static int by_list(int n, int classes)
{
    size_t cells = (size_t)(n * n), bytes = COUNT * cells;
    uint16_t *source = malloc(2 * cells * sizeof *source);
    uint8_t *renamed = calloc(2 * (size_t)(n + 1), 1), *class_of = calloc((size_t)n + 1, 1);
    uint8_t *puzzles = malloc(bytes), *forms = malloc(bytes), *again = malloc(bytes);
    uint32_t *fixing = malloc(COUNT * sizeof *fixing);
    for (int i = 0; i < n * n; i++) {
        source[i] = (uint16_t)i;
        source[n * n + i] = (uint16_t)(i % n * n + i / n);
    }
    for (int d = 1; d <= n; d++) {
        renamed[d] = (uint8_t)d;
        renamed[n + 1 + d] = (uint8_t)(n + 1 - d);
        if (classes > 1) class_of[d] = (uint8_t)(d - 1);
    }
    satdoku_listing listing = {n, 0, 2, 2, source, renamed, class_of, {0}, {0}};
    for (size_t i = 0; i < bytes; i++) puzzles[i] = cell(6 + i % 2, n, 0, 0);
    int differ = satdoku_finish_listing(&listing) != NULL;
    differ |= satdoku_by_list(&listing, COUNT, puzzles, forms, fixing) != COUNT;
    differ |= satdoku_by_list(&listing, COUNT, forms, again, NULL) != COUNT;
    differ |= memcmp(forms, again, bytes) != 0;
    puzzles[0] = (uint8_t)(n + 1);
    differ |= satdoku_by_list(&listing, COUNT, puzzles, forms, fixing) != 0;
    free(source), free(renamed), free(class_of);
    free(puzzles), free(forms), free(again), free(fixing);
    return differ;
}

/* A random number below `limit`, or by chance up to twice as large. */
static int number(int limit) { return rand() % 400 ? rand() % limit : rand() % (2 * limit); }

/* A listing of random numbers: refused, or harmless. Counts both kinds. */
static int hostile(int *kinds)
{
    int n = 1 + rand() % SATDOKU_MAX_SIZE, cells = n * n, count = 1 + rand() % 3, failed = 0;
    uint16_t *source = malloc((size_t)(count * cells) * sizeof *source);
    uint8_t *renamed = malloc((size_t)(count * (n + 1))), *class_of = malloc((size_t)n + 1);
    uint8_t *puzzles = malloc((size_t)cells), *forms = malloc((size_t)cells);
    for (int i = 0; i < count * cells; i++) source[i] = (uint16_t)number(cells);
    for (int i = 0; i < count * (n + 1); i++) renamed[i] = (uint8_t)number(n + 1);
    for (int d = 0; d <= n; d++) class_of[d] = (uint8_t)number(n);
    for (int i = 0; i < cells; i++) puzzles[i] = (uint8_t)(rand() % 3 ? 0 : rand() % (n + 1));
    satdoku_listing listing = {n, 0, count, count, source, renamed, class_of, {0}, {0}};
    int sound = !satdoku_finish_listing(&listing);
    kinds[sound]++;
    if (sound) failed = satdoku_by_list(&listing, 1, puzzles, forms, NULL) != 1;
    free(source), free(renamed), free(class_of), free(puzzles), free(forms);
    return failed;
}

/* An image under lines of random numbers, in arrays of exactly their size. Counts moves refused and
 * made. */
static int moved(int *kinds)
{
    int height = 1 + rand() % SATDOKU_MAX_SIZE, width = rand() % 2 ? height : 1 + rand() % height;
    int cells = height * width, size = 1 + rand() % SATDOKU_MAX_SIZE, points = 2 * height;
    uint8_t *puzzle = malloc((size_t)cells), *image = malloc((size_t)cells);
    uint8_t *lines = malloc((size_t)points), *digits = malloc((size_t)size + 1);
    for (int i = 0; i < cells; i++) puzzle[i] = (uint8_t)number(size + 1);
    for (int i = 0; i < points; i++) lines[i] = (uint8_t)(2 * number(i % 2 ? width : height));
    if (rand() % 2) lines[0]++;
    for (int d = 0; d <= size; d++) digits[d] = (uint8_t)d;
    satdoku_moves moves = {height, width, size, points};
    int made = (int)satdoku_images(&moves, 1, puzzle, lines, digits, image);
    kinds[made]++;
    int failed = made > 1;
    for (int i = 0; made && i < cells; i++) failed |= image[i] > size;
    free(puzzle), free(image), free(lines), free(digits);
    return failed;
}

int main(void)
{
    static const satdoku_board boards[] = {
        {1, 1, 1, 1, 1}, {4, 2, 2, 1, 1},   {6, 2, 3, 0, 1},   {9, 3, 3, 1, 1},
        {9, 3, 3, 1, 0}, {12, 3, 4, 0, 1},  {16, 4, 4, 1, 0},  {7, 1, 7, 0, 1},
    };
    static const satdoku_board largest = {25, 5, 5, 1, 1}; /* empty: the deepest search */
    static const satdoku_board unsound[] = {
        {0, 1, 1, 0, 1}, {26, 2, 13, 0, 1}, {9, 2, 3, 0, 1}, {6, 2, 3, 1, 1}, {9, 0, 3, 0, 1},
    };
    int failed = 0, kinds[2] = {0}, moves[2] = {0};
    for (size_t i = 0; i < sizeof unsound / sizeof *unsound; i++)
        failed |= !satdoku_board_fault(unsound + i);
    for (int i = 0; i < 2000; i++) failed |= hostile(kinds);
    failed |= kinds[0] < 100 || kinds[1] < 100;
    for (int i = 0; i < 2000; i++) failed |= moved(moves);
    failed |= moves[0] < 100 || moves[1] < 100;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        failed |= by_lines(boards + i, KINDS, COUNT);
    failed |= by_lines(&largest, 1, 1);
    for (int n = 1; n <= SATDOKU_MAX_SIZE; n += 8) failed |= by_list(n, 1) | by_list(n, n);
    printf("%s\n", failed ? "failed" : "ok");
    return failed ? 1 : 0;
}
