import { parseDocument, planSelectors } from '@gleaner/extraction';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'parse5';
import { extractWithMatches, renderView, suggest } from '../src/index.ts';

const PAGE = `<!DOCTYPE html><title>t</title><script>x()</script><table><tr><td class=name>Ada<td>1<tr><td class=name>Bob<td>2</table>
<p>one<p id=last>two<div>three`;
const baseUrl = 'https://shop.example/';

describe('the workbench', () => {
  it('shows, suggests and extracts the same elements by the same numbers', () => {
    const document = parseDocument(PAGE);
    const shown = numbersOf(renderView(document, { baseUrl }), 'last');
    expect(shown).toHaveLength(1);
    const [candidate] = suggest(document, { kind: 'one', picks: shown });
    const plan = planSelectors({ last: candidate?.selector ?? '', names: '.name::all' });
    const { data, matches } = extractWithMatches(document, plan, { baseUrl });
    expect(data).toEqual({ last: 'two', names: ['Ada', 'Bob'] });
    expect(matches.last).toEqual(shown);
    for (const node of matches.names ?? []) expect(document.elements[node]?.name).toBe('td');
  });
});

interface Parsed {
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Parsed[];
}

/** Returns the numbers of the elements with the id, as a browser would find them in the view. */
function numbersOf(view: string, id: string): number[] {
  const textOf = ({ attrs }: Parsed, name: string) =>
    attrs?.find((attribute) => attribute.name === name)?.value;
  const visit = (node: Parsed): number[] => [
    ...(textOf(node, 'id') === id ? [Number(textOf(node, 'data-gl-n'))] : []),
    ...(node.childNodes ?? []).flatMap(visit),
  ];
  return visit(parse(view) as Parsed);
}
