// Toolbar: what is drawn, whom the camera follows, and which run lies over the others.
import {button, make, plain, press} from './dom.js';

const kMostBodies = 1000;  // in the list; others are found by a double click
const kSwitches = [
    {name: 'contacts', text: 'Contacts and forces', key: 'c'},
    {name: 'center_of_mass', text: 'Centre of mass', key: 'm'},
    {name: 'collision', text: 'Collision shapes', key: 'o'},
    {name: 'shadows', text: 'Shadows', key: 'h'},
    {name: 'blend', text: 'Between frames', key: 'b'},
];

export class Toolbar
{
    // `act` holds what the toolbar can do: changed(), look_through(index), follow(run, body), ghost(index), fit(), picture().
    constructor(settings, act)
    {
        this.settings = settings;
        this.act = act;
        this.switches = Object.fromEntries(kSwitches.map(({name, text, key}) =>
            [name, button({id: `switch-${name}`, text, key, pressed: settings[name], onclick: () => this.toggle(name)})]));
        this.follow = make('select', {id: 'follow', onchange: () => this.on_follow()});
        this.camera = make('select', {id: 'camera', onchange: () => act.look_through(Number(this.camera.value))});
        this.camera_label = make('label', {class: 'field'}, 'Camera', this.camera);
        this.ghost = make('select', {id: 'ghost', onchange: () => act.ghost(Number(this.ghost.value))});
        this.ghost_label = make('label', {class: 'field'}, 'Ghost', this.ghost);
        this.element = make('section', {class: 'toolbar', 'aria-label': 'What is drawn'},
            make('div', {class: 'group wrap'}, ...Object.values(this.switches)),
            this.camera_label, make('label', {class: 'field'}, 'Follow', this.follow), this.ghost_label,
            make('div', {class: 'group'},
                button({id: 'fit', icon: 'fit', label: 'See everything', key: 'r', onclick: () => act.fit()}),
                button({id: 'picture', icon: 'picture', label: 'Save the view as a picture', onclick: () => act.picture()})));
    }

    toggle(name)
    {
        this.settings[name] = !this.settings[name];
        this.show_settings();
        this.act.changed();
    }

    show_settings() { for (const {name} of kSwitches) press(this.switches[name], this.settings[name]); }

    set_runs(runs)
    {
        this.runs = runs;
        const names = runs[0]?.about.bodies.name ?? [];
        const shown = names.slice(1, kMostBodies + 1).map((name, i) => make('option', {value: i + 1}, plain(name) || `body ${i + 1}`));
        this.follow.replaceChildren(make('option', {value: 0}, 'nobody'), ...shown);
        if (names.length > kMostBodies + 1) this.follow.append(make('option', {disabled: true}, `${names.length - 1 - kMostBodies} more: double click one`));
        const cameras = runs[0]?.about.looks?.cameras ?? [];
        this.camera.replaceChildren(make('option', {value: -1}, 'free'), ...cameras.slice(0, kMostBodies).map(({name}, i) =>
            make('option', {value: i}, plain(name) || `camera ${i}`)));
        this.camera_label.hidden = cameras.length === 0;
        this.ghost.replaceChildren(make('option', {value: -1}, 'none'), ...runs.map((run, i) =>
            make('option', {value: i, disabled: !this.can_ghost(i)}, plain(run.label))));
        this.ghost.disabled = !runs.some((run, i) => this.can_ghost(i));
        this.ghost_label.hidden = runs.length < 2;
        this.ghost_label.title = this.ghost.disabled ? 'No ghost: the runs are of different models' :
                                                       'Lay one run over the others (g)';
    }

    // A run can lie over another one only where both are of the same model.
    can_ghost(index) { return this.runs.some((run, i) => i !== index && run.matches(this.runs[index])); }

    on_follow()
    {
        const body = Number(this.follow.value);
        this.act.follow(body > 0 ? this.runs[0] : null, body);
    }

    // Shows whom the camera follows, however it was chosen.
    show_followed(run, body)
    {
        const listed = run === this.runs[0] && [...this.follow.options].some(option => option.value === String(body));
        this.follow.value = run && listed ? body : 0;
    }

    follow_next()
    {
        const count = this.follow.options.length;
        this.follow.selectedIndex = (this.follow.selectedIndex + 1) % count;
        this.on_follow();
    }

    next_ghost()
    {
        const options = [...this.ghost.options];
        for (let i = 1; i <= options.length; ++i)
        {
            const option = options[(this.ghost.selectedIndex + i) % options.length];
            if (option.disabled) continue;
            this.ghost.value = option.value;
            break;
        }
        this.act.ghost(Number(this.ghost.value));
    }
}
