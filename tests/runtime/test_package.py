import subprocess
import sys
from importlib.metadata import version

import satdoku
from satdoku.runtime import package


def test_the_version_is_that_of_the_installed_package():
    assert package.VERSION == satdoku.__version__ == version("satdoku")


def test_the_package_draws_for_its_parts_and_loads_the_pictures_only_then():
    code = (
        "import sys\n"
        "from satdoku.model.grid import parse_grid\n"
        "grid = parse_grid('1234341221434321')\n"
        "assert 'satdoku.render' not in sys.modules\n"
        "drawn = grid._repr_svg_()\n"
        "from satdoku import render_svg\n"
        "print(drawn == render_svg(grid))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")
