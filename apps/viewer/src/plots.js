// Plots: the series of the shown runs over time, with one cursor for all of them.
import uPlot from 'uplot';
import {button, make, name_element, plain, press, save_file} from './dom.js';
import {number_text, tick_text} from './format.js';
import {kRunDashes} from './theme.js';

// Width of an axis with these labels [px].
function label_room(plot, labels) { return Math.max(56, 14 + 6.5 * Math.max(0, ...(labels ?? []).map(label => label.length))); }

function size_of(run, name) { return Array.from(run.series[name], Math.abs); }
function energy_of(run) { return Array.from(run.time, (time, i) => run.total_energy(i)); }
function energy_change(run) { return Array.from(run.time, (time, i) => Math.abs(run.total_energy(i) - run.total_energy(0))); }

// `values(run)` on a linear axis; `logarithm(run)` on a logarithmic one where that differs.
const kPlots = [
    {id: 'energy', title: 'Energy', unit: 'J', values: energy_of, logarithm: energy_change, log_title: 'Energy error |E − E₀|',
     about: 'Kinetic and potential energy together.'},
    {id: 'linear', title: 'Linear momentum error', unit: 'kg m/s', values: run => size_of(run, 'linear'),
     about: '|P − P₀ − M g t|'},
    {id: 'angular', title: 'Angular momentum error', unit: 'kg m²/s', values: run => size_of(run, 'angular'),
     about: '|L − L₀| about the centre of mass'},
    {id: 'penetration', title: 'Deepest penetration', unit: 'm', values: run => size_of(run, 'penetration'),
     about: 'Largest overlap of two shapes.'},
    {id: 'contacts', title: 'Contacts', unit: '', values: run => size_of(run, 'contacts'), about: 'Contacts per step.'},
    {id: 'iterations', title: 'Iterations', unit: '', values: run => size_of(run, 'iterations'), about: 'Iterations per step.'},
    {id: 'seconds', title: 'Step time', unit: 'ms', values: run => Array.from(run.series.seconds, value => 1000 * value),
     about: 'Time of one step as the solver measured it.'},
];

const kMomentumNote = 'Momentum errors: |P − P₀ − M g t|, and |L − L₀| about the centre of mass, up to the first moment at which something outside (floor, anchor, applied force) gives momentum.';
const kNoMomentumNote = 'No momentum errors: something outside (floor, anchor, applied force) gives momentum from the start.';

// What the user may add: positions of bodies, and every number that the page holds for its frames.
const kKinds = {q: 'Joint coordinates q', v: 'Joint speeds v', input: 'Inputs', act: 'Activations', sensor: 'Sensors'};
const kMostChoices = 500;  // of a kind

// [{group, choices: [{id, title, unit, values(run)}]}] for runs; the names are those of the first.
function find_choices(runs)
{
    const first = runs[0]?.run;
    if (!first) return [];
    const groups = Object.entries(kKinds).map(([kind, group]) => ({group, choices: first.about.columns.filter(column => column.kind === kind)
        .map(({name, unit}) => ({id: `${kind}:${name}`, title: `${name}`, unit, values: run => column_of(run, kind, name)}))}));
    const names = first.about.bodies.name;
    const bodies = names.flatMap((name, body) => (body === 0 ? [] : ['x', 'y', 'z'].map((axis, k) =>
        ({id: `position:${body}.${axis}`, title: `${plain(name) || `body ${body}`} ${axis}`, unit: 'm',
          values: run => (body < run.body_count ? run.position(body, k) : new Array(run.frame_count).fill(NaN))}))));
    return [...groups, {group: 'Positions of bodies', choices: bodies}].filter(({choices}) => choices.length > 0);
}
function column_of(run, kind, name)
{
    const index = run.about.columns.findIndex(column => column.kind === kind && column.name === name);
    return index >= 0 ? run.column(index) : new Array(run.frame_count).fill(NaN);
}

function is_missing(tables) { return tables.every(table => table.every(value => Number.isNaN(value))); }
function is_flat_zero(tables) { return tables.every(table => table.every(value => value === 0 || Number.isNaN(value))); }

