import { describe, expect, it } from '@jest/globals';
import { Budget } from '../budget.ts';
import { parseDocument } from '../dom/parse-document.ts';
import { readArticle } from './read-article.ts';

const read = (html: string) =>
  readArticle(parseDocument(html), { baseUrl: 'https://news.test/2026/storm', budget: new Budget() });

const SENTENCES =
  'The storm reached the coast in the early hours, later than the forecast had said, and moved inland slowly. ' +
  'Trees fell on several roads, and trains between the two cities stopped for most of the morning. ';
const paragraph = (name: string) => `<p>${name}: ${SENTENCES}</p>`;
const links = (count: number) =>
  `<ul>${'<li><a href="/x">Another story of the day</a></li>'.repeat(count)}</ul>`;

const NEWS = `<!doctype html><html lang="en-GB"><head><title>Storm stops trains | News Test</title>
<meta name="description" content="Trains stood still for a morning.">
<meta property="article:published_time" content="2026-11-20T06:30:00+00:00">
<meta name="author" content="Ada Byron"></head><body>
<header><nav>${links(8)}</nav></header>
<div class="cookie-consent"><p>We and our partners, of whom there are many, store information on your device, as you know.</p></div>
<main><div class="story-body"><h1>Storm stops trains</h1><p class="byline">By Ada Byron</p>
${paragraph('First')}<figure><img src="/storm.jpg" alt="A fallen tree"><figcaption>A tree. Credit: Agency</figcaption></figure>
${paragraph('Second')}<h2>What comes next</h2>${paragraph('Third')}
<div class="related-links"><h3>More</h3>${links(4)}</div>
<p><a href="/sub">Read more about storms here</a></p>
<table><tr><th>Place</th><th>Wind</th></tr><tr><td>Coast</td><td>120</td></tr></table>
${paragraph('Fourth')}</div></main>
<aside>${paragraph('Aside')}</aside><div id="comments">${paragraph('Comment')}</div>
<footer><p>Copyright of the publisher, all rights reserved, no part may be copied without permission.</p></footer>
</body></html>`;

