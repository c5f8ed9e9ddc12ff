/* Groups, houses and lines: of which of them a plain technique may say anything in a state, and from
 * which literals the shortest chains of one strand start.
 *
 * Invariant: no group, house or line of which the reference (`plain.py`) tells anything is left out;
 * `open_places` returns nothing that has an index outside an array. */
#ifndef SATDOKU_LOGIC_PLACES_H
#define SATDOKU_LOGIC_PLACES_H

#include "closures.h"

enum { MOST_SIZE = 16, MOST_LINES = 64, MOST_LINKS = 24 };

/* For each candidate those of a digit's lines, and of the lines across them, that have it. */
typedef struct {
    uint64_t *based, *covered;
} Crossed;

typedef struct {
    int32_t variables, size, words;
    Lists groups;
    Lists met;       /* for each group others that share two or more candidates with it, not all */
    Lists rivals;    /* what the truth of each candidate excludes */
    uint64_t *excluded; /* the same, a set for each */
    Lists houses;    /* their cells */
    int32_t *is_full;
    Lists of_digit;  /* the groups of houses that are about it */
    Lists bases, covers; /* lines, by digit and direction: groups */
    Crossed *crossed;
} Places;

static void close_places(Places *places)
{
    if (!places) return;
    for (int32_t i = 0; places->crossed && i < places->bases.count; i++) {
        free(places->crossed[i].based);
        free(places->crossed[i].covered);
    }
    free(places->crossed);
    free(places->excluded);
    free(places->is_full);
    free_lists(&places->groups);
    free_lists(&places->met);
    free_lists(&places->rivals);
    free_lists(&places->houses);
    free_lists(&places->of_digit);
    free_lists(&places->bases);
    free_lists(&places->covers);
    free(places);
}

static int longest(const Lists *lists)
{
    int32_t most = 0;
    for (int32_t i = 0; i < lists->count; i++)
        if (lists->start[i + 1] - lists->start[i] > most) most = lists->start[i + 1] - lists->start[i];
    return most;
}

/* For each candidate a bit for each of the groups of a list that has it. */
static uint64_t *lines_at(Input *in, const Places *places, const Lists *lines, int32_t list)
{
    uint64_t *found = reserve(in, (size_t)places->variables, sizeof(uint64_t));
    const Lists *groups = &places->groups;
    for (int32_t i = lines->start[list]; found && i < lines->start[list + 1]; i++)
        for (int32_t k = groups->start[lines->items[i]]; k < groups->start[lines->items[i] + 1]; k++)
            found[groups->items[k]] |= UINT64_C(1) << (i - lines->start[list]);
    return found;
}

/* What the numbers describe (`places.py` tells how); NULL if they do not, or memory ends. */
static Places *open_places(const int32_t *numbers, size_t count)
{
    Input in = {numbers, numbers + count, 0};
    Places *places = reserve(&in, 1, sizeof(Places));
    if (!places) return NULL;
    places->variables = take(&in, 1, 1 << 20);
    places->size = take(&in, 1, MOST_SIZE);
    places->words = (places->variables + 63) / 64;
    if (places->variables % places->size) in.failed = 1;
    const int32_t last = places->variables - 1, cells = places->variables / places->size;
    places->groups = take_lists(&in, take_count(&in), 1, last, 0);
    const int32_t groups = places->groups.count;
    places->met = take_lists(&in, groups, 1, groups - 1, 0);
    places->rivals = take_lists(&in, places->variables, 1, last, 0);
    places->houses = take_lists(&in, take_count(&in), 1, cells - 1, 0);
    places->is_full = reserve(&in, (size_t)places->houses.count, sizeof(int32_t));
    for (int32_t i = 0; i < places->houses.count && !in.failed; i++) places->is_full[i] = take(&in, 0, 1);
    places->of_digit = take_lists(&in, places->size, 1, groups - 1, 0);
    const int32_t lines = take_count(&in);
    places->bases = take_lists(&in, lines, 1, groups - 1, 0);
    places->covers = take_lists(&in, lines, 1, groups - 1, 0);
    places->crossed = reserve(&in, (size_t)lines, sizeof(Crossed));
    places->excluded = reserve(&in, (size_t)places->variables * (size_t)places->words, sizeof(uint64_t));
    if (!in.failed && longest(&places->houses) > MOST_SIZE) in.failed = 1;
    if (!in.failed && (longest(&places->bases) > MOST_LINES || longest(&places->covers) > MOST_LINES))
        in.failed = 1;
    for (int32_t i = 0; i < lines && !in.failed; i++) {
        places->crossed[i].based = lines_at(&in, places, &places->bases, i);
        places->crossed[i].covered = lines_at(&in, places, &places->covers, i);
    }
    for (int32_t c = 0; c < places->variables && !in.failed; c++)
        for (int32_t k = places->rivals.start[c]; k < places->rivals.start[c + 1]; k++)
            add_to(places->excluded + (size_t)c * places->words, places->rivals.items[k]);
    if (in.failed || in.next != in.end) {
        close_places(places);
        return NULL;
    }
    return places;
}

