import type { Page } from '../page.ts';
import { readTake, type Take } from '../values/take.ts';
import { shapeOf } from '../values/value-shape.ts';

/** Other pages on which a selector was tried. */
export interface Stability {
  readonly held: number;
  readonly tried: number;
}

/** Counts the other pages on which the selector matches one element with a value of the same shape. */
export function tryOnOthers(
  { css, take, target }: { readonly css: string; readonly take: Take; readonly target: number },
  page: Page,
  others: readonly Page[],
): Stability {
  const shape = shapeOf(readTake(take, target, page) ?? '');
  const holds = (other: Page): boolean => {
    const [only, ...more] = other.find(css)(null);
    return only !== undefined && more.length === 0 && shapeOf(readTake(take, only, other) ?? '') === shape;
  };
  return { held: others.filter(holds).length, tried: others.length };
}
