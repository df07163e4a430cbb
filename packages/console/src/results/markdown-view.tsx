import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { Fragment, type ReactNode, useMemo } from 'react';
import { CodeBlock } from '../parts/data/code-block.tsx';
import styles from './results.module.css';

type RootContent = ReturnType<typeof fromMarkdown>['children'][number];
type PhrasingContent = Extract<RootContent, { type: 'paragraph' }>['children'][number];
type Table = Extract<RootContent, { type: 'table' }>;

/** Characters that are rendered; the source beside it has all. */
const MAX_RENDERED = 100_000;
const SAFE_LINK = /^(?:https?|mailto):/i;

/**
 * Markdown of a page as people read it, with its source beside it. It is rendered from the syntax tree as elements: HTML in
 * it stays text, and images are named with their address and never loaded, so that no host learns who reads.
 */
export function MarkdownView({ label, text }: { readonly label: string; readonly text: string }) {
  const tree = useMemo(
    () =>
      fromMarkdown(text.slice(0, MAX_RENDERED), {
        extensions: [gfm()],
        mdastExtensions: [gfmFromMarkdown()],
      }),
    [text],
  );
  return (
    <div className={styles.markdown}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it. */}
      <section className={styles.rendered} aria-label={`${label}, rendered`} tabIndex={0}>
        {renderAll(tree.children)}
        {text.length > MAX_RENDERED && <p className="muted">The rest is in the source only.</p>}
      </section>
      <CodeBlock label={`${label}, source`} text={text} />
    </div>
  );
}

function renderAll(nodes: readonly RootContent[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the tree never changes.
  return nodes.map((node, index) => <Fragment key={index}>{render(node)}</Fragment>);
}

function render(node: RootContent): ReactNode {
  switch (node.type) {
    case 'heading': {
      // The page has its own first heading.
      const Heading = `h${Math.min(6, node.depth + 1)}` as 'h2';
      return <Heading>{renderAll(node.children)}</Heading>;
    }
    case 'paragraph':
      return <p>{renderPhrasing(node.children)}</p>;
    case 'blockquote':
      return <blockquote>{renderAll(node.children)}</blockquote>;
    case 'list': {
      const List = node.ordered ? 'ol' : 'ul';
      return <List {...(node.ordered && { start: node.start ?? 1 })}>{renderAll(node.children)}</List>;
    }
    case 'listItem':
      return (
        <li>
          {typeof node.checked === 'boolean' && (node.checked ? '☑ ' : '☐ ')}
          {renderAll(node.children)}
        </li>
      );
    case 'code':
      return <pre>{node.value}</pre>;
    case 'thematicBreak':
      return <hr />;
    case 'table':
      return renderTable(node);
    default:
      return renderPhrase(node);
  }
}

function renderTable({ children: [head, ...rows] }: Table): ReactNode {
  return (
    <div className={styles.wide}>
      <table>
        {head && (
          <thead>
            <tr>
              {head.children.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the tree never changes.
                <th key={index}>{renderPhrasing(cell.children)}</th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the tree never changes.
            <tr key={at}>
              {row.children.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the tree never changes.
                <td key={index}>{renderPhrasing(cell.children)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Renders inline content. Markdown writes `<sup>` and `<sub>` as HTML; they contain the nodes between their tags. */
function renderPhrasing(nodes: readonly PhrasingContent[]): ReactNode {
  const parts: ReactNode[] = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index] as PhrasingContent;
    const [, Tag] = node.type === 'html' ? (/^<(sup|sub)>$/.exec(node.value) ?? []) : [];
    const end = Tag ? nodes.findIndex((each, at) => at > index && isHtml(each, `</${Tag}>`)) : -1;
    if (Tag && end > 0) {
      const Element = Tag as 'sup' | 'sub';
      parts.push(<Element key={index}>{renderAll(nodes.slice(index + 1, end))}</Element>);
      index = end;
    } else parts.push(<Fragment key={index}>{renderPhrase(node)}</Fragment>);
  }
  return parts;
}

function renderPhrase(node: RootContent): ReactNode {
  switch (node.type) {
    case 'emphasis':
      return <em>{renderPhrasing(node.children)}</em>;
    case 'strong':
      return <strong>{renderPhrasing(node.children)}</strong>;
    case 'delete':
      return <del>{renderPhrasing(node.children)}</del>;
    case 'inlineCode':
      return <code>{node.value}</code>;
    case 'break':
      return <br />;
    case 'link':
      return <Reference url={node.url}>{renderPhrasing(node.children)}</Reference>;
    case 'image':
      return (
        <Reference url={node.url}>
          <span className={styles.image}>Image: {node.alt || 'without a description'}</span>
        </Reference>
      );
    case 'text':
    case 'html':
      return node.value;
    default:
      return 'children' in node ? renderAll(node.children as RootContent[]) : null;
  }
}

function Reference({ url, children }: { readonly url: string; readonly children: ReactNode }) {
  if (!SAFE_LINK.test(url)) return children;
  return (
    <a href={url} title={url} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

function isHtml(node: PhrasingContent, text: string): boolean {
  return node.type === 'html' && node.value === text;
}
