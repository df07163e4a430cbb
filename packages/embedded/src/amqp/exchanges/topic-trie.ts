interface TrieNode<Value> {
  readonly word: string;
  readonly children: Map<string, TrieNode<Value>>;
  readonly values: Set<Value>;
}

/**
 * Values by topic pattern: words joined by dots, `*` for exactly one word, `#` for any number, none included.
 * Matching advances all candidate nodes together, so no pattern makes it slower than nodes × words.
 */
export class TopicTrie<Value> {
  readonly #root: TrieNode<Value> = newNode('');

  add(pattern: string, value: Value): void {
    let node = this.#root;
    for (const word of wordsOf(pattern)) {
      let child = node.children.get(word);
      if (!child) {
        child = newNode(word);
        node.children.set(word, child);
      }
      node = child;
    }
    node.values.add(value);
  }

  remove(pattern: string, value: Value): void {
    const path: TrieNode<Value>[] = [this.#root];
    for (const word of wordsOf(pattern)) {
      const child = path.at(-1)?.children.get(word);
      if (!child) return;
      path.push(child);
    }
    path.at(-1)?.values.delete(value);
    for (let depth = path.length - 1; depth > 0; depth -= 1) {
      const node = path[depth] as TrieNode<Value>;
      if (node.values.size > 0 || node.children.size > 0) return;
      path[depth - 1]?.children.delete(node.word);
    }
  }

  match(routingKey: string): Set<Value> {
    let reached = withZeroWords(new Set([this.#root]));
    for (const word of wordsOf(routingKey)) reached = withZeroWords(step(reached, word));
    const values = new Set<Value>();
    for (const node of reached) for (const value of node.values) values.add(value);
    return values;
  }
}

function step<Value>(nodes: ReadonlySet<TrieNode<Value>>, word: string): Set<TrieNode<Value>> {
  const next = new Set<TrieNode<Value>>();
  for (const node of nodes) {
    if (node.word === '#') next.add(node);
    for (const key of word === '#' || word === '*' ? ['*'] : [word, '*']) {
      const child = node.children.get(key);
      if (child) next.add(child);
    }
  }
  return next;
}

/** Adds the `#` below each node, which can match no word. Iterating a set includes values added on the way. */
function withZeroWords<Value>(nodes: Set<TrieNode<Value>>): Set<TrieNode<Value>> {
  for (const node of nodes) {
    const hash = node.children.get('#');
    if (hash) nodes.add(hash);
  }
  return nodes;
}

function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split('.');
}

function newNode<Value>(word: string): TrieNode<Value> {
  return { word, children: new Map(), values: new Set() };
}
