"""The words in which people tell what a rule or a clue says, as parts of regular expressions.

Invariant: a phrase says only what the rule, or a clue of the kind, says, or less.
`files.fpuzzles.words` takes the phrases of what is in force out of a text; it heeds none of a rule
or a kind that the puzzle has not.
"""

from __future__ import annotations

COLOURS = (
    "(?:(?:light |dark )?(?:gr[ae]y|blue|green|purple|pink|red|orange|yellow|gold|teal|peach|"
    "marked|drawn|shaded|colou?red|dashed|dotted|thick|thin|opaque|small|connected|attached|given|"
    "indicated|pointed|german|renban|little killer|x-?sum|sandwich|skyscraper) )*"
)
A = f"(?:(?:each|every|any|all|a|an|the|its|their|that|those|these|two) )?{COLOURS}"
DIGITS = f"{A}(?:digits?|numbers?|values?|cells?)"
MUST = "(?:must |have to |has to |needs? to |should |will |always )*"
NOT = "(?:may not|can ?not|can't|must not|mustn't|do not|don't|never)"
ADD = "(?:sum|add)(?:s|ming|ing)?(?: up)? to"
SHOW = "(?:show|indicate|give|state|tell|mean|mark|denote|join|connect|separate)s?"
IN = "(?:along|on|in|within|inside(?: of)?)"
IF = r"(?:,? ?\(?(?:if|when|where) (?:one is |it is |a sum is )?(?:given|provided|shown|any)\)?)?"
WHERE = (
    "(?: (?:given|shown|written|indicated))?(?: in (?:the|its) (?:top|upper)[- ]left"
    "(?: corner| cell)?(?: of (?:the|each|its) cage)?)?"
)
REPEAT = r"(?: (?:along|on|in) {place})?(?:,? if (?:allowed|permitted) by other rules)?"
BULB = "(?:the |its |their )?(?:round |circular )?bulbs?(?: end)?"
TIP = "(?: to(?:wards?)? (?:the |its |their )?(?:tip|end|other end|flat end|top)s?)?"
FROM = f"(?:,? (?:starting |going |moving )?(?:away )?(?:from|at) {BULB}{TIP})"
THERMO = f"{A}thermo(?:meter)?s?"
OUTSIDE = f"{A}(?:clues?|numbers?|sums?)(?: (?:outside|around|beside) the grid)?"
GRID = "(?: in the grid)?"
TOGETHER = "(?:separated|joined|connected|linked)(?: by| with)?"
CONSECUTIVE = "(?:(?:be|are|contain|hold|have) )?consecutive(?: digits| numbers| values| cells)?"
HALF = (
    r"(?:(?:be|are|is|have|has|with|contain|hold) )?(?:in )?(?:an? )?(?:digits? (?:with|in) an? )?"
    r"(?:ratio (?:of )?(?:1 ?: ?2|2 ?: ?1)|(?:1 ?: ?2|2 ?: ?1)(?: ratio)?)"
)
LARGER = "(?:larger|greater|bigger|higher|more) than"
LESS = "(?:smaller|less|lower) than"
AROUND = (
    f"(?:all |any )?(?:of )?(?:the |its )?{DIGITS}? ?(?:around it|"
    "(?:orthogonally )?(?:adjacent|neighbou?ring)(?: cells?| digits?)?|neighbou?rs)"
)


def heading(names: str) -> str:
    """A kind by its name, with or without saying that its rules apply."""
    usual = "(?:(?:normal|standard|usual|default|classic) )?"
    rules = "(?: (?:sudoku|lines?|clues?|sums?|constraints?))?(?: rules?)?"
    return f"{usual}(?:{names})s?{rules}(?: (?:apply|applies))?:?"


def dot(colour: str, says: str) -> list[str]:
    """What a dot, an X or a V between two cells says."""
    mark = f"{A}{colour}(?:'?s)?"
    two = "(?:between (?:two )?(?:cells|digits) )?"
    said = f"(?:(?:that )?{DIGITS}|(?:that )?(?:they|the two cells))?"
    there = "(?: (?:between|in) (?:the )?(?:two )?(?:connected )?(?:cells|digits))?"
    return [
        f"{DIGITS} {TOGETHER} {mark} {MUST}{says}",
        f"{mark} {two}{SHOW} ?{said} ?{MUST}{says}{there}",
        f"(?:by )?{mark} (?:=|{MUST}{says})",
    ]


KROPKI = [f"{heading('kropki')[:-1]}"]  # with its colon: alone it leaves open what is denied

GIVEN = "(?:are )?(?:necessarily |always )?(?:given|shown|marked)"


def all_marks(marks: str) -> str:
    return f"all (?:possible )?{marks} {GIVEN}"


def not_all_marks(marks: str) -> str:
    return f"(?:so )?not all (?:possible |existing )?{marks} {GIVEN}"


XVS = "(?:xs?|vs?|xs? (?:and|or|/) vs?|x/?v(?:'?s)?)"
DOTS = "(?:kropki )?dots"


# Of rules, where {all} stands for "the digits 1-9" ------------------------------------------------

NEVER = "(?:can ?not|can't|may not|must not|mustn't|do not|don't|should not|never)"
NUMBERS = "(?:digits?|numbers?)"
APPLY = "(?: (?:apply|applies|are in effect|are in force))?"
ONCE = "(?: (?:exactly|only|just))?(?: once)?(?: each)?"
SAME = f"(?:(?:contain|hold|have|share) the same {NUMBERS}|be the same|be equal|be identical)"
DIFFER = f"(?:must )?(?:(?:contain|hold|have) different {NUMBERS}|be different|differ)"
IDENTICAL = f"(?:identical|equal|(?:the )?same|two identical) {NUMBERS}"
AT_ONCE = "(?:(?:appear|be|occur|stand|be placed|repeat|be separated by|be at) )?"
ADJACENT = "(?:orthogonally )?(?:adjacent|neighbou?ring)(?: cells| digits)?"
DIAGONALS = "(?:the |both |either |each |every |any |a |marked |main |long |two |of )*diagonals?"
WINDOWS = (
    "(?:the |each |every |any |four |4 |shaded |grey |gray |extra |marked |3x3 )*"
    "(?:windows?|extra (?:regions?|box(?:es)?))"
)


def moves(piece: str) -> list[str]:
    """How people tell that cells a chess move apart differ."""
    at = f"(?:separated by |that are |at )?(?:a |an )?(?:chess )?{piece}(?:'?s)?(?:[ -])?move"
    apart = f"(?:{at}(?: in chess)?(?: (?:apart|away))?(?: from (?:each other|another))?)"
    return [
        rf"(?:the )?anti-? ?{piece}(?:'?s)?(?:[ -]move)?(?: (?:sudoku|rules?|constraint))?{APPLY}",
        rf"(?:any |two |all )?(?:cells|{NUMBERS}) {apart} (?:{NEVER} {SAME}|{DIFFER})",
        rf"{IDENTICAL} {NEVER} {AT_ONCE}{apart}",
    ]


def houses(name: str, places: str) -> list[str]:
    """How people tell that more houses hold every digit once."""
    return [
        f"{name}{APPLY}",
        f"{NUMBERS} {NEVER} repeat (?:on|along|in|within) {places}",
        f"{places} (?:must )?(?:also )?contains? {{all}}{ONCE}",
    ]
