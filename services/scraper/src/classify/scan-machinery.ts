import { readAttributes } from '../decode/read-attributes.ts';

/** The functional parts of a page, without its visible text. */
export interface PageMachinery {
  readonly title: string;
  /** Beginnings of inline scripts. */
  readonly scripts: readonly string[];
  /** URLs of external scripts, in lower case. */
  readonly sources: readonly string[];
  /** URLs of frames, in lower case. */
  readonly frames: readonly string[];
  /** Names of elements by their ids, in lower case; the first of equal ids counts. */
  readonly ids: ReadonlyMap<string, string>;
  /** Content of its meta description, in lower case. */
  readonly description: string;
  /** Contents of its other metas by their names, in lower case. */
  readonly metas: ReadonlyMap<string, string>;
  /** Classes of all its elements, and those of its body, in lower case. */
  readonly classes: ReadonlySet<string>;
  readonly bodyClasses: ReadonlySet<string>;
  /** The contents of its meta refreshes, in lower case. */
  readonly refreshes: readonly string[];
  /** Actions of its forms, in lower case. */
  readonly forms: readonly string[];
  /** The names of all its elements. */
  readonly elements: readonly string[];
}

/** Walls are small pages; later text is content. */
export const SCANNED_CHARACTERS = 65_536;

const SCRIPT_CHARACTERS = 2_048;

/** Elements whose content is text, whatever it looks like (https://html.spec.whatwg.org/#parsing-html-fragments). */
const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set(['script', 'style', 'title', 'textarea', 'xmp']);

/** Reads the machinery in one pass over the beginning of a page, which may be malformed or not HTML at all. */
export function scanMachinery(html: string): PageMachinery {
  const elements = leaveTemplatesOut(readTags(html.slice(0, SCANNED_CHARACTERS)));
  return sort([...elements]);
}

/** Yields every start tag outside of comments, and the end tags of templates, named with their slash. */
function* readTags(text: string): Generator<Element> {
  const lowerText = text.toLowerCase();
  const tags = /<(?:!--|(\/template(?![a-z0-9-])|[a-z][a-z0-9-]*))/g;
  for (let tag = tags.exec(lowerText); tag; tag = tags.exec(lowerText)) {
    const [, name] = tag;
    if (name === undefined) {
      tags.lastIndex = indexOrEnd(lowerText, '-->', tag.index + 2);
      continue;
    }
    const { attributes, end = text.length } = readAttributes(lowerText, tags.lastIndex);
    tags.lastIndex = RAW_TEXT_ELEMENTS.has(name) ? indexOrEnd(lowerText, `</${name}`, end) : end;
    yield { name, attributes, content: text.slice(end, tags.lastIndex) };
  }
}

/** Skips the content of templates, which is not part of the document, except for those that become shadow roots. */
function* leaveTemplatesOut(tags: Iterable<Element>): Generator<Element> {
  let depth = 0;
  for (const tag of tags) {
    if (tag.name === '/template') {
      depth = Math.max(0, depth - 1);
      continue;
    }
    if (depth === 0) yield tag;
    if (tag.name === 'template' && (depth > 0 || !tag.attributes.has('shadowrootmode'))) depth += 1;
  }
}

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Only for raw text elements. */
  readonly content: string;
}

function sort(elements: readonly Element[]): PageMachinery {
  const named = (name: string) => elements.filter((element) => element.name === name);
  const values = (from: readonly Element[], attribute: string) =>
    from.flatMap(({ attributes }) => attributes.get(attribute) ?? []);
  return {
    title: named('title')[0]?.content.trim() ?? '',
    scripts: named('script').map(({ content }) => content.slice(0, SCRIPT_CHARACTERS)),
    sources: values(named('script'), 'src'),
    frames: values(named('iframe'), 'src'),
    ids: new Map(
      elements.toReversed().flatMap(({ name, attributes }) => {
        const id = attributes.get('id');
        return id === undefined ? [] : [[id, name] as const];
      }),
    ),
    description: values(
      named('meta').filter(({ attributes }) => attributes.get('name') === 'description'),
      'content',
    ).join(),
    metas: new Map(
      named('meta').map(({ attributes }) => [attributes.get('name') ?? '', attributes.get('content') ?? '']),
    ),
    classes: classesOf(elements),
    bodyClasses: classesOf(named('body')),
    refreshes: values(
      named('meta').filter(({ attributes }) => attributes.get('http-equiv') === 'refresh'),
      'content',
    ),
    forms: values(named('form'), 'action'),
    elements: elements.map(({ name }) => name),
  };
}

function classesOf(elements: readonly Element[]): ReadonlySet<string> {
  return new Set(elements.flatMap(({ attributes }) => (attributes.get('class') ?? '').split(/\s+/)));
}

function indexOrEnd(text: string, mark: string, from: number): number {
  const index = text.indexOf(mark, from);
  return index === -1 ? text.length : index;
}
