// Text view: where bodies are, for browsers that cannot draw in 3D.
import {make, name_element} from './dom.js';
import {number_text} from './format.js';

const kMostBodies = 30;

export class TextView
{
    constructor(runs)
    {
        this.runs = runs;
        this.poses = runs.map(run => new Float64Array(7 * run.body_count));
        this.bodies = make('div', {class: 'text-runs'});
        this.element = make('div', {class: 'text-view', id: 'text-view'},
            make('p', {class: 'message'}, 'This browser cannot draw in 3D here: WebGL 2 is missing, switched off or refused by the graphics driver. ' +
                'Positions of the bodies are shown as numbers; plots and tables work as usual.'),
            this.bodies);
    }

    draw(time)
    {
        this.bodies.replaceChildren(...this.runs.map((run, i) =>
        {
            run.read_time(time, this.poses[i]);
            const rows = [];
            for (let b = 1; b < Math.min(run.body_count, kMostBodies + 1); ++b)
            {
                const [x, y, z] = this.poses[i].subarray(7 * b, 7 * b + 3);
                rows.push(make('tr', {}, make('td', {}, name_element(run.about.bodies.name[b])),
                    ...[x, y, z].map(value => make('td', {class: 'number'}, number_text(value)))));
            }
            const rest = run.body_count - 1 - rows.length;
            return make('div', {},
                make('table', {}, make('caption', {}, name_element(run.label)),
                    make('thead', {}, make('tr', {}, ...['body', 'x [m]', 'y [m]', 'z [m]'].map((text, k) =>
                        make('th', {scope: 'col', class: k ? 'number' : undefined}, text)))),
                    make('tbody', {}, ...rows)),
                rest > 0 ? make('p', {class: 'quiet'}, `and ${rest} more bodies`) : null);
        }));
    }
}
