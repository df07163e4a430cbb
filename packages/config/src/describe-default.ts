import type { Setting } from './setting.ts';

/** Describes the default of a setting for `--help` and the reference. */
export function describeDefault(setting: Setting): string {
  if (!('default' in setting)) return 'required';
  const { default: value } = setting;
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? 'none' : text;
}
