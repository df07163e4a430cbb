import { ERROR_CODES, ERROR_TABLE } from '@gleaner/contracts';
import { documentOfClient, operationsOf, takesKey } from './render-client-types.ts';

/** The parts of a schema of the OpenAPI document that types are made of. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly description?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

const HEADER = (docstring: string, source = 'the OpenAPI document') => `"""${docstring}

Written by \`npm run docs\` from ${source}; a test compares them. Do not edit.
"""
`;

/** Renders the types of the Python client: a \`TypedDict\` for each object that a request sends or a response holds. */
export function renderPythonTypes(): string {
  const { components, ...document } = documentOfClient();
  const schemas = (components as { schemas: Record<string, Schema> }).schemas;
  const types = new PythonTypes(schemas);
  const operations = operationsOf(document).flatMap(({ operation }) => {
    const { operationId, requestBody, parameters = [], responses } = operation as unknown as WholeOperation;
    const query = parameters.filter((parameter) => parameter.in === 'query');
    const name = pascal(operationId);
    const body = requestBody?.content['application/json']?.schema;
    const results = Object.values(responses).flatMap(
      ({ content }) => content?.['application/json']?.schema ?? [],
    );
    return [
      ...(query.length > 0 ? [{ name: `${name}Query`, schema: schemaOfQuery(query), sent: true }] : []),
      ...(body && !body.$ref ? [{ name: `${name}Body`, schema: body, sent: true }] : []),
      ...results
        .filter(({ $ref }) => !$ref)
        .map((schema) => ({ name: `${name}Result`, schema, sent: false })),
    ];
  });
  // Requests first: a type that is sent accepts any sequence and mapping.
  for (const { name, schema, sent } of operations) if (sent) types.add(name, schema, 'sent');
  for (const [name, schema] of Object.entries(schemas)) types.add(name, schema, 'received');
  for (const [name, schema] of Object.entries(aliasesOf(schemas))) types.add(name, schema, 'received');
  for (const { name, schema, sent } of operations) if (!sent) types.add(name, schema, 'received');
  return `${HEADER('Types of requests and responses: dictionaries, as the REST API names their fields.')}
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Sequence, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired
elif sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    # Union[X] is X.
    NotRequired = Union

__all__ = [
${types
  .names()
  .map((name) => `    "${name}",`)
  .join('\n')}
]

${types.render()}`;
}

/** Renders what the Python client needs to know of each operation at run time. */
export function renderPythonOperations(): string {
  const rows = operationsOf(documentOfClient()).map(({ path, method, operation }) => {
    const fields = [method.toUpperCase(), path].map((text) => JSON.stringify(text));
    return `    "${operation.operationId}": Operation(${fields.join(', ')}, ${takesKey(operation) ? 'True' : 'False'}),`;
  });
  return `${HEADER('Method and path of every operation, and whether it takes an Idempotency-Key.')}
from __future__ import annotations

from typing import Dict, NamedTuple


class Operation(NamedTuple):
    """Method and path of an operation."""

    method: str
    path: str
    is_keyed: bool


OPERATIONS: Dict[str, Operation] = {
${rows.join('\n')}
}
`;
}

/** Writes the codes of errors after which the same request may succeed. */
export function renderPythonErrors(): string {
  const codes = ERROR_CODES.filter((code) => ERROR_TABLE[code].isRetryable);
  return `${HEADER('Codes of errors after which the same request may succeed later.', 'the table of errors')}
from __future__ import annotations

RETRYABLE_CODES = frozenset(
    [
${codes.map((code) => `        "${code}",`).join('\n')}
    ]
)
`;
}

/** Returns parts of components that users need a name for. */
function aliasesOf({
  Verdict,
  Webhook,
  PageSuccess,
  ErrorResponse,
}: Record<string, Schema>): Record<string, Schema> {
  return {
    PageKind: Verdict?.properties?.page ?? {},
    PageChange: PageSuccess?.properties?.change ?? {},
    EventName: Webhook?.anyOf?.find(({ properties }) => properties)?.properties?.events?.items ?? {},
    ErrorCode: ErrorResponse?.properties?.error?.properties?.code ?? {},
  };
}

interface WholeOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

