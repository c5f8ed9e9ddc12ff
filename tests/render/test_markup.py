from satdoku.render import markup


def test_only_markup_is_markup():
    inner = markup.tag("b", "1 < 2\0", class_='"')
    assert inner == '<b class="&quot;">1 &lt; 2\\x00</b>'
    assert markup.tag("p", inner, 3, "&") == f"<p>{inner}3&amp;</p>"
