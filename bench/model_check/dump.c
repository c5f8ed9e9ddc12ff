/* Writes the tables of a small formula, as `load.c` makes them, as constants for the model checker. */
#include <stdio.h>

#include "formula.h"
#include "tree.h"

static void words(const char *name, const uint32_t *word, size_t count)
{
    printf("static const uint32_t %s[] = {", name);
    for (size_t i = 0; i < count; i++) printf("%u,", word[i]);
    printf("};\n");
}

static void rows(const char *name, const tree_row *row, size_t count)
{
    printf("static const tree_row %s[] = {", name);
    for (size_t i = 0; i < count; i++) printf("{{%lluu}},", (unsigned long long)row[i].word[0]);
    printf("};\n");
}

int main(void)
{
    const tree_formula *f = tree_load(VARIABLES, CELLS, DIGITS, CLAUSES,
                                      sizeof CLAUSES / sizeof *CLAUSES, PAIRS,
                                      sizeof PAIRS / sizeof *PAIRS);
    if (!f) return 1;
    const uint32_t entries = f->first[f->variables], literals = f->start[f->clauses];
    words("BASE", f->base, f->blocks + 1);
    words("START", f->start, f->clauses + 1);
    words("LITERAL", f->literal, literals);
    words("FIRST", f->first, f->variables + 1);
    words("WHERE", f->where, entries);
    rows("CHANGE", f->change, entries);
    words("SEEN", f->seen, f->variables + 1);
    words("PLACE", f->place, 2 * literals);
    rows("ALL", f->all, f->rows);
    printf("static const tree_formula FORMULA = {%u, %u, %u, %u, %u, %u, (uint32_t *)BASE,\n"
           "    (uint32_t *)START, (uint32_t *)LITERAL, (uint32_t *)FIRST, (uint32_t *)WHERE,\n"
           "    (tree_row *)CHANGE, (uint32_t *)SEEN, (uint32_t *)PLACE, (tree_row *)ALL};\n",
           f->cells, f->digits, f->variables, f->clauses, f->blocks, f->rows);
    printf("enum { ROWS = %u, N_CLAUSES = %u };\n", f->rows, f->clauses);
    return 0;
}
