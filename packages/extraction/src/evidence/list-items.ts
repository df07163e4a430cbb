import type { ElementTree } from './element-tree.ts';
import type { Range } from './text-index.ts';

/** A value of a model, and the text that it took it from. */
export interface Claim {
  readonly value: unknown;
  readonly quote: string;
}

/** A value that stands on the page, with all its places. */
export interface Anchored {
  readonly places: readonly Range[];
}

/** Values of an item whose distance decides where it stands. */
const MAX_NEIGHBORS = 10;

/**
 * Returns the part of the text that each item of a list has to itself: the largest element around its rarest value that holds the
 * rarest value of no other item. Null for an item that stands nowhere, or where another one stands already.
 */
export function findTerritories(
  items: readonly (readonly Anchored[])[],
  tree: ElementTree,
): readonly (Range | null)[] {
  const taken = new Set<string>();
  const anchors = items.map((values) => {
    const anchor = chooseAnchor(values, taken);
    if (anchor) taken.add(keyOf(anchor));
    return anchor;
  });
  const sorted = anchors.filter((anchor) => anchor !== null).sort((one, other) => one.from - other.from);
  return anchors.map((anchor) => anchor && growAround(anchor, sorted, tree));
}

function keyOf({ from, to }: Range): string {
  return `${from} ${to}`;
}

/** Returns the place of the rarest value that is nearest to the other values of its item. */
function chooseAnchor(values: readonly Anchored[], taken: ReadonlySet<string>): Range | null {
  const rarest = values.reduce<Anchored | undefined>(
    (best, each) => (best && best.places.length <= each.places.length ? best : each),
    undefined,
  );
  if (!rarest) return null;
  const others = values.filter((each) => each !== rarest).slice(0, MAX_NEIGHBORS);
  const distanceOf = (place: Range) =>
    others.reduce(
      (sum, { places }) => sum + Math.min(...places.map((each) => Math.abs(each.from - place.from))),
      0,
    );
  const free = rarest.places.filter((place) => !taken.has(keyOf(place)));
  const ranked = free.map((place) => ({ place, distance: distanceOf(place) }));
  return (
    ranked.reduce((best, each) => (best && best.distance <= each.distance ? best : each), ranked[0])?.place ??
    null
  );
}

function growAround(anchor: Range, sorted: readonly Range[], tree: ElementTree): Range {
  const at = sorted.indexOf(anchor);
  const before = sorted[at - 1]?.from ?? Number.NEGATIVE_INFINITY;
  const after = sorted[at + 1]?.from ?? Number.POSITIVE_INFINITY;
  let territory: Range = anchor;
  for (const element of tree.around(anchor)) {
    const isShared = element.from <= before || element.to > after;
    if (isShared) break;
    territory = element;
  }
  return territory;
}
