'use strict';
// A click on a column's title sorts by it; another turns the order round.
// Numbers by their value, which stands in data-value if they have one, and
// empty cells last.
(function () {
  function value(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.value === undefined
      ? cell.textContent.trim() : cell.dataset.value;
    const number = Number(text);
    return text === '' || Number.isNaN(number) ? text : number;
  }
  function compare(a, b) {
    if (a === '' || b === '') return (a === '') - (b === '');
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === 'number' ? -1 : 1;
  }
  function sort(title) {
    const table = title.closest('table'), body = table.tBodies[0];
    const column = title.cellIndex;
    const down = title.getAttribute('aria-sort') === 'ascending';
    const rows = Array.from(body.rows);
    rows.sort(function (x, y) {
      const a = value(x, column), b = value(y, column);
      return down && a !== '' && b !== '' ? compare(b, a) : compare(a, b);
    });
    for (const other of table.tHead.rows[0].cells)
      other.removeAttribute('aria-sort');
    title.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    body.append(...rows);
  }
  for (const button of document.querySelectorAll('th button'))
    button.addEventListener('click', function () {
      sort(button.closest('th'));
    });
})();

// On a narrow screen each row of a table is a list: its cells say what they are.
for (const table of document.querySelectorAll('table')) {
  const titles = Array.from(table.tHead.rows[0].cells, (cell) => cell.textContent);
  for (const row of table.tBodies[0].rows)
    Array.from(row.cells).forEach((cell, i) => { cell.dataset.title = titles[i]; });
  table.classList.add('labelled');
}
