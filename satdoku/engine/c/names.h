/* Names and numbers that the targets share.
 *
 * Invariant: the body is compiled once for each target. Every name in it that denotes code or a type
 * of one target is listed here, so that the body itself reads as plain C. */
#define PASTE_(name, target) name##_##target
#define PASTE(name, target) PASTE_(name, target)
#define NAME(name) PASTE(name, TARGET)

/* simd.h */
#define V NAME(V)
#define or3 NAME(or3)
#define majority NAME(majority)
#define parity NAME(parity)
#define add_both NAME(add_both)
#define add_minus NAME(add_minus)
#define minus_any NAME(minus_any)
#define minus_both NAME(minus_both)
#define both_minus NAME(both_minus)
#define all3 NAME(all3)
#define choose NAME(choose)
#define Lanes NAME(Lanes)
#define count_lanes NAME(count_lanes)
#define any_lane NAME(any_lane)
#define list_lanes NAME(list_lanes)
#define has_lane NAME(has_lane)
#define drop_lane NAME(drop_lane)
#define add_lane NAME(add_lane)

/* transpose.h */
#define exchange NAME(exchange)
#define three_levels NAME(three_levels)
#define transpose NAME(transpose)
#define export_nodes NAME(export_nodes)
#define import_nodes NAME(import_nodes)
#define lane_words NAME(lane_words)
#define put_node NAME(put_node)
#define get_node NAME(get_node)

/* codec9.h */
#define test64 NAME(test64)
#define write64 NAME(write64)
#define encode9 NAME(encode9)
#define decode9 NAME(decode9)
#define code_row NAME(code_row)
#define last_codes NAME(last_codes)
#define expand NAME(expand)
#define expand_words NAME(expand_words)
#define expand_code NAME(expand_code)
#define expand_lanes NAME(expand_lanes)
#define contract_node NAME(contract_node)
#define contract_lanes NAME(contract_lanes)

/* classic.h */
#define Classic NAME(Classic)
#define box_cells NAME(box_cells)
#define box_rows NAME(box_rows)
#define box_columns NAME(box_columns)
#define join_triads NAME(join_triads)
#define strike_box NAME(strike_box)
#define join_columns NAME(join_columns)
#define claim_box NAME(claim_box)
#define settle_band NAME(settle_band)
#define claim_cells NAME(claim_cells)
#define sweep_plane NAME(sweep_plane)
#define end_sweep NAME(end_sweep)
#define sweep_classic NAME(sweep_classic)
#define count_cells NAME(count_cells)
#define count_nine NAME(count_nine)
#define accumulate NAME(accumulate)
#define improve NAME(improve)
#define Branch NAME(Branch)
#define find_triads NAME(find_triads)
#define fit_triad NAME(fit_triad)
#define fit_triads NAME(fit_triads)
#define split_band NAME(split_band)
#define choose_band NAME(choose_band)
#define choose_digit NAME(choose_digit)
#define branch_classic NAME(branch_classic)

/* generic.h */
#define Generic NAME(Generic)
#define tracks NAME(tracks)
#define touch NAME(touch)
#define touch_all NAME(touch_all)
#define touch_swept NAME(touch_swept)
#define strike NAME(strike)
#define blame NAME(blame)
#define blame_candidates NAME(blame_candidates)
#define pass_group NAME(pass_group)
#define pass_pairs NAME(pass_pairs)
#define begins_with_cells NAME(begins_with_cells)
#define take_decided NAME(take_decided)
#define pass_overlaps NAME(pass_overlaps)
#define sweep_generic NAME(sweep_generic)
#define classify NAME(classify)
#define branch_group NAME(branch_group)
#define branch_generic NAME(branch_generic)

/* automata.h */
#define any_way NAME(any_way)
#define pass_automaton NAME(pass_automaton)
#define most_states NAME(most_states)

/* cages.h */
#define OneCell NAME(OneCell)
#define TwoCells NAME(TwoCells)
#define ThreeCells NAME(ThreeCells)
#define Parts NAME(Parts)
#define take_digits NAME(take_digits)
#define strike_but NAME(strike_but)
#define take_cell NAME(take_cell)
#define join_cells NAME(join_cells)
#define part_cells NAME(part_cells)
#define join_pair NAME(join_pair)
#define keep NAME(keep)
#define part_pair NAME(part_pair)
#define match NAME(match)
#define match_two NAME(match_two)
#define match_three NAME(match_three)
#define match_four NAME(match_four)
#define match_five NAME(match_five)
#define join_parts NAME(join_parts)
#define part_parts NAME(part_parts)
#define strike_rest NAME(strike_rest)
#define pass_cage NAME(pass_cage)

