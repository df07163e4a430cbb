import type { FormatName } from 'ajv-formats';
import formats from 'ajv-formats';
import { defined } from '../defined.ts';
import { COMPONENTS } from './components.ts';

/** Names on the way to a value, the innermost first. */
export interface Place {
  readonly name: string;
  readonly outer: Place | undefined;
}

/** A part of a schema, with the keywords of our schemas except the descriptive ones. */
export interface Part {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
  readonly not?: Part;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: FormatName;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Part;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly additionalProperties?: boolean | Part;
  readonly 'x-expected'?: string;
  /** Fields that tell the branches of a union apart, in their order, several of one in a list; a further branch has none. Without one, exactly one field is given. */
  readonly 'x-told-by'?: readonly (string | readonly string[])[];
}

/** One error: the keyword that a value does not satisfy, in its part of the schema. */
export interface FoundError {
  readonly keyword: keyof Part;
  readonly part: Part;
  readonly at: Place | undefined;
  readonly value: unknown;
  /** Name of the missing or unknown field, or the fields that exclude each other. */
  readonly name?: string;
}

/** Errors after which a search ends; a response lists fewer. */
const MAX_FOUND = 1000;

/**
 * Finds the errors of a value that its schema rejects, in time linear in the value. A limit of entries or fields is checked
 * before what is inside, and the type of the value chooses the branch of a union, so that only the errors of that branch
 * are found. With `isOpen`, objects may have fields that the schema does not know.
 */
export function findErrors(schema: Part, value: unknown, { isOpen }: { isOpen: boolean }): FoundError[] {
  const search = new Search(isOpen);
  search.visit(schema, value, undefined);
  return search.found;
}

class Search {
  readonly found: FoundError[] = [];
  readonly #isOpen: boolean;

  constructor(isOpen: boolean) {
    this.#isOpen = isOpen;
  }

  visit(given: Part, value: unknown, at: Place | undefined): void {
    if (this.#isOver()) return;
    const part = resolve(given);
    const fail: Fail = (keyword, name) => this.#add({ keyword, part, at, value, ...defined({ name }) });
    const forms = part.anyOf ?? (part.type === undefined ? part.oneOf : undefined);
    if (forms) {
      if (this.#lacksOneField(part, forms, value, at)) return;
      const branch = branchToldBy(part['x-told-by'], forms, value) ?? branchFor(forms, value);
      if (branch) this.visit(branch, value, at);
      else fail('anyOf');
      return;
    }
    if (part.type !== undefined && !hasType(value, part.type)) return void fail('type');
    if ('const' in part && value !== part.const) return void fail('const');
    if (part.enum && !part.enum.includes(value)) return void fail('enum');
    if (typeof value === 'string') findTextError(part, value, fail);
    else if (typeof value === 'number') {
      if (value < (part.minimum ?? value)) fail('minimum');
      if (value > (part.maximum ?? value)) fail('maximum');
    } else if (Array.isArray(value)) this.#visitArray(part, value, at, fail);
    else if (typeof value === 'object' && value !== null) this.#visitObject(part, value, at, fail);
  }

  /** Finds the errors of an object with none, or several, of the fields of which it needs exactly one. */
  #lacksOneField(part: Part, forms: readonly Part[], value: unknown, at: Place | undefined): boolean {
    const toldBy = part['x-told-by'];
    if (toldBy?.length !== forms.length || !isObject(value)) return false;
    const fields = toldBy.flat();
    const fail = (keyword: keyof Part, of: Part, name?: string) =>
      this.#add({ keyword, part: of, at, value, ...defined({ name }) });
    const required = (names: readonly string[]) => names.map((name) => ({ required: [name] }));
    const [first, ...others] = fields.filter((name) => isGiven(value, name));
    for (const other of others) fail('not', { oneOf: required([first ?? '', other]) });
    if (first !== undefined) return others.length > 0;
    const properties = Object.assign({}, ...forms.map((form) => form.properties));
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
    for (const name of unknown) fail('additionalProperties', { properties }, name);
    if (unknown.length === 0) fail('oneOf', { oneOf: required(fields) });
    return true;
  }

  #add(error: FoundError): void {
    if (!this.#isOver()) this.found.push(error);
  }

  #isOver(): boolean {
    return this.found.length >= MAX_FOUND;
  }

