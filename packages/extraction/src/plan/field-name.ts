/** Names that would lead into an object's machinery in some reader of the data. */
const DANGEROUS_NAMES = new Set(['__proto__']);

/** Why a field cannot have this name, or undefined; data has to survive JSON and MongoDB unchanged. */
export function faultOfName(name: string): string | undefined {
  if (name === '') return 'A field needs a name.';
  if (name.includes('\0')) return 'A field name cannot hold the character NUL.';
  if (name.startsWith('$'))
    return 'A field name cannot begin with "$": the database reads such names as operators.';
  if (DANGEROUS_NAMES.has(name)) return `A field cannot be called "${name}".`;
  if (!name.isWellFormed()) return 'A field name has to be valid Unicode: it holds half of a surrogate pair.';
  return undefined;
}