static const uint64_t *excluded_by(const Places *places, int32_t candidate)
{
    return places->excluded + (size_t)candidate * places->words;
}

/* How many of a group are in the set. */
static int32_t left_in(const Places *places, const uint64_t *set, int32_t group)
{
    int32_t left = 0;
    for (int32_t k = places->groups.start[group]; k < places->groups.start[group + 1]; k++)
        left += has(set, places->groups.items[k]);
    return left;
}

static uint32_t digits_at(const Places *places, const uint64_t *set, int32_t cell)
{
    const int32_t first = cell * places->size, word = first / 64, shift = first % 64;
    uint64_t found = set[word] >> shift;
    if (shift + places->size > 64) found |= set[word + 1] << (64 - shift);
    return (uint32_t)found & ((1U << places->size) - 1);
}

/* Groups ---------------------------------------------------------------------------------------- */

static int is_in_group(const Places *places, int32_t group, int32_t candidate)
{
    int32_t k = places->groups.start[group];
    while (k < places->groups.start[group + 1] && places->groups.items[k] != candidate) k++;
    return k < places->groups.start[group + 1];
}

/* Whether a group has all that is left of it in another, which has more beside. */
static int is_within(const Places *places, const uint64_t *live, int32_t inner)
{
    const Lists *groups = &places->groups, *met = &places->met;
    const int32_t left = met->start[inner] < met->start[inner + 1] ? left_in(places, live, inner) : 0;
    for (int32_t m = met->start[inner]; left > 1 && m < met->start[inner + 1]; m++) {
        const int32_t outer = met->items[m];
        int32_t k = groups->start[inner];
        while (k < groups->start[inner + 1] &&
               (!has(live, groups->items[k]) || is_in_group(places, outer, groups->items[k])))
            k++;
        if (k == groups->start[inner + 1] && left_in(places, live, outer) > left) return 1;
    }
    return 0;
}

/* Put in `seen` what each of the candidates excludes, of those that are live; whether any is. */
static int seen_by_all(const Places *places, const uint64_t *live, const int32_t *candidates, int32_t count,
                       uint64_t *seen)
{
    uint64_t any = count > 0;
    memcpy(seen, live, (size_t)places->words * sizeof *seen);
    for (int32_t k = 0; k < count && any; k++) {
        const uint64_t *excluded = excluded_by(places, candidates[k]);
        any = 0;
        for (int32_t w = 0; w < places->words; w++) any |= seen[w] &= excluded[w];
    }
    return any != 0;
}

/* Whether all that is left of a group excludes another candidate. `scratch`: a set. */
static int is_seen_by(const Places *places, const uint64_t *live, int32_t group, uint64_t *scratch)
{
    uint64_t any = 0;
    int is_first = 1;
    for (int32_t k = places->groups.start[group]; k < places->groups.start[group + 1]; k++) {
        if (!has(live, places->groups.items[k])) continue;
        const uint64_t *excluded = excluded_by(places, places->groups.items[k]);
        const uint64_t *before = is_first ? live : scratch;
        any = 0;
        for (int32_t w = 0; w < places->words; w++) any |= scratch[w] = before[w] & excluded[w];
        is_first = 0;
        if (!any) return 0;
    }
    return any != 0;
}

