import type { FieldTable } from '../wire/field-table.ts';

/** Declaration of an exchange. */
export interface ExchangeDefinition {
  readonly name: string;
  readonly type: ExchangeType;
  readonly isDurable: boolean;
  readonly args: FieldTable;
}

/** Binding of an exchange to a queue. */
export interface Binding {
  readonly source: string;
  /** Distinguishes the queue from other ends in stored bindings. */
  readonly destinationKind: 'queue';
  readonly destination: string;
  readonly routingKey: string;
  readonly args: FieldTable;
}

/** An exchange with its bindings. */
export interface Exchange {
  readonly definition: ExchangeDefinition;
  readonly bindings: Map<string, Binding>;
}

/** Returns whether a message takes a binding, by the type of its exchange. */
const TAKES = {
  direct: (boundKey: string, routingKey: string) => boundKey === routingKey,
  fanout: () => true,
  topic: matchesPattern,
} as const;

/** The exchange types that are served. */
export type ExchangeType = keyof typeof TAKES;

export function isExchangeType(type: string): type is ExchangeType {
  return Object.hasOwn(TAKES, type);
}

/** Returns the queues that a message with this routing key reaches, each once. */
export function boundTo({ definition, bindings }: Exchange, routingKey: string): Set<string> {
  const takes = TAKES[definition.type];
  const taken = bindings.values().filter((binding) => takes(binding.routingKey, routingKey));
  return new Set(taken.map(({ destination }) => destination));
}

/** Matches words joined by dots: `*` stands for exactly one word, `#` for any number, none included. */
function matchesPattern(pattern: string, routingKey: string): boolean {
  const words = wordsOf(routingKey);
  /** Numbers of words that the pattern so far may have taken. */
  let taken = new Set([0]);
  for (const part of wordsOf(pattern)) {
    if (part === '#') {
      const least = Math.min(...taken);
      taken = new Set(Array.from({ length: words.length + 1 - least }, (_, more) => least + more));
    } else {
      const next = [...taken].filter((at) => at < words.length && (part === '*' || part === words[at]));
      taken = new Set(next.map((at) => at + 1));
    }
    if (taken.size === 0) return false;
  }
  return taken.has(words.length);
}

function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split('.');
}
