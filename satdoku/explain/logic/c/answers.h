/* What parts strike, by the members that are alive, as far as it is remembered.
 *
 * Invariant: an answer is given to the question that it answers alone: of the same part, with the
 * same members. How many are remembered changes the time that it takes, and nothing else. */
#ifndef SATDOKU_LOGIC_ANSWERS_H
#define SATDOKU_LOGIC_ANSWERS_H

#include "net.h"

/* Words of what is remembered at first, and at most: then all of it is forgotten. */
enum { FIRST_ROOM = 1 << 12, MOST_ROOM = 1 << 21 };

/* Answers one behind the other: a head, the members alive and, if any is struck, those left. The
 * first word is none, so that no answer is at place 0. */
typedef struct {
    uint64_t *kept;
    uint32_t *places; /* by hash: where the latest answer begins; as many as `room` */
    uint32_t used, room;
} Answers;

/* The head of an answer. */
static uint64_t head_of(int32_t part, int32_t words, int is_any)
{
    return (uint64_t)part << 8 | (uint64_t)words << 1 | (uint64_t)is_any;
}

static uint32_t place_of(const Answers *answers, uint64_t part, const uint64_t *alive, int32_t words)
{
    uint64_t hash = part;
    for (int32_t k = 0; k < words; k++) hash = (hash ^ alive[k]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    return (uint32_t)hash & (answers->room - 1);
}

static int open_answers(Answers *answers)
{
    answers->used = 1;
    answers->room = FIRST_ROOM;
    answers->kept = calloc(FIRST_ROOM, sizeof(uint64_t));
    answers->places = calloc(FIRST_ROOM, sizeof(uint32_t));
    return answers->kept && answers->places;
}

static void close_answers(Answers *answers)
{
    free(answers->kept);
    free(answers->places);
}

/* The members that the part leaves, if that is remembered, or NULL. */
static const uint64_t *answer_of(const Answers *answers, int32_t part, const uint64_t *alive, int32_t words)
{
    const uint64_t *kept = answers->kept + answers->places[place_of(answers, (uint64_t)part, alive, words)];
    const uint64_t head = head_of(part, words, 0);
    if (kept == answers->kept || (*kept | 1) != (head | 1)) return NULL;
    for (int32_t k = 0; k < words; k++)
        if (kept[1 + k] != alive[k]) return NULL;
    return kept + 1 + (*kept == head ? 0 : words);
}

/* Twice the room, or all forgotten where there is none. */
static void make_room(Answers *answers)
{
    uint64_t *kept = NULL;
    uint32_t *places = answers->room < MOST_ROOM ? calloc(2 * (size_t)answers->room, sizeof(uint32_t)) : NULL;
    if (places) kept = realloc(answers->kept, 2 * (size_t)answers->room * sizeof(uint64_t));
    if (!kept) {
        free(places);
        memset(answers->places, 0, answers->room * sizeof(uint32_t));
        answers->used = 1;
        return;
    }
    free(answers->places);
    answers->kept = kept;
    answers->places = places;
    answers->room *= 2;
    for (uint32_t at = 1, words; at < answers->used; at += 1 + words * (1 + (kept[at] & 1))) {
        words = kept[at] >> 1 & 127;
        places[place_of(answers, kept[at] >> 8, kept + at + 1, (int32_t)words)] = at;
    }
}

static void keep_answer(Answers *answers, int32_t part, const uint64_t *alive, const uint64_t *left, int32_t words)
{
    const size_t size = (size_t)words * sizeof(uint64_t);
    const int is_any = memcmp(alive, left, size) != 0;
    if (answers->room - answers->used < 1 + 2 * (uint32_t)words) make_room(answers);
    uint64_t *kept = answers->kept + answers->used;
    answers->places[place_of(answers, (uint64_t)part, alive, words)] = answers->used;
    *kept = head_of(part, words, is_any);
    memcpy(kept + 1, alive, size);
    if (is_any) memcpy(kept + 1 + words, left, size);
    answers->used += 1 + (uint32_t)(words * (1 + is_any));
}

#endif
