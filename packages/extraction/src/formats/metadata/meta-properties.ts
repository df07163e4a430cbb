import type { Budget } from '../../budget.ts';
import { attributeOf, type Node } from '../../dom/node.ts';
import { readJson } from '../../json/read-json.ts';
import type { JsonValue } from '../../json/visit-json.ts';
import { collapse, isUnseen, rawText } from '../../read/text-of.ts';

/** Values of properties: a text, or the texts of a property that the page repeats. */
export type PropertyValues = { readonly [name: string]: string | readonly string[] };

/** A name and the content of its <meta>. */
export interface MetaProperty {
  readonly name: string;
  readonly content: string;
}

/** Returns the content of the first <meta> with the name, or null. */
export function contentOf(metas: readonly Node[], name: string): string | null {
  const meta = metas.find((element) => attributeOf(element, 'name')?.trim().toLowerCase() === name);
  return collapse((meta && attributeOf(meta, 'content')) ?? '') || null;
}

/** Limits on the properties of a page and on the length of their names. */
const MAX_PROPERTIES = 10_000;
const MAX_NAME_CHARS = 1024;

/** Yields the properties of <meta> elements: of `property`, which can have several names, or else of `name`. */
export function* metaProperties(metas: readonly Node[], budget: Budget): Generator<MetaProperty, void> {
  for (const meta of metas.slice(0, MAX_PROPERTIES)) {
    budget.spend(1);
    const content = attributeOf(meta, 'content');
    const names = attributeOf(meta, 'property') ?? attributeOf(meta, 'name');
    if (content === undefined || names === undefined || names.length > MAX_NAME_CHARS) continue;
    for (const name of new Set(names.trim().split(/\s+/))) yield { name, content };
  }
}

/** Reads the properties whose names begin with `twitter:`, by the rest of the name. */
export function readTwitter(metas: readonly Node[], budget: Budget): PropertyValues {
  const values = new ValueCollector();
  for (const { name, content } of metaProperties(metas, budget)) {
    if (name.startsWith('twitter:')) values.add(name.slice('twitter:'.length), content);
  }
  return values.toObject();
}

/** Collects the values of properties. */
export class ValueCollector {
  readonly #lists = new Map<string, string[]>();

  has(name: string): boolean {
    return this.#lists.has(name);
  }

  add(name: string, value: string): void {
    const list = this.#lists.get(name);
    if (list) list.push(value);
    else this.#lists.set(name, [value]);
  }

  /** Returns the values by name, as data even if a name is `__proto__`. */
  toObject(): PropertyValues {
    return Object.fromEntries(
      [...this.#lists].map(([name, list]) => [name, list.length === 1 ? (list[0] as string) : list]),
    );
  }
}

/** Returns the objects in the scripts, one after the other. Scripts that are not JSON, other values and empty objects are left out. */
export function readJsonLd(scripts: readonly Node[], budget: Budget): JsonValue[] {
  const found: JsonValue[] = [];
  for (const script of scripts) {
    const reading = readJson(rawText(script, isUnseen, budget), budget);
    if (!('value' in reading)) continue;
    const items = Array.isArray(reading.value) ? reading.value : [reading.value];
    budget.spend(items.length);
    for (const item of items) if (isFilledObject(item)) found.push(item);
  }
  return found;
}

function isFilledObject(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  for (const _name in value) return true;
  return false;
}
