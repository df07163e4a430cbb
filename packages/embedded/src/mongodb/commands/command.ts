import type { ExpressionScope } from '../aggregate/evaluate-expression.ts';
import type { Doc } from '../bson/bson-types.ts';
import type { CursorRegistry } from '../cursors/cursor-registry.ts';
import type { Pacer } from '../query/pacer.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { KeyValueStore } from '../storage/key-value-store.ts';

/** What all commands of a server work with. */
export interface ServerState {
  readonly catalog: Catalog;
  readonly store: KeyValueStore;
  readonly cursors: CursorRegistry;
  readonly clock: () => Date;
  readonly startedAt: Date;
  /** Aborted when the server closes. */
  readonly signal: AbortSignal;
  readonly openConnections: () => number;
}

/** One command as it is run: its name, its database and what limits it. */
export interface CommandContext {
  readonly state: ServerState;
  readonly name: string;
  readonly database: string;
  readonly connectionId: number;
  readonly sequences: ReadonlyMap<string, readonly Buffer[]>;
  readonly pacer: Pacer;
  readonly scope: ExpressionScope;
}

/** A command: the fields that it takes, and what it answers (`ok: 1` is added to a document, bytes go as they are). */
export interface Command {
  /** Fields of its own, 'any' where unknown ones are harmless; those of every command are in `GENERIC_FIELDS`. */
  readonly fields: readonly string[] | 'any';
  readonly run: (command: Doc, context: CommandContext) => Promise<Doc | Buffer> | Doc | Buffer;
  /** Whether it changes data: its write concern decides when the answer goes out. */
  readonly isWrite?: boolean;
}
