import { readFile } from 'node:fs/promises';
import { htmlPath } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { onConsole } from './on-console.ts';
import { findFlaws, openPage, signIn } from './open-browser.ts';

onConsole('the playground', (on) => {
  it('shows data two clicks after the banner', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page, problems } = opened;
    await signIn(page, on.bed);
    expect(page.url()).not.toContain('code=');
    await page.getByRole('button', { name: 'Scrape' }).click();
    await page.getByRole('figure', { name: 'Data' }).getByText('"title": "All books"').waitFor();
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('region', { name: 'links' }).getByRole('row').nth(3).waitFor();
    await page.getByRole('tab', { name: 'Attempts' }).click();
    const attempt = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem').first();
    await attempt.getByText('success').waitFor();
    await attempt
      .getByRole('list', { name: 'Stages' })
      .getByText(/^first byte/)
      .waitFor();
    expect(await findFlaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use it elsewhere' }).click();
    await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
    await page.getByText('Copied to the clipboard').waitFor();
    await page
      .getByRole('region', { name: 'History' })
      .getByRole('button', { name: on.bed.stack.demoUrl })
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('takes a URL without a scheme, and renders Markdown beside its source without loading anything', async () => {
    const html =
      '<h1>Lamps</h1><p>&lt;img src=/x onerror=alert(1)&gt; and 10<sup>3</sup></p><img src=/lamp.png alt=Lamp>';
    const path = htmlPath(html);
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab, problems } = opened;
    await signIn(tab, on.bed);
    await tab.getByText('Options', { exact: true }).click();
    await tab.getByLabel('markdown', { exact: true }).check();
    const { origin } = on.bed;
    await tab.getByLabel('URL', { exact: true }).fill(`127.0.0.1:${origin.port}${path}`);
    await tab.getByRole('button', { name: 'Scrape', exact: true }).click();
    await tab.getByRole('tab', { name: 'Markdown' }).click();
    const rendered = tab.getByRole('region', { name: 'Markdown, rendered' });
    await rendered.getByRole('heading', { name: 'Lamps' }).waitFor();
    expect(await rendered.innerText()).toContain('<img src=/x onerror=alert(1)>');
    expect(await rendered.locator('sup').innerText()).toBe('3');
    await rendered.getByRole('link', { name: 'Image: Lamp' }).waitFor();
    expect(await rendered.locator('img').count()).toBe(0);
    const source = tab.getByRole('figure', { name: 'Markdown, source' });
    expect(await source.innerText()).toContain('# Lamps');
    expect(await findFlaws(tab)).toEqual([]);
    expect([origin.requestsTo('/lamp.png'), origin.requestsTo('/x'), problems]).toEqual([[], [], []]);
  });

  it('edits the steps of actions as a list, and shows what became of them', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab, problems } = opened;
    await signIn(tab, on.bed);
    await tab.getByText('Options', { exact: true }).click();
    await tab.getByLabel('URL', { exact: true }).fill(`${on.bed.origin.url}/lists/load-more`);
    const add = tab.getByRole('button', { name: 'Add a step' });
    await add.click();
    await tab.getByLabel('Target of step 1').fill('>');
    await add.click();
    await tab.getByLabel('Verb of step 2').selectOption('repeat');
    await tab.getByLabel('Target of step 2').fill('[{"click": ".more"}]');
    await add.click();
    await tab.getByLabel('Verb of step 3').selectOption('fill');
    await tab.getByLabel('Target of step 3').fill('#q');
    await tab.getByLabel('Value of step 3').fill('{"secret": "none"}');
    const scrape = tab.getByRole('button', { name: 'Scrape', exact: true });
    await scrape.click();
    await tab.getByText('actions.0.click', { exact: true }).waitFor();
    expect(await findFlaws(tab)).toEqual([]);
    await tab.getByLabel('Remove step 3').click();
    await tab.getByLabel('Move step 2 up').click();
    await tab.getByLabel('Target of step 2').fill('#none');
    await tab.getByRole('group', { name: 'Step 2' }).getByLabel('optional').check();
    await scrape.click();
    await tab.getByRole('figure', { name: 'Data' }).getByText('"title": "Items"').waitFor();
    await tab.getByRole('tab', { name: 'Attempts' }).click();
    const steps = tab.getByRole('list', { name: 'Steps' });
    await steps.getByText('repeat click .more').waitFor();
    await steps.getByText('skipped').waitFor();
    await tab.getByRole('img', { name: 'The page after step 1' }).waitFor();
    const image = tab.getByRole('img', { name: 'The page after step 2' });
    const widthOf = (each: unknown) => (each as { readonly naturalWidth: number }).naturalWidth;
    expect(await image.evaluate(widthOf)).toBe(640);
    await tab.getByLabel('Target of step 2').fill('#other');
    await image.waitFor({ state: 'detached' });
    await tab.getByRole('group', { name: 'Step 2' }).getByLabel('optional').uncheck();
    await tab.getByLabel('Target of step 2').fill('#never');
    await tab.getByLabel('Timeout').fill('120000');
    await scrape.click();
    await tab.getByText('ACTION_FAILED').first().waitFor();
    await image.waitFor();
    expect(await findFlaws(tab)).toEqual([]);
    expect(problems.filter((problem) => !/status of 4(00|22)/.test(problem))).toEqual([]);
  });

  it('has fields for the options of a screenshot, and for whether a page is rendered', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab, problems } = opened;
    await signIn(tab, on.bed);
    await tab.getByLabel('URL', { exact: true }).fill(on.bed.stack.demoUrl);
    await tab.getByText('Options', { exact: true }).click();
    // The example may come too late for a form that is in use.
    await tab.getByLabel('URL', { exact: true }).fill(on.bed.stack.demoUrl);
    await tab.getByLabel('Render', { exact: true }).selectOption('auto');
    await tab.getByLabel('Screenshot', { exact: true }).check();
    const options = tab.getByRole('group', { name: 'Screenshot options' });
    expect(await options.getByLabel('Full page').isChecked()).toBe(true);
    await options.getByLabel('Selector').fill('.book');
    await options.getByLabel('Format').selectOption('jpeg');
    await options.getByLabel('Quality').fill('0');
    await tab.getByRole('button', { name: 'Scrape', exact: true }).click();
    await options.getByText('must be at least 1').waitFor();
    await options.getByLabel('Quality').fill('60');
    await tab.getByRole('button', { name: 'Scrape', exact: true }).click();
    await tab.getByRole('tab', { name: 'Screenshot' }).click();
    const image = tab.getByRole('img', { name: /^Screenshot of / });
    expect(await image.getAttribute('src')).toMatch(/^data:image\/jpeg;base64,/);
    expect(await findFlaws(tab)).toEqual([]);
    // The browser notes the answer to the first request.
    expect(problems).toEqual([expect.stringContaining('400')]);
  });

  it('extracts from HTML that is pasted or dropped', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab, problems } = opened;
    await signIn(tab, on.bed);
    await tab.getByText('HTML of your own').click();
    const html = tab.getByLabel('HTML', { exact: true });
    await html.fill('<h1>Kettle</h1><a href="/lamp">Lamp</a><script>alert(1)</script>');
    await tab.getByLabel('Address of the page').fill('shop.example/a');
    await tab.getByRole('button', { name: 'Add a field' }).click();
    await tab.getByLabel('Name of field 1').fill('title');
    await tab.getByLabel('Selector of field 1').fill('h1');
    await tab.getByLabel('links', { exact: true }).check();
    const extract = tab.getByRole('button', { name: 'Extract', exact: true });
    await extract.click();
    const data = tab.getByRole('figure', { name: 'Data' });
    await data.getByText('"title": "Kettle"').waitFor();
    expect(await data.innerText()).toContain('https://shop.example/lamp');
    await tab.getByText('nothing', { exact: true }).waitFor();
    expect(await findFlaws(tab)).toEqual([]);
    await tab.evaluate(`{
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['<h1>Teapot</h1>'], 'teapot.html'));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.querySelector('form[aria-label="Extract"]').dispatchEvent(drop);
    }`);
    await tab.getByText('teapot.html').waitFor();
    await extract.click();
    await data.getByText('"title": "Teapot"').waitFor();
    expect(await findFlaws(tab)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('saves a file that was downloaded', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab, problems } = opened;
    await signIn(tab, on.bed);
    await tab.getByLabel('URL', { exact: true }).fill(`${on.bed.origin.url}/files/prices.csv`);
    const fields = tab.getByRole('button', { name: /^Remove field / });
    while ((await fields.count()) > 0) await fields.first().click();
    await tab.getByText('Options', { exact: true }).click();
    await tab.getByLabel('Download', { exact: true }).check();
    await tab.getByRole('button', { name: 'Scrape', exact: true }).click();
    const file = tab.getByRole('region', { name: 'File' });
    await file.getByText('prices.csv').waitFor();
    expect(await findFlaws(tab)).toEqual([]);
    const saving = tab.waitForEvent('download');
    await file.getByRole('button', { name: 'Save the file' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('prices.csv');
    expect(await readFile(await saved.path(), 'utf8')).toContain('Kettle,19.90');
    expect(problems).toEqual([]);
  });

  it('reads formats from the main content', async () => {
    const page = on.bed.origin.url + htmlPath('<nav>Home</nav><h1>Lamps</h1><footer>Imprint</footer>');
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab, problems } = opened;
    await signIn(tab, on.bed);
    await tab.getByText('Options', { exact: true }).click();
    const main = tab.getByLabel('Main content only');
    expect(await main.isDisabled()).toBe(true);
    await tab.getByLabel('text', { exact: true }).check();
    await main.check();
    await tab.getByLabel('URL', { exact: true }).fill(page);
    await tab.getByRole('button', { name: 'Scrape', exact: true }).click();
    await tab.getByRole('tab', { name: 'Text' }).click();
    expect(await tab.getByRole('figure', { name: 'Text' }).locator('pre').innerText()).toBe('Lamps');
    expect(await findFlaws(tab)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('says what a page is instead of content, and which layers were dismissed', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page: tab, problems } = opened;
    await signIn(tab, on.bed);
    const url = tab.getByLabel('URL', { exact: true });
    await url.fill(`${on.bed.origin.url}/members/orders`);
    await tab.getByRole('button', { name: 'Scrape', exact: true }).click();
    const signals = tab.getByRole('list', { name: 'Signals' });
    await signals.getByText('LOGIN_REDIRECT').waitFor();
    expect(await signals.innerText()).toContain('/members/login');
    expect(await findFlaws(tab)).toEqual([]);
    await tab.getByText('Options', { exact: true }).click();
    await tab.getByLabel('Overlays').selectOption('reject');
    await url.fill(`${on.bed.origin.url}/consent/onetrust`);
    await tab.getByRole('button', { name: 'Scrape', exact: true }).click();
    await tab.getByText('Consent layers: Onetrust (rejected)').waitFor();
    expect(await signals.count()).toBe(0);
    expect(await findFlaws(tab)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('names the field that a request has wrong', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    await signIn(page, on.bed);
    await page.getByLabel('Selector of field 1').fill('h1::tex');
    await page.getByRole('button', { name: 'Scrape' }).click();
    await page.getByRole('alert').getByText('INVALID_SELECTOR').waitFor();
    expect(await page.getByLabel('Selector of field 1').getAttribute('aria-invalid')).toBe('true');
  });

  it('leaves a form alone that is in use when the example arrives', async () => {
    await using opened = await openPage(on.browser, on.bed.stack.url);
    const { page } = opened;
    const arrival = Promise.withResolvers<void>();
    await page.route('**/openapi.json', async (route) => {
      await arrival.promise;
      await route.continue();
    });
    await signIn(page, on.bed);
    const url = page.getByLabel('URL', { exact: true });
    await url.focus();
    const arrived = page.waitForResponse('**/openapi.json');
    arrival.resolve();
    await arrived;
    // The options are made of the same document.
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Snapshot').waitFor();
    expect(await url.inputValue()).toBe('');
  });
});
