import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHAIN, CHAINS, hostileFindings, log, render, yearInRegions } from './sample.ts';

const BROWSER = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where screenshots go; none are taken where it is not set. */
const PICTURES = process.env['SCREENSHOTS'];

if (BROWSER === undefined)
  console.warn('test/report/html-browser: no chromium found, the page is not looked at in a browser');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

interface Walk {
  /** Cells that had the focus. */
  readonly cells: number;
  /** Different things that were told of them. */
  readonly told: number;
  /** Cells that Tab stops at, when the walk is over. */
  readonly tabbable: number;
}

/** Presses the key so many times, each on what then has the focus. */
const WALK = `(key, times) => {
  const cells = new Set();
  const told = new Set();
  for (let i = 0; i < times; i++) {
    const cell = document.activeElement;
    cells.add(cell);
    told.add(cell.getAttribute('aria-label') + document.getElementById('cell').textContent);
    cell.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }
  return { cells: cells.size, told: told.size, tabbable: document.querySelectorAll('.map td[tabindex="0"]').length };
}`;

/** Elements that reach over the edge of the page, and boxes that hide a part of what is in them. */
const CUT_OFF = `[...document.body.querySelectorAll('*')].filter((each) => {
  const { right, width } = each.getBoundingClientRect();
  const hides = getComputedStyle(each).overflowX !== 'visible' && each.scrollWidth > each.clientWidth + 1;
  return width > 1 && (right > innerWidth + 1 || hides);
}).map((each) => each.outerHTML.slice(0, 120))`;

const PAGES = {
  'a day with hostile names': () => render('html', hostileFindings()),
  'a day with an altered log': () => render('html', [log('AWSLogs/x.json.gz')]),
  'a day on which all is proven': () => render('html', [], { facts: { chains: CHAINS.slice(1) } }),
  'a year in 17 Regions': () => {
    const { findings, facts, run } = yearInRegions();
    return render('html', findings, { facts, run });
  },
  'a month of everything': () => {
    const { findings, facts, run } = yearInRegions();
    const window = { start: '2025-08-20T00:00:00Z', end: '2025-09-10T00:00:00Z' };
    return render('html', findings, { facts: { chains: (facts.chains ?? []).slice(10, 14) }, run: { ...run, window } });
  },
  'nothing judged': () => render('html', [], { facts: { chains: [] } }),
};
type Name = keyof typeof PAGES;
type Scheme = 'light' | 'dark';
const NAMES = Object.keys(PAGES) as Name[];

const rendered = new Map<Name, string>();
function sourceOf(name: Name): string {
  const source = rendered.get(name) ?? PAGES[name]();
  rendered.set(name, source);
  return source;
}

