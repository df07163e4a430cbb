import type { Doc } from '../bson/bson-types.ts';
import type { CursorRegistry } from '../cursors.ts';
import type { Pacer } from '../query/pacer.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { KeyValueStore } from '../store/key-value-store.ts';

/** State of the server that all commands share. */
export interface ServerState {
  readonly catalog: Catalog;
  readonly store: KeyValueStore;
  readonly cursors: CursorRegistry;
  readonly clock: () => Date;
  /** Aborted when the server closes. */
  readonly signal: AbortSignal;
}

/** The context of a running command: its name, database and limits. */
export interface CommandContext {
  readonly state: ServerState;
  readonly name: string;
  readonly database: string;
  readonly connectionId: number;
  readonly sequences: ReadonlyMap<string, readonly Buffer[]>;
  readonly pacer: Pacer;
}

/** A command: its fields, and the function that makes its reply (`ok: 1` is added to a document; bytes are sent as they are). */
export interface Command {
  /** The command's own fields, or 'any' when unknown fields are harmless; fields common to all commands are in `GENERIC_FIELDS`. */
  readonly fields: readonly string[] | 'any';
  readonly run: (command: Doc, context: CommandContext) => Promise<Doc | Buffer> | Doc | Buffer;
  /** True when it changes data: its write concern decides when the reply is sent. */
  readonly isWrite?: boolean;
}
