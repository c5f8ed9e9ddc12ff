"""What pyproject.toml cannot say: files that are made for a wheel, links of the README on a package
index, and the options of MSVC.

A wheel holds the manual page and the completion of shells. They are made of the command line's own
parsers, so that they are never out of date. It holds the kernel for browsers, too, where there is a
compiler of WebAssembly.
"""

import re
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.egg_info import egg_info

from distutils.command.install_data import install_data  # isort: skip  # that of setuptools


class EggInfo(egg_info):
    """The README of a package index links to the files of this version, where they are kept."""

    def run(self) -> None:
        metadata = self.distribution.metadata
        source = metadata.project_urls["Source"]

        def absolute(match: re.Match[str]) -> str:
            place = "raw" if match[2].endswith((".svg", ".png")) else "blob"
            return f"{match[1]}{source}/{place}/v{metadata.version}/{match[2]}"

        links = r'(\]\(|src=")(?![a-z]+:|#)([^)"]+)'
        metadata.long_description = re.sub(links, absolute, metadata.long_description)
        super().run()


class InstallData(install_data):
    """Makes the files below `share` that `satdoku.cli.shell` names."""

    def run(self) -> None:
        sys.path.insert(0, str(Path(__file__).parent))
        from satdoku.cli.shell import COMPLETIONS, MANUAL, completion, manual

        build = Path(self.get_finalized_command("build").build_base)
        made = {MANUAL: manual()} | {path: completion(shell) for shell, path in COMPLETIONS.items()}
        self.data_files = []
        for path, text in made.items():
            file = build / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
            self.data_files.append((str(Path(path).parent), [str(file)]))
        super().run()


class BuildExt(build_ext):
    """The extensions, then the kernel for browsers. MSVC has no vectors, and the engine is slower
    without; clang-cl has, where it is there."""

    def run(self) -> None:
        super().run()
        sys.path.insert(0, str(Path(__file__).parent))
        from satdoku.engine import wasm

        folder = Path(__file__).parent if self.inplace else Path(self.build_lib)
        if not wasm.build(folder / wasm.KERNEL.relative_to(Path(__file__).parent.resolve())):
            self.announce(wasm.MISSING, level=3)

    def build_extensions(self) -> None:
        if self.compiler.compiler_type == "msvc":
            for extension in self.extensions:
                extension.extra_compile_args = ["/O2", "/std:c11"]
            if clang := shutil.which("clang-cl"):
                self.compiler.initialize(self.plat_name)
                self.compiler.cc = clang
        super().build_extensions()


setup(
    cmdclass={"build_ext": BuildExt, "egg_info": EggInfo, "install_data": InstallData},
    data_files=[("share", [])],  # not empty, or nothing would be installed; see InstallData
)