/* sums.h */
#define Segment NAME(Segment)
#define Held NAME(Held)
#define counted NAME(counted)
#define hold NAME(hold)
#define add_up_two NAME(add_up_two)
#define add_up NAME(add_up)
#define keep_two NAME(keep_two)
#define keep_sums NAME(keep_sums)
#define least_of NAME(least_of)
#define most_of NAME(most_of)
#define least_for NAME(least_for)
#define most_for NAME(most_for)
#define read_segments NAME(read_segments)
#define most_totals NAME(most_totals)
#define reach NAME(reach)
#define complete NAME(complete)
#define pass_sum NAME(pass_sum)

/* clues.h */
#define are_of_size NAME(are_of_size)
#define pass_cages NAME(pass_cages)
#define decide NAME(decide)
#define relate NAME(relate)
#define pass_relations NAME(pass_relations)
#define one_of NAME(one_of)
#define pass_clauses NAME(pass_clauses)
#define pass_sets NAME(pass_sets)
#define has_clues NAME(has_clues)
#define first_passed NAME(first_passed)
#define is_due NAME(is_due)
#define end_pass NAME(end_pass)
#define is_sum_due NAME(is_sum_due)
#define pass_sums NAME(pass_sums)
#define pass_automata NAME(pass_automata)
#define open_passes NAME(open_passes)
#define pass_clues NAME(pass_clues)

/* search.h */
#define LaneSearch NAME(LaneSearch)
#define vectors NAME(vectors)
#define close_search NAME(close_search)
#define open_search NAME(open_search)
#define entry NAME(entry)
#define load_node NAME(load_node)
#define read_node NAME(read_node)
#define closed NAME(closed)
#define afford NAME(afford)
#define encode_puzzle NAME(encode_puzzle)
#define has_codes NAME(has_codes)
#define load_puzzle NAME(load_puzzle)
#define take_puzzle NAME(take_puzzle)
#define steal_node NAME(steal_node)
#define take_work NAME(take_work)
#define has_board NAME(has_board)
#define begin_lanes NAME(begin_lanes)
#define load_lanes NAME(load_lanes)
#define load_codes NAME(load_codes)
#define load_puzzles NAME(load_puzzles)
#define refill NAME(refill)
#define count_board NAME(count_board)
#define sweep_board NAME(sweep_board)
#define says_more NAME(says_more)
#define sweep NAME(sweep)
#define propagate NAME(propagate)
#define count_solution NAME(count_solution)
#define record_solution NAME(record_solution)
#define record_many NAME(record_many)
#define branch NAME(branch)
#define push_node NAME(push_node)
#define retire NAME(retire)
#define open_many NAME(open_many)
#define search_many NAME(search_many)
#define solve_many NAME(solve_many)
#define tally NAME(tally)
#define fixpoints NAME(fixpoints)

/* team.h */
#define Choice NAME(Choice)
#define Team NAME(Team)
#define close_team NAME(close_team)
#define add_houses NAME(add_houses)
#define list_groups NAME(list_groups)
#define group_size NAME(group_size)
#define group_members NAME(group_members)
#define logarithm NAME(logarithm)
#define cost NAME(cost)
#define order_choices NAME(order_choices)
#define list_choices NAME(list_choices)
#define weigh_groups NAME(weigh_groups)
#define open_team NAME(open_team)
#define take_weights NAME(take_weights)
#define pop_pool NAME(pop_pool)
#define fill_lanes NAME(fill_lanes)
#define leave_lane NAME(leave_lane)
#define count_group NAME(count_group)
#define note_cell NAME(note_cell)
#define split_group NAME(split_group)
#define has_size NAME(has_size)
#define split_lanes NAME(split_lanes)
#define any_left NAME(any_left)
#define blame_empty NAME(blame_empty)
#define settle_team NAME(settle_team)
#define record_team NAME(record_team)
#define pool_node NAME(pool_node)
#define branch_team NAME(branch_team)
#define split_until_full NAME(split_until_full)
#define retire_team NAME(retire_team)
#define begin_team NAME(begin_team)
#define leave_lanes NAME(leave_lanes)
#define restart_team NAME(restart_team)
#define team_of NAME(team_of)
#define dismiss_team NAME(dismiss_team)
#define search_team NAME(search_team)
#define search_few NAME(search_few)
#define solve_few NAME(solve_few)
#define solve_slices NAME(solve_slices)
#define in_team NAME(in_team)
#define solve NAME(solve)
#define advance NAME(advance)
#define close_paused NAME(close_paused)

