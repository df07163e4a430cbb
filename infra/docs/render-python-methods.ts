import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCES = resolve(import.meta.dirname, '../../packages/client-python/src/gleaner_client');
/** The class of the Python client and those of its attributes, with the name that each is used by. */
const CLASSES = [
  { file: '_gleaner.py', receiver: 'gleaner', base: 'AsyncGleanerMethods' },
  ...[
    'jobs',
    'schedules',
    'datasets',
    'profiles',
    'webhooks',
    'recipes',
    'channels',
    'keys',
    'secrets',
    'snapshots',
    'files',
  ].map((name) => ({
    file: `_resources/${name}.py`,
    receiver: `gleaner.${name}`,
    base: undefined,
  })),
];

/** A public method of a class of the Python client, as its source declares it. */
interface Method {
  readonly name: string;
  /** Parameters with their types and defaults, without `self`. */
  readonly parameters: readonly string[];
  readonly returns: string;
  readonly summary: string;
}

/** Renders the methods of the Python client as a table: their parameters and their docstrings. */
export function renderPythonMethods(): string {
  const rows = CLASSES.flatMap(({ file, receiver }) =>
    readClass(file).methods.map(
      ({ name, parameters, summary }) =>
        `| \`${receiver}.${name}(${parameters.map(inCall).join(', ')})\` | ${summary.replaceAll('|', '\\|')} |`,
    ),
  );
  return ['| call | what it does |', '|---|---|', ...rows].join('\n');
}

function inCall(parameter: string): string {
  const [name = ''] = parameter.split(':');
  return name.startsWith('*') ? name : `${name}${parameter.includes('=') ? '=…' : ''}`;
}

/** Renders the classes of the asynchronous client: each method runs that of the same name in a thread. */
export function renderPythonAsync(): string {
  const classes = CLASSES.map(({ file, base }) => ({ file, base, ...readClass(file) }));
  const imports = classes.map(
    ({ file, name }) => `from ..${file.replace('.py', '').replaceAll('/', '.')} import ${name}`,
  );
  const signatures = classes.flatMap(({ methods }) =>
    methods.flatMap((each) => [...each.parameters, each.returns]),
  );
  const names = (module: RegExp) =>
    [...new Set(signatures.join(' ').match(/\b[A-Z]\w+/g) ?? [])].filter((name) => module.test(name)).sort();
  const options = /^(Call|Create|Watch)Options$/;
  const known = /^(Any|False|Iterator|List|Listing|Literal|Mapping|None|Optional|Sequence|Unpack)$|Options$/;
  const types = names(/./).filter((name) => !known.test(name));
  return `"""The methods of the asynchronous client.

Written by \`npm run docs\` from those of the client; a test compares them. Do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, List, Literal, Mapping, Optional, Sequence

from .._bridge import AsyncListing, Bridge

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._caller import ${names(options)
      .filter((name) => name !== 'WatchOptions')
      .join(', ')}
    ${imports.join('\n    ')}
    from .._watch import WatchOptions
    from ..types import (
${types.map((name) => `        ${name},`).join('\n')}
    )
${classes.map(renderClass).join('')}`;
}

interface PythonClass {
  readonly name: string;
  readonly about: string;
  readonly methods: readonly Method[];
}

function renderClass({
  name,
  base,
  about,
  methods,
}: PythonClass & { readonly base: string | undefined }): string {
  return `

class ${base ?? `Async${name}`}:
    """${about}"""

    def __init__(self, bridge: Bridge, sync: ${name}) -> None:
        self._bridge = bridge
        self._sync = sync
${methods.map(renderMethod).join('')}`;
}

function renderMethod({ name, parameters, returns, summary }: Method): string {
  const names = parameters.flatMap((parameter) => parameter.split(/[:=]/)[0]?.trim() ?? []);
  const keywords = names.indexOf('*');
  const given = names.flatMap((each, index) => {
    if (each === '*') return [];
    return [keywords >= 0 && index > keywords && !each.startsWith('*') ? `${each}=${each}` : each];
  });
  const kind = Object.keys(KINDS).find((each) => returns.startsWith(`${each}[`)) ?? '';
  const {
    returned,
    body,
    prefix = '',
  } = KINDS[kind] ?? {
    returned: returns,
    prefix: 'async ',
    body: (method: string, args: string) =>
      `return await self._bridge.call(${[method, args].filter(Boolean).join(', ')})`,
  };
  const declared = ['self', ...parameters].map((parameter) => `        ${parameter},\n`).join('');
  return `
    ${prefix}def ${name}(
${declared}    ) -> ${returned.replace('[]', returns.slice(kind.length))}:
        """${summary}"""
        ${body(`self._sync.${name}`, given.join(', '))}
`;
}

/** Methods that return something else than a value, by its type. */
const KINDS: Readonly<
  Record<string, { returned: string; prefix?: string; body: (method: string, args: string) => string }>
> = {
  Iterator: {
    returned: 'AsyncIterator[]',
    body: (method, args) => `return self._bridge.iterate(${method}, ${args})`,
  },
  Listing: {
    returned: 'AsyncListing[]',
    body: (method, args) => `return AsyncListing(self._bridge, ${method}(${args}))`,
  },
};

function readClass(file: string): PythonClass {
  const lines = readFileSync(join(SOURCES, file), 'utf8').split('\n');
  const start = lines.findIndex((line) => line.startsWith('class '));
  const end = lines.findIndex((line, index) => index > start && /^\w/.test(line));
  const body = lines.slice(start + 1, end === -1 ? undefined : end);
  const methods = body.flatMap((line, index) =>
    /^ {4}def [a-z]/.test(line) ? [readMethod(file, body.slice(index))] : [],
  );
  if (methods.length === 0) throw new Error(`${file} has no class with methods.`);
  return {
    name: /\w+/.exec(lines[start]?.slice(6) ?? '')?.[0] ?? '',
    about: docstringOf(body[0]) ?? '',
    methods,
  };
}

/** Reads a method from its declaration, which may take several lines, and the docstring below it. */
function readMethod(file: string, lines: readonly string[]): Method {
  const last = lines.findIndex((line) => line.endsWith(':'));
  const declaration = lines
    .slice(0, last + 1)
    .map((line) => line.trim())
    .join(' ');
  const [before = '', returns = ''] = declaration.slice('def '.length, -1).split(') -> ');
  const [name = '', ...parameters] = before.split('(');
  const summary = docstringOf(lines[last + 1]);
  if (summary === undefined) throw new Error(`${file}: ${name} has no docstring.`);
  return { name, parameters: splitParameters(parameters.join('(')).slice(1), returns, summary };
}

function docstringOf(line = ''): string | undefined {
  const text = line.trim();
  return text.startsWith('"""') ? text.slice(3, text.endsWith('"""') ? -3 : undefined) : undefined;
}

/** Splits at the commas that are not within brackets. */
function splitParameters(text: string): string[] {
  let depth = 0;
  const parameters = [''];
  for (const character of text) {
    if (character === '[') depth += 1;
    if (character === ']') depth -= 1;
    if (character === ',' && depth === 0) parameters.push('');
    else parameters.push((parameters.pop() ?? '') + character);
  }
  return parameters.map((parameter) => parameter.trim()).filter((parameter) => parameter !== '');
}
