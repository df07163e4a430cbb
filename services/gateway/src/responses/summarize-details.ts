import type { ErrorDetail } from '@gleaner/contracts';

const MAX_NAMED = 3;

/**
 * Returns the message of an error with these details: the first of them, then the number of the others. A detail continues
 * the path it belongs to ("must be a string"), or is a sentence of its own.
 */
export function summarizeDetails(details: readonly ErrorDetail[]): string {
  const named = details.slice(0, MAX_NAMED).map(nameDetail);
  const rest = details.length - named.length;
  const text = `${named.join('; ')}${rest > 0 ? `; and ${rest} more in details` : ''}`;
  return text.endsWith('?') ? text : `${text}.`;
}

function nameDetail({ path, message }: ErrorDetail): string {
  const isSentence = /^[A-Z]/.test(message);
  return `${path || 'the body'}${isSentence ? ':' : ''} ${message.replace(/\.$/, '')}`;
}
