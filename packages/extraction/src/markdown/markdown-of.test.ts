import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { parseDocument } from '../dom/parse-document.ts';
import { readMarkdown } from '../formats/extract-formats.ts';
import { markdownOf } from './markdown-of.ts';

const baseUrl = 'https://example.org/a/';
const markdown = (html: string): string =>
  readMarkdown(parseDocument(html), { baseUrl, budget: new Budget() });

/** Names of what is tested, HTML, and its markdown. */
const CASES: readonly (readonly [name: string, html: string, lines: readonly string[]])[] = [
  ['list beside items', '<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', ['- a', '- b', '  - c', '- d']],
  ['list as a child of a list', '<ul><li>a</li><ul><li>c</ul><li>d</ul>', ['- a', '  - c', '- d']],
  [
    'foot of a table before its bodies',
    '<table><thead><tr><th>Item<th>Cost<tfoot><tr><td>Sum<td>30<tbody><tr><td>a<td>30</table>',
    ['| Item | Cost |', '| --- | --- |', '| a | 30 |', '| Sum | 30 |'],
  ],
  [
    'image that loads late',
    '<img alt=w src=/blank.gif data-src=/w.webp>',
    ['![w](https://example.org/w.webp)'],
  ],
  ['image without a file', '<p>x <img alt=k src="#"><img src=/p.gif width=1 height=1 alt=p>', ['x k']],
  [
    'language in the class of GitHub',
    '<div class="highlight highlight-source-js"><pre>a</pre></div>',
    ['```js', 'a', '```'],
  ],
  [
    'class without a language',
    '<pre class="highlight line-numbers"><code>a</code></pre>',
    ['```', 'a', '```'],
  ],
  ['bare language', '<pre class="highlight python">a</pre>', ['```python', 'a', '```']],
  [
    'buttons and numbers in code',
    '<pre><span class=lineno>1 </span>a\n<span class=lineno>2 </span>b<button>Copy</button></pre>',
    ['```', 'a', 'b', '```'],
  ],
  [
    'numbers beside code',
    '<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>',
    ['```', 'a', 'b', '```'],
  ],
  [
    'formula that is drawn beside its MathML',
    '<p>so <span class=katex><span class=katex-mathml><math><semantics><mi>m</mi><annotation encoding="application/x-tex">m_1</annotation></semantics></math></span><span class=katex-html aria-hidden=true>m1</span></span>.',
    ['so $m_1$.'],
  ],
  [
    'formulas with characters that would end them, and one on its own line',
    '<p><math><annotation encoding="application/x-tex"> |a|&lt;b $c \\$ </annotation></math><math display=block><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></math>',
    ['$\\vert a\\vert < b \\$c \\$$', '', '$$x^2$$'],
  ],
  [
    'formula with an image for other browsers',
    '<span><span class="mwe-math-mathml-inline"><math><mi>x</mi></math></span><img src=/x.svg class="mwe-math-fallback-image-inline" alt=x></span>',
    ['x'],
  ],
  [
    'formulas of Wikipedia, Sphinx and MathJax 2',
    '<p><math><mi>x</mi><annotation encoding="application/x-tex">{\\displaystyle x^{2}}</annotation></math> <math><annotation encoding="application/x-tex">{\\displaystyle a}{b}</annotation></math> <span class=math>\\(a_1\\)</span> <span class=MathJax>c2</span><script type="math/tex">c^2</script><div>\\[b\\]</div><script type="math/tex; mode=display">d</script>',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: TeX between dollars.
    ['$x^{2}$ ${\\displaystyle a}{b}$ $a_1$ $c^2$', '', '$$b$$', '', '$$d$$'],
  ],
  [
    'headings that lead to themselves, or to their entry in the contents',
    '<h1><a class=header href="#one">One</a> <a href="/x">x</a></h1>',
    ['# One [x](https://example.org/x)'],
  ],
  [
    'code in two elements for it',
    '<pre><pre class=playground><code class="language-rust ignore">a</code></pre></pre>',
    ['```rust', 'a', '```'],
  ],
  [
    'an empty link from a heading to itself, and a list behind a quote',
    '<h2>A<a class="hash-link" href="#a">\u200b</a></h2><blockquote><ul><li>b</ul></blockquote><ul><li>c</ul>',
    ['## A', '', '> - b', '', '- c'],
  ],
  ['labels of tabs', '<div><label for=a>Gas</label><label for=b>Electric</label></div>', ['Gas Electric']],
  ['headings', '<h1>One <em>two</em></h1><h3>Three #</h3><h2></h2>', ['# One *two*', '', '### Three \\#']],
  [
    'paragraphs and line breaks',
    '<p>a<br>b<div>c  d</div>e<br><br>f',
    ['a\\', 'b', '', 'c d', '', 'e', '', 'f'],
  ],
  [
    'marks',
    '<b>a</b> <i>b</i> <s>c</s> x<sup>2</sup> <code>d`</code>',
    ['**a** *b* ~~c~~ x<sup>2</sup> `` d` ``'],
  ],
  [
    'white space and punctuation at the edges of marks',
    '<b> Price: </b><b>Sum:</b>5<i><br>x</i>',
    ['**Price:** **Sum**:5\\', '*x*'],
  ],
  [
    'links from a heading to itself',
    '<h2><a href="#a">#</a>A<a class=headerlink href="#a">¶</a></h2><p><a href="#b">B</a> <a href="#c" title="Permalink to this heading">🔗</a>c',
    ['## A', '', '[B](https://example.org/a/#b) c'],
  ],
  ['drawings', '<p>a <svg><text>0.5</text><title>t</title></svg>b', ['a b']],
  [
    'languages of code',
    '<div class="highlight-python3"><pre>a</pre></div><pre><code class="language-YML">b</code></pre>',
    ['```python', 'a', '```', '', '```yaml', 'b', '```'],
  ],
  ['marks around blocks', '<b><p>a<p>b</b>', ['**a**', '', '**b**']],
  [
    'links',
    '<a href="b c" title=\'"t"\'>x</a> <a href=y></a><a href="javascript:x">z</a>',
    ['[x](https://example.org/a/b%20c "\\"t\\"") z'],
  ],
  [
    'links with parentheses, and around a heading',
    '<a href="/b(c)"><h2>x</h2><p>y</a>',
    ['## [x](https://example.org/b\\(c\\))', '', '[y](https://example.org/b\\(c\\))'],
  ],
  ['links that show their URL', '<a href="https://x.org">https://x.org</a>', ['<https://x.org>']],
  [
    'images',
    '<img src=i.png alt="a [b]"><img src="data:x" alt=c><img src="data:x" data-src=d>',
    ['![a \\[b\\]](https://example.org/a/i.png)c![](https://example.org/a/d)'],
  ],
  [
    'nested lists',
    '<ul><li>a<ol start=9><li>b<li>c</ol><li><p>d</ul>',
    ['- a', '', '  9. b', '  10. c', '', '- d'],
  ],
  [
    'tight lists, and a list after another',
    '<ul><li>a<ul><li>b</ul></ul><ul><li>c</ul>',
    ['- a', '  - b', '', '* c'],
  ],
  [
    'task lists',
    '<ul><li><input type=checkbox checked> a<li><input type=checkbox>b</ul>',
    ['- [x] a', '- [ ] b'],
  ],
  ['definition lists', '<dl><dt>Term<dd>one<dd>two</dl>', ['**Term**', '', '- one', '- two']],
  ['quotes', '<blockquote>a<blockquote><p>b</blockquote></blockquote>c', ['> a', '>', '> > b', '', 'c']],
  [
    'code with its white space',
    '<pre class="language-js">a\n\n  ```b\n</pre>',
    ['````js', 'a', '', '  ```b', '````'],
  ],
  [
    'code in lines of their own',
    '<ol><li><pre><div>a</div><div>b</div></pre></ol>',
    ['1. ```', '   a', '   b', '   ```'],
  ],
  [
    'tables',
    '<table><caption>c<tr><th>a|b<th align=right>c<tr><td>1<br>2<td><p>3<p>4</table>',
    ['c', '', '| a\\|b | c |', '| --- | --: |', '| 1<br>2 | 3<br>4 |'],
  ],
  [
    'tables without a header, and spans',
    '<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td>d</table>',
    ['|  |  |  |', '| --- | --- | --- |', '| a | b |  |', '|  | c | d |'],
  ],
  [
    'tables for layout',
    '<table><tr><td>a<td><table><tr><th>b<td>c</table></table>',
    ['a', '', '|  |  |', '| --- | --- |', '| b | c |'],
  ],
  [
    'rules, figures and details',
    '<hr><figure>a<figcaption>b</figcaption></figure><details><summary>c</summary>d</details>',
    ['---', '', 'a', '', 'b', '', '**c**', '', 'd'],
  ],
  [
    'text that looks like markup',
    '<p>*a* b_c _d_ [e](f) &lt;b> &amp;amp; `g` 2 * 3<p># h<p>1. i<p>- j<p>+ k<p>> l<p>a<br>===<p>~~~',
    [
      '\\*a\\* b_c \\_d\\_ [e\\](f) \\<b> \\&amp; \\`g\\` 2 * 3',
      '',
      '\\# h',
      '',
      '1\\. i',
      '',
      '\\- j',
      '',
      '\\+ k',
      '',
      '\\> l',
      '',
      'a\\',
      '\\===',
      '',
      '\\~\\~\\~',
    ],
  ],
  [
    'nothing unseen',
    '<body><script>a</script><style>b</style><template>c</template><noscript>d</noscript><!--e-->f',
    ['f'],
  ],
];

