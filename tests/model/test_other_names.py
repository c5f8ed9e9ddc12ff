"""Names of other programs lead to ours; what cannot be stated says why."""

import re

import pytest

from satdoku import SatdokuError, constraints_for
from satdoku.model.kinds import ALIASES, CALLED, KINDS
from satdoku.model.other_names import MEANT, UNSTATED
from satdoku.model.rules import BOARDS, RULES


@pytest.mark.parametrize("name", [*MEANT, *CALLED])
def test_what_is_meant_exists_and_is_no_name_already(name):
    for clue in (MEANT | CALLED)[name].split(" or "):
        assert re.split("[=:]", clue)[0] in {*KINDS, *ALIASES, *RULES, *BOARDS}
    assert name not in {*KINDS, *ALIASES, *RULES, *UNSTATED}
    assert not (name in MEANT and name in CALLED)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("killer=10:r1c1,r1c2", "no kind 'killer': did you mean cage?"),
        ("thermometers:r1c1,r1c2", "no kind 'thermometers': did you mean thermo?"),
        ("kropki:r1c1,r1c2", "no kind 'kropki': did you mean white or black?"),
        ("knight,antiking", "no rule 'antiking': did you mean king?"),
        ("Anti-Knight", "no rule 'anti-knight': did you mean knight?"),
        ("fog:r1c1", "no kind 'fog': it hides clues and says nothing of the solution"),
        ("yin_yang", "no rule 'yin_yang': no word says it: state it by a layer"),
        ("region-construction:r1c1", "did you mean chaos?"),
        ("twodoku", "no rule 'twodoku': did you mean grids:r1c1,r7c7?"),
        ("0-8", "no rule '0-8': did you mean digits=0-8?"),
        ("0-9", "no rule '0-9': did you mean shape=9x9,digits=0-9?"),
    ],
)
def test_a_name_from_elsewhere_is_told(text, said):
    with pytest.raises(SatdokuError, match=re.escape(said)):
        constraints_for(text)
