import { describe, expect, it } from '@jest/globals';
import { parse } from 'parse5';
import { Budget } from './budget.ts';
import { type DocumentKind, parseDocument } from './dom/parse-document.ts';
import { renderView } from './render-view.ts';

const baseUrl = 'https://shop.example/list/page';

function viewOf(source: string, kind: DocumentKind = 'html'): string {
  const view = renderView(parseDocument(source, { kind }), { baseUrl });
  return view.slice(view.indexOf('</style>') + '</style>'.length);
}

describe('renderView', () => {
  it('numbers the elements in document order', () => {
    expect(viewOf('<title>t</title><p class=a>x<b>y</b></p>')).toBe(
      '<html data-gl-n="0"><head data-gl-n="1"></head><body data-gl-n="3">' +
        '<p data-gl-n="4" class="a">x<b data-gl-n="5">y</b></p></body></html>',
    );
  });

  it('leaves out scripts, handlers, templates, links to resources, comments and what the page calls its own numbers', () => {
    const view = viewOf(
      '<base href=//x><meta http-equiv=refresh content="0;url=//x"><link rel=dns-prefetch href=//x><script>a()</script>' +
        '<!-- c --><template><i>t</i></template><p onclick=a() data-gl-n=7 data-gl-box=x autofocus name=body>p</p>',
    );
    expect(view).toBe(
      '<html data-gl-n="0"><head data-gl-n="1"></head><body data-gl-n="7"><p data-gl-n="8">p</p></body></html>',
    );
  });

  it('shows frames and plug-ins as boxes with their address', () => {
    const view = viewOf(
      '<iframe src="https://x.example/?a&quot;b" srcdoc="<b>">in</iframe><object data=o>fallback</object>',
    );
    expect(view).toContain('<span data-gl-n="3" data-gl-box="iframe https://x.example/?a&quot;b"></span>');
    expect(view).toContain('<span data-gl-n="4" data-gl-box="object o">fallback</span>');
  });

  it('makes links absolute and keeps only http and https, parts of drawings, and images inside the page', () => {
    const view = viewOf(
      '<base href="/in/"><a href="a?b" target=_top ping=//x>1</a><a href=" java\nscript:x()">2</a><a href=mailto:x>3</a>' +
        '<img src="data:image/png;base64,AA" srcset="//x 2x" alt=i><img src=//x/i.png><img src="data:text/html,x">' +
        '<svg><use href="#p"/><use xlink:href="//x#p"/><a xlink:href="javascript:x()"><animate attributeName=href to=javascript:x() /></a></svg>',
    );
    expect(view).toContain('href="https://shop.example/in/a?b">1');
    expect(view).toMatch(/<a data-gl-n="\d+">2.*<a data-gl-n="\d+">3/s);
    expect(view).toMatch(
      /<img data-gl-n="\d+" src="data:image\/png;base64,AA" alt="i"><img data-gl-n="\d+"><img data-gl-n="\d+">/,
    );
    expect(view).toMatch(
      /<use data-gl-n="\d+" href="#p"><\/use><use data-gl-n="\d+"><\/use><a data-gl-n="\d+"><\/a>/,
    );
  });

  it('shows noscript, whose markup is part of the document, and keeps style sheets without any "<"', () => {
    const view = viewOf('<body><noscript><p>plain</p></noscript><style>a::before{content:"</b>"}</style>');
    expect(view).toContain('data-gl-box="noscript"><p data-gl-n="4">plain</p></span>');
    expect(view).toContain('<style data-gl-n="5">a::before{content:"\\3c /b>"}</style>');
  });

  it('shows XML as boxes and a JSON document as text', () => {
    expect(viewOf('<feed><link href="x"/><t>1 &lt; 2</t></feed>', 'xml')).toBe(
      '<span data-gl-n="0" data-gl-box="feed"><span data-gl-n="1" data-gl-box="link"></span>' +
        '<span data-gl-n="2" data-gl-box="t">1 &lt; 2</span></span>',
    );
    expect(viewOf('{"a":"<b>"}', 'json')).toContain('{"a":"&lt;b&gt;"}</pre>');
  });

  it('runs the one script that it is given', () => {
    const document = parseDocument('<p>x');
    expect(renderView(document, { baseUrl, script: 'go()' })).toContain('<script>go()</script>');
    expect(() => renderView(document, { baseUrl, script: '"</script>"' })).toThrow(TypeError);
  });

  it('renders quirks mode for pages in quirks mode', () => {
    expect(renderView(parseDocument('<!DOCTYPE html><p>x'), { baseUrl })).toMatch(/^<!DOCTYPE html>/);
    expect(renderView(parseDocument('<p>x'), { baseUrl })).toMatch(/^<meta/);
  });

  it('renders 100,000 levels, and stops at the budget', () => {
    const document = parseDocument('<div>'.repeat(100_000));
    expect(renderView(document, { baseUrl }).match(/data-gl-n/g)).toHaveLength(100_003);
    const unsupported = expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' });
    expect(() => renderView(document, { baseUrl, budget: new Budget({ maxSteps: 1000 }) })).toThrow(
      unsupported,
    );
    expect(() => renderView(document, { baseUrl, budget: new Budget({ maxOutputBytes: 1000 }) })).toThrow(
      unsupported,
    );
  });
});

