import { Budget } from '../budget.ts';
import type { JsonValue } from '../convert/conversion.ts';
import { checkScalar, type EvidenceStatus, type ScalarContext } from './check-scalar.ts';
import { ElementTree } from './element-tree.ts';
import { type Anchored, type Claim, findTerritories } from './list-items.ts';
import type { PageEvidence } from './page-evidence.ts';
import type { EvidenceRule, ScalarShape, Shape } from './shape.ts';
import { type Range, TextIndex } from './text-index.ts';

/** Proof of a value by the page. */
export interface Evidence {
  /** Part of the page's text; null if there is none. */
  readonly quote: string | null;
  readonly status: EvidenceStatus;
}

/** Values of an answer with their evidence. */
export interface CheckedAnswer {
  readonly data: Readonly<Record<string, JsonValue>>;
  /** By the path of the value, such as `books.0.title`. */
  readonly evidence: Readonly<Record<string, Evidence>>;
  /** Number of values that do not stand on the page, by path without positions. */
  readonly missing: Readonly<Record<string, number>>;
  /** Orders of the elements that show the values, by the paths of these. */
  readonly elements: Readonly<Record<string, number>>;
}

/** An answer of a model and the page that it is about. Plain data, so that it can be sent to a thread. */
export interface AnswerToCheck {
  /** JSON. */
  readonly answer: string;
  readonly shape: Shape;
  readonly rule: EvidenceRule;
  readonly evidence: PageEvidence;
  readonly locale?: string | undefined;
}

/** Checks each value of an answer against the page. Throws a SyntaxError for an answer that is not a JSON object. */
export function checkAnswer(task: AnswerToCheck, budget = new Budget()): CheckedAnswer {
  const answer: unknown = JSON.parse(task.answer);
  if (!isRecord(answer)) throw new SyntaxError('The answer is not an object.');
  const checking = new Checking(task, budget);
  const data = checking.check(answer, task.shape, { path: '', field: '', scope: undefined });
  return {
    data: isRecord(data) ? (data as Readonly<Record<string, JsonValue>>) : {},
    evidence: Object.fromEntries(checking.evidence),
    missing: Object.fromEntries(checking.missing),
    elements: Object.fromEntries(checking.elements),
  };
}

/** Place of a value: its path, the same without positions, and the part of the text that its quote must lie in. */
interface Place {
  readonly path: string;
  readonly field: string;
  /** Undefined for the whole text; null for an item that stands nowhere. */
  readonly scope: Range | undefined | null;
}

/** Longest quotes that are looked for. */
const MAX_QUOTE_CHARS = 2000;

class Checking {
  readonly evidence = new Map<string, Evidence>();
  readonly missing = new Map<string, number>();
  readonly elements = new Map<string, number>();
  readonly #task: AnswerToCheck;
  readonly #index: TextIndex;
  readonly #tree: ElementTree;
  readonly #context: ScalarContext;
  readonly #budget: Budget;

  constructor(task: AnswerToCheck, budget: Budget) {
    this.#task = task;
    this.#budget = budget;
    this.#index = new TextIndex(task.evidence.text, budget);
    this.#tree = new ElementTree(task.evidence);
    this.#context = { evidence: task.evidence, locale: task.locale, budget };
  }

  check(answer: unknown, shape: Shape, place: Place): JsonValue {
    if (shape.kind === 'scalar') return this.#checkScalar(answer, shape, place);
    if (shape.kind === 'list') return this.#checkList(Array.isArray(answer) ? answer : [], shape.item, place);
    const given = isRecord(answer) ? answer : {};
    return Object.fromEntries(
      shape.fields.map(([name, field]) => {
        const inner = { ...place, path: join(place.path, name), field: join(place.field, name) };
        return [name, this.check(Object.hasOwn(given, name) ? given[name] : null, field, inner)];
      }),
    );
  }

