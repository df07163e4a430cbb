import { describe, expect, it } from '@jest/globals';
import { renderConfigMarkdown, renderHelp } from './render-settings.ts';
import { defineConfig, setting } from './setting.ts';

const TABLE = defineConfig({
  PORT: { type: setting.port, default: 8080, meaning: 'The port.' },
  NAMES: { type: setting.list, default: ['a', 'b'], meaning: 'Some | names.' },
  KEY: { type: setting.text, default: undefined, meaning: 'A key.', isSecret: true },
  LIMIT: { type: setting.integer({ minimum: 1, maximum: 9 }), meaning: 'A limit.' },
});

describe('renderConfigMarkdown', () => {
  it('renders a row for every setting', () => {
    expect(renderConfigMarkdown(TABLE)).toBe(
      [
        '| Variable | Default | Takes | Meaning |',
        '| --- | --- | --- | --- |',
        '| `PORT` | `8080` | a port from 1 to 65535, or 0 for any free one | The port. |',
        '| `NAMES` | `a,b` | values separated by commas | Some \\| names. |',
        '| `KEY` | none | text | A key. |',
        '| `LIMIT` | required | a whole number from 1 to 9 | A limit. |',
        '',
      ].join('\n'),
    );
  });
});

describe('renderHelp', () => {
  it('renders name, default and meaning of every setting in columns', () => {
    const lines = renderHelp('gateway', TABLE).split('\n');
    expect(lines[0]).toBe('gateway is configured by environment variables:');
    expect(lines).toContain('  LIMIT     required  A limit. Takes a whole number from 1 to 9.');
  });
});
