import type { Budget } from '../budget.ts';
import { resolveBase } from '../dom/base-url.ts';
import { languageOf } from '../dom/language-of.ts';
import type { ParsedDocument } from '../dom/parse-document.ts';
import { markdownOf } from '../markdown/markdown-of.ts';
import { describeArticle } from './describe-article.ts';
import { findArticleContent } from './find-article-content.ts';

/** The article of a page. */
export type Article = {
  readonly title: string | null;
  /** Names of the authors, as the page gives them. */
  readonly byline: string | null;
  /** Date or time of publication in ISO 8601, as the page gives it. */
  readonly publishedAt: string | null;
  /** BCP 47 tag that the outermost element declares. */
  readonly language: string | null;
  /** Description of the page, else the first paragraph of the article. */
  readonly excerpt: string | null;
  /** Text of the article without its title, in CommonMark with the tables of GFM. */
  readonly markdown: string;
};

/** Longest excerpt that is taken from the article, in characters. */
const MAX_EXCERPT_CHARS = 300;

/** Reads the article of a page; null if the page has none. Throws UNSUPPORTED_CONTENT when over the budget. */
export function readArticle(
  document: ParsedDocument,
  { baseUrl, budget }: { readonly baseUrl: string; readonly budget: Budget },
): Article | null {
  const content = findArticleContent(document, budget);
  if (!content) return null;
  const base = resolveBase(document, baseUrl);
  const parts = content.roots.map((root) =>
    markdownOf(root, { base: () => base, budget, isLeftOut: content.isLeftOut }),
  );
  const markdown = parts.filter((part) => part !== '').join('\n\n');
  if (markdown === '') return null;
  const { excerpt, ...described } = describeArticle(document, content, budget);
  return {
    ...described,
    language: languageOf(document) ?? null,
    excerpt: excerpt ?? firstParagraph(markdown),
    markdown,
  };
}

/** Returns the first block of text that is a paragraph, cut at a word. */
function firstParagraph(markdown: string): string | null {
  const paragraph = markdown
    .split('\n\n', 20)
    .find((block) => /^[\p{L}\p{N}"'“‘«(]/u.test(block) && block.length > 40);
  if (paragraph === undefined) return null;
  const text = paragraph.replace(/\s+/g, ' ');
  if (text.length <= MAX_EXCERPT_CHARS) return text;
  return `${text.slice(0, MAX_EXCERPT_CHARS).replace(/\s\S*$/, '')}…`;
}
