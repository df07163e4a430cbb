import { LIST_NAME } from './draft.ts';

/** Fields as a person writes them: names with commas between, each with a type or some words, as in `title, price: number`. */
export interface WantedFields {
  /** Values of the page. */
  readonly page: string;
  /** Values of each item of the page's list. */
  readonly item: string;
}

export const NOTHING_WANTED: WantedFields = { page: '', item: '' };

/** JSON schema of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
}

const TYPES = ['string', 'number', 'integer', 'boolean'];

/** Returns the JSON schema of the fields; undefined without any. */
export function schemaOf({ page, item }: WantedFields): ObjectSchema | undefined {
  const values = fieldsIn(page);
  const columns = fieldsIn(item);
  const lists = columns.length > 0 ? [[LIST_NAME, { type: 'array', items: objectOf(columns) }] as const] : [];
  return values.length + lists.length > 0 ? objectOf([...values, ...lists]) : undefined;
}

type Field = readonly [name: string, schema: object];

function objectOf(fields: readonly Field[]): ObjectSchema {
  return { type: 'object', properties: Object.fromEntries(fields) };
}

function fieldsIn(text: string): readonly Field[] {
  return text.split(',').flatMap((part) => {
    const [name = '', ...about] = part.split(':');
    return name.trim() ? [[name.trim(), fieldSchema(about.join(':').trim())] as const] : [];
  });
}

function fieldSchema(about: string): object {
  if (TYPES.includes(about)) return { type: about };
  return about ? { type: 'string', description: about } : { type: 'string' };
}
