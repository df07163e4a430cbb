import type { Exchange } from '../exchanges/exchange.ts';
import type { Message } from '../messages/message.ts';
import type { Queue } from '../queues/queue.ts';
import type { Topology } from './topology.ts';

/**
 * Returns the queues that a message reaches from an exchange by its routing keys, each once, through
 * exchange-to-exchange bindings and, where no binding of an exchange matches, its alternate exchange.
 */
export function route(topology: Topology, message: Message, routingKeys: readonly string[]): Set<Queue> {
  const queues = new Set<Queue>();
  const start = topology.exchanges.get(message.exchange);
  const visited = new Set<Exchange>();
  const waiting = start ? [start] : [];
  for (let exchange = waiting.pop(); exchange; exchange = waiting.pop()) {
    if (visited.has(exchange)) continue;
    visited.add(exchange);
    const found = step(topology, exchange, message, routingKeys);
    for (const queue of found.queues) queues.add(queue);
    waiting.push(...found.exchanges);
  }
  return queues;
}

interface NextEnds {
  readonly queues: Queue[];
  readonly exchanges: Exchange[];
}

function step(
  topology: Topology,
  exchange: Exchange,
  message: Message,
  routingKeys: readonly string[],
): NextEnds {
  const ends: NextEnds = { queues: [], exchanges: [] };
  for (const routingKey of routingKeys) {
    if (exchange.definition.name === '') addQueue(ends, topology, routingKey);
    for (const { destinationKind, destination } of exchange.index.match(routingKey, message)) {
      if (destinationKind === 'queue') addQueue(ends, topology, destination);
      else addExchange(ends, topology, destination);
    }
  }
  if (ends.queues.length > 0 || ends.exchanges.length > 0) return ends;
  const alternate = exchange.definition.args.get('alternate-exchange');
  if (alternate?.tag === 'S') addExchange(ends, topology, alternate.value);
  return ends;
}

function addQueue(ends: NextEnds, topology: Topology, name: string): void {
  const queue = topology.queues.get(name);
  if (queue) ends.queues.push(queue);
}

function addExchange(ends: NextEnds, topology: Topology, name: string): void {
  const exchange = topology.exchanges.get(name);
  if (exchange) ends.exchanges.push(exchange);
}
