/** Returns the shape of a value: runs of digits and of letters. Values of one field mostly share it in part. */
export function shapeOf(value: string): string {
  if (value === '') return 'empty';
  if (/^https?:|^\/|^\.{1,2}\//.test(value)) return 'address';
  const sample = value.slice(0, 100);
  const digits = sample.match(/\d/g)?.length ?? 0;
  if (digits > 0 && digits * 3 >= sample.replace(/\s/g, '').length) return 'numeric';
  return value.length > 120 ? 'long text' : 'text';
}
