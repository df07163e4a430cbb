import { cutText } from '@gleaner/contracts';
import type { Budget } from '../budget.ts';
import { isHeadingTool } from '../dom/heading-tools.ts';
import { isHtmlElement, type Node, nextAfter, nextInside } from '../dom/node.ts';
import { languageOf, type ParsedDocument } from '../dom/parse-document.ts';
import { resolveBase } from '../dom/parse-url.ts';
import { markdownOf } from '../markdown/markdown-of.ts';
import { type IsLeftOut, isNever, isUnseen, readableText, textOf } from '../read/text-of.ts';
import { describeArticle } from './describe-article.ts';
import { type ArticleContent, findArticleContent } from './find-article-content.ts';

/** The article of a page. */
export type Article = {
  readonly title: string | null;
  /** Names of the authors, as the page gives them. */
  readonly byline: string | null;
  /** Time of publication in ISO 8601 and UTC; midnight where the page gives a date. */
  readonly publishedAt: string | null;
  /** BCP 47 tag that the outermost element declares. */
  readonly language: string | null;
  /** Description of the page, else the first paragraph of the article; plain text. */
  readonly excerpt: string | null;
  /** Text of the article with its heading, in CommonMark with the tables of GFM. */
  readonly markdown: string;
};

/** Longest excerpt that is taken from the article, in characters. */
const MAX_EXCERPT_CHARS = 300;
/** Shorter paragraphs say little about an article. */
const MIN_PARAGRAPH_CHARS = 40;
const MAX_BLOCKS_CHARS = 5000;

/** Reads the article of a page, or of a part of it; null if it has no article. Throws UNSUPPORTED_CONTENT when over the budget. */
export function readArticle(
  document: ParsedDocument,
  {
    baseUrl,
    budget,
    part,
  }: {
    readonly baseUrl: string;
    readonly budget: Budget;
    readonly part?: { readonly isLeftOut: IsLeftOut } | null;
  },
): Article | null {
  const content = findArticleContent(document, part?.isLeftOut ?? isNever, budget);
  if (!content) return null;
  const base = resolveBase(document, baseUrl);
  const { excerpt, heading, ...described } = describeArticle(document, content, budget);
  const roots = heading === null ? content.roots : [heading, ...content.findLead(heading), ...content.roots];
  const parts = roots.map((root) =>
    markdownOf(root, { base: () => base, budget, isLeftOut: content.isLeftOut }),
  );
  const markdown = parts.filter((part) => part !== '').join('\n\n');
  if (markdown === '') return null;
  return {
    ...described,
    language: languageOf(document) ?? null,
    excerpt: excerpt ?? firstParagraph(content, budget),
    markdown,
  };
}

/** Returns the text of the first paragraph, else of the first block, cut at a word. */
function firstParagraph({ roots, isLeftOut }: ArticleContent, budget: Budget): string | null {
  const isSkipped = (node: Node): boolean => isUnseen(node) || isHeadingTool(node) || isLeftOut(node);
  for (const root of roots) {
    for (let node: Node | null = root; node !== null; ) {
      budget.spend(1);
      const isOut: boolean = node !== root && isSkipped(node);
      const text: string = !isOut && isHtmlElement(node, 'p') ? textOf(node, budget, isSkipped) : '';
      if (text.length > MIN_PARAGRAPH_CHARS) return shorten(text);
      node = isOut ? nextAfter(root, node) : nextInside(root, node);
    }
  }
  const blocks = roots.flatMap((root) => readableText(root, MAX_BLOCKS_CHARS, budget, isSkipped).split('\n'));
  const block = blocks.find(({ length }) => length > MIN_PARAGRAPH_CHARS);
  return block === undefined ? null : shorten(block);
}

function shorten(text: string): string {
  if (text.length <= MAX_EXCERPT_CHARS) return text;
  return `${cutText(text, MAX_EXCERPT_CHARS).replace(/\s\S*$/, '')}…`;
}
