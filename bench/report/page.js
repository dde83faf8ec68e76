'use strict';
// Sorting and filters of the one table; without a script the table is whole.
(() => {
  const table = document.getElementById('rows');
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const form = document.getElementById('filters');
  const search = document.getElementById('search');
  const count = document.getElementById('count');

  // On a phone rows are blocks of lines; for those who listen they stay rows of a table.
  table.setAttribute('role', 'table');
  body.setAttribute('role', 'rowgroup');
  for (const row of rows) {
    row.setAttribute('role', 'row');
    for (const cell of row.cells) cell.setAttribute('role', 'cell');
  }

  // What a cell sorts by: data-v where it has one, else its text. Empty cells stand last.
  const key = (row, i) => row.cells[i].dataset.v ?? row.cells[i].textContent;
  const compare = (a, b) => {
    const x = Number(a), y = Number(b);
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, 'en', {numeric: true}) : x - y;
  };

  const sortBy = (i) => {
    const up = heads[i].getAttribute('aria-sort') !== 'ascending';
    heads.forEach((h) => h.removeAttribute('aria-sort'));
    heads[i].setAttribute('aria-sort', up ? 'ascending' : 'descending');
    const sorted = rows.map((row, at) => [key(row, i), at, row]);
    sorted.sort(([a, ia], [b, ib]) => {
      if (a === '' || b === '') return (a === '') - (b === '') || ia - ib;
      return (up ? compare(a, b) : compare(b, a)) || ia - ib;
    });
    body.append(...sorted.map(([, , row]) => row));
  };
  heads.forEach((head, i) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    button.addEventListener('click', () => sortBy(i));
    head.replaceChildren(button);
  });

  // A choice for each column that is marked as one and has more than one value.
  const choices = [];
  heads.forEach((head, i) => {
    if (!('choice' in head.dataset)) return;
    const values = [...new Set(rows.map((row) => row.cells[i].textContent))].filter(Boolean);
    if (values.length < 2) return;
    const label = document.createElement('label');
    const select = document.createElement('select');
    values.sort((a, b) => a.localeCompare(b, 'en', {numeric: true}));
    select.append(new Option('all', ''), ...values.map((v) => new Option(v, v)));
    label.append(head.textContent, select);
    form.append(label);
    choices.push([i, select]);
  });

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !(words.every((w) => text.includes(w)) &&
        choices.every(([i, select]) => !select.value || row.cells[i].textContent === select.value));
      shown += !row.hidden;
    }
    count.textContent = `${shown} of ${rows.length} rows`;
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', (e) => e.preventDefault());
  form.hidden = false;
  filter();
})();