  #checkScalar(answer: unknown, shape: ScalarShape, { path, field, scope }: Place): JsonValue {
    const claim = claimOf(answer);
    if (!claim) return null;
    const found = scope === null ? undefined : this.#find(claim, shape, scope)[0];
    if (found) {
      const { status, value, quote, place } = found;
      const order = 'order' in found ? found.order : this.#tree.around(place).next().value?.order;
      if (order !== undefined) this.elements.set(path, order);
      this.evidence.set(path, { quote, status });
      return value;
    }
    this.missing.set(field, (this.missing.get(field) ?? 0) + 1);
    this.evidence.set(path, { quote: null, status: 'missing' });
    return this.#task.rule === 'report' ? typed(claim.value, shape) : null;
  }

  /** Returns the places of a quote that show its value, as far as the first few tell. */
  #find({ value, quote }: Claim, shape: ScalarShape, scope: Range | undefined) {
    this.#budget.spend(1);
    if (shape.format === 'uri') {
      const url = this.#findUrl(value, scope);
      if (url) return [url];
    }
    const range = scope ?? { from: 0, to: this.#index.text.length };
    const [places = []] = [quote, withoutLinks(quote)]
      .map((text) => this.#index.find(text, range))
      .filter(({ length }) => length > 0);
    return places.flatMap((place) => {
      const text = this.#index.text.slice(place.from, place.to);
      const shown = checkScalar(value, text, shape, this.#context);
      return shown ? [{ ...shown, quote: text, place }] : [];
    });
  }

  /** Finds a link or image of the page with the URL. */
  #findUrl(value: unknown, scope: Range | undefined) {
    const { urls, base } = this.#task.evidence;
    const wanted = typeof value === 'string' ? URL.parse(value, base)?.href : undefined;
    this.#budget.spend(1 + (urls.length >> 3));
    const found = urls.find(
      ({ url, from, to }) => url === wanted && (!scope || (from >= scope.from && to <= scope.to)),
    );
    if (!found) return undefined;
    const status: EvidenceStatus = found.url === value ? 'verbatim' : 'converted';
    return { value: found.url, status, quote: found.url, place: found, order: found.order };
  }

  #checkList(items: readonly unknown[], shape: Shape, place: Place): JsonValue {
    const isReport = this.#task.rule === 'report';
    const scopes =
      shape.kind === 'scalar' || place.scope === null
        ? items.map(() => place.scope)
        : findTerritories(
            items.map((item) => this.#anchorsOf(item, shape, place.scope ?? undefined)),
            this.#tree,
          ).map((territory) => within(territory, place.scope));
    const kept: JsonValue[] = [];
    items.forEach((item, at) => {
      const path = join(place.path, String(kept.length));
      const value = this.check(item, shape, { path, field: place.field, scope: scopes[at] });
      if (isReport || holdsValue(value)) kept.push(value);
      else this.#forget(path);
    });
    return kept;
  }

  /** Removes the evidence of an item that is left out. */
  #forget(path: string): void {
    for (const known of [this.evidence, this.elements])
      for (const key of known.keys()) if (key === path || key.startsWith(`${path}.`)) known.delete(key);
  }

  /** Returns the values of an item that stand on the page, each with its places. */
  #anchorsOf(item: unknown, shape: Shape, scope: Range | undefined): readonly Anchored[] {
    if (shape.kind === 'scalar') {
      const claim = claimOf(item);
      const places = claim ? this.#find(claim, shape, scope).map(({ place }) => place) : [];
      return places.length > 0 ? [{ places }] : [];
    }
    // Lists inside of an item have places of their own.
    if (shape.kind === 'list' || !isRecord(item)) return [];
    return shape.fields.flatMap(([name, field]) =>
      Object.hasOwn(item, name) ? this.#anchorsOf(item[name], field, scope) : [],
    );
  }
}

function within(territory: Range | null, scope: Range | undefined | null): Range | null {
  if (!territory || !scope) return territory;
  return { from: Math.max(territory.from, scope.from), to: Math.min(territory.to, scope.to) };
}

/** Returns a value with its quote; a value that came alone is its own quote. Null has none. */
function claimOf(answer: unknown): Claim | undefined {
  const { value, quote } = isRecord(answer) ? answer : { value: answer, quote: undefined };
  if (value === null || value === undefined || typeof value === 'object') return undefined;
  const text = typeof quote === 'string' && quote.trim() !== '' ? quote : String(value);
  return { value, quote: text.slice(0, MAX_QUOTE_CHARS) };
}

/** Returns a value without evidence if it has the type that was asked for. */
function typed(value: unknown, { type, choices }: ScalarShape): JsonValue {
  if (type === 'string')
    return typeof value === 'string' && (!choices || choices.includes(value)) ? value : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (typeof value !== 'number' || (type === 'integer' && !Number.isInteger(value))) return null;
  return value;
}

/** Takes the targets of links, and the marks of lists and headings, out of a quote of Markdown. */
function withoutLinks(quote: string): string {
  return quote
    .replace(/\]\([^()\s]{0,500}\)/g, ' ')
    .replace(/^\s{0,9}(?:[-+]|\d{1,9}\.)\s/gm, '')
    .replace(/[![\]]/g, '');
}

function holdsValue(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(holdsValue);
  if (typeof value === 'object' && value !== null)
    return Object.values(value).some((each) => holdsValue(each as JsonValue));
  return value !== null;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