/* Some of a list that hold a number of things together ------------------------------------------- */

typedef struct Chosen Chosen;

/* count: of items to choose; `most`: bits that they have together. */
struct Chosen {
    const Places *places;
    const uint64_t *live;
    int32_t items, count;
    int most;
    uint64_t bits[MOST_LINES];   /* of each item */
    int32_t number[MOST_LINES];  /* what it is */
    int32_t taken[MOST_LINES];   /* the items chosen */
    int (*says)(const Chosen *, uint64_t held);
    int32_t at;                  /* the house, or the lines */
    uint32_t digits[MOST_SIZE];  /* left in each cell of the house */
    const int32_t *pair;         /* of each candidate the other one of a cell with two, or NONE */
    const uint64_t *beside;      /* the candidates of such cells */
    uint64_t *seen;              /* a set for each digit */
};

/* Whether any choice of items from one on says something, with so many chosen before. */
static int any_choice(Chosen *chosen, int32_t from, int32_t taken, uint64_t held)
{
    if (taken == chosen->count)
        return __builtin_popcountll(held) == chosen->most && chosen->says(chosen, held);
    for (int32_t i = from; i <= chosen->items - (chosen->count - taken); i++) {
        const uint64_t more = held | chosen->bits[i];
        if (__builtin_popcountll(more) > chosen->most) continue;
        chosen->taken[taken] = i;
        if (any_choice(chosen, i + 1, taken + 1, more)) return 1;
    }
    return 0;
}

static void add_item(Chosen *chosen, int32_t number, uint64_t bits)
{
    chosen->number[chosen->items] = number;
    chosen->bits[chosen->items++] = bits;
}

static uint64_t numbers_taken(const Chosen *chosen)
{
    uint64_t taken = 0;
    for (int32_t i = 0; i < chosen->count; i++) taken |= UINT64_C(1) << chosen->number[chosen->taken[i]];
    return taken;
}

static int32_t cells_in(const Chosen *chosen)
{
    const Lists *houses = &chosen->places->houses;
    return houses->start[chosen->at + 1] - houses->start[chosen->at];
}

static int32_t cell_at(const Chosen *chosen, int32_t place)
{
    const Lists *houses = &chosen->places->houses;
    return houses->items[houses->start[chosen->at] + place];
}

/* Whether digits of the cells that are chosen are left in others. */
static int strikes_beside(const Chosen *chosen, uint64_t held)
{
    const uint64_t taken = numbers_taken(chosen);
    for (int32_t place = 0; place < cells_in(chosen); place++)
        if (!(taken >> place & 1) && __builtin_popcount(chosen->digits[place]) > 1 &&
            (chosen->digits[place] & held))
            return 1;
    return 0;
}

/* Whether places of the digits that are chosen have others. */
static int strikes_within(const Chosen *chosen, uint64_t held)
{
    const uint64_t named = numbers_taken(chosen);
    for (; held; held &= held - 1)
        if (chosen->digits[__builtin_ctzll(held)] & ~named) return 1;
    return 0;
}

/* Whether lines across those that are chosen have candidates beside them. */
static int strikes_across(const Chosen *chosen, uint64_t held)
{
    const Places *places = chosen->places;
    const uint64_t taken = numbers_taken(chosen);
    for (; held; held &= held - 1) {
        const int32_t cover = places->covers.items[places->covers.start[chosen->at] + __builtin_ctzll(held)];
        for (int32_t k = places->groups.start[cover]; k < places->groups.start[cover + 1]; k++) {
            const int32_t candidate = places->groups.items[k];
            if (has(chosen->live, candidate) && !(places->crossed[chosen->at].based[candidate] & taken))
                return 1;
        }
    }
    return 0;
}

/* Whether a wing of the cells that are chosen strikes anything, with a candidate that excludes all
 * places of a digit, and its cell's other. */
