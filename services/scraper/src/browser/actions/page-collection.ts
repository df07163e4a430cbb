import { LIMITS } from '@gleaner/contracts';
import { COLLECTION } from '../tab/snapshot.ts';

/** Distance in windows within which an element that comes back with the same content is the same one. */
const NEAR_WINDOWS = 2;
/** Share of the largest page that collected elements may take. */
const MAX_LENGTH = LIMITS.maxPageBytes;

/**
 * The part of the script that keeps elements which a page takes away, such as the rows of a virtual list. It expects the
 * functions \`findAll\`, \`closest\`, \`canScroll\` and \`read\`.
 *
 * A page may remove elements, or fill them with something else. So each element that appears has a record of its content.
 * An element continues a record: with the same content, if it was there the moment before, or comes back near the same place;
 * with other content, if it is the same node at the same place, and the record was empty or has the same links. Everything
 * else is a new record.
 */
export const COLLECT = `
  const collections = new Map();
  const recordOf = new WeakMap();
  const changed = new Set();
  let keptLength = 0;
  let keptCount = 0;
  let isCut = false;

  const OWN = /^(id|href|src|aria-(rowindex|colindex|posinset)|row-(id|index)|data-(.*[-_])?(id|key|index|row|rowindex))$/;
  const ownOf = (element) =>
    [...element.attributes].filter(({ name }) => OWN.test(name)).map(({ name, value }) => name + '=' + value).join(' ');
  const linksOf = (element) =>
    [...element.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'))
      .filter((href) => href && !/^(#|javascript:)/.test(href)).slice(0, 5).join(' ');
  const imagesOf = (element) => [...element.querySelectorAll('img[src]')].map((image) => image.getAttribute('src')).join(' ');
  const htmlOf = (element) => {
    const shadowRoots = [];
    const gather = (root) => {
      for (const each of root.querySelectorAll('*')) {
        const shadow = shadowOf(each);
        if (shadow) gather((shadowRoots.push(shadow), shadow));
      }
    };
    gather(element);
    const own = shadowOf(element);
    if (own) gather((shadowRoots.push(own), own));
    if (shadowRoots.length === 0) return element.outerHTML;
    const [start] = element.cloneNode(false).outerHTML.split('</');
    return start + element.getHTML({ shadowRoots }) + '</' + element.localName + '>';
  };
  /** Place of an element in what scrolls around it. */
  const placeOf = (element, scrollers) => {
    const { parentElement } = element;
    if (!scrollers.has(parentElement)) {
      let scroller = parentElement;
      while (scroller && !canScroll(scroller)) scroller = scroller.parentElement;
      const { left = 0, top = 0 } = scroller?.getBoundingClientRect() ?? {};
      scrollers.set(parentElement, {
        x: scroller ? scroller.scrollLeft - left : scrollX,
        y: scroller ? scroller.scrollTop - top : scrollY,
        reach: ${NEAR_WINDOWS} * (scroller?.clientHeight ?? innerHeight),
      });
    }
    const { x, y, reach } = scrollers.get(parentElement);
    const rect = element.getBoundingClientRect();
    return { x: rect.left + x, y: rect.top + y, reach };
  };
  const isAt = (a, b, reach) => Math.abs(a.x - b.x) <= reach && Math.abs(a.y - b.y) <= reach;

  const describeItem = (element, scrollers) => {
    const [own, links] = [ownOf(element), linksOf(element)];
    const text = element.textContent.trim().replace(/\\s+/g, ' ');
    const content = [own, links, text || links ? text : imagesOf(element)].join('\\n');
    return { element, own, key: own + links, text, content, place: placeOf(element, scrollers) };
  };
  const take = (records, fits) => {
    const index = records?.findIndex(fits) ?? -1;
    return index < 0 ? undefined : records.splice(index, 1)[0];
  };
  const write = (record, { element, own, key, text, content, place }) => {
    const html = htmlOf(element);
    keptLength += html.length - (record.html?.length ?? 0);
    Object.assign(record, { element, own, key, text, content, place, html });
    recordOf.set(element, record);
  };

  const censusOf = (collection) => {
    const before = new Set(collection.present);
    const scrollers = new Map();
    const present = [];
    const open = [];
    for (const element of findAll(collection.selector)) {
      const record = recordOf.get(element);
      const stays = record?.collection === collection && before.has(record) && record.element === element && !changed.has(element);
      if (stays) before.delete(record);
      else open.push({ at: present.length, ...describeItem(element, scrollers) });
      present.push(stays ? record : undefined);
    }
    const byContent = (records) => Map.groupBy(records, ({ content }) => content);
    const settle = (continues) => {
      for (const item of open.filter(({ at }) => !present[at])) {
        const record = continues(item);
        if (!record) continue;
        before.delete(record);
        write(record, item);
        present[item.at] = record;
      }
    };
    const near = byContent(before);
    settle((item) => take(near.get(item.content), ({ element }) => element === item.element));
    settle((item) => take(near.get(item.content), () => true));
    settle((item) => {
      const record = recordOf.get(item.element);
      if (!record || !before.has(record) || !isAt(record.place, item.place, 2)) return undefined;
      return record.text === '' || (record.key !== '' && record.key === item.key) ? record : undefined;
    });
    if (open.some(({ at }) => !present[at])) {
      const shown = new Set(present);
      const gone = byContent(collection.records.filter((record) => !shown.has(record)));
      settle((item) =>
        take(gone.get(item.content), ({ place, own }) => own !== '' || isAt(place, item.place, item.place.reach)));
      settle((item) => {
        if (keptCount >= ${LIMITS.maxCollected} || keptLength >= ${MAX_LENGTH}) return void (isCut = true);
        const record = { collection };
        keptCount += 1;
        collection.records.push(record);
        return record;
      });
    }
    collection.present = present.filter(Boolean);
    collection.parent = collection.present.at(-1)?.element.parentNode ?? collection.parent;
  };
  const census = () => {
    for (const collection of collections.values()) censusOf(collection);
    changed.clear();
  };
  let isDue = false;
  const noteChanges = (records) => {
    if (collections.size === 0) return;
    for (const { target } of records) {
      for (let node = target; node; node = read(Node.prototype, 'parentNode', node)) if (recordOf.has(node)) changed.add(node);
    }
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      census();
    });
  };

  const marks = [];
  /** Leaves a comment for each run of elements that the page has taken away; returns what takes their places. */
  const putMarks = () => {
    census();
    const kept = [];
    for (const { records, present, parent } of collections.values()) {
      const shown = new Set(present);
      let next;
      let run = [];
      const close = () => {
        if (run.length === 0) return;
        const text = 'gleaner-' + crypto.randomUUID();
        const mark = document.createComment(text);
        if (next) next.before(mark);
        else if (present.length > 0) present.at(-1).element.after(mark);
        else (parent?.isConnected ? parent : document.body).append(mark);
        marks.push(mark);
        kept.push(['<!--' + text + '-->', run.reverse().join('')]);
        run = [];
      };
      for (const record of records.toReversed()) {
        if (!shown.has(record)) run.push(record.html);
        else {
          close();
          next = record.element;
        }
      }
      close();
    }
    return kept;
  };
  const removeMarks = () => {
    for (const mark of marks.splice(0)) mark.remove();
  };
  const collect = (selector) => {
    if (!collections.has(selector)) collections.set(selector, { selector, records: [], present: [] });
    observe();
    census();
    ${COLLECTION} = { putMarks, removeMarks, isCut: () => isCut };
  };
`;
