import {
  boolean,
  durationMs,
  integer,
  list,
  number,
  oneOf,
  port,
  someOf,
  text,
  url,
} from './setting-types.ts';

/**
 * The types that a setting can have. `text`, `port`, `boolean` and `list` are ready to use; `integer`, `number`,
 * `durationMs`, `oneOf`, `someOf` and `url` take their bounds, choices or protocols.
 */
export const setting = { text, port, boolean, list, integer, number, durationMs, oneOf, someOf, url };

/** How the text of an environment variable becomes a value. */
export interface SettingType<Value> {
  /** What is accepted, as it completes "expected …". */
  readonly expected: string;
  /** A text that is accepted. */
  readonly example: string;
  /** The value, or undefined when the text is not accepted. */
  readonly parse: (text: string) => Value | undefined;
}

/**
 * One environment variable. Without `default` it must be set; with `default: undefined` it may stay away.
 * The value of a secret is shown nowhere.
 */
export interface Setting<Value = unknown> {
  readonly type: SettingType<Value>;
  readonly default?: Value | undefined;
  readonly meaning: string;
  readonly isSecret?: true;
}

/** The settings of a service by the names of their environment variables. */
export type ConfigTable = Readonly<Record<string, Setting>>;

/** The values of a table's settings, read and checked. */
export type Config<Table extends ConfigTable> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly default: undefined }
    ? ValueOf<Table[Name]> | undefined
    : ValueOf<Table[Name]>;
};

type ValueOf<Of extends Setting> = Of['type'] extends SettingType<infer Value> ? Value : never;

/** Declares a table of settings; each default must be of its setting's type. */
export function defineConfig<const Table extends ConfigTable>(
  table: Table & { readonly [Name in keyof Table]: Setting<ValueOf<Table[Name]>> },
): Table {
  return table;
}