static int strikes_with(const Chosen *chosen, uint64_t held, int32_t digit, int32_t first)
{
    const Places *places = chosen->places;
    const int32_t second = chosen->pair[first], words = places->words;
    const uint64_t *excluded = excluded_by(places, second);
    int32_t both = NONE; /* the first digit whose places the second excludes */
    for (uint64_t left = held; left && both == NONE; left &= left - 1) {
        const int32_t other = __builtin_ctzll(left);
        if (other != digit && has(chosen->seen + (size_t)other * words, second)) both = other;
    }
    for (uint64_t left = held; left; left &= left - 1) {
        const int32_t other = __builtin_ctzll(left);
        const uint64_t *seen = chosen->seen + (size_t)other * words;
        const int is_held = both != NONE && other != both;
        for (int32_t w = 0; w < words && other != digit; w++)
            if (seen[w] & (is_held ? ~UINT64_C(0) : excluded[w])) return 1;
    }
    return 0;
}

static int is_taken(const Chosen *chosen, int32_t cell)
{
    for (int32_t i = 0; i < chosen->count; i++)
        if (cell_at(chosen, chosen->number[chosen->taken[i]]) == cell) return 1;
    return 0;
}

static int strikes_as_wing(const Chosen *chosen, uint64_t held)
{
    const Places *places = chosen->places;
    const int32_t words = places->words;
    uint64_t is_beside = 0;
    for (uint64_t left = held; left; left &= left - 1) {
        const int32_t digit = __builtin_ctzll(left);
        int32_t ends[MOST_SIZE], count = 0;
        for (int32_t i = 0; i < chosen->count; i++) {
            const int32_t place = chosen->number[chosen->taken[i]];
            if (chosen->digits[place] >> digit & 1) ends[count++] = cell_at(chosen, place) * places->size + digit;
        }
        uint64_t *seen = chosen->seen + (size_t)digit * words;
        if (!seen_by_all(places, chosen->live, ends, count, seen)) memset(seen, 0, (size_t)words * sizeof *seen);
        for (int32_t w = 0; w < words; w++) is_beside |= seen[w] & chosen->beside[w];
    }
    for (uint64_t left = is_beside ? held : 0; left; left &= left - 1) {
        const int32_t digit = __builtin_ctzll(left);
        const uint64_t *seen = chosen->seen + (size_t)digit * words;
        for (int32_t w = 0; w < words; w++)
            for (uint64_t near = seen[w] & chosen->beside[w]; near; near &= near - 1) {
                const int32_t first = 64 * w + __builtin_ctzll(near);
                if (!is_taken(chosen, first / places->size) && strikes_with(chosen, held, digit, first)) return 1;
            }
    }
    return 0;
}

/* Techniques ------------------------------------------------------------------------------------- */

typedef enum { LONELY, WITHIN, SEEN, NAKED, HIDDEN, FISH, WINGS, KINDS } Kind;

static int says_of_house(Chosen *chosen, int32_t house, Kind kind)
{
    const int32_t least = 2, most = kind == WINGS ? chosen->count + 1 : chosen->count;
    chosen->at = house;
    chosen->items = 0;
    for (int32_t place = 0; place < cells_in(chosen); place++)
        chosen->digits[place] = digits_at(chosen->places, chosen->live, cell_at(chosen, place));
    if (kind == HIDDEN && !chosen->places->is_full[house]) return 0;
    if (kind == HIDDEN)
        for (int32_t digit = 0; digit < chosen->places->size; digit++) {
            uint64_t places = 0;
            for (int32_t place = 0; place < cells_in(chosen); place++)
                places |= (uint64_t)(chosen->digits[place] >> digit & 1) << place;
            const int32_t count = __builtin_popcountll(places);
            if (count >= least && count <= most) add_item(chosen, digit, places);
        }
    else
        for (int32_t place = 0; place < cells_in(chosen); place++) {
            const int32_t count = __builtin_popcount(chosen->digits[place]);
            if (count >= least && count <= most) add_item(chosen, place, chosen->digits[place]);
        }
    return any_choice(chosen, 0, 0, 0);
}