// A shaded part or gap: uPlot leaves out null.
function to_points(values, logarithmic)
{
    return values.map(value => (Number.isFinite(value) && (!logarithmic || value > 0) ? value : null));
}

export class Plots
{
    // `runs` are {run, colour}; seeking is up to `seek(time)`.
    constructor(clock, seek)
    {
        this.clock = clock;
        this.seek = seek;
        this.runs = [];
        this.charts = [];
        this.logarithmic = false;
        this.hovered = null;
        this.log = button({id: 'log', text: 'Log axis', key: 'x', pressed: false, onclick: () => this.set_log()});
        this.grid = make('div', {class: 'plots'});
        this.quiet = make('p', {class: 'quiet', id: 'quiet-plots'});
        this.note = make('p', {class: 'quiet', id: 'momentum-note'});
        this.added = [];  // plots that the user asked for
        this.choice = make('select', {id: 'add-plot', 'aria-label': 'Plot a coordinate, an input or a sensor', onchange: () => this.add(this.choice.value)});
        this.element = make('section', {class: 'plot-area', 'aria-label': 'Plots'},
            make('div', {class: 'head'}, make('h2', {}, 'Plots'),
                make('div', {class: 'group wrap'}, this.choice, this.log,
                    button({id: 'save-plots', text: 'PNG', label: 'Save the plots as a picture', onclick: () => this.save_picture()}),
                    button({id: 'save-csv', text: 'CSV', label: 'Save the numbers as a table', onclick: () => this.save_table()}))),
            this.grid, this.quiet, this.note);
        clock.on_change(() => this.show_time());
        new ResizeObserver(() => this.resize()).observe(this.grid);
    }

    set_log(on = !this.logarithmic)
    {
        this.logarithmic = on;
        press(this.log, on);
        this.rebuild();
    }

    set_runs(runs)
    {
        this.runs = runs;
        this.choices = find_choices(runs);
        const all = this.choices.flatMap(({choices}) => choices);
        this.added = this.added.map(kind => all.find(item => item.id === kind.id)).filter(Boolean);
        const option = ({id, title}) => make('option', {value: id}, plain(title));
        this.choice.replaceChildren(make('option', {value: ''}, 'Add a plot …'), ...this.choices.map(({group, choices}) =>
            make('optgroup', {label: group}, ...choices.slice(0, kMostChoices).map(option),
                choices.length > kMostChoices ? make('option', {disabled: true}, `${choices.length - kMostChoices} more`) : null)));
        this.choice.hidden = all.length === 0;
        this.rebuild();
    }

    // Adds a plot by its id, or takes it away again.
    add(id)
    {
        this.choice.value = '';
        const kind = this.choices.flatMap(({choices}) => choices).find(item => item.id === id);
        if (!kind) return;
        const others = this.added.filter(item => item.id !== id);
        this.added = others.length < this.added.length ? others : [kind, ...this.added];
        this.rebuild();
    }

    rebuild()
    {
        for (const chart of this.charts) chart.plot.destroy();
        this.charts = [];
        const panels = [], quiet = [];
        let momentum = false;
        for (const kind of this.added) panels.push(this.make_panel(kind, this.runs.map(({run}) => kind.values(run))));
        for (const kind of kPlots)
        {
            const of_run = this.logarithmic && kind.logarithm ? kind.logarithm : kind.values;
            const tables = this.runs.map(({run}) => of_run(run));
            if (is_missing(tables)) continue;
            momentum ||= kind.id === 'linear';
            if (is_flat_zero(tables)) quiet.push((this.logarithmic && kind.log_title) || kind.title);
            else panels.push(this.make_panel(kind, tables));
        }
        this.grid.replaceChildren(...panels);
        this.quiet.textContent = this.runs.length && quiet.length ? `Zero throughout: ${quiet.join(', ').toLowerCase()}.` : '';
        this.quiet.hidden = quiet.length === 0;
        this.note.textContent = momentum ? kMomentumNote : kNoMomentumNote;
        this.note.hidden = this.runs.length === 0;
        for (const chart of this.charts) this.draw_chart(chart);
        this.show_time();
    }

