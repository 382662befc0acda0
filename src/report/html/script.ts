/**
 * The only script of the page: moves through the cells of the map by keyboard and tells what a cell holds. Without it
 * the page says the same in its tables. Its hash is in the page's content security policy.
 */
export const SCRIPT = `
'use strict';
(() => {
  const out = document.getElementById('cell');
  const cells = [...document.querySelectorAll('.map tbody td')];
  const words = {p: 'proven', f: 'failed', g: 'gap: no digest covers it', i: 'could not be verified', w: 'pending: within the grace', u: 'this run does not say', o: 'outside the range'};
  const tell = (cell) => {
    const row = cell.parentElement;
    const head = row.closest('table').tHead.rows[0].cells[cell.cellIndex];
    return row.cells[0].dataset.name + ' · ' + head.dataset.span + ' · ' + words[cell.className] +
      (cell.dataset.n ? ' · ' + cell.dataset.n + (cell.dataset.f ? ' (Enter shows the first)' : '') : '');
  };
  const rows = [...new Set(cells.map((each) => each.parentElement))];
  let current = cells[0];
  const go = (cell) => {
    if (!cell) return;
    current.removeAttribute('tabindex');
    current = cell;
    cell.tabIndex = 0;
    cell.setAttribute('aria-label', tell(cell));
    cell.focus();
  };
  if (current) { current.tabIndex = 0; current.setAttribute('aria-label', tell(current)); }
  const show = (target) => { const cell = target.closest && target.closest('.map tbody td'); if (cell) out.textContent = tell(cell); };
  const open = (cell) => {
    const found = cell.dataset.f && document.getElementById(cell.dataset.f);
    if (!found) return;
    location.hash = cell.dataset.f;
    found.tabIndex = -1;
    found.focus();
  };
  document.addEventListener('mouseover', (event) => show(event.target));
  document.addEventListener('focusin', (event) => show(event.target));
  document.addEventListener('click', (event) => { const cell = event.target.closest('.map tbody td'); if (cell) go(cell); });
  document.addEventListener('dblclick', (event) => { const cell = event.target.closest('.map tbody td'); if (cell) open(cell); });
  document.addEventListener('keydown', (event) => {
    const cell = event.target.closest('.map tbody td');
    if (!cell || event.altKey || event.metaKey) return;
    const at = cells.indexOf(cell);
    const row = cell.parentElement;
    const line = [...row.cells].slice(1);
    const above = (step) => {
      const next = rows[rows.indexOf(row) + step];
      return next && next.cells[Math.min(cell.cellIndex, next.cells.length - 1)];
    };
    const trouble = (list) => list.find((each) => 'fgiu'.includes(each.className));
    const moves = {
      ArrowRight: () => cells[at + 1], ArrowLeft: () => cells[at - 1], ArrowDown: () => above(1), ArrowUp: () => above(-1),
      Home: () => event.ctrlKey ? cells[0] : line[0], End: () => event.ctrlKey ? cells.at(-1) : line.at(-1),
      n: () => trouble(cells.slice(at + 1)), p: () => trouble(cells.slice(0, at).reverse()),
    };
    if (event.key === 'Enter') return open(cell);
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    go(move());
  });
  let closed = [];
  addEventListener('beforeprint', () => { closed = [...document.querySelectorAll('details:not([open])')]; for (const each of closed) each.open = true; });
  addEventListener('afterprint', () => { for (const each of closed) each.open = false; });
})();
`;