describe('renderView of hostile pages', () => {
  const ATTACKS = [
    '<noscript><p title="</noscript><img src=x onerror=a()>">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=a()&gt;">',
    '<svg></p><style><a id="</style><img src=1 onerror=a()>">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=a()>',
    '<svg><foreignObject><style><img src=x onerror=a()></style></foreignObject></svg>',
    '<math><annotation-xml encoding="text/html"><style><img src=x onerror=a()></style></annotation-xml></math>',
    '<xmp></xmp><p title="</xmp><script>a()</script>"><plaintext><script>a()</script>',
    '<textarea><title></textarea><script>a()</script></title>',
    '<select><template><script>a()</script></template><option><iframe src=javascript:a()>',
    '<p x<script>=1 "onload=a()" a"b=\'>\'><x<img/src/onerror=a()>',
    '<svg><script href=//x /><set attributeName=onmouseover to=a() /><iframe src=javascript:a()></svg>',
    '<frameset onload=a()><frame src=javascript:a()>',
    '<body background=//x onload=a()><input type=image src=//x formaction=javascript:a()><button form=f formaction=//x>',
    '<div shadowrootmode=open><template shadowrootmode=open><script>a()</script></template></div>',
    '<table><script>a()</script><tr><td><object data=javascript:a()><embed src=javascript:a()>',
    '<style>@import "</style><script>a()</script>";</style>',
  ];

  it.each(ATTACKS)('holds nothing that runs, however it is parsed: %s', (html) => {
    for (const scriptingEnabled of [true, false]) {
      const view = parse(renderView(parseDocument(html), { baseUrl }), { scriptingEnabled });
      expect(actingIn(view)).toEqual([]);
    }
  });

  it.each(ATTACKS)('holds nothing that runs if it is XHTML: %s', (html) => {
    const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><style>a{}<b onclick="a()"/></style><noembed><script/></noembed></html>`;
    for (const source of [xhtml, html]) {
      expect(actingIn(parse(renderView(parseDocument(source, { kind: 'xml' }), { baseUrl })))).toEqual([]);
    }
  });
});

interface Parsed {
  readonly nodeName: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly Parsed[];
}

const ACTING =
  /^(?:script|base|link|iframe|frame|frameset|object|embed|template|noscript|xmp|plaintext|set|animate|#comment)$/;

/** Returns the names of elements and attributes that act or load. */
function actingIn(root: unknown): string[] {
  const found: string[] = [];
  const pending = [root as Parsed];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (ACTING.test(node.nodeName)) found.push(node.nodeName);
    for (const { name, value } of node.attrs ?? []) {
      if (/^on|^(?:action|formaction|srcdoc|ping|background|http-equiv|target|autofocus)$/.test(name))
        found.push(name);
      if (/^(?:href|src|xlink:href)$/.test(name) && !/^(?:https?:|#|data:image)/.test(value))
        found.push(`${name}=${value}`);
    }
    pending.push(...(node.childNodes ?? []));
  }
  return found;
}
