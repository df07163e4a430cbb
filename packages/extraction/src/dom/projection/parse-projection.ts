import { html, Parser } from 'parse5';
import type { Budget } from '../../budget.ts';
import type { Node } from '../node.ts';
import { joinsWords } from '../skimming-tokenizer.ts';
import { TextBuffer } from '../text-buffer.ts';
import {
  createProjectingAdapter,
  OutOfOrderError,
  type PlaceTypes,
  type ProjectionState,
} from './projecting-adapter.ts';
import { ProjectingTokenizer } from './projecting-tokenizer.ts';
import type { Projection } from './projection.ts';

/** Root of a projected document, and its mode. */
export interface ProjectedRoot {
  readonly root: Node;
  readonly mode: html.DOCUMENT_MODE;
}

/**
 * Parses a page into a projection of its document. Returns null for pages whose markup makes the parser move nodes, such as
 * misnested formatting and texts inside tables: what they need is known only at their end.
 */
export function parseProjection(
  source: string,
  projection: Projection,
  budget: Budget,
): ProjectedRoot | null {
  const state: ProjectionState = { mode: html.DOCUMENT_MODE.NO_QUIRKS, texts: new TextBuffer() };
  const treeAdapter = createProjectingAdapter(projection, state, budget);
  const parser = new Parser<PlaceTypes>({ scriptingEnabled: false, treeAdapter });
  parser.tokenizer = new ProjectingTokenizer(parser, { joinsWords: () => joinsWords(parser) }, projection);
  try {
    parser.tokenizer.write(source, true);
  } catch (error) {
    if (error instanceof OutOfOrderError) return null;
    throw error;
  }
  state.texts.flush();
  const root = parser.document.keeper;
  return root && { root, mode: state.mode };
}