describe.skipIf(BROWSER === undefined)('html in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: BROWSER ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  /** Opens the page, counting what it complains of and what it asks of the network. */
  async function open(source: string, colorScheme: Scheme = 'light') {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 900 }, bypassCSP: false });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!/^(data:|http:\/\/page\.invalid\/$)/.test(request.url())) complaints.push(`asked for ${request.url()}`);
    });
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    await page.route('**', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: source }));
    await page.goto('http://page.invalid/');
    return { page, complaints, context };
  }

  const looked = new Map<string, ReturnType<typeof open>>();
  /** A page for the tests that leave it as it is. */
  function lookAt(name: Name, scheme: Scheme) {
    const key = `${name} ${scheme}`;
    const opened = looked.get(key) ?? open(sourceOf(name), scheme);
    looked.set(key, opened);
    return opened;
  }

  async function picture(page: Page, name: string) {
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: `${PICTURES}/${name.replaceAll(' ', '-')}.png`, fullPage: true });
  }

  it.each(NAMES)('%s: no complaint and nothing asked of the network, light and dark', async (name) => {
    for (const scheme of ['light', 'dark'] as const) {
      const { page, complaints } = await lookAt(name, scheme);
      await picture(page, `${name} ${scheme}`);
      expect(complaints).toEqual([]);
    }
  });

  it.each([
    ['a day with hostile names', 'light'],
    ['a day with an altered log', 'dark'],
    ['a month of everything', 'light'],
    ['a month of everything', 'dark'],
    ['nothing judged', 'dark'],
    ['a year in 17 Regions', 'light'],
    ['a year in 17 Regions', 'dark'],
  ] as const)('axe finds no fault: %s, %s', async (name, scheme) => {
    const { page } = await lookAt(name, scheme);
    // The page's own policy forbids scripts from elsewhere, axe included: it is brought in past it.
    await page.evaluate(AXE);
    // It need not describe each of thousands of cells that are right.
    const { violations } = await page.evaluate<{ violations: Violation[] }>("axe.run({ resultTypes: ['violations'] })");
    expect(violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
  });

  it('reaches every cell with the keyboard and says what it holds', async () => {
    const { page, context } = await open(sourceOf('a day with an altered log'));
    const total = await page.locator('.map tbody td').count();
    expect(total).toBe(CHAINS.length * 24);
    for (let tabs = 0; tabs < 40; tabs++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate("document.activeElement.matches('.map tbody td')")) break;
    }
    const told = new Set<string>();
    for (let i = 0; i < total; i++) {
      told.add((await page.locator('#cell').textContent()) ?? '');
      await page.keyboard.press('ArrowRight');
    }
    expect(told.size).toBe(total);
    expect([...told][0]).toBe(
      `${CHAIN.region}, ${CHAIN.account} ${CHAIN.trail} · 2026-03-01T00:00Z to 2026-03-01T01:00Z · proven`,
    );
    await context.close();
  });

  it.each([
    ['ArrowDown', 'eu-west-1', 'T00:00Z'],
    ['End', 'us-east-1', 'T23:00Z'],
    ['Control+End', 'eu-west-1', 'T23:00Z'],
    ['n', 'us-east-1', 'T05:00Z'],
  ])('%s goes where it should', async (key, region, hour) => {
    const { page, context } = await open(sourceOf('a day with hostile names'));
    await page.locator('.map tbody td').first().focus();
    await page.keyboard.press(key);
    expect(await page.locator('#cell').textContent()).toMatch(new RegExp(`^${region}.*${hour} to`));
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toMatch(new RegExp(`^${region}`));
    await context.close();
  });

  it('goes from a cell to the finding in it, and tells it on hover', async () => {
    const altered = log('AWSLogs/x.json.gz');
    const { page, context } = await open(
      render('html', [{ ...altered, subject: { ...altered.subject, hour: '2026-03-01T06:00:00Z' } }]),
    );
    await page.locator('.map td.f').hover();
    expect(await page.locator('#cell').textContent()).toMatch(/failed · 1 log-altered \(Enter shows the first\)$/);
    await page.locator('.map tbody td').first().focus();
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('[location.hash, document.activeElement.id]')).toEqual([`#${altered.id}`, altered.id]);
    await context.close();
  });

  it('prints all of it, in light, folded evidence too', async () => {
    const { page, context } = await open(sourceOf('a year in 17 Regions'), 'dark');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('details:not([open])').count()).toBe(0);
    await picture(page, 'print');
    if (PICTURES !== undefined) {
      const path = `${PICTURES}/print.pdf`;
      await page.pdf({ path, preferCSSPageSize: true, printBackground: true });
    }
    await context.close();
  });

  it.each(NAMES)('%s: nothing is cut off at the edge of the paper', async (name) => {
    const { page, context } = await open(sourceOf(name));
    await page.emulateMedia({ media: 'print' });
    // A4 across, less its margins.
    await page.setViewportSize({ width: 1031, height: 700 });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.evaluate(CUT_OFF)).toEqual([]);
    await context.close();
  });

  it('walks through a year in 17 Regions, cell by cell, one of them in the tab order', async () => {
    const { page, complaints, context } = await open(sourceOf('a year in 17 Regions'));
    const total = 365 * 17;
    await page.locator('.map tbody td').first().focus();
    const walk = (key: string) => page.evaluate<Walk>(`(${WALK})('${key}', ${total})`);
    expect(await walk('ArrowRight')).toEqual({ cells: total, told: total, tabbable: 1 });
    expect(await walk('ArrowLeft')).toEqual({ cells: total, told: total, tabbable: 1 });
    // Down through all blocks, one row after the other, in the first column.
    expect(await walk('ArrowDown')).toEqual({ cells: 4 * 17, told: 4 * 17, tabbable: 1 });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('draws a year in 17 Regions by days: every day and the worst of each', async () => {
    expect(Buffer.byteLength(sourceOf('a year in 17 Regions'))).toBeLessThan(1_000_000);
    const { page } = await lookAt('a year in 17 Regions', 'light');
    expect(await page.locator('.map tbody td').count()).toBe(365 * 17);
    const count = (name: string) => page.locator(`.map tbody td.${name}`).count();
    expect([await count('f'), await count('g'), await count('i'), await count('w'), await count('u')]).toEqual([
      1, 3, 30, 17, 0,
    ]);
  });
});
