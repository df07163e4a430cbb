import {
  boolean,
  durationMs,
  integer,
  list,
  number,
  oneOf,
  port,
  type SettingType,
  someOf,
  text,
  url,
} from './setting-types.ts';

/**
 * Types of settings. `text`, `port`, `boolean` and `list` are ready to use; `integer`, `number`,
 * `durationMs`, `oneOf`, `someOf` and `url` take their bounds, choices or protocols.
 */
export const setting = { text, port, boolean, list, integer, number, durationMs, oneOf, someOf, url };

/**
 * One environment variable. Without `default` it is required; with `default: undefined` it is optional. The value of a
 * secret is never shown.
 */
export interface Setting<Value = unknown> {
  readonly type: SettingType<Value>;
  readonly default?: Value | undefined;
  readonly meaning: string;
  readonly isSecret?: true;
}

/** Settings of a service by the names of their environment variables. */
export type ConfigTable = Readonly<Record<string, Setting>>;

/** Values of a table's settings, read and checked. */
export type Config<Table extends ConfigTable> = {
  readonly [Name in keyof Table]: Table[Name] extends { readonly default: undefined }
    ? ValueOf<Table[Name]> | undefined
    : ValueOf<Table[Name]>;
};

type ValueOf<Of extends Setting> = Of['type'] extends SettingType<infer Value> ? Value : never;

/** Declares a table of settings; each default must have its setting's type. */
export function defineConfig<const Table extends ConfigTable>(
  table: Table & { readonly [Name in keyof Table]: Setting<ValueOf<Table[Name]>> },
): Table {
  return table;
}
