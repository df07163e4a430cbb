"""Lists that are read page by page."""

from __future__ import annotations

from typing import (
    TYPE_CHECKING,
    Any,
    Dict,
    FrozenSet,
    Generic,
    Iterator,
    List,
    Mapping,
    Optional,
    TypeVar,
    cast,
)

from ._caller import Caller, CallOptions, Input

if TYPE_CHECKING:
    from .types import Pagination

Item = TypeVar("Item")
_PAGE_SIZE = 100


class Page(Generic[Item]):
    """One page of a list."""

    def __init__(self, items: List[Item], pagination: Pagination) -> None:
        self.items = items
        self.pagination = pagination

    def __repr__(self) -> str:
        return f"Page(items={self.items!r}, pagination={self.pagination!r})"


class Listing(Generic[Item]):
    """A list that is read page by page: iterate over it for all entries, or ask for one `page`."""

    def __init__(
        self,
        caller: Caller,
        operation: str,
        field: str,
        query: Optional[Mapping[str, Any]],
        options: CallOptions,
        path: Optional[Mapping[str, str]] = None,
    ) -> None:
        self._caller = caller
        self._operation = operation
        self._field = field
        self._query: Dict[str, Any] = dict(query or {})
        self._options = options
        self._path = path or {}

    def page(self) -> Page[Item]:
        """Returns the page that `limit` and `offset` name; without them the first."""
        return self._read(self._query)

    def __iter__(self) -> Iterator[Item]:
        offset: int = self._query.get("offset") or 0
        before: FrozenSet[str] = frozenset()
        has_more = True
        while has_more:
            limit = self._query.get("limit") or _PAGE_SIZE
            page = self._read({**self._query, "limit": limit, "offset": offset})
            # An entry that was added since pushes the end of one page into the next.
            for item in page.items:
                if _id_of(item) not in before:
                    yield item
            before = frozenset(id for id in map(_id_of, page.items) if id is not None)
            offset += len(page.items)
            has_more = page.pagination["hasMore"] and len(page.items) > 0

    def _read(self, query: Mapping[str, Any]) -> Page[Item]:
        given = Input(path=self._path, query=query)
        answer: Mapping[str, Any] = self._caller.call(self._operation, given, **self._options)
        return Page(answer[self._field], answer["pagination"])


def _id_of(entry: Any) -> Optional[str]:
    """Returns the id of an entry, or of its job; None for one that no other entry pushes away."""
    fields = cast("Mapping[str, Any]", entry)
    return fields.get("id", fields.get("jobId"))
