"""How people tell what a clue says: phrases by kind.

Invariant: every phrase says only what the clues of its kind say, or less. `words` takes phrases for
the kinds in force out of a text; it heeds nothing here for a kind that the puzzle has not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.clue import Clue

_COLOURS = (
    "(?:(?:light |dark )?(?:gr[ae]y|blue|green|purple|pink|red|orange|yellow|gold|teal|peach|"
    "marked|drawn|shaded|colou?red|dashed|dotted|thick|thin|opaque|small|connected|attached|given|"
    "indicated|pointed|german|renban|little killer|x-?sum|sandwich|skyscraper) )*"
)
_A = f"(?:(?:each|every|any|all|a|an|the|its|their|that|those|these|two) )?{_COLOURS}"
_DIGITS = f"{_A}(?:digits?|numbers?|values?|cells?)"
_MUST = "(?:must |have to |has to |needs? to |should |will |always )*"
_NOT = "(?:may not|can ?not|can't|must not|mustn't|do not|don't|never)"
_ADD = "(?:sum|add)(?:s|ming|ing)?(?: up)? to"
_SHOW = "(?:show|indicate|give|state|tell|mean|mark|denote|join|connect|separate)s?"
_IN = "(?:along|on|in|within|inside(?: of)?)"
_IF = r"(?:,? ?\(?(?:if|when|where) (?:one is |it is |a sum is )?(?:given|provided|shown|any)\)?)?"
_WHERE = (
    "(?: (?:given|shown|written|indicated))?(?: in (?:the|its) (?:top|upper)[- ]left"
    "(?: corner| cell)?(?: of (?:the|each|its) cage)?)?"
)
_REPEAT = r"(?: (?:along|on|in) {place})?(?:,? if (?:allowed|permitted) by other rules)?"
_BULB = "(?:the |its |their )?(?:round |circular )?bulbs?(?: end)?"
_TIP = "(?: to(?:wards?)? (?:the |its |their )?(?:tip|end|other end|flat end|top)s?)?"
_FROM = f"(?:,? (?:starting |going |moving )?(?:away )?(?:from|at) {_BULB}{_TIP})"
_THERMO = f"{_A}thermo(?:meter)?s?"
_OUTSIDE = f"{_A}(?:clues?|numbers?|sums?)(?: (?:outside|around|beside) the grid)?"
_GRID = "(?: in the grid)?"
_TOGETHER = "(?:separated|joined|connected|linked)(?: by| with)?"
_CONSECUTIVE = "(?:(?:be|are|contain|hold|have) )?consecutive(?: digits| numbers| values| cells)?"
_HALF = (
    r"(?:(?:be|are|is|have|has|with|contain|hold) )?(?:in )?(?:an? )?(?:digits? (?:with|in) an? )?"
    r"(?:ratio (?:of )?(?:1 ?: ?2|2 ?: ?1)|(?:1 ?: ?2|2 ?: ?1)(?: ratio)?)"
)
_LARGER = "(?:larger|greater|bigger|higher|more) than"
_LESS = "(?:smaller|less|lower) than"
_AROUND = (
    f"(?:all |any )?(?:of )?(?:the |its )?{_DIGITS}? ?(?:around it|"
    "(?:orthogonally )?(?:adjacent|neighbou?ring)(?: cells?| digits?)?|neighbou?rs)"
)


def _heading(names: str) -> str:
    """A kind by its name, with or without saying that its rules apply."""
    usual = "(?:(?:normal|standard|usual|default|classic) )?"
    rules = "(?: (?:sudoku|lines?|clues?|sums?|constraints?))?(?: rules?)?"
    return f"{usual}(?:{names})s?{rules}(?: (?:apply|applies))?:?"


def _dot(colour: str, says: str) -> list[str]:
    """What a dot, an X or a V between two cells says."""
    mark = f"{_A}{colour}(?:'?s)?"
    two = "(?:between (?:two )?(?:cells|digits) )?"
    said = f"(?:(?:that )?{_DIGITS}|(?:that )?(?:they|the two cells))?"
    there = "(?: (?:between|in) (?:the )?(?:two )?(?:connected )?(?:cells|digits))?"
    return [
        f"{_DIGITS} {_TOGETHER} {mark} {_MUST}{says}",
        f"{mark} {two}{_SHOW} ?{said} ?{_MUST}{says}{there}",
        f"(?:by )?{mark} (?:=|{_MUST}{says})",
    ]


_KROPKI = [f"{_heading('kropki')[:-1]}"]  # with its colon: alone it leaves open what is denied

# What may be said of a clue, by its kind, or by its kind and value; {value} stands for the value.
SAID: dict[str, list[str]] = {
    "thermo": [
        _heading("thermo(?:meter)?"),
        f"(?:{_DIGITS} )?{_IN} {_THERMO},? (?:{_DIGITS} )?{_MUST}(?:strictly )?increase{_FROM}?",
        f"{_DIGITS} {_MUST}(?:strictly )?increase{_FROM}",
        f"{_DIGITS} {_MUST}(?:strictly )?increase {_IN} {_THERMO}{_FROM}?",
    ],
    "slow-thermo": [
        _heading("slow thermo(?:meter)?"),
        f"(?:{_DIGITS} )?{_IN} {_A}slow thermo(?:meter)?s?,? (?:{_DIGITS} )?"
        f"{_NOT} decrease{_FROM}?",
        f"(?:{_DIGITS} )?{_IN} {_A}slow thermo(?:meter)?s?,? (?:{_DIGITS} )?{_MUST}"
        f"(?:increase or (?:stay|remain) the same|stay the same or increase){_FROM}?",
    ],
    "cage": [
        _heading("killer|cage|killer cage"),
        f"(?:{_DIGITS} )?{_NOT} (?:be )?repeat(?:ed)? {_IN} {_A}cages?",
        f"{_DIGITS} {_IN} {_A}cages? {_NOT} (?:be )?repeat(?:ed)?",
    ],
    "cage=": [
        f"(?:{_DIGITS} )?{_IN} {_A}cages? {_MUST}{_ADD} {_A}(?:clue|number|sum|total|value)"
        f"{_WHERE}{_IF}",
        f"{_MUST}{_ADD} {_A}(?:clue|number|sum|total|value){_WHERE}{_IF}",
    ],
    "arrow": [
        _heading("arrow"),
        f"(?:{_DIGITS} )?{_IN} {_A}arrows?{_GRID} {_MUST}{_ADD} {_A}(?:digit|number|value|total)s? "
        f"in {_A}(?:circle|bulb)s?",
        f"the circled digit (?:is|constitutes) the sum of {_DIGITS} {_IN} {_A}arrows?",
        "(?:digits )?may repeat" + _REPEAT.format(place=f"{_A}arrows?"),
    ],
    "palindrome": [
        _heading("palindrome"),
        rf"{_A}(?:lines? )?(?:are|is) (?:a )?palindromes?(?: \(?sequences of digits which are)?",
        f"(?:{_DIGITS} )?(?:{_IN} )?{_A}(?:palindrome )?(?:lines? )?{_MUST}reads? the same "
        r"(?:way )?(?:from (?:both ends|either end)|in both directions|forwards? and backwards?|"
        r"backwards? (?:as|and) forwards?)\)?",
    ],
    "renban": [
        _heading("renban"),
        f"(?:{_DIGITS} {_IN} )?{_A}lines? {_MUST}(?:contains?|hold|form|are|be) (?:a )?(?:set of |"
        "sequence of )?(?:(?:distinct|non-?repeating),? )*consecutive (?:digits|numbers)"
        "(?:,? (?:which|that) can be)?(?: in any order)?",
        "in any order",
    ],
    "whisper": [
        _heading("(?:german |dutch )?whispers?"),
        f"(?:neighbou?ring |adjacent )?{_DIGITS} (?:{_IN}|connected by) {_A}(?:whispers? )?lines? "
        f"{_MUST}(?:differ by|have a difference of) (?:at least {{value}}|{{value}} or "
        "(?:more|greater))",
    ],
    "difference=1": [*_KROPKI, *_dot("white (?:kropki )?dots?", _CONSECUTIVE)],
    "ratio=2": [*_KROPKI, *_dot("black (?:kropki )?dots?", _HALF)],
    "sum=10": [_heading("x|x ?/? ?v"), *_dot("x", f"(?:{_ADD}|total) 10")],
    "sum=5": [_heading("v|x ?/? ?v"), *_dot("v", f"(?:{_ADD}|total) 5")],
    "col-index": [_heading("1-?5-?9")],
    "odd": [
        _heading("odd|odd ?[/-] ?even"),
        f"(?:{_DIGITS} )?(?:with|in) {_A}circles? {_MUST}(?:be|are|contain|hold) (?:an )?odd"
        f"(?: {_DIGITS})?",
    ],
    "even": [
        _heading("even|odd ?[/-] ?even"),
        f"(?:{_DIGITS} )?(?:with|in) {_A}squares? {_MUST}(?:be|are|contain|hold) (?:an )?even"
        f"(?: {_DIGITS})?",
    ],
    "maximum": [
        _heading("max(?:imum)?|min(?:imum)? ?/ ?max(?:imum)?"),
        f"{_A}(?:cells?|squares?) (?:with arrows (?:facing|pointing) outwards?)?,? ?{_MUST}"
        f"(?:be|contain|hold)? ?(?:{_DIGITS} )?{_LARGER} {_AROUND}",
    ],
    "minimum": [
        _heading("min(?:imum)?|min(?:imum)? ?/ ?max(?:imum)?"),
        f"{_A}(?:cells?|squares?) (?:with arrows (?:facing|pointing) inwards?)?,? ?{_MUST}"
        f"(?:be|contain|hold)? ?(?:{_DIGITS} )?{_LESS} {_AROUND}",
    ],
    "little-killer": [
        _heading("little killer"),
        f"{_OUTSIDE} {_SHOW} the sum of {_DIGITS} {_IN} {_A}diagonals?",
        f"{_DIGITS} {_IN} {_A}diagonals? {_MUST}{_ADD} {_A}(?:clue|number|value)"
        "(?: next to the arrow| outside the grid)?",
        "(?:digits )?(?:may|can) repeat" + _REPEAT.format(place=f"{_A}diagonals?"),
    ],
    "sandwich": [
        _heading("sandwich"),
        f"{_OUTSIDE} {_SHOW} the sum of {_DIGITS} (?:sandwiched )?between (?:the )?1s? and "
        f"(?:the )?9s?(?: in {_A}row (?:or|/|and) column)?",
    ],
    "x-sum": [
        _heading("x-?sum"),
        f"(?:{_OUTSIDE}|they) {_SHOW} the sum of the first x (?:digits|numbers|cells)"
        "(?:,? where x is the (?:first digit|digit (?:closest|nearest) to the clue))?",
    ],
    "skyscraper": [
        _heading("skyscraper"),
        "digits in the grid represent skyscrapers of that height",
        "higher skyscrapers obscure (?:smaller|lower) ones",
        f"{_OUTSIDE} {_SHOW} the number of visible skyscrapers in that row ?(?:/|or) ?column "
        "from the clue's direction of view",
    ],
    "between": [
        _heading('"?between(?: lines?)?"?'),
        f"{_DIGITS} {_IN} {_A}\"?(?:between )?lines?\"? {_MUST}(?:be|have a value|lie) "
        "(?:strictly )?between (?:the )?(?:values of )?(?:the )?(?:digits|numbers|values) "
        "(?:on|in|of) (?:the|its) circles?(?: at (?:the|its|each) ends?)?"
        "(?:,? (?:not inclusive|exclusive))?",
    ],
    "quadruple": [
        _heading("quad(?:ruple)?"),
        f"(?:each )?{_DIGITS} in {_A}(?:white )?circles? "
        f"{_MUST}(?:appear|be present|be) (?:somewhere )?(?:at least once )?in the (?:four )?"
        "(?:surrounding )?cells"
        "(?: surrounding| touching| around)?(?: (?:the|it|its) ?circles?)?",
    ],
    "entropic": [
        _heading("entropic"),
        f"any set of (?:three|3) (?:sequential|consecutive|successive) cells {_IN} {_A}"
        rf"entropic lines? {_MUST}contains? a low digit(?: \(1-3\))?, a middle digit"
        r"(?: \(4-6\))?,? and a high digit(?: \(7-9\))?",
        "(?:digits )?may repeat" + _REPEAT.format(place=f"{_A}(?:entropic )?lines?"),
    ],
    "region-sum": [
        _heading("region sum"),
        f"(?:for {_A}lines?, )?{_DIGITS}(?: {_IN} {_A}lines?)? {_MUST}have "
        "(?:an equal|the same) sum within each (?:box|region) (?:it|the line) passes through",
    ],
    "clone": [_heading("clone"), f"{_A}(?:two )?{_COLOURS}regions? are clones?"],
}  # fmt: skip

_GIVEN = "(?:are )?(?:necessarily |always )?(?:given|shown|marked)"


def _all(marks: str) -> str:
    return f"all (?:possible )?{marks} {_GIVEN}"


def _not_all(marks: str) -> str:
    return f"(?:so )?not all (?:possible |existing )?{marks} {_GIVEN}"


_XVS = "(?:xs?|vs?|xs? (?:and|or|/) vs?|x/?v(?:'?s)?)"
_DOTS = "(?:kropki )?dots"
# Kinds of denials, and what may be said where all of them are in force, and where none is.
DENIED: tuple[tuple[frozenset[str], str, str], ...] = (
    (frozenset(("no-difference", "no-ratio")), _all(_DOTS), _not_all(_DOTS)),
    (frozenset(("no-ratio",)), _all(f"black {_DOTS}"), _not_all(f"black {_DOTS}")),
    (frozenset(("no-difference",)), _all(f"white {_DOTS}"), _not_all(f"white {_DOTS}")),
    (frozenset(("no-sum",)), _all(_XVS), _not_all(_XVS)),
    (
        frozenset(("no-difference", "no-ratio", "no-sum")),
        "(?:the )?negative constraints? appl(?:y|ies)",
        r"\(?(?:no|without) negative constraints?\)?",
    ),
)
_WORDS = {"4": "(?:4|four)", "5": "(?:5|five)"}


def sayings(clues: Iterable[Clue]) -> Iterator[str]:
    """The phrases that clues allow."""
    kinds = {clue.kind for clue in clues}
    values = {(clue.kind, clue.value) for clue in clues if clue.value}
    for kind in kinds:
        yield from () if any(kind == k for k, _ in values) else SAID.get(kind, [])
    for kind, value in values:
        phrases = [p for key in (kind, f"{kind}=", f"{kind}={value}") for p in SAID.get(key, [])]
        yield from (phrase.replace("{value}", _WORDS.get(value, value)) for phrase in phrases)
    for denials, every, some in DENIED:
        if denials <= kinds:
            yield every
        elif not denials & kinds:
            yield some
