import type { FieldTable } from '../wire/field-table.ts';
import { TopicTrie } from './topic-trie.ts';

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

/** An exchange with its bindings; `match` returns those that a message satisfies. */
export interface Exchange {
  readonly definition: ExchangeDefinition;
  readonly bindings: Map<string, Binding>;
  readonly index: BindingIndex;
}

/** Finds the bindings that a message satisfies; one kind per exchange type. */
interface BindingIndex {
  add(binding: Binding): void;
  remove(binding: Binding): void;
  match(routingKey: string): Iterable<Binding>;
}

const INDEXES = {
  direct: directIndex,
  fanout: fanoutIndex,
  topic: topicIndex,
} as const;

/** The exchange types that are served. */
export type ExchangeType = keyof typeof INDEXES;

export function isExchangeType(type: string): type is ExchangeType {
  return Object.hasOwn(INDEXES, type);
}

/** An exchange without bindings. */
export function createExchange(definition: ExchangeDefinition): Exchange {
  return { definition, bindings: new Map(), index: INDEXES[definition.type]() };
}

function directIndex(): BindingIndex {
  const byKey = new Map<string, Set<Binding>>();
  return {
    add(binding) {
      const bindings = byKey.get(binding.routingKey);
      if (bindings) bindings.add(binding);
      else byKey.set(binding.routingKey, new Set([binding]));
    },
    remove(binding) {
      const bindings = byKey.get(binding.routingKey);
      bindings?.delete(binding);
      if (bindings?.size === 0) byKey.delete(binding.routingKey);
    },
    match: (routingKey) => byKey.get(routingKey) ?? [],
  };
}

function fanoutIndex(): BindingIndex {
  const bindings = new Set<Binding>();
  return {
    add: (binding) => void bindings.add(binding),
    remove: (binding) => void bindings.delete(binding),
    match: () => bindings,
  };
}

function topicIndex(): BindingIndex {
  const trie = new TopicTrie<Binding>();
  return {
    add: (binding) => trie.add(binding.routingKey, binding),
    remove: (binding) => trie.remove(binding.routingKey, binding),
    match: (routingKey) => trie.match(routingKey),
  };
}
