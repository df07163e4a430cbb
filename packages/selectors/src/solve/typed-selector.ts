import type { FieldType, Selector } from '@gleaner/contracts';
import type { Shape } from '@gleaner/extraction';

type ScalarShape = Extract<Shape, { kind: 'scalar' }>;

/** Types of fields by the types and formats of a schema. */
const TYPES: Readonly<Record<string, FieldType>> = {
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'datetime',
  uri: 'url',
};

/** Returns a selector whose value has the type of a schema. */
export function selectorOf(css: string, take: string, { type, format }: ScalarShape): Selector {
  const attribute = take.startsWith('attr(') ? take : 'attr(href)';
  const source = format === 'uri' ? `${css}::${attribute}` : css;
  const fieldType = TYPES[format ?? type];
  return fieldType === undefined ? source : { selector: source, type: fieldType };
}