static int says_of_lines(Chosen *chosen, int32_t lines)
{
    const Places *places = chosen->places;
    chosen->at = lines;
    chosen->items = 0;
    for (int32_t i = places->bases.start[lines]; i < places->bases.start[lines + 1]; i++) {
        const int32_t base = places->bases.items[i];
        const int32_t left = left_in(places, chosen->live, base);
        uint64_t met = 0;
        int is_crossed = left <= chosen->count;
        for (int32_t k = places->groups.start[base]; is_crossed && k < places->groups.start[base + 1]; k++) {
            if (!has(chosen->live, places->groups.items[k])) continue;
            is_crossed = places->crossed[lines].covered[places->groups.items[k]] != 0;
            met |= places->crossed[lines].covered[places->groups.items[k]];
        }
        const int32_t count = __builtin_popcountll(met);
        if (is_crossed && count >= 2 && count <= chosen->count)
            add_item(chosen, i - places->bases.start[lines], met);
    }
    return any_choice(chosen, 0, 0, 0);
}

static int32_t questions_of(const Places *places, Kind kind)
{
    if (kind == FISH) return places->bases.count;
    return kind < NAKED ? places->groups.count : places->houses.count;
}

/* Mark of which groups, houses or lines a technique of so many cells, digits or lines says anything;
 * 0 if memory has ended. `asked`: a bit for each. */
static int find_asked(const Places *places, const uint64_t *live, Kind kind, int32_t count, uint8_t *asked)
{
    static int (*const SAYS[KINDS])(const Chosen *, uint64_t) = {
        [NAKED] = strikes_beside, [HIDDEN] = strikes_within, [FISH] = strikes_across, [WINGS] = strikes_as_wing};
    int failed = 0;
    const size_t words = (size_t)places->words;
    uint64_t *sets = sized(&failed, words * (MOST_SIZE + 1), sizeof(uint64_t));
    int32_t *pair = sized(&failed, (size_t)places->variables, sizeof(int32_t));
    Chosen chosen = {.places = places, .live = live, .count = count, .most = count, .says = SAYS[kind],
                     .pair = pair, .beside = sets, .seen = failed ? NULL : sets + words};
    if (kind == WINGS) {
        chosen.count = count - 1;
        for (int32_t cell = 0; !failed && cell < places->variables / places->size; cell++) {
            const uint32_t left = digits_at(places, live, cell);
            if (__builtin_popcount(left) != 2) continue;
            const int32_t low = cell * places->size + __builtin_ctz(left);
            const int32_t high = cell * places->size + __builtin_ctz(left & (left - 1));
            add_to(sets, low);
            add_to(sets, high);
            pair[low] = high;
            pair[high] = low;
        }
    }
    for (int32_t i = 0; !failed && i < questions_of(places, kind); i++) {
        int is_asked = kind == LONELY   ? left_in(places, live, i) == 1
                       : kind == WITHIN ? is_within(places, live, i)
                       : kind == SEEN   ? is_seen_by(places, live, i, sets)
                       : kind == FISH   ? says_of_lines(&chosen, i)
                                        : says_of_house(&chosen, i, kind);
        asked[i / 8] |= (uint8_t)(is_asked << i % 8);
    }
    free(sets);
    free(pair);
    return !failed;
}

/* Chains of one strand --------------------------------------------------------------------------- */

/* beside: for each candidate others that are true if it is not; follow: those that are true if it
 * is, by one candidate between; known: whether that has been asked. */
typedef struct {
    const Places *places;
    const uint64_t *live;
    uint64_t *beside, *follow, *strong, *met, *layer, *next;
    uint8_t *known;
    int32_t links, count; /* the fewest, and how many literals have so many */
    int32_t *literals;
} Strand;

static uint64_t *row(const Strand *strand, uint64_t *sets, int32_t candidate)
{
    return sets + (size_t)candidate * strand->places->words;
}

static void add_pair(Strand *strand, int32_t group)
{
    const Places *places = strand->places;
    int32_t pair[2], count = 0;
    for (int32_t k = places->groups.start[group]; k < places->groups.start[group + 1]; k++) {
        if (!has(strand->live, places->groups.items[k])) continue;
        if (count == 2) return;
        pair[count++] = places->groups.items[k];
    }
    for (int side = 0; count == 2 && side < 2; side++) {
        add_to(strand->strong, pair[side]);
        add_to(row(strand, strand->beside, pair[side]), pair[!side]);
    }
}

