import { describeDefault } from './describe-default.ts';
import type { ConfigTable } from './setting.ts';

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
