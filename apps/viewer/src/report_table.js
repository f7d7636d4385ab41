// The comparison of a report: a table, and how each line of it is made again.
import {make, name_element, plain} from './dom.js';

function cell(value, column)
{
    const content = value === null || value === undefined || value === '' ? '–' : plain(value);
    return make('td', {class: column.numeric ? 'number' : undefined}, content);
}

export function make_report(scene)
{
    const {table} = scene;
    const head = make('tr', {}, ...table.columns.map(column =>
        make('th', {scope: 'col', class: column.numeric ? 'number' : undefined, title: column.about}, column.title)));
    const rows = table.rows.map(row => make('tr', {class: row.good ? undefined : 'bad'},
        ...row.cells.map((value, i) => cell(value, table.columns[i]))));
    const commands = table.rows.map(row => make('li', {}, name_element(row.cells[0]), make('code', {}, row.command)));
    return make('section', {class: 'report', 'aria-label': 'Comparison'},
        make('h2', {}, 'Comparison'),
        make('div', {class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Comparison table'},
            make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows))),
        table.note ? make('p', {class: 'quiet'}, table.note) : null,
        make('h3', {}, 'Make these numbers again'),
        make('ul', {class: 'commands'}, ...commands));
}
