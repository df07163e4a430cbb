import { createRandom, type Random } from '@gleaner/test-kit';
import { type CorpusDocument, readCorpus } from '../corpus.ts';

/** Tables with each kind of span, row group and nesting. */
const EDGE_CASES: readonly string[] = [
  '<table></table><table><tr></table><table><tr><tr><td>a</table>',
  '<table><tr><td>a<td rowspan=2>b<td>c<tr><td>d<td>e</table>',
  '<table><tr><td colspan=2>X<td>Y<td rowspan=2>Z<td>W<tr><td>A<td colspan=2>B<td>C</table>',
  '<table><tr><td rowspan=2>A<td rowspan=2 colspan=3>B<td>C<tr><td>D</table>',
  '<table><tr><td rowspan=3>A<td rowspan=3>B</table>',
  '<table><tr><td rowspan=0>a<td>b<tr><td>c<tr></tr><tr><td>d<tbody><tr><td>e<td>f</table>',
  '<table><tr><td>a<tr><td rowspan=65534>b<tr><td>c<tbody><tr><td rowspan=65535>d<tr><td>e</table>',
  '<table><tr><td rowspan=99999999999999999999>a<tr><td colspan=99999999999999999999>b<td>c</table>',
  '<table><tr><td colspan=1000>a<td>b<tr><td colspan=1001>c<td>d<tr><td colspan=1000000>e<td>f</table>',
  '<table><tr><td colspan=0>a<td>b<tr><td colspan=-1>c<td>d<tr><td colspan=two>e<td>f</table>',
  '<table><tr><td colspan="+2">a<td>b<tr><td colspan=" 2">a<td>b<tr><td colspan="2.9">a<td>b</table>',
  '<table><tr><td colspan="100%">a<td>b<tr><td colspan="">a<td>b<tr><td colspan="2px">a<td>b</table>',
  '<table><tr><td rowspan=-0>a<td>b<tr><td>c<tr><td rowspan=-1>d<td>e<tr><td rowspan="">f</table>',
  '<table><tr><td rowspan=-00>a<td>b<tr><td>c<tr><td rowspan=-01>d<td>e<tr><td rowspan="\u00A02">f<tr><td>g</table>',
  '<table><tr><td><td rowspan=3><tr><td colspan=3 rowspan=3>over<td>y<tr><td>z</table>',
  '<table><tr><td rowspan=2>1<td rowspan=2>2<td rowspan=2>3<td rowspan=2>4<tr><td>5<td>6</table>',
  '<table><tr><td>1<td rowspan=9>2<td>3<td rowspan=9>4<tr><td>5<td colspan=3>6<tr><td colspan=5>7<td>8</table>',
  '<table><tfoot><tr><td>f<tbody><tr><td>b<thead><tr><td>h<tfoot><tr><td>g<tbody><tr><td>c<thead><tr><td>i</table>',
  '<table><tr><td>a<thead><tr><td rowspan=4>h<tr><td>i</thead><tr><td>b<tfoot><tr><td rowspan=0>f<tr><td>g</table>',
  '<table><caption>c</caption><col span=3><tr><td>a<colgroup><col><col></colgroup><tr><td>b<td>c</table>',
  '<table><tr><td>out<td><table><tr><td>in<td rowspan=2>in<tr><td>in</table><tr><td colspan=2>out</table>',
  '<table><tr><td rowspan=2>out<table><caption><table><tr><td>in</table></caption><tr><td>in</table><td>a<tr><td>b</table>',
  '<table>text<tr>text<td>a</td>text<div>div</div><td>b</table>',
  '<table><td>a<td>b</tr><th>c<tbody><th>d<td>e</table>',
  '<table><tr><td>a</td></td></tr></tr><td>b</tbody><td>c</table>',
  '<table><tr><td><select><tr><td>a</select><td>b</table>',
  '<table><tr><template><td>a</template><td>b<tr><script>1</script><td>c<form><td>d</form></table>',
  '<div><tr><td>no table</div><table><div><tr><td>a</div></table>',
];

const RANDOM_TABLES = 400;

/** Returns documents with tables: real pages, edge cases, and random markup. */
export function readTableCorpus(): CorpusDocument[] {
  const real = readCorpus().filter(({ html }) => /<table/i.test(html));
  const edge = EDGE_CASES.map((html, index) => ({ name: `edge ${index + 1}`, html }));
  const random = Array.from({ length: RANDOM_TABLES }, (_none, seed) => ({
    name: `random ${seed}`,
    html: randomTable(createRandom(seed)),
  }));
  return [...real, ...edge, ...random];
}

const TAGS = ['<tr>', '<tr>', '<tr>', '<tr></tr>', '<tbody>', '<tbody>', '<thead>', '<tfoot>', '</tr>'];

function randomTable({ below, pick }: Random): string {
  const parts = ['<table>'];
  for (let length = 5 + below(40); length > 0; length--) {
    if (below(3) === 0) parts.push(pick(TAGS));
    else parts.push(`<${pick(['td', 'td', 'th'])}${randomSpan('col')}${randomSpan('row')}>${length}`);
  }
  return parts.join('');

  function randomSpan(axis: string): string {
    const span = pick([1, 1, 1, 1, 2, 2, 3, 4, 0, 7]);
    return span === 1 ? '' : ` ${axis}span=${span}`;
  }
}
