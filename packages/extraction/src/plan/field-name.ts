/** Names that could change the prototype of an object when the data is read. */
const DANGEROUS_NAMES = new Set(['__proto__']);

/** Explains why a field cannot have this name, or returns undefined. Data must survive JSON and MongoDB unchanged. */
export function findNameError(name: string): string | undefined {
  if (name === '') return 'A field needs a name.';
  if (name.includes('\0')) return 'A field name cannot contain the character NUL.';
  if (name.startsWith('$'))
    return 'A field name cannot begin with "$": the database reads such names as operators.';
  if (DANGEROUS_NAMES.has(name)) return `A field cannot be named "${name}".`;
  if (!name.isWellFormed())
    return 'A field name must be valid Unicode: it contains half of a surrogate pair.';
  return undefined;
}
