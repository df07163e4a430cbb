import { readdirSync } from 'node:fs';
import { Script } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { callInjected, loadInjected } from './load-injected.ts';

const files = readdirSync(new URL('./injected', import.meta.url)).filter((name) => name.endsWith('.ts'));

describe('a script for pages', () => {
  it.each(files)('%s is JavaScript that stands alone', (file) => {
    const code = loadInjected(file);
    expect(code).not.toMatch(/^(?:import|export) /m);
    expect(() => new Script(code)).not.toThrow();
  });

  it.each(files)('%s has no two functions of one name, with those that it imports', (file) => {
    const names = [...loadInjected(file).matchAll(/^(?:async )?(?:function|class|const|let) (\w+)/gm)];
    const counts = Map.groupBy(names, ([, name]) => name);
    expect([...counts].flatMap(([name, found]) => (found.length > 1 ? [name] : []))).toEqual([]);
  });

  it('is called with values that quotes and line breaks do not end', () => {
    const call = callInjected('element-area.ts', 'areaOf', `a[title="x'\n\u2028"]`);
    expect(() => new Script(call)).not.toThrow();
    expect(call).toContain(`return areaOf("a[title=\\"x'\\n`);
  });
});
