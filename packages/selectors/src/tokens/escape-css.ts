/** Escapes a name for CSS, as `CSS.escape` does. CSSOM §2.1. */
export function escapeName(name: string): string {
  if (/^(?:[A-Za-z_]|-[A-Za-z_-])[\w-]*$/.test(name)) return name;
  const startsWithDigit = /^-?\d/.test(name);
  return Array.from(name, (char, index) => {
    const isLeadingDigit =
      startsWithDigit && /\d/.test(char) && index <= 1 && !/\d/.test(name.slice(0, index));
    if (isControl(char) || isLeadingDigit) return escapeCode(char);
    const isPlain = char >= '\u0080' || /[\w-]/.test(char);
    return isPlain && name !== '-' ? char : `\\${char}`;
  }).join('');
}

/** Writes a value as a CSS string. */
export function quoteValue(value: string): string {
  const escaped = Array.from(value, (char) => {
    if (isControl(char)) return escapeCode(char);
    return char === '"' || char === '\\' ? `\\${char}` : char;
  });
  return `"${escaped.join('')}"`;
}

function isControl(char: string): boolean {
  return char < ' ' || char === '\u007F';
}

/** Escapes a character by its number; NUL cannot be written in CSS. */
function escapeCode(char: string): string {
  return char === '\0' ? '\uFFFD' : `\\${char.charCodeAt(0).toString(16)} `;
}
