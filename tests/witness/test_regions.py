import random
from itertools import combinations

from satdoku.witness.regions import Labels

EDGES = [(a, b) for a, b in combinations(range(9), 2) if (b - a == 1 and b % 3) or b - a == 3]


def connected_sets(least, most):
    for number in range(max(1, least), most + 1):
        for some in map(set, combinations(range(9), number)):
            reached = {min(some)}
            for _ in some:
                reached |= {b for a, b in EDGES if a in reached and b in some}
                reached |= {a for a, b in EDGES if b in reached and a in some}
            if reached == some:
                yield some


def holds(clause, regions):
    """Whether a clause of the literals 1 to 9 is true of all regions, and of no region."""
    sets = [*regions, set()]
    return all(any((abs(x) - 1 in some) == (x > 0) for x in clause) for some in sets)


def test_no_clause_is_believed_that_is_false_and_most_true_ones_are():
    draw = random.Random(5)
    believed = true = 0
    for sizes in [(0, 9), (2, 3), (4, 4), (5, 7)]:
        labels, regions = Labels([range(1, 10)], EDGES, [sizes]), list(connected_sets(*sizes))
        for _ in range(1500):
            cells = draw.sample(range(1, 10), draw.randint(1, 7))
            clause = [draw.choice((1, -1)) * cell for cell in cells]
            is_true = holds(clause, regions)
            true += is_true
            if labels.imply(clause):
                believed += 1
                assert is_true, (clause, sizes)
    assert true >= believed > 0.9 * true > 100


def test_each_rule_of_flooding_is_one_lemma():
    any_size, four = (Labels([range(1, 10)], EDGES, [sizes]) for sizes in [(0, 9), (4, 4)])
    assert any_size.imply([-1, -9, 3, 5, 7])  # a line that cuts the corners apart
    assert not any_size.imply([-1, -9, 3, 5])
    assert four.imply([-1, -9])  # five cells
    assert four.imply([-1, 2, 4])  # the corner alone
    assert four.imply([-1, 5, 7, 3])  # 1, 2 and 4 are three
    assert not four.imply([5, 7, 3])  # it may be elsewhere
    assert four.imply([-1, -2, -3, -4, -5])


def test_a_clause_of_two_labels_or_of_none_is_not_believed():
    two = Labels([range(1, 10), range(11, 20)], EDGES, [(4, 4), (4, 4)])
    assert two.imply([-11, -19])
    assert not two.imply([-1, -9, 11])
    assert not two.imply([-1, -9, 10])
    assert not two.imply([])
    assert not two.imply([-10])


def test_a_tautology_holds():
    assert Labels([range(1, 10)], EDGES, [(0, 9)]).imply([1, -1])
