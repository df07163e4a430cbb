import type { Setting } from './setting.ts';

/** What a setting is when its variable is not set, in the words of `--help` and the reference. */
export function describeDefault(setting: Setting): string {
  if (!('default' in setting)) return 'required';
  const { default: value } = setting;
  const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
  return text === '' ? 'none' : text;
}
