/**
 * Messages between the workbench and the script in the frame of a snapshot. The frame has an opaque origin and shows a
 * hostile page, so the workbench accepts only what it can check, and names elements by their numbers alone.
 */

/** Sent by the frame to its parent when its script starts. */
export const READY = 'gleaner-ready';
/** Sent by the workbench to the frame, once, with the port over which they talk. */
export const CONNECT = 'gleaner-connect';

/** Element as the frame describes it. */
export interface Outline {
  /** Place in document order: `data-gl-n`. */
  readonly node: number;
  /** Tag with id and classes. */
  readonly name: string;
  /** Beginning of its text. */
  readonly text: string;
  readonly hasChildren: boolean;
}

/** Message of the frame. */
export type FrameMessage =
  /** The user clicked an element; `path` leads from the root to it. */
  | { readonly type: 'pick'; readonly path: readonly Outline[] }
  | {
      readonly type: 'children';
      readonly of: number;
      readonly total: number;
      readonly elements: readonly Outline[];
    };

/** Kinds of marks on elements; of several on one element, the later wins. */
export const MARKS = ['record', 'value', 'active', 'unwanted', 'pick'] as const;
export type Mark = (typeof MARKS)[number];
export type Marks = Readonly<Record<Mark, readonly number[]>>;

/** Message of the workbench. */
export type WorkbenchMessage =
  | { readonly type: 'mark'; readonly marks: Marks }
  /** Asks for the elements in an element; `ROOT` stands for the document. */
  | { readonly type: 'children'; readonly of: number }
  /** Shows where an element is; `scroll` brings it into sight. */
  | { readonly type: 'point'; readonly node: number; readonly scroll: boolean }
  /** Describes the way to an element, as if it had been clicked. */
  | { readonly type: 'pick'; readonly node: number };

/** Number that stands for the document in a request for children. */
export const ROOT = -1;

/** Most elements in one message. */
export const MAX_OUTLINES = 500;
/** Most marked elements of one kind; a page stays usable with these. */
export const MAX_MARKS = 2_000;
const MAX_NODE = 100_000_000;
const MAX_CHARACTERS = 200;

/** Returns a message of the frame; undefined if it is not one. */
export function readFrameMessage(data: unknown): FrameMessage | undefined {
  if (!isObject(data)) return undefined;
  if (data.type === 'pick') {
    const path = readOutlines(data.path);
    return path && path.length > 0 ? { type: 'pick', path } : undefined;
  }
  if (data.type !== 'children' || !(data.of === ROOT || isCount(data.of)) || !isCount(data.total))
    return undefined;
  const elements = readOutlines(data.elements);
  return elements && { type: 'children', of: data.of, total: data.total, elements };
}

function readOutlines(value: unknown): Outline[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_OUTLINES) return undefined;
  const outlines = value.map(readOutline);
  return outlines.every((outline) => outline !== undefined) ? outlines : undefined;
}

function readOutline(value: unknown): Outline | undefined {
  if (!isObject(value)) return undefined;
  const { node, name, text, hasChildren } = value;
  if (!isCount(node) || !isShort(name) || !isShort(text) || typeof hasChildren !== 'boolean')
    return undefined;
  return { node, name, text, hasChildren };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_NODE;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_CHARACTERS;
}
