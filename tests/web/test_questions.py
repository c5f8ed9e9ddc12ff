"""The table of questions."""

from satdoku.web.questions import LANES, QUESTIONS, answering


def test_every_question_has_its_function():
    for name, question in QUESTIONS.items():
        function = answering(name)
        assert function.__name__ == name and function.__doc__
        assert question.lane in LANES and 0 < question.seconds <= 120


def test_lanes_keep_warm_workers():
    for lane in LANES:
        assert 1 <= lane.spare <= lane.most and 1 <= lane.each <= lane.most
