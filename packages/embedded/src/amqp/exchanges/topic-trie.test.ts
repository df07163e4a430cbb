import { describe, expect, it } from '@jest/globals';
import { TopicTrie } from './topic-trie.ts';

describe('TopicTrie', () => {
  it('finds each value once, though several ways lead to it', () => {
    const trie = new TopicTrie<string>();
    trie.add('#.a.#', 'x');
    trie.add('a.*', 'y');
    expect([...trie.match('a.a')].sort()).toEqual(['x', 'y']);
  });

  it('forgets a removed pattern and leaves its neighbors', () => {
    const trie = new TopicTrie<string>();
    trie.add('a.b', 'x');
    trie.add('a.b.c', 'y');
    trie.remove('a.b', 'x');
    trie.remove('never.there', 'z');
    expect([...trie.match('a.b')]).toEqual([]);
    expect([...trie.match('a.b.c')]).toEqual(['y']);
  });

  it('takes no wildcard in a routing key for one', () => {
    const trie = new TopicTrie<string>();
    trie.add('a.#', 'x');
    trie.add('a.b', 'y');
    expect([...trie.match('a.*')]).toEqual(['x']);
    expect([...trie.match('#')]).toEqual([]);
  });

  it('is not slowed down by a pattern of a hundred hashes', () => {
    const trie = new TopicTrie<string>();
    trie.add(`${'#.a.'.repeat(60)}end`, 'x');
    expect([...trie.match('a.'.repeat(120).slice(0, -1))]).toEqual([]);
    expect([...trie.match(`${'a.'.repeat(120)}end`)]).toEqual(['x']);
  });
});
