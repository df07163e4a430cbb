import { buildOpenApi } from '@gleaner/contracts/openapi';
import openapiTS, { astToString } from 'openapi-typescript';
import {
  type InterfaceDeclaration,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  type Node,
} from 'typescript';

/** A part of the document. */
export type Part = Record<string, unknown>;

const HEADER = `/**
 * Written by \`npm run docs\` from the OpenAPI document; a test compares them. Do not edit.
 */

`;

/** Renders the types of the client from the OpenAPI document: \`components\`, \`operations\`, and a type for each component. */
export async function renderClientTypes(): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(documentOfClient()), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    makePathsEnum: false,
  });
  return HEADER + astToString(nodes.filter(isOfClient));
}

/** Renders what the client needs to know of each operation at run time: method, path and whether it takes a key. */
export function renderClientOperations(): string {
  const rows = operationsOf(documentOfClient()).map(({ path, method, operation }) => {
    const entry = `method: '${method.toUpperCase()}', path: '${path}'${takesKey(operation) ? ', isKeyed: true' : ''}`;
    return `  ${operation.operationId}: { ${entry} },`;
  });
  return `${HEADER}/** Method and path of every operation; \`isKeyed\` operations take an Idempotency-Key. */
export const OPERATIONS = {
${rows.join('\n')}
} as const;
`;
}

/** Returns the document without errors and headers of responses, which the client reads by itself. */
export function documentOfClient(): Part {
  const { components, paths, ...rest } = buildOpenApi({ version: '1', serverUrl: '/' });
  const { Error: errorEnvelope, ...schemas } = (components as { schemas: Part }).schemas;
  // A type named Error would hide the one of JavaScript.
  const document = {
    ...rest,
    paths: { ...(paths as Part) },
    components: { schemas: { ...schemas, ErrorResponse: errorEnvelope } },
  };
  for (const { path, method, operation } of operationsOf(document)) {
    const responses = Object.entries(operation.responses)
      .filter(([status]) => Number(status) < 300)
      .map(([status, { headers, ...response }]) => [status, response]);
    const changed = { ...operation, responses: Object.fromEntries(responses) };
    document.paths[path] = { ...(document.paths[path] as Part), [method]: changed };
  }
  return document;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, Part>>;
}

/** Returns the operations of the document, in its order. */
export function operationsOf({ paths }: Part): { path: string; method: string; operation: Operation }[] {
  return Object.entries(paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Returns true when a repeated request with the same Idempotency-Key does the work once. */
export function takesKey({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === 'idempotency-key');
}

/** Leaves out \`paths\`, which says the same as \`operations\`, and empty declarations. */
function isOfClient(node: Node): boolean {
  const named =
    isInterfaceDeclaration(node) || isTypeAliasDeclaration(node) ? (node as InterfaceDeclaration) : undefined;
  return !['paths', 'webhooks', '$defs'].includes(named?.name.text ?? '');
}