/* boxes.h */
#define Boxed NAME(Boxed)
#define has_boxes NAME(has_boxes)
#define find_boxes NAME(find_boxes)
#define open_boxes NAME(open_boxes)
#define strike_boxed NAME(strike_boxed)
#define settle_matrix NAME(settle_matrix)
#define join_boxed NAME(join_boxed)
#define claim_boxed NAME(claim_boxed)
#define sweep_boxed_plane NAME(sweep_boxed_plane)
#define count_boxed NAME(count_boxed)
#define end_boxed NAME(end_boxed)
#define sweep_boxed NAME(sweep_boxed)

#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#elif HAS_VECTORS
#define UNROLL _Pragma("GCC unroll 64")
#else
#define UNROLL
#endif

/* 64-bit words of a vector; and vectors that CHUNKS lanes take in a buffer, an odd number, or the words
 * of one place would share a cache set. */
#define CHUNKS (LANES / 64)
#define PITCH(words) ((words) | 1)
#define MOST_FEW (LANES / 4) /* puzzles of a search of few */
#define MANY (LANES / 8)     /* lanes that are worth a pass over all vectors */

enum { CELLS9 = 81, TRIADS9 = 54, WORDS9 = 12, DEPTH9 = 2 * TRIADS9 }; /* of 9x9 */
enum { LAST_CELLS = CELLS9 - 64 };         /* in the second word of a plane of 81 bits */
enum { LAST_MASK = (1 << LAST_CELLS) - 1 };
enum { CODES9 = 6 };                       /* words of a grid's digits as numbers */
enum { DIGIT_BITS = 4, BAND_BITS = 7 };    /* numbers of triads of a digit, of a band */
enum { PAIRS9 = 36, TRIPLES9 = 84 };       /* sets of two digits, of three */
enum { MOST_CAGED = 5 };                   /* cells of a cage that is checked over permutations */
enum { SUMS9 = 28 };                       /* sums of up to three digits, from 0 */
enum { CLASSES = 4 };                      /* group sizes that branching distinguishes: 2, 3, 4, more */
enum { POOL_BYTES = 1 << 26 };             /* all stacks together; large boards use fewer lanes */
enum { VERY_FEW = 5 };                     /* classic puzzles for which 128 lanes do */
enum { FEW_PAIRS = 4, MANY_PAIRS = 6 };    /* of a candidate, besides rows, columns and boxes */
enum { PATIENCE = 40 };                    /* percent of lanes that may change when a round ends */
enum { FIRST_ROOM = 1 << 10 };             /* nodes in the pool of a search of few puzzles */
enum { SIZE_BITS = 5 };                    /* numbers of candidates of a group */
enum { COSTS = 16 * (32 + SIZE_BITS) };    /* of a choice: a logarithm in sixteenths */
enum { FIRST_RESTART = 40 };               /* rounds until a search begins anew; each time 4 times more */
enum { SPLITS = 3 };                       /* in a row before a lane is propagated, if others idle */
#define NEVER UINT64_MAX /* nodes after which a search does not pause */

/* Sets of digits numbered by the highest digit, then by the next. */
#define PAIR_OF(a, b) ((b) * ((b) - 1) / 2 + (a))                            /* a < b */
#define TRIPLE_OF(a, b, c) ((c) * ((c) - 1) * ((c) - 2) / 6 + PAIR_OF(a, b)) /* a < b < c */

/* The places of two digits in a set of four or five, then those of the others. */
static const uint8_t SPLITS4[6][4] = {
    {0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1},
};
static const uint8_t SPLITS5[10][5] = {
    {0, 1, 2, 3, 4}, {0, 2, 1, 3, 4}, {0, 3, 1, 2, 4}, {0, 4, 1, 2, 3}, {1, 2, 0, 3, 4},
    {1, 3, 0, 2, 4}, {1, 4, 0, 2, 3}, {2, 3, 0, 1, 4}, {2, 4, 0, 1, 3}, {3, 4, 0, 1, 2},
};