static const uint64_t *followed(Strand *strand, int32_t candidate)
{
    const int32_t words = strand->places->words;
    const uint64_t *excluded = excluded_by(strand->places, candidate);
    uint64_t *found = row(strand, strand->follow, candidate);
    for (int32_t w = 0; !strand->known[candidate] && w < words; w++)
        for (uint64_t left = excluded[w] & strand->strong[w]; left; left &= left - 1) {
            const uint64_t *beside = row(strand, strand->beside, 64 * w + __builtin_ctzll(left));
            for (int32_t v = 0; v < words; v++) found[v] |= beside[v];
        }
    strand->known[candidate] = 1;
    return found;
}

/* Add what is newly true; whether anything is. */
static int go_on(Strand *strand)
{
    const int32_t words = strand->places->words;
    uint64_t any = 0;
    memset(strand->next, 0, (size_t)words * sizeof(uint64_t));
    for (int32_t w = 0; w < words; w++)
        for (uint64_t left = strand->layer[w]; left; left &= left - 1) {
            const uint64_t *found = followed(strand, 64 * w + __builtin_ctzll(left));
            for (int32_t v = 0; v < words; v++) strand->next[v] |= found[v];
        }
    for (int32_t w = 0; w < words; w++) {
        any |= strand->layer[w] = strand->next[w] & ~strand->met[w];
        strand->met[w] |= strand->layer[w];
    }
    return any != 0;
}

/* Keep a literal that comes to its end by as few links as any before. */
static void chain_of(Strand *strand, int32_t candidate, int holds)
{
    const int32_t words = strand->places->words;
    const uint64_t *excluded = excluded_by(strand->places, candidate);
    memset(strand->layer, 0, (size_t)words * sizeof(uint64_t));
    if (holds)
        add_to(strand->layer, candidate);
    else
        memcpy(strand->layer, row(strand, strand->beside, candidate), (size_t)words * sizeof(uint64_t));
    memcpy(strand->met, strand->layer, (size_t)words * sizeof(uint64_t));
    for (int32_t links = 0; links <= strand->links; links++) {
        uint64_t ends = 0;
        for (int32_t w = 0; holds && w < words; w++) ends |= strand->layer[w] & excluded[w];
        if (!holds) ends = (uint64_t)has(strand->layer, candidate);
        if (ends) {
            if (links <= holds) return; /* two places point */
            if (links < strand->links) strand->count = 0;
            strand->links = links;
            strand->literals[strand->count++] = 2 * candidate + holds;
            return;
        }
        if (!go_on(strand)) return;
    }
}

/* The literals from which the shortest chains start, by candidates, with how many links these have;
 * digit: on which they are, or NONE. `literals`: room for all. NONE if memory has ended. */
static int32_t find_shortest(const Places *places, const uint64_t *live, int32_t digit, int32_t *literals,
                             int32_t *links)
{
    int failed = 0;
    const size_t words = (size_t)places->words, all = words * (size_t)places->variables;
    uint64_t *sets = sized(&failed, 4 * words, sizeof(uint64_t));
    Strand strand = {places, live, sized(&failed, all, sizeof(uint64_t)), sized(&failed, all, sizeof(uint64_t)),
                     sets, failed ? NULL : sets + words, failed ? NULL : sets + 2 * words,
                     failed ? NULL : sets + 3 * words, sized(&failed, (size_t)places->variables, 1),
                     MOST_LINKS - 1, 0, literals};
    const Lists *asked = &places->of_digit;
    if (!failed && digit == NONE)
        for (int32_t g = 0; g < places->groups.count; g++) add_pair(&strand, g);
    if (!failed && digit != NONE)
        for (int32_t k = asked->start[digit]; k < asked->start[digit + 1]; k++) add_pair(&strand, asked->items[k]);
    uint64_t any = 0;
    for (size_t w = 0; !failed && w < words; w++) any |= strand.strong[w];
    for (int32_t c = 0; any && c < places->variables; c++) {
        if (!has(live, c)) continue;
        chain_of(&strand, c, 1);
        if (has(strand.strong, c)) chain_of(&strand, c, 0);
    }
    free(sets);
    free(strand.beside);
    free(strand.follow);
    free(strand.known);
    *links = strand.links;
    return failed ? NONE : strand.count;
}

#endif
