"""Recipes: options for the pages of a site, with tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from .._caller import Caller, CallOptions, Input
from .._lines import read_chunks

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..types import (
        CreateRecipeBody,
        Recipe,
        RecipePage,
        RecipeSummary,
        RecordTestBody,
        RecordTestResult,
        TestRecipeResult,
        TryRecipeBody,
        TryRecipeResult,
        UpdateRecipeBody,
    )


class Recipes:
    """Recipes: options for the pages of a site, with tests. Tests fetch nothing and cost nothing."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(self, body: CreateRecipeBody, **options: Unpack[CallOptions]) -> Recipe:
        """Creates a recipe."""
        return self._caller.call("createRecipe", Input(body=body), **options)["recipe"]

    def list(self, **options: Unpack[CallOptions]) -> List[RecipeSummary]:
        """Lists the recipes by name, each in its latest version."""
        return self._caller.call("listRecipes", **options)["recipes"]

    def get(self, id: str, **options: Unpack[CallOptions]) -> Recipe:
        """Returns a recipe in its latest version, or in the version of an id such as `rec_…@3`."""
        return self._caller.call("getRecipe", Input(path={"id": id}), **options)["recipe"]

    def update(self, id: str, body: UpdateRecipeBody, **options: Unpack[CallOptions]) -> Recipe:
        """Makes a new version of a recipe, unless nothing differs."""
        return self._caller.call("updateRecipe", Input(path={"id": id}, body=body), **options)["recipe"]

    def delete(self, id: str, **options: Unpack[CallOptions]) -> None:
        """Deletes a recipe with its versions and tests."""
        self._caller.call("deleteRecipe", Input(path={"id": id}), **options)

    def test(self, id: str, **options: Unpack[CallOptions]) -> TestRecipeResult:
        """Runs the tests of a recipe and returns their results."""
        return self._caller.call_for_payload("testRecipe", Input(path={"id": id}), **options)

    def try_out(self, body: TryRecipeBody, **options: Unpack[CallOptions]) -> TryRecipeResult:
        """Runs tests of a recipe that is not stored."""
        return self._caller.call_for_payload("tryRecipe", Input(body=body), **options)

    def record(self, id: str, body: RecordTestBody, **options: Unpack[CallOptions]) -> RecordTestResult:
        """Makes a test of a result of a job, whose page was kept, and runs it."""
        return self._caller.call_for_payload("recordTest", Input(path={"id": id}, body=body), **options)

    def add_page(self, html: str, **options: Unpack[CallOptions]) -> RecipePage:
        """Stores a page for tests, which name it by its SHA-256."""
        return self._caller.call("addRecipePage", Input(body={"html": html}), **options)["page"]

    def page(self, sha256: str, **options: Unpack[CallOptions]) -> str:
        """Returns the text of a page of tests by its SHA-256."""
        response = self._caller.open("getRecipePage", Input(path={"sha256": sha256}), **options)
        return b"".join(read_chunks(response)).decode(errors="replace")
