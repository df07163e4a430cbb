import type { ConfigTable, Setting } from './setting.ts';

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

/** Renders a table of settings in Markdown, for the configuration reference that a test compares with the code. */
export function renderConfigMarkdown(table: ConfigTable): string {
  const rows = Object.entries(table).map(([name, setting]) => {
    const byDefault = describeDefault(setting);
    const isWord = byDefault === 'required' || byDefault === 'none';
    return [`\`${name}\``, isWord ? byDefault : `\`${byDefault}\``, setting.type.expected, setting.meaning];
  });
  return [['Variable', 'Default', 'Takes', 'Meaning'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.map(escapeCell).join(' | ')} |\n`)
    .join('');
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** Describes the default of a setting for `--help` and the reference. */
function describeDefault(setting: Setting): string {
  if (!('default' in setting)) return 'required';
  const { default: value } = setting;
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? 'none' : text;
}