describe('readArticle', () => {
  it('returns the text of a news page without what surrounds it', () => {
    const article = read(NEWS);
    expect(article).toMatchObject({
      title: 'Storm stops trains',
      byline: 'Ada Byron',
      publishedAt: '2026-11-20T06:30:00Z',
      language: 'en-GB',
      excerpt: 'Trains stood still for a morning.',
    });
    for (const text of [
      '# Storm stops trains',
      'First:',
      'Second:',
      '## What comes next',
      'Third:',
      'Fourth:',
      '| Coast | 120 |',
    ])
      expect(article?.markdown).toContain(text);
    expect(article?.markdown).toContain('![A fallen tree](https://news.test/storm.jpg)');
    for (const text of [
      'By Ada',
      'partners',
      'Another story',
      'Read more',
      'Aside',
      'Comment',
      'Copyright',
      'Credit',
    ])
      expect(article?.markdown).not.toContain(text);
  });

  it.each([
    ['Emma by Jane Austen · A very small but old bookshop', 'Emma', 'Emma'],
    ['Emma by Jane Austen · A very small but old bookshop', 'Novels', 'Emma by Jane Austen'],
    ['News – Storm stops trains in the north', 'Weather', 'Storm stops trains in the north'],
    ['Storm', 'Weather', 'Storm'],
  ])('takes from the title %j and the heading %j the title %j', (title, heading, expected) => {
    const html = `<title>${title}</title><article><h1>${heading}</h1>${paragraph('One')}</article>`;
    expect(read(html)?.title).toBe(expected);
  });

  it('prefers the facts of JSON-LD', () => {
    const facts = {
      '@graph': [
        { '@type': 'WebSite', name: 'News Test' },
        {
          '@type': ['NewsArticle'],
          headline: 'Storm',
          author: [{ name: 'A' }, 'B'],
          datePublished: '2026-11-19',
        },
      ],
    };
    const html = NEWS.replace(
      '</head>',
      `<script type="application/ld+json">${JSON.stringify(facts)}</script></head>`,
    );
    expect(read(html)).toMatchObject({ byline: 'A, B', publishedAt: '2026-11-19T00:00:00Z' });
  });

  it.each([
    [{ author: { '@id': '#p1' } }, { '@id': '#p1', '@type': 'Person', name: 'Ada Byron' }, 'Ada Byron'],
    [{ author: '#p1' }, { '@type': 'WebSite', publisher: { '@id': '#p1', name: 'Ada Byron' } }, 'Ada Byron'],
    [
      { author: [{ '@id': '#p1' }, { name: { '@value': 'Carl' } }] },
      { '@id': '#p1', name: 'Ada' },
      'Ada, Carl',
    ],
    [{ author: { '@id': '#unknown' } }, {}, null],
    [{ author: 'https://social.test/ada' }, {}, null],
  ])('names the authors of %j by the nodes that they refer to', (facts, node, byline) => {
    const ld = JSON.stringify({ '@graph': [{ '@type': 'Article', ...facts }, node] });
    const html = `<script type="application/ld+json">${ld}</script><article>${paragraph('One')}</article>`;
    expect(read(html)?.byline).toBe(byline);
  });

  it.each([
    ['citation_publication_date', '2019/05/07', '2019-05-07T00:00:00Z'],
    ['parsely-pub-date', '2019-05-07T10:00:00Z', '2019-05-07T10:00:00Z'],
    ['sailthru.date', '2019-05-07T10:00:00+02:00', '2019-05-07T08:00:00Z'],
    ['DC.date.issued', '2019-05-07', '2019-05-07T00:00:00Z'],
    ['DCTERMS.created', '2019-05-07', '2019-05-07T00:00:00Z'],
  ])('reads the time of publication of %s', (name, content, expected) => {
    const html = `<meta name="${name}" content="${content}"><article>${paragraph('One')}</article>`;
    expect(read(html)?.publishedAt).toBe(expected);
  });

  it.each(['citation_author', 'DC.creator', 'parsely-author', 'sailthru.author'])(
    'reads all authors of %s',
    (name) => {
      const metas = ['Ada Byron', 'Carl'].map((author) => `<meta name="${name}" content="${author}">`);
      expect(read(`${metas.join('')}<article>${paragraph('One')}</article>`)?.byline).toBe('Ada Byron, Carl');
    },
  );

  it.each([
    ['<title>Emma - Wikipedia</title>', { headline: '1815 novel by Jane Austen', name: 'Emma' }, 'Emma'],
    ['<title>Emma — Library 3.1 documentation</title>', {}, 'Emma'],
    ['<title>Library | Emma</title><meta property=og:title content="Emma">', { headline: 'Library' }, 'Emma'],
    ['<title>Shop</title><meta property=og:site_name content=Shop>', { headline: 'Shop' }, 'Emma'],
  ])('takes the title on which the texts of %j agree', (head, facts, title) => {
    const ld = `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', ...facts })}</script>`;
    const h1 = '<h1>Emma<a class=headerlink href="#emma" title="Link to this heading">¶</a></h1>';
    const extra =
      title === 'Emma' && head.includes('site_name') ? '<meta property=og:title content=Emma>' : '';
    expect(read(`${head}${ld}${extra}<article>${h1}${paragraph('One')}</article>`)?.title).toBe(title);
  });

  it.each([
    [
      '<div class=byline><a class=author-name href=/s>Sarah Gooding</a> March 9, 2017 <span>13</span></div>',
      'Sarah Gooding',
    ],
    ['<p class=byline>By Sarah Gooding | March 9, 2017</p>', 'Sarah Gooding'],
    ['<span itemprop=author itemscope><span itemprop=name>Ada Byron</span>, editor</span>', 'Ada Byron'],
    ['<p class=byline>By <a href=/a>Ada</a> and <a href=/b>Carl</a></p>', 'Ada, Carl'],
    ['<p class=author><a href=/a>Ada</a> <a class=author-link href=/f>Follow Author</a></p>', 'Ada'],
    ['<div class=author><button>Follow Author</button></div><p class=byline>By Ada</p>', 'Ada'],
    [
      '<p class=byline>By <a href=/a>Ada</a> <a href=/m>View all posts</a><button class=name>Save</button></p>',
      'Ada',
    ],
  ])('takes from %j the names alone', (byline, names) => {
    expect(read(`<article><h1>Bees</h1>${byline}${paragraph('One')}</article>`)?.byline).toBe(names);
  });

  it.each([
    ['2026-11-20 08:30+02:00', '2026-11-20T06:30:00Z'],
    ['Fri, 20 Nov 2026 06:30:00 GMT', '2026-11-20T06:30:00Z'],
    ['November 20, 2026', '2026-11-20T00:00:00Z'],
  ])('writes the time %j in one form', (time, expected) => {
    expect(read(NEWS.replace('2026-11-20T06:30:00+00:00', time))?.publishedAt).toBe(expected);
  });

  it('returns an excerpt without markup', () => {
    const text = `One, <a href=/x>a <b>bold</b> link</a> and <code>x_y</code>: ${SENTENCES}`;
    expect(read(`<article><p>${text}</p>${paragraph('Two')}</article>`)?.excerpt).toMatch(
      /^One, a bold link and x_y: The/,
    );
    expect(read(NEWS.replace('Trains stood', '&lt;p&gt;Trains &lt;b&gt;stood'))?.excerpt).toBe(
      'Trains stood still for a morning.',
    );
  });

  it('cuts texts between characters', () => {
    const article = read(
      `<title>${'😀'.repeat(400)}</title><article><p>x${'😀'.repeat(400)}</p>${paragraph('One')}</article>`,
    );
    expect([article?.title, article?.excerpt].map((text) => text?.isWellFormed())).toEqual([true, true]);
    expect(article?.excerpt).toMatch(/^x(?:😀){140,}…$/u);
  });

  it('begins with the h1, inside the content or before it', () => {
    const body = `<div class=content>${paragraph('One')}${paragraph('Two')}</div>`;
    const page = `<title>Bees | Site</title><div><div class=head><h1>Bees</h1></div>${body}</div>${links(9)}`;
    expect(read(page)?.markdown).toMatch(/^# Bees\n\nOne:/);
  });

  it('leaves out links from a heading to itself and to its editor', () => {
    const wiki =
      '<div class=mw-heading><h2>Life</h2><span class=mw-editsection>[<a href=/e#x>edit</a>]</span></div>';
    const docs =
      '<h2>Use<a class=headerlink href="#use">¶</a></h2><h3><a class=anchor href="#a" aria-hidden=true>#</a>Api</h3>';
    const markdown = read(
      `<article>${paragraph('One')}${wiki}${paragraph('Two')}${docs}${paragraph('Three')}</article>`,
    )?.markdown;
    expect(markdown).toMatch(/^## Life$.*^## Use$.*^### Api$/ms);
    expect(markdown).not.toMatch(/edit|¶/);
  });

  it('keeps a list of links under a heading of its own', () => {
    const see = `<h2>See also</h2>${links(3)}<section><h2>References</h2>${links(2)}</section>`;
    const markdown = read(
      `<article>${paragraph('One')}${paragraph('Two')}${see}<h2>Related stories</h2><ul><li><a href=/r>Elsewhere</a></ul></article>`,
    )?.markdown;
    expect(markdown?.match(/Another story/g)).toHaveLength(5);
    expect(markdown).not.toContain('Elsewhere');
  });

  it('falls back to what is marked as the main content', () => {
    expect(read(`<nav>${links(5)}</nav><main><h1>Modules</h1>${links(2)}</main>`)?.markdown).toContain(
      '# Modules\n\n- [Another',
    );
  });

  it('takes facts from elements, and the excerpt from the text, where the head has none', () => {
    const html = `<title>On keeping bees, and other hobbies</title><article><h1>On keeping bees</h1>
      <span rel="author">By Carl</span> <time datetime="2025-03-01">March</time>${paragraph('One')}${paragraph('Two')}</article>`;
    expect(read(html)).toMatchObject({
      title: 'On keeping bees',
      byline: 'Carl',
      publishedAt: '2025-03-01T00:00:00Z',
      language: null,
      excerpt: expect.stringMatching(/^One: The storm .*$/),
    });
  });

  it.each([
    [
      'a form around the page',
      `<form><div class="entry">${paragraph('One')}${paragraph('Two')}</div></form>${links(3)}`,
    ],
    [
      'text without paragraphs',
      `<div class="post">One: ${SENTENCES}<br><br>Two: ${SENTENCES}</div>${links(9)}`,
    ],
    [
      'an article in several parts',
      `<div><section>${paragraph('One')}</section><div>${paragraph('x').repeat(3)}</div><section>${paragraph('Two')}</section></div>`,
    ],
    [
      'a layout made of tables',
      `<table><tr><td>${links(5)}</td><td>${paragraph('One')}${paragraph('Two')}</td></tr></table>`,
    ],
    [
      'names of surroundings on everything',
      `<div class="sidebar-wrap">${paragraph('One')}${paragraph('Two')}</div>`,
    ],
    [
      'Chinese text',
      `<div><p>One: ${'这场风暴在清晨抵达海岸，比预报的晚，随后缓慢向内陆移动。'.repeat(4)}</p><p>Two: ${'数条道路上有树木倒下，火车停运。'.repeat(6)}</p></div>${links(5)}`,
    ],
  ])('finds the article of a page with %s', (_, html) => {
    const markdown = read(`<body>${html}</body>`)?.markdown ?? '';
    expect(markdown).toMatch(/One: .*Two: /s);
    expect(markdown).not.toContain('Another story');
  });

  it.each([
    ['## Use it', '<h2 id=use><a class=header href="#use">Use it</a></h2>'],
    ['## Use it', '<h2><a name=use>Use it</a></h2>'],
    ['Best kettle', '<h3><a href="https://tool.test/k">Best kettle</a></h3>'],
    ['## One model', '<h2 class=header-anchor-widget>One model</h2>'],
    ['Write to', '<p><a href="mailto:a@b.test">Write to a@b.test</a></p>'],
    ['Words.', '<a name=top><p>Words.</p></a>'],
    ['choose a person', '<section id=share-a-file><h2>Share</h2><p>Press it, choose a person.</p></section>'],
    [
      'Press the arrow',
      '<section id=share-a-file><h2>Share a file</h2><ul><li>Press the arrow</ul></section>',
    ],
    ['author said', '<p>The <em class=author>author said</em> so</p>'],
    ['it says here', '<p>What <span class=caption>it says here</span> is so</p>'],
    ['Soup', '<table class=menu><tr><td>Soup<td>4.50</table>'],
    ['Click File, Open', '<p>Click <span class=menuselection>File, Open</span> to go on</p>'],
    ['wrote Ada to', '<p>This is what wrote <span class=author>Ada</span> to all of them.</p>'],
    ['Privacy rules', '<p class=gdpr-paragraph>Privacy rules</p>'],
    ['## Footnotes', '<h2><span id=Footnotes>Footnotes</span></h2><ol><li id=FOOT1>Smith, page 23</li></ol>'],
    [
      '## Comments',
      '<section id=comments><h2>Comments</h2><p>A comment begins with a hash sign.</p></section>',
    ],
    [
      'Kettle text',
      `<div class="elementor-widget-wrap has-ads"><p>Kettle text, and more. ${SENTENCES}</p></div>`,
    ],
    ['Kettle text', `<div class="field--label-hidden hidden-xs"><p>Kettle text. ${SENTENCES}</p></div>`],
    [
      'Kettle text',
      '<div class="post-3 status-publish tag-newsletter"><h3>Kettle text</h3><p>It boils.</p></div>',
    ],
  ])('keeps %j of %j, whatever its names and links are', (text, part) => {
    const page = `<main><article><h1>Kettles</h1>${paragraph('One')}${part}${paragraph('Two')}</article></main>`;
    expect(read(page)?.markdown.replace(/[\\[]/g, '')).toContain(text);
  });

  it.each([
    ['related posts', `<div id=jp-relatedposts class=jp-relatedposts><h3>Related</h3>${links(3)}</div>`],
    ['shares', '<div class=social-share>Share <span>Post</span></div>'],
    ['a newsletter', '<div class=newsletter><p>News by mail, each day. Free.</p><form><input></form></div>'],
    [
      'comments',
      `<ol class=commentlist><li class=comment id=comment-1><p>Comment: ${SENTENCES}</p></li></ol><p id=respond>`,
    ],
    ['a card', `<div class=author-card><div class=author-card-text><p>Author: ${SENTENCES}</p></div></div>`],
    ['a caption', '<div><img src=/a.png><p class=wp-caption-text>Caption: a tree. It fell.</p></div>'],
    ['a label', '<div><span class=author>Author</span></div>'],
    ['a cookie box', '<div class=cookie-box><p>We use cookies. You know it.</p><button>OK</button></div>'],
  ])('leaves out %s, of which names and contents tell the same', (_, part) => {
    const page = `<article><h1>Kettles</h1>${paragraph('One')}${part}${paragraph('Two')}</article>`;
    const markdown = read(page)?.markdown;
    expect(markdown).toMatch(/One: .*Two: /s);
    expect(markdown).not.toMatch(/Another|Related|Share|mail|Comment:|Author|Caption|cookies/);
  });

  it('leaves out a heading with the links below it', () => {
    const more = '<h2>Mehr zum Thema</h2><p><a href=/a>Ein Text</a></p><p><a href=/b>Noch ein Text</a></p>';
    const markdown = read(
      `<article>${paragraph('One')}<h2>Kept</h2>${paragraph('Two')}${more}</article>`,
    )?.markdown;
    expect(markdown).toContain('## Kept');
    expect(markdown).not.toContain('Mehr');
  });

  it('keeps the standfirst between the heading and the text', () => {
    const head =
      '<header class=head><h1>Kettles</h1><p class=intro>Why they sing, and since when.</p><p class=author>Ada</p></header>';
    const text = `<div class=tools><a href=/p>Print</a></div><div class=body>${paragraph('One')}${paragraph('Two')}</div>`;
    expect(read(`<title>Kettles</title><article>${head}${text}</article>`)?.markdown).toMatch(
      /^# Kettles\n\nWhy they sing, and since when\.\n\nOne: /,
    );
  });

  it('begins with the h1 of its section, although the title is another', () => {
    const head = '<header><h1>They sing</h1><p>Why kettles sing, and since when.</p></header>';
    const body = `<div class=body>${paragraph('One')}${paragraph('Two')}</div>`;
    const page = `<title>Kettles: a history</title><div><h1>Site</h1></div><article>${head}${body}</article>`;
    expect(read(page)?.markdown).toMatch(/^# They sing\n\nWhy kettles sing, and since when\.\n\nOne: /);
  });

  it('reads a page again of which the names would leave nothing', () => {
    const names = `<div class=comments><div class=comment>${paragraph('One')}</div></div>`;
    expect(read(`<body>${names}${links(9)}`)?.markdown).toMatch(/^One: /);
    const credit =
      '<div class=text><div class=author>Ada Byron, who writes here about kettles, lids, and songs</div></div>';
    expect(read(`<main>${credit}</main>`)?.markdown).toContain('Ada Byron');
  });

  it('leaves out comments beside the content', () => {
    const body = `<div class=post-content>${paragraph('One')}${paragraph('Two')}</div>`;
    const page = `<div id=content><h1>Kettles</h1>${body}<div id=comments><p>Said: ${SENTENCES}</p></div></div>`;
    expect(read(page)?.markdown).not.toContain('Said');
  });

  it('keeps code, lists and quotes', () => {
    const html = `<article>${paragraph('One')}<pre><code class="language-ts">const a = 1;</code></pre>
      <ul><li>first point, with a comma</li><li>second point</li></ul><blockquote><p>As they said, it works.</p></blockquote>${paragraph('Two')}</article>`;
    const markdown = read(html)?.markdown;
    for (const text of ['```ts\nconst a = 1;\n```', '- first point', '> As they said'])
      expect(markdown).toContain(text);
  });

  it.each(['', '<p>short', links(50), '<h1>Title</h1><img src=x>'])(
    'returns null for %.20j, which has no article',
    (html) => {
      expect(read(`<body>${html}`)).toBeNull();
    },
  );

  it('rejects only values that are certain: a date is ISO 8601, an author is not a URL', () => {
    const html = NEWS.replace('2026-11-20T06:30:00+00:00', 'last week').replace(
      '<meta name="author" content="Ada Byron">',
      '<meta property="article:author" content="https://social.test/ada">',
    );
    expect(read(html)).toMatchObject({ publishedAt: null, byline: 'Ada Byron' });
  });

  it.each([
    ['nested boxes', '<div>'.repeat(100_000) + SENTENCES],
    ['nested lists', `<ul><li>${SENTENCES}`.repeat(20_000)],
    ['paragraphs', paragraph('One').repeat(20_000)],
    ['class names', `<p class="${'comment byline '.repeat(5000)}">${SENTENCES}</p>`.repeat(50)],
    ['authors', `<span class=byline><b>x</b></span>`.repeat(50_000) + paragraph('One')],
    ['commas', `<p>${','.repeat(1_000_000)}</p>`],
  ])('stays within its budget on many %s', (_, html) => {
    const budget = new Budget({ maxSteps: 50_000_000 });
    const document = parseDocument(`<body>${html}`);
    try {
      readArticle(document, { baseUrl: 'https://a.test/', budget });
    } catch (error) {
      expect(error).toMatchObject({ code: 'UNSUPPORTED_CONTENT' });
    }
  });
});
