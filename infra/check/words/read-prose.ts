import { parseSync, Visitor } from 'oxc-parser';

/** A piece of a file that people read: a comment, a message or a paragraph. Has the length of its source. */
export interface Prose {
  kind: 'comment' | 'doc comment' | 'message' | 'markdown';
  /** Markup, code and line breaks are blanked out, so that an index in here is one in the source. */
  text: string;
  start: number;
}

/** Returns everything in a file that people read as English. */
export function readProse(file: string, source: string): Prose[] {
  if (file.endsWith('.md')) return readMarkdown(source);
  return file.endsWith('.py') ? readPython(source) : readCode(file, source);
}

/** A comment, or a string in one of the four ways to quote it. */
const PYTHON_PROSE = /#.*|("""|''')[\s\S]*?(?<!\\)\1|(["'])(?:\\.|(?!\2).)*\2/g;

function readPython(source: string): Prose[] {
  const pieces = Array.from(source.matchAll(PYTHON_PROSE), ({ 0: raw, 1: quotes, index }): Prose => {
    if (raw.startsWith('#')) return { kind: 'comment', text: blankCode(blank(raw, /^#/g)), start: index };
    const text = blankEscapes(blankCode(blank(blank(raw, /^["']{1,3}|["']{1,3}$/g), /\s/g)));
    // A string that is a statement of its own.
    const isDoc = quotes !== undefined && /(?:^|\n)[\t ]*$/.test(source.slice(0, index));
    return { kind: isDoc ? 'doc comment' : 'message', text, start: index };
  });
  return pieces.filter(({ kind, text }) => kind !== 'message' || isSentence(text.trim()));
}

function readCode(file: string, source: string): Prose[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const pieces: Prose[] = joinLineComments(comments, source).map(({ type, start, end }) => {
    const raw = source.slice(start, end);
    return {
      kind: type === 'Block' && raw.startsWith('/**') ? 'doc comment' : 'comment',
      text: blankCode(blankCommentMarks(raw)),
      start,
    };
  });
  const addMessage = (start: number, text: string): void => {
    if (!isSentence(text)) return;
    pieces.push({ kind: 'message', text: blankEscapes(blankCode(text)), start });
  };
  new Visitor({
    Literal({ value, start, end }) {
      if (typeof value === 'string') addMessage(start, blank(source.slice(start, end), /^.|.$/gs));
    },
    TemplateLiteral({ expressions, start, end }) {
      let text = blank(source.slice(start, end), /^.|.$|\$\{|\}/gs);
      for (const part of expressions) {
        text = fill(text, part.start - start, part.end - start);
      }
      addMessage(start, text);
    },
  }).visit(program);
  return pieces;
}

/** Returns false for names, codes and keys, which are one word, and for quoted markup and program text. */
function isSentence(text: string): boolean {
  return /\S\s+\S/.test(text) && !/^[\t ]*[<{(]|<\/|=>|;$/m.test(text);
}

interface Comment {
  type: 'Block' | 'Line';
  start: number;
  end: number;
}

/** Joins the lines of a comment that goes on over several `//` lines. */
function joinLineComments(comments: readonly Comment[], source: string): Comment[] {
  const joined: Comment[] = [];
  for (const { type, start, end } of comments) {
    const last = joined.at(-1);
    const continues = last?.type === 'Line' && type === 'Line' && !source.slice(last.end, start).trim();
    if (continues) last.end = end;
    else joined.push({ type, start, end });
  }
  return joined;
}

function readMarkdown(source: string): Prose[] {
  const plain = blankCode(blank(source, /^ *(```|~~~)[\s\S]*?^ *\1/gm));
  const blocks: Prose[] = [];
  let start = 0;
  for (const text of plain.split(/(?<=\n)[\t ]*\n/)) {
    const at = plain.indexOf(text, start);
    blocks.push({ kind: 'markdown', text: blank(text, /\s/g), start: at });
    start = at + text.length;
  }
  return blocks;
}

function blankCommentMarks(raw: string): string {
  return blank(blank(raw, /^\/\*+|\*\/$|^[\t ]*(?:\*(?!\/)|\/\/+)/gm), /\s/g);
}

/** Fills quoted code with a letter: it stands for a word of the sentence. */
function blankCode(text: string): string {
  return text.replace(/`[^`\n]+`/g, (code) => '_'.repeat(code.length));
}

function blankEscapes(text: string): string {
  return blank(blank(text, /\\[nrt]/g), /\s/g);
}

function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) => ' '.repeat(match.length));
}

function fill(text: string, start: number, end: number): string {
  return text.slice(0, start) + '_'.repeat(end - start) + text.slice(end);
}
