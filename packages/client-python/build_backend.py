"""Builds the package (PEP 517, PEP 660) with the standard library alone, so that no build needs the network.

The same sources give the same bytes. See docs/decisions/python-client.md.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = "gleaner_client"
SDIST_FILES = ("pyproject.toml", "README.md", "LICENSE", "build_backend.py")
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""Time of every file: a zip file knows none before it."""
MODE = 0o100644


def get_requires_for_build_wheel(config_settings=None):
    """Returns the packages that a build needs besides Python."""
    return [] if sys.version_info >= (3, 11) else ["tomli"]


get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel and returns its name."""
    files = {path.relative_to(HERE / "src").as_posix(): path.read_bytes() for path in sources()}
    return write_wheel(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Writes the wheel of `pip install -e`, which names the folder of the sources, and returns its name."""
    return write_wheel(wheel_directory, {f"__editable__.{PACKAGE}.pth": f"{HERE / 'src'}\n".encode()})


def write_wheel(wheel_directory, content):
    """Writes a wheel with this content and what describes the package, and returns its name."""
    project = read_project()
    info = f"{PACKAGE}-{project['version']}.dist-info"
    files = dict(content)
    files[f"{info}/licenses/LICENSE"] = (HERE / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = metadata_of(project).encode()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: gleaner-build\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = f"{info}/RECORD"
    files[record] = record_of(files, record).encode()
    name = f"{PACKAGE}-{project['version']}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = MODE << 16
            wheel.writestr(entry, content)
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Writes the archive of the sources and returns its name."""
    project = read_project()
    root = f"{PACKAGE}-{project['version']}"
    paths = [*(HERE / name for name in SDIST_FILES), *sources()]
    files = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in paths}
    files["PKG-INFO"] = metadata_of(project).encode()
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(f"{root}/{path}")
            entry.size = len(data)
            entry.mode = MODE & 0o777
            archive.addfile(entry, io.BytesIO(data))
    with (
        open(Path(sdist_directory) / f"{root}.tar.gz", "wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
    ):
        packed.write(content.getvalue())
    return f"{root}.tar.gz"


def read_project():
    """Returns the table `project` of pyproject.toml."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def sources():
    """Returns the files of the package in a fixed order."""
    found = (HERE / "src" / PACKAGE).rglob("*")
    return sorted(path for path in found if path.suffix == ".py" or path.name == "py.typed")


def metadata_of(project):
    """Returns the core metadata (version 2.4) of the package."""
    fields = [
        ("Metadata-Version", "2.4"),
        ("Name", project["name"]),
        ("Version", project["version"]),
        ("Summary", project["description"]),
        ("Keywords", ",".join(project["keywords"])),
        ("License-Expression", project["license"]),
        *(("License-File", path) for path in project["license-files"]),
        *(("Classifier", each) for each in project["classifiers"]),
        *(("Project-URL", f"{label}, {url}") for label, url in project.get("urls", {}).items()),
        ("Requires-Python", project["requires-python"]),
        *extras_of(project),
        ("Description-Content-Type", "text/markdown"),
    ]
    head = "".join(f"{name}: {value}\n" for name, value in fields)
    return head + "\n" + (HERE / project["readme"]).read_text(encoding="utf-8")


def extras_of(project):
    """Returns the metadata of the packages that extras such as `gleaner-client[scrapy]` bring."""
    fields = []
    for extra, requirements in project.get("optional-dependencies", {}).items():
        fields.append(("Provides-Extra", extra))
        fields += [("Requires-Dist", f'{requirement}; extra == "{extra}"') for requirement in requirements]
    return fields


def record_of(files, record):
    """Returns the list of the files with their hashes."""
    rows = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{path},sha256={digest},{len(content)}\n")
    return "".join([*rows, f"{record},,\n"])
