import { describeDefault } from './describe-default.ts';
import type { ConfigTable } from './setting.ts';

/** Renders the text of `--help`: name, default and meaning of every setting, in columns. */
export function renderHelp(program: string, table: ConfigTable): string {
  const rows = Object.entries(table).map(([name, setting]) => {
    return [name, describeDefault(setting), `${setting.meaning} Takes ${setting.type.expected}.`] as const;
  });
  const lines = inColumns([['VARIABLE', 'DEFAULT', 'MEANING'], ...rows]);
  return [`${program} is configured by environment variables:`, '', ...lines, ''].join('\n');
}

type Row = readonly [name: string, byDefault: string, meaning: string];

function inColumns(rows: readonly Row[]): string[] {
  const nameWidth = Math.max(...rows.map(([name]) => name.length));
  const defaultWidth = Math.max(...rows.map(([, byDefault]) => byDefault.length));
  return rows.map(([name, byDefault, meaning]) =>
    ['', name.padEnd(nameWidth), byDefault.padEnd(defaultWidth), meaning].join('  '),
  );
}
