/* What parts strike, by the members that are alive, as far as it is remembered.
 *
 * Invariant: an answer is given to the question that it answers alone: of the same part, with the
 * same members. How many are remembered changes the time that it takes, and nothing else. */
#ifndef SATDOKU_LOGIC_ANSWERS_H
#define SATDOKU_LOGIC_ANSWERS_H

#include "net.h"

enum { KEY = 4 };                                   /* words of members of parts whose answers are remembered */
enum { FIRST_ROOM = 64, MOST_WORDS = 3 << 20 };     /* of a part at first, and of all */

/* The answers of one part, each where its hash says or next to it: the members alive, then those
 * left. A place without an answer says what is true: where none is alive, none is left. `still`:
 * members with which it strikes nothing, those of the state, which is asked most. */
typedef struct {
    uint64_t *kept, still[KEY];
    int32_t words, used, room; /* words: of a set of members */
} Answers;

static int is_same(const uint64_t *one, const uint64_t *other, int32_t words)
{
    uint64_t differs = 0;
    for (int32_t k = 0; k < words; k++) differs |= one[k] ^ other[k];
    return !differs;
}

static uint64_t *home_of(const Answers *answers, const uint64_t *alive)
{
    uint64_t hash = 0;
    for (int32_t k = 0; k < answers->words; k++)
        hash = (hash ^ alive[k]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 32;
    return answers->kept + 2 * (size_t)answers->words * (hash & (uint64_t)(answers->room - 1));
}

/* Where the answer is, or a place without any. */
static uint64_t *place_of(const Answers *answers, const uint64_t *alive)
{
    static const uint64_t NOTHING[KEY];
    const size_t width = 2 * (size_t)answers->words;
    const uint64_t *end = answers->kept + width * (size_t)answers->room;
    uint64_t *at = home_of(answers, alive);
    while (!is_same(at, alive, answers->words) && !is_same(at, NOTHING, answers->words))
        at = at + width == end ? answers->kept : at + width;
    return at;
}

/* The members that the part leaves, if that is remembered, or NULL. */
static const uint64_t *answer_of(const Answers *answers, const uint64_t *alive)
{
    const uint64_t *at = answers->room ? place_of(answers, alive) : NULL;
    return at && is_same(at, alive, answers->words) ? at + answers->words : NULL;
}

/* Twice the room, if there is memory; `left`: words that all parts may still take. */
static void make_room(Answers *answers, int32_t *left)
{
    const size_t width = 2 * (size_t)answers->words;
    Answers more = *answers;
    more.room = answers->room ? 2 * answers->room : FIRST_ROOM;
    const int32_t taken = (more.room - answers->room) * (int32_t)width;
    more.kept = taken <= *left || !answers->room ? calloc((size_t)more.room * width, sizeof(uint64_t)) : NULL;
    if (!more.kept) return;
    for (int32_t i = 0; i < answers->room; i++) {
        const uint64_t *at = answers->kept + (size_t)i * width;
        memcpy(place_of(&more, at), at, width * sizeof(uint64_t));
    }
    free(answers->kept);
    *answers = more;
    *left -= taken;
}

/* Remember an answer, in place of another if there is no room. */
static void keep_answer(Answers *answers, const uint64_t *alive, const uint64_t *after, int32_t *left)
{
    const size_t size = (size_t)answers->words * sizeof(uint64_t);
    if (2 * answers->used >= answers->room) make_room(answers, left);
    if (!answers->room) return;
    const int is_full = 2 * answers->used >= answers->room;
    uint64_t *at = is_full ? home_of(answers, alive) : place_of(answers, alive);
    answers->used += !is_full;
    memcpy(at, alive, size);
    memcpy(at + answers->words, after, size);
}

#endif
