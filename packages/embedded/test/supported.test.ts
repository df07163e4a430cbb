import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { HANDLERS } from '../src/amqp/methods/method-handlers.ts';
import { ACCUMULATORS, STAGES } from '../src/mongodb/aggregate/stages.ts';
import { COMMANDS } from '../src/mongodb/commands/run-command.ts';
import { OPERATORS } from '../src/mongodb/filter/compile-expression.ts';
import { PREDICATES } from '../src/mongodb/filter/compile-filter.ts';
import { UPDATE_STAGES } from '../src/mongodb/update/compile-pipeline.ts';
import { MODIFIERS } from '../src/mongodb/update/modifiers.ts';

/** Folders of the code that uses a database or a broker, and of the suites that check it on both kinds of server. */
const SENDERS = [
  'packages/storage',
  'packages/broker',
  'services',
  'infra/backup',
  'infra/keys',
  'infra/chaos',
];

/** Commands by the calls that send them. */
const CALLS_OF_COMMANDS: Readonly<Record<string, RegExp>> = {
  hello: /hello: 1/,
  drop: /dropCollection\(/,
  dropDatabase: /dropDatabase\(/,
  listCollections: /listCollections\(/,
  createIndexes: /createIndexes\(/,
  listIndexes: /GridFSBucket/,
  // The remedy that the operator is given for an index of other options.
  dropIndexes: /drop the index that differs/,
  insert: /insert(One|Many)\(/,
  update: /update(One|Many)\(/,
  delete: /delete(One|Many)\(/,
  findAndModify: /findOneAnd/,
  find: /\.find(One)?\(/,
  aggregate: /(aggregate<|countDocuments\()/,
  explain: /\.explain\(/,
};
const SENT_BY_THE_DRIVER = ['ismaster', 'ping', 'endSessions', 'getMore', 'killCursors'];

/** Methods by the calls that send them. */
const CALLS_OF_METHODS: Readonly<Record<string, RegExp>> = {
  'channel.open': /createChannel\(/,
  'channel.close': /channel\.close\(/,
  'confirm.select': /createConfirmChannel\(/,
  'exchange.declare': /assertExchange\(/,
  'exchange.delete': /deleteExchange\(/,
  'queue.declare': /assertQueue\(/,
  'queue.bind': /bindQueue\(/,
  'queue.delete': /deleteQueue\(/,
  'basic.qos': /prefetch\(/,
  'basic.consume': /\.consume\(/,
  'basic.cancel': /\.cancel\(/,
  'basic.get': /channel\.get\(/,
  'basic.ack': /\.ack\(/,
  'basic.nack': /\.nack\(/,
};
/** `basic.cancel-ok` answers the broker; docs/operations.md tells operators to purge the queue of dead letters, by any client. */
const SENT_OTHERWISE = ['basic.cancel-ok', 'queue.purge', 'basic.reject'];

const sources = SENDERS.flatMap((folder) => readSources(join(import.meta.dirname, '../../..', folder))).join(
  '\n',
);

it.each(
  Object.entries({ ACCUMULATORS, STAGES, OPERATORS, PREDICATES, UPDATE_STAGES, MODIFIERS }).flatMap(
    ([table, operators]) => Object.keys(operators).map((operator) => [operator, table] as const),
  ),
)('a sender mentions %s of %s', (operator) => {
  expect(new RegExp(`\\${operator}\\b`).test(sources)).toBe(true);
});

it('serves no command without a sender', () => {
  expect(withoutSender(COMMANDS, CALLS_OF_COMMANDS, SENT_BY_THE_DRIVER)).toEqual([]);
});

it('serves no method without a sender', () => {
  expect(withoutSender(HANDLERS, CALLS_OF_METHODS, SENT_OTHERWISE)).toEqual([]);
});

function withoutSender(served: object, calls: Readonly<Record<string, RegExp>>, others: readonly string[]) {
  return Object.keys(served).filter((name) => !others.includes(name) && !calls[name]?.test(sources));
}

function readSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : readSources(path);
    return entry.name.endsWith('.ts') ? [readFileSync(path, 'utf8')] : [];
  });
}
