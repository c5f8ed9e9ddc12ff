from pathlib import Path

import satdoku

TEXT = (Path(__file__).parent.parent / "CITATION.cff").read_text()


def test_the_citation_is_of_this_version_and_licence():
    assert f"\nversion: {satdoku.__version__}\n" in TEXT
    assert "\nlicense: MIT\n" in TEXT
    assert TEXT.startswith("cff-version: 1.2.0\n")