    make_panel(kind, tables)
    {
        const title = (this.logarithmic && kind.log_title) || kind.title;
        const values = this.runs.map(() => make('output', {}));
        const keys = this.runs.map(({run, colour}, i) => make('span', {class: 'key'}, swatch(colour, i), name_element(run.label), values[i]));
        const body = make('div', {class: 'chart'});
        const added = this.added.includes(kind);
        const panel = make('figure', {class: 'plot', id: `plot-${kind.id}`},
            make('figcaption', {title: kind.about}, make('b', {}, plain(title)), kind.unit ? make('span', {class: 'unit'}, kind.unit) : null,
                added ? button({icon: 'close', label: `Take away the plot of ${plain(title)}`, onclick: () => this.add(kind.id)}) : null),
            body, make('div', {class: 'keys'}, ...keys));
        this.charts.push({kind, title, tables, body, values});
        return panel;
    }

    draw_chart(chart)
    {
        const style = getComputedStyle(this.element);
        const ink = style.getPropertyValue('--soft'), line = style.getPropertyValue('--line');
        const joined = uPlot.join(this.runs.map(({run}, i) => [Array.from(run.time), to_points(chart.tables[i], this.logarithmic)]));
        const axis = {stroke: ink, font: '11px system-ui, sans-serif', grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1, size: 4}};
        const usable = joined.slice(1).some(values => values.some(value => value !== null));
        const options = {
            width: Math.max(120, chart.body.clientWidth), height: 150, legend: {show: false}, pxAlign: 0, padding: [8, 10, 0, 0],
            cursor: {sync: {key: 'rattleback', setSeries: false}, drag: {x: true, y: false, uni: 20}, points: {size: 6},
                     bind: {dblclick: plot => () => { this.zoom(plot, null); return null; }}},
            scales: {x: {time: false}, y: {distr: this.logarithmic && usable ? 3 : 1, range: this.logarithmic ? undefined : padded}},
            axes: [{...axis, size: 22, space: 50, values: (plot, ticks) => ticks.map(tick => `${Number(tick.toPrecision(6))}`)},
                   {...axis, size: label_room, space: 26, values: (plot, ticks, index, space, step) => ticks.map(tick => (tick === null ? '' : tick_text(tick, this.logarithmic ? 0 : step)))}],
            series: [{}, ...this.runs.map(({run, colour}, i) => ({label: plain(run.label), stroke: colour, width: 1.6,
                                                                  dash: kRunDashes[i % 4], spanGaps: true, points: {show: false}}))],
            hooks: {
                setCursor: [plot => this.on_hover(plot)],
                setSelect: [plot => this.zoom(plot, plot.select)],
            },
        };
        chart.joined = joined;
        chart.plot = new uPlot(options, joined, chart.body);
        chart.now = make('div', {class: 'now'});
        chart.plot.over.append(chart.now);
        chart.plot.over.addEventListener('click', event => this.on_click(chart.plot, event));
    }

    // All plots show the same span of time.
    zoom(plot, select)
    {
        if (select && select.width < 4) return;
        const range = select ? {min: plot.posToVal(select.left, 'x'), max: plot.posToVal(select.left + select.width, 'x')} :
                               {min: this.clock.begin, max: this.clock.end};
        this.dragged = Boolean(select);
        for (const chart of this.charts)
        {
            chart.plot.setScale('x', range);
            chart.plot.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
        }
        this.show_time();
    }

    on_click(plot, event)
    {
        if (this.dragged)
        {
            this.dragged = false;
            return;
        }
        const time = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x');
        this.seek(time);
    }

    on_hover(plot)
    {
        const left = plot.cursor.left;
        this.hovered = left >= 0 ? plot.posToVal(left, 'x') : null;
        this.show_values();
    }

    show_time()
    {
        for (const {plot, now} of this.charts)
        {
            if (!plot) continue;
            const x = plot.valToPos(this.clock.time, 'x');
            now.style.transform = `translateX(${x}px)`;
            now.hidden = !(x >= 0 && x <= plot.over.clientWidth);
        }
        if (this.hovered === null) this.show_values();
    }

    // Values under the cursor; otherwise those of the moment shown.
    show_values()
    {
        const time = this.hovered ?? this.clock.time;
        for (const {tables, values} of this.charts)
        {
            this.runs.forEach(({run}, i) =>
            {
                values[i].textContent = run.frame_count ? number_text(tables[i][run.find_frame(time)]) : '–';
            });
        }
    }

    resize()
    {
        for (const {plot, body} of this.charts)
        {
            if (plot && body.clientWidth > 0 && Math.abs(plot.width - body.clientWidth) > 1)
            {
                plot.setSize({width: body.clientWidth, height: 150});
            }
        }
        this.show_time();
    }

    // All plots on one picture.
    save_picture()
    {
        if (this.charts.length === 0) return;
        const scale = window.devicePixelRatio || 1, gap = 10, head = 22;
        const style = getComputedStyle(this.element);
        const width = Math.max(...this.charts.map(({plot}) => plot.ctx.canvas.width)) / scale;
        const canvas = make('canvas', {width: Math.round((width + 2 * gap) * scale),
                                       height: Math.round((this.charts.length * (150 + head + gap) + 2 * gap + head) * scale)});
        const context = canvas.getContext('2d');
        context.fillStyle = style.getPropertyValue('--card');
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.scale(scale, scale);
        context.font = '13px system-ui, sans-serif';
        let x = gap;
        for (const {run, colour} of this.runs)
        {
            context.fillStyle = colour;
            context.fillText(plain(run.label), x, head - 4);
            x += context.measureText(plain(run.label)).width + 20;
        }
        this.charts.forEach(({plot, title, kind}, i) =>
        {
            const top = gap + head + i * (150 + head + gap);
            context.fillStyle = style.getPropertyValue('--ink');
            context.fillText(kind.unit ? `${title} [${kind.unit}]` : title, gap, top + 14);
            context.drawImage(plot.ctx.canvas, gap, top + head, plot.ctx.canvas.width / scale, 150);
        });
        canvas.toBlob(blob => save_file('rattleback-plots.png', blob), 'image/png');
    }

    // One line per run and frame.
    save_table() { save_file('rattleback-plots.csv', new Blob([this.table()], {type: 'text/csv'})); }
    table()
    {
        const plots = [...kPlots, ...this.added];
        const head = ['run', 'time [s]', ...plots.map(({title, unit}) => (unit ? `${title} [${unit}]` : title))];
        const lines = [head.map(quote).join(',')];
        for (const {run} of this.runs)
        {
            const columns = plots.map(({values}) => values(run));
            for (let i = 0; i < run.frame_count; ++i)
            {
                lines.push([quote(run.label), run.time[i], ...columns.map(column => (Number.isNaN(column[i]) ? '' : column[i]))].join(','));
            }
        }
        return `${lines.join('\n')}\n`;
    }
}

// Text in a table; a first character that spreadsheets take for a formula is defused.
function quote(text)
{
    const calm = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return `"${calm.replaceAll('"', '""')}"`;
}

// Some air around the values. What changes by less than one part in 1e5 is drawn flat: the log axis shows the rest.
function padded(plot, low, high)
{
    if (low === null || high === null) return [0, 1];
    const span = Math.max(high - low, 1e-5 * Math.max(Math.abs(low), Math.abs(high))) || 1;
    const middle = (low + high) / 2;
    return [middle - 0.58 * span, middle + 0.58 * span];
}

// A short stroke as the run's line is drawn.
export function swatch(colour, run)
{
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    svg.setAttribute('class', 'swatch');
    svg.setAttribute('viewBox', '0 0 24 8');
    svg.setAttribute('aria-hidden', 'true');
    const line = document.createElementNS(space, 'path');
    line.setAttribute('d', 'M0 4h24');
    line.setAttribute('stroke', colour);
    line.setAttribute('stroke-width', '3');
    line.setAttribute('stroke-dasharray', kRunDashes[run % 4].join(' '));
    svg.append(line);
    return svg;
}