  #visitArray(part: Part, value: readonly unknown[], at: Place | undefined, fail: Fail): void {
    if (value.length > (part.maxItems ?? Number.POSITIVE_INFINITY)) return void fail('maxItems');
    if (value.length < (part.minItems ?? 0)) fail('minItems');
    // Entries of such arrays are texts.
    if (part.uniqueItems && new Set(value).size < value.length) fail('uniqueItems');
    const { items } = part;
    if (!items) return;
    for (const [index, item] of value.entries()) {
      if (this.#isOver()) return;
      this.visit(items, item, { name: String(index), outer: at });
    }
  }

  #visitObject(part: Part, value: object, at: Place | undefined, fail: Fail): void {
    const { properties = {}, additionalProperties: others } = part;
    const names = Object.keys(value);
    if (names.length > (part.maxProperties ?? Number.POSITIVE_INFINITY)) return void fail('maxProperties');
    if (names.length < (part.minProperties ?? 0)) fail('minProperties');
    findAlternativeErrors(part, value, fail);
    for (const name of part.required ?? []) if (!isGiven(value, name)) fail('required', name);
    for (const name of names) {
      if (this.#isOver()) return;
      if (Object.hasOwn(properties, name)) continue;
      if (others === false && !this.#isOpen) fail('additionalProperties', name);
      if (typeof others === 'object') this.visit(others, memberOf(value, name), { name, outer: at });
    }
    for (const [name, property] of Object.entries(properties)) {
      if (isGiven(value, name)) this.visit(property, memberOf(value, name), { name, outer: at });
    }
  }
}

type Fail = (keyword: keyof Part, name?: string) => void;

function findTextError(part: Part, value: string, fail: Fail): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = part;
  // A character has one unit or two.
  const isTooLong = value.length > maxLength && (value.length > 2 * maxLength || lengthOf(value) > maxLength);
  if (isTooLong) return void fail('maxLength');
  if (value.length < 2 * minLength && lengthOf(value) < minLength) fail('minLength');
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) fail('pattern');
  if (format !== undefined && !hasFormat(value, format)) fail('format');
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _character of text) length += 1;
  return length;
}

function hasFormat(text: string, name: FormatName): boolean {
  const format = formats.default.get(name);
  const check = typeof format === 'object' && 'validate' in format ? format.validate : format;
  return check instanceof RegExp
    ? check.test(text)
    : typeof check !== 'function' || Boolean(check(text as never));
}

/** Finds the errors of fields of which exactly one, or at most one, may be given. */
function findAlternativeErrors({ oneOf = [], not }: Part, value: object, fail: Fail): void {
  const isMet = ({ required = [] }: Part) => required.every((name) => isGiven(value, name));
  const met = oneOf.filter(isMet);
  if (oneOf.length > 0 && met.length === 0) fail('oneOf');
  if (met.length > 1) fail('not');
  if (not && isMet(not)) fail('not');
}

/** Returns the names of fields that exclude each other. */
export function alternativesOf({ oneOf, not }: Part): string[] {
  return (oneOf ?? (not ? [not] : [])).flatMap(({ required = [] }) => required);
}

/** Returns the branch of a union that is meant: the one with the type of the value, and with its constants among several. */
function branchFor(branches: readonly Part[], value: unknown): Part | undefined {
  const fitting = branches.map(resolve).filter((branch) => fits(branch, value));
  return fitting.find((branch) => hasConstants(branch, value)) ?? fitting[0];
}

/** Returns the branch of a union whose field an object has, else the last one; undefined where no fields tell them apart. */
function branchToldBy(
  fields: Part['x-told-by'],
  branches: readonly Part[],
  value: unknown,
): Part | undefined {
  if (!fields) return undefined;
  const isObject = typeof value === 'object' && value !== null;
  const index = isObject
    ? fields.findIndex((names) => [names].flat().some((name) => isGiven(value, name)))
    : -1;
  return branches.at(index);
}

function fits(part: Part, value: unknown): boolean {
  const { type, anyOf } = part;
  if (anyOf) return branchFor(anyOf, value) !== undefined;
  return type === undefined || hasType(value, type);
}

function hasConstants({ properties = {} }: Part, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const constants = Object.entries(properties).filter(([, property]) => 'const' in property);
  return constants.every(([name, property]) => memberOf(value, name) === property.const);
}

function resolve(part: Part): Part {
  const name = part.$ref?.split('/').at(-1);
  return name === undefined ? part : ((COMPONENTS[name] ?? {}) as Part);
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'object') return isObject(value);
  return typeof value === type;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isGiven(value: object, name: string): boolean {
  return Object.hasOwn(value, name) && memberOf(value, name) !== undefined;
}

function memberOf(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name];
}
