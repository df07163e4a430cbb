"""The package as it is published: its files, what it imports, and its types at run time."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
import tempfile
import typing
import unittest
import zipfile
from pathlib import Path

import gleaner_client
import gleaner_client.types
from gleaner_client._generated.operations import OPERATIONS

PACKAGE = Path(__file__).parents[1]
SOURCES = PACKAGE / "src" / "gleaner_client"
TYPE_CHECKERS_BRING = {"typing_extensions"}
EXTRAS_BRING = {"scrapy_handler.py": {"scrapy", "twisted"}}


class PackageTest(unittest.TestCase):
    def test_imports_the_standard_library_alone(self) -> None:
        for path in SOURCES.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.level == 0:
                    names.append(node.module or "")
                for name in names:
                    top = name.split(".")[0]
                    if top in EXTRAS_BRING.get(path.name, ()):
                        continue
                    spec = None if top in TYPE_CHECKERS_BRING else importlib.util.find_spec(top)
                    place = str(spec.origin) if spec else ""
                    self.assertNotIn("site-packages", place, f"{path.name} imports {name}")
                    self.assertTrue(spec or top in TYPE_CHECKERS_BRING, f"{path.name} imports {name}")

    def test_has_a_method_for_every_operation(self) -> None:
        files = [SOURCES / "_gleaner.py", SOURCES / "_watch.py", *(SOURCES / "_resources").glob("*.py")]
        source = "\n".join(path.read_text(encoding="utf-8") for path in files)
        self.assertEqual([name for name in OPERATIONS if f'"{name}"' not in source], [])

    def test_loads_none_of_its_types_until_they_are_asked_for(self) -> None:
        program = "import sys, gleaner_client; print([name for name in sys.modules if 'openapi' in name])"
        done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        self.assertEqual(done.stdout.strip(), "[]")

    def test_has_types_that_can_be_read_at_run_time(self) -> None:
        for name in ("ScrapeRequest", "Job", "PageFailure", "Usage", "JobPagesEvent"):
            hints = typing.get_type_hints(getattr(gleaner_client.types, name))
            self.assertTrue(hints)


class BuildTest(unittest.TestCase):
    """Builds with the Pythons that read TOML by themselves; the wheel is the same for all."""

    if sys.version_info >= (3, 11):

        def test_is_installed_from_its_wheel_and_from_its_sources_without_a_network(self) -> None:
            with tempfile.TemporaryDirectory() as folder:
                for build in ("build_wheel", "build_sdist"):
                    self.build(build, folder)
                wheel, archive = sorted(Path(folder).iterdir(), key=lambda path: path.suffix, reverse=True)
                with zipfile.ZipFile(wheel) as content:
                    names = set(content.namelist())
                self.assertIn("gleaner_client/py.typed", names)
                self.assertIn("gleaner_client/_generated/openapi.py", names)
                self.assertFalse([name for name in names if "test" in name])
                self.assertEqual(archive.name, f"gleaner_client-{gleaner_client.__version__}.tar.gz")
                target = Path(folder) / "installed"
                # The zip file of a wheel without scripts is what an installer unpacks.
                with zipfile.ZipFile(wheel) as content:
                    content.extractall(target)
                program = "import gleaner_client; print(gleaner_client.__version__, gleaner_client.__file__)"
                done = subprocess.run(
                    [
                        sys.executable,
                        "-I",
                        "-c",
                        f"import sys; sys.path.insert(0, {str(target)!r}); {program}",
                    ],
                    check=True,
                    capture_output=True,
                    text=True,
                )
                self.assertTrue(done.stdout.startswith(gleaner_client.__version__), done.stdout)
                self.assertIn(str(target), done.stdout)

        def test_is_installed_in_place_for_work_on_it(self) -> None:
            with tempfile.TemporaryDirectory() as folder:
                self.build("build_editable", folder)
                (wheel,) = Path(folder).iterdir()
                target = Path(folder) / "installed"
                with zipfile.ZipFile(wheel) as content:
                    content.extractall(target)
                program = f"import site; site.addsitedir({str(target)!r}); import gleaner_client as g; print(g.__file__)"
                command = [sys.executable, "-I", "-c", program]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                self.assertEqual(done.stdout.strip(), str(SOURCES / "__init__.py"))
                info = target / f"gleaner_client-{gleaner_client.__version__}.dist-info"
                metadata = (info / "METADATA").read_text(encoding="utf-8")
                self.assertIn("Name: gleaner-client", metadata)
                self.assertIn(
                    'Provides-Extra: scrapy\nRequires-Dist: scrapy>=2.8; extra == "scrapy"', metadata
                )

        def test_is_built_to_the_same_bytes_each_time(self) -> None:
            with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
                for folder in (one, other):
                    for build in ("build_wheel", "build_sdist"):
                        self.build(build, folder)
                for path in Path(one).iterdir():
                    self.assertEqual(path.read_bytes(), (Path(other) / path.name).read_bytes())

        def build(self, hook: str, folder: str) -> None:
            """Calls a hook of the build backend as pip does."""
            program = f"import build_backend; build_backend.{hook}({folder!r})"
            subprocess.run([sys.executable, "-c", program], check=True, cwd=PACKAGE)