describe('readMarkdown', () => {
  it.each(CASES)('writes %s', (_name, html, lines) => {
    expect(markdown(html).split('\n')).toEqual(lines);
  });

  it('reads XML with each element as a block', () => {
    const document = parseDocument('<feed><title>a</title><entry><title>b *c*</title></entry></feed>', {
      kind: 'xml',
    });
    expect(readMarkdown(document, { baseUrl, budget: new Budget() })).toBe('a\n\nb \\*c\\*');
  });

  it('resolves URLs against the base of the page', () => {
    expect(markdown('<base href="/b/"><a href=c>d</a>')).toBe('[d](https://example.org/b/c)');
  });
});

describe('markdownOf', () => {
  const find = (html: string, name: string) => {
    const element = parseDocument(html).elements.find((candidate) => candidate.name === name);
    if (!element) throw new Error(`The page has no ${name}.`);
    return markdownOf(element, { base: () => ({ href: baseUrl, encoding: 'utf-8' }), budget: new Budget() });
  };

  it('returns the element alone', () => {
    expect(find('<p>a<h2>b</h2>c', 'h2')).toBe('## b');
    expect(find('<p>a<a href=x>b</a>', 'a')).toBe('[b](https://example.org/a/x)');
  });

  it('returns the content of an item or a cell', () => {
    expect(find('<ul><li>a<p>b</ul>', 'li')).toBe('a\n\nb');
    expect(find('<table><tr><td>a|b<pre>c</pre>', 'td')).toBe('a|b\n\n```\nc\n```');
  });
});
