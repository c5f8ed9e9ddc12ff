"""Every kind of clue has a small picture of its own."""

from xml.etree import ElementTree

from satdoku.model.kinds import KINDS
from satdoku.web.catalogue import catalogue
from satdoku.web.icons import icon

WHOLE = catalogue()


def test_each_kind_has_a_distinct_icon():
    icons = {kind["name"]: kind["icon"] for kind in WHOLE["kinds"]}
    assert icons.keys() == KINDS.keys() and len({*icons.values()}) == len(KINDS)


def test_icons_are_square_pictures_of_shapes_and_text():
    for entry in (*WHOLE["kinds"], *WHOLE["values"]):
        root = ElementTree.fromstring(entry["icon"])
        x, y, width, height = map(float, root.attrib["viewBox"].split())
        assert width == height and x < 0 and y < 0, entry["name"]
        tags = {each.tag.rpartition("}")[2] for each in root.iter()}
        assert tags <= {"svg", "g", "path", "rect", "circle", "text"} and len(tags) > 1


def test_kinds_that_pictures_mark_alone_differ_in_shape():
    assert icon(KINDS["sandwich"], "4") != icon(KINDS["skyscraper"], "4")
    assert ">X</text>" in icon(KINDS["sum"], "10", most=2)
    assert ">NOD</text>" in icon(KINDS["no-difference"])
