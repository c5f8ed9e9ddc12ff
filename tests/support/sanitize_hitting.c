/* The search for hitting sets under sanitizers, without Python: random sets, parts and sizes up to
 * the largest, with and without a caller who tells more sets, and callers who stop it.
 * test_hitting_sanitized.py builds and runs it; exit status 0 means that all is well: what is found
 * hits every set, and no search runs on after it was stopped. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hitting.h"

enum { MOST_SETS = 40, NODES = 3000 };

typedef struct {
    const satdoku_set *known, *hidden;
    int known_count, hidden_count, found, left, wrong;
} Talk;

static int meet(satdoku_set a, satdoku_set b)
{
    return (a.word[0] & b.word[0]) || (a.word[1] & b.word[1]);
}

static int ask(void *context, satdoku_set givens, satdoku_set *unhit)
{
    Talk *talk = context;
    if (--talk->left < 0) return SATDOKU_STOPPED;
    for (int i = 0; i < talk->hidden_count; i++)
        if (!meet(talk->hidden[i], givens)) return *unhit = talk->hidden[i], 1;
    return 0;
}

static int found(void *context, satdoku_set givens, satdoku_set barred)
{
    Talk *talk = context;
    talk->found++;
    talk->wrong |= meet(givens, barred) || talk->left < 0;
    for (int i = 0; i < talk->known_count; i++) talk->wrong |= !meet(givens, talk->known[i]);
    for (int i = 0; i < talk->hidden_count; i++) talk->wrong |= !meet(givens, talk->hidden[i]);
    return --talk->left < 0 ? SATDOKU_STOPPED : 0;
}

static int poll(void *context) { return ((Talk *)context)->left < 0 ? SATDOKU_STOPPED : 0; }

static satdoku_set some_set(int cells, int most)
{
    satdoku_set set = {{0, 0}};
    for (int i = rand() % (most + 1); i >= 0; i--) {
        int c = rand() % cells;
        set.word[c / 64] |= 1ull << c % 64;
    }
    return set;
}

/* One search; -1 if an answer is wrong, else how many were found. */
static int run(int cells, int refused)
{
    uint8_t *part = malloc((size_t)cells);
    satdoku_set sets[MOST_SETS], hidden[8];
    Talk talk = {sets, hidden, rand() % MOST_SETS, rand() % 8, 0, NODES, 0};
    for (int c = 0; c < cells; c++) part[c] = (uint8_t)(rand() % 9 ? 3 * c / cells : rand() % 3);
    if (refused) part[rand() % cells] = 3;
    for (int i = 0; i < talk.known_count; i++) sets[i] = some_set(cells, 5);
    for (int i = 0; i < talk.hidden_count; i++) hidden[i] = some_set(cells, 5);
    satdoku_hitting wanted = {cells, rand() % (cells < 12 ? cells + 1 : 12), part, {0, 0},
                              {{0, 0}}, {{0, 0}}, ask, found, poll, &talk};
    wanted.strict[0] = rand() % 2, wanted.strict[1] = rand() % 2;
    if (rand() % 2) wanted.given = some_set(cells, 2);
    if (rand() % 2) wanted.barred = some_set(128, 4);
    wanted.barred.word[0] &= ~wanted.given.word[0], wanted.barred.word[1] &= ~wanted.given.word[1];
    if (rand() % 2) wanted.ask = NULL, talk.hidden_count = 0;
    if (!satdoku_hitting_fault(&wanted)) satdoku_hit(&wanted, sets, talk.known_count);
    else if (!refused && cells < 64) talk.wrong = 1;
    free(part);
    return talk.wrong ? -1 : talk.found;
}

int main(void)
{
    int all = 0;
    for (int turn = 0; satdoku_hitting_runs() && turn < 600; turn++) {
        srand((unsigned)turn);
        int count = run(1 + rand() % (turn % 3 ? 30 : SATDOKU_MOST_CELLS), turn % 50 == 0);
        if (count < 0) return printf("turn %d: a wrong answer\n", turn), 1;
        all += count;
    }
    return satdoku_hitting_runs() && all < 1000;
}