function schemaOfQuery(parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The direction in which a type is used. */
type Use = 'sent' | 'received';

/** Collects the types of schemas, the nested objects under names of their own; equal objects share one. */
class PythonTypes {
  readonly #schemas: Readonly<Record<string, Schema>>;
  readonly #texts = new Map<string, string>();
  readonly #nested = new Map<string, string>();
  readonly #uses = new Map<string, Use>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  /** Adds a type under this name, unless a request has brought it. */
  add(name: string, schema: Schema, use: Use): void {
    if (this.#uses.has(name)) return;
    this.#uses.set(name, use);
    this.#texts.set(name, '');
    const about = schema.description === undefined ? '' : `${docstring(schema.description)}\n`;
    this.#texts.set(
      name,
      schema.properties
        ? this.#renderRecord(name, schema, use)
        : `${name} = ${this.#typeOf(schema, name, use)}\n${about}`,
    );
  }

  names(): string[] {
    return [...this.#texts.keys()].sort();
  }

  /** Returns the source of all types. Names are quoted, so that their order does not matter. */
  render(): string {
    return [...this.#texts.values()].join('\n');
  }

  #renderRecord(name: string, { properties = {}, required = [], description }: Schema, use: Use): string {
    const fields = Object.entries(properties).filter(([field]) => field !== 'success');
    const typed = fields.map(([field, schema]) => {
      const type = this.#typeOf(schema, name + pascal(field), use);
      return {
        field,
        about: schema.description,
        type: required.includes(field) ? type : `NotRequired[${type}]`,
      };
    });
    // A word of the language cannot be declared as a field of a class.
    if (typed.some(({ field }) => !IS_NAME.test(field) || KEYWORDS.has(field))) {
      const entries = typed.map(({ field, type }) => `    "${field}": ${type},\n`).join('');
      return `${name} = TypedDict("${name}", {\n${entries}})\n`;
    }
    const lines = typed.map(
      ({ field, type, about }) =>
        `    ${field}: ${type}\n${about === undefined ? '' : `    ${docstring(about)}\n`}`,
    );
    const about = description === undefined ? '' : `    ${docstring(description)}\n\n`;
    return `\nclass ${name}(TypedDict):\n${about}${lines.join('') || (about ? '' : '    pass\n')}\n`;
  }

  #typeOf(schema: Schema, name: string, use: Use): string {
    const { $ref, type, enum: values, const: only, anyOf, oneOf, items } = schema;
    if ($ref !== undefined) return this.#typeOfReference($ref, use);
    if (only !== undefined) return `Literal[${literal(only)}]`;
    if (values) return `Literal[${values.map(literal).join(', ')}]`;
    const choices = anyOf ?? oneOf;
    if (choices) return union(this.#typesOfChoices(choices, name, use));
    if (Array.isArray(type))
      return union(type.map((each) => this.#typeOf({ ...schema, type: each }, name, use)));
    if (type === 'array') return `${LISTS[use]}[${items ? this.#typeOf(items, singular(name), use) : 'Any'}]`;
    if (type === 'object') return this.#typeOfObject(schema, name, use);
    return SCALARS[String(type)] ?? 'Any';
  }

  #typesOfChoices(choices: readonly Schema[], name: string, use: Use): string[] {
    const records = choices.filter(({ properties }) => properties);
    return choices.map((choice) => {
      const number = records.length > 1 ? records.indexOf(choice) + 1 : 0;
      // The text form of a selector is used more than its object.
      const suffix = number > 0 ? String(number) : this.#uses.has(name) ? 'Object' : '';
      return this.#typeOf(choice, name + suffix, use);
    });
  }

  #typeOfReference($ref: string, use: Use): string {
    const name = $ref.split('/').at(-1) ?? '';
    const schema = this.#schemas[name];
    if (!schema) throw new Error(`${$ref} is not a component.`);
    this.add(name, schema, use);
    return `"${name}"`;
  }

  #typeOfObject(schema: Schema, name: string, use: Use): string {
    const { properties, patternProperties, additionalProperties } = schema;
    if (properties) return this.#typeOfNested(schema, name, use);
    const [values] = Object.values(patternProperties ?? {});
    const each = values ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined);
    return `${MAPPINGS[use]}[str, ${each ? this.#typeOf(each, singular(name), use) : 'Any'}]`;
  }

  #isTaken(name: string): boolean {
    return this.#uses.has(name) || name in this.#schemas;
  }

  #typeOfNested(schema: Schema, name: string, use: Use): string {
    const { description: _about, ...shape } = schema;
    const key = `${use} ${JSON.stringify(shape)}`;
    const known = this.#nested.get(key);
    if (known !== undefined) return `"${known}"`;
    let own = name.replace(/^\w+?Result(?=[A-Z])/, '');
    if (this.#isTaken(own)) own = name;
    for (let number = 2; this.#isTaken(own); number += 1) own = `${name}${number}`;
    this.#nested.set(key, own);
    this.add(own, schema, use);
    return `"${own}"`;
  }
}

const LISTS: Readonly<Record<Use, string>> = { sent: 'Sequence', received: 'List' };
const MAPPINGS: Readonly<Record<Use, string>> = { sent: 'Mapping', received: 'Dict' };
const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

const IS_NAME = /^[A-Za-z_]\w*$/;
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

function union(types: readonly string[]): string {
  const different = [...new Set(types)];
  return different.length === 1 ? (different[0] ?? 'Any') : `Union[${different.join(', ')}]`;
}

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

function docstring(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  return `"""${escaped.endsWith('"') ? `${escaped} ` : escaped}"""`;
}

function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
}

/** Returns the name for an entry of a list or a map of that name. */
function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}
