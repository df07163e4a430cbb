import { readAttributes } from '../decode/read-attributes.ts';

/** The parts of a page that do something, without the words that a reader sees. */
export interface PageMachinery {
  readonly title: string;
  /** How inline scripts begin. */
  readonly scripts: readonly string[];
  /** Where external scripts are loaded from, in lower case. */
  readonly sources: readonly string[];
  /** What frames show, in lower case. */
  readonly frames: readonly string[];
  /** The names of the elements that have an id, by that id, in lower case; the first of equal ids counts. */
  readonly ids: ReadonlyMap<string, string>;
  /** What its description says, in lower case. */
  readonly description: string;
  /** The names of all its elements. */
  readonly elements: readonly string[];
}

/** A wall is a small page; what comes later is content. */
export const SCANNED_CHARACTERS = 65_536;

const SCRIPT_CHARACTERS = 2_048;

/** Elements whose content is text, whatever it looks like (https://html.spec.whatwg.org/#parsing-html-fragments). */
const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set(['script', 'style', 'title', 'textarea', 'xmp']);

/** Reads a page's machinery in one pass over its beginning; the page need not be well-formed, or HTML at all. */
export function scanMachinery(html: string): PageMachinery {
  const elements = leaveTemplatesOut(readTags(html.slice(0, SCANNED_CHARACTERS)));
  return sort([...elements]);
}

/** Every start tag outside of comments, and of the end tags those of templates, named with their slash. */
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

/** What stands in a template is no part of the document, unless it is one that becomes a shadow root. */
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
  /** Of raw text elements alone. */
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
    elements: elements.map(({ name }) => name),
  };
}

function indexOrEnd(text: string, mark: string, from: number): number {
  const index = text.indexOf(mark, from);
  return index === -1 ? text.length : index;
}
