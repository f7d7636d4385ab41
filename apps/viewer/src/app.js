// App: the page as a whole. It owns clock, viewports, plots and tables, and shows one scene at a time.
import {Clock} from './clock.js';
import {button, make, name_element, plain, save_file} from './dom.js';
import {listen_to_keys, make_help} from './keyboard.js';
import {read_link, write_link} from './link.js';
import {Live} from './live.js';
import {read_block} from './page_data.js';
import {Plots, swatch} from './plots.js';
import {make_report} from './report_table.js';
import {Run} from './run.js';
import {TextView} from './text_view.js';
import {Theme} from './theme.js';
import {Toolbar} from './toolbar.js';
import {Transport} from './transport.js';
import {Viewports} from './viewports.js';

const kMostViewports = 4;
const kMostShadows = 3000;  // shapes; beyond that shadows are off until asked for

export class App
{
    constructor(page, root)
    {
        this.page = page;
        this.root = root;
        this.loaded = new Map();  // scene -> runs
        this.frames = {script_ms: 0, count: 0};
        this.dirty = false;
        this.settings = {contacts: true, center_of_mass: false, collision: false, shadows: true, blend: true};
        this.act = {changed: () => this.redraw(), look_through: index => this.viewports?.look_through(index),
                    follow: (run, body) => this.follow(run, body),
                    ghost: index => this.set_ghost(index), fit: () => this.viewports?.fit(), picture: () => this.save_picture()};
        this.theme = new Theme(() => this.on_theme());
        this.clock = new Clock();
        this.transport = new Transport(this.clock);
        this.toolbar = new Toolbar(this.settings, this.act);
        this.plots = new Plots(this.clock, time => this.clock.seek(time));
        this.help = make_help();
        this.build();
        this.clock.on_change(() => this.on_time());
        listen_to_keys(this);
        // The event's own address: ours may have been written over it by now.
        window.addEventListener('hashchange', event => this.follow_link(new URL(event.newURL).hash));
        const link = read_link();
        const named = page.scenes.findIndex(scene => scene.name === link.scene);
        this.show_scene(Math.max(0, named));
        if (page.live) this.start_live();
        if (link.time !== null) this.clock.seek(link.time);
        else if (!page.live && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) this.clock.play(true);
    }

    build()
    {
        this.tabs = make('nav', {class: 'tabs', 'aria-label': 'Scenes'}, ...this.page.scenes.map((scene, i) =>
            make('button', {type: 'button', onclick: () => this.show_scene(i)}, name_element(scene.name))));
        this.tabs.hidden = this.page.scenes.length < 2;
        this.summary = make('p', {class: 'summary'});
        this.chips = make('div', {class: 'group wrap runs', role: 'group', 'aria-label': 'Runs'});
        this.notices = make('div', {class: 'notices', id: 'notices', role: 'status'});
        this.live_notice = make('p', {class: 'notice', id: 'live', hidden: true});
        this.panels = make('div', {class: 'panels'});
        this.panels.addEventListener('dblclick', event => this.on_pick(event));
        this.report = make('div', {});
        this.root.replaceChildren(
            make('header', {},
                make('div', {class: 'titles'}, make('h1', {}, name_element(this.page.title)), this.summary),
                make('div', {class: 'group'},
                    button({id: 'theme', icon: 'theme', label: 'Dark, light or as the system', key: 'd', onclick: () => this.theme.next()}),
                    button({id: 'help', icon: 'help', label: 'Keys and mouse', key: '?', onclick: () => this.help.showModal()}))),
            this.tabs, this.notices, this.live_notice, this.chips,
            make('main', {}, this.panels, this.transport.element, this.toolbar.element, this.plots.element, this.report),
            make('footer', {}, `Rattleback ${plain(this.page.version)}`),
            this.help);
        this.viewports = Viewports.make(this.panels, () => this.redraw());  // nothing where WebGL is missing
    }

    load_runs(scene)
    {
        if (!this.loaded.has(scene))
        {
            this.loaded.set(scene, scene.runs.map((about, index) =>
            {
                const run = new Run(about, read_block(about.shapes), index);
                for (const pack of about.packs) run.append(pack, read_block(pack));
                return run;
            }));
        }
        return this.loaded.get(scene);
    }

    show_scene(index)
    {
        this.scene = this.page.scenes[index];
        this.all_runs = this.load_runs(this.scene);
        [...this.tabs.children].forEach((tab, i) => (i === index ? tab.setAttribute('aria-current', 'true') : tab.removeAttribute('aria-current')));
        this.summary.textContent = plain(this.scene.summary ?? '');
        this.show_notices();
        this.report.replaceChildren(...(this.scene.table ? [make_report(this.scene)] : []));
        const shapes = this.all_runs.slice(0, kMostViewports).reduce((sum, run) => sum + run.shapes.shape_type.length, 0);
        this.settings.shadows = shapes <= kMostShadows;
        this.toolbar.show_settings();
        this.show_runs(this.all_runs.slice(0, kMostViewports));
        this.clock.seek(this.clock.begin);
    }

    show_notices()
    {
        const texts = [...(this.scene.notices ?? []),
                       ...this.scene.runs.flatMap(run => run.notices.map(text => `${run.label}: ${text}`))];
        const refusing = (this.scene.refusals ?? []).map(({solver}) => solver);
        if (refusing.length) texts.push(`Not shown, for they cannot run this scene: ${refusing.join(', ')}. The table below says why.`);
        this.notices.replaceChildren(...texts.map(text => make('p', {class: 'notice'}, make('bdi', {}, plain_line(text)))));
    }

    show_runs(runs)
    {
        this.runs = runs;
        this.chips.replaceChildren(...(this.all_runs.length < 2 ? [] : this.all_runs.map((run, i) => this.make_chip(run, i))));
        const elements = runs.map(run => this.make_panel(run));
        for (const old of [...this.panels.querySelectorAll('.panel, .text-view')]) old.remove();
        this.panels.dataset.count = runs.length;
        if (this.viewports)
        {
            this.panels.append(...elements);
            this.viewports.set_runs(runs, elements, this.theme.scene);
        }
        else
        {
            this.text_view = new TextView(runs);
            this.panels.append(this.text_view.element);
        }
        this.toolbar.set_runs(runs);
        this.transport.set_runs(runs);
        this.plots.set_runs(runs.map(run => ({run, colour: this.theme.colour(run.index)})));
        this.set_range();
        this.redraw();
    }

    set_range()
    {
        const filled = this.runs.filter(run => run.frame_count > 0);
        const begin = filled.length ? Math.min(...filled.map(run => run.begin)) : 0;
        this.clock.set_range(begin, filled.length ? Math.max(...filled.map(run => run.end)) : 0);
    }

    make_chip(run, index)
    {
        const shown = this.runs.includes(run);
        const chip = make('button', {type: 'button', class: 'chip', 'aria-pressed': String(shown), title: `Show or hide (${index + 1})`,
                                     onclick: () => this.toggle_run(index)},
                          swatch(this.theme.colour(run.index), run.index), name_element(run.label));
        chip.disabled = !shown && this.runs.length >= kMostViewports;
        return chip;
    }

    toggle_run(index)
    {
        const run = this.all_runs[index];
        if (!run || this.all_runs.length < 2) return;
        const shown = this.all_runs.filter(item => (item === run ? !this.runs.includes(run) : this.runs.includes(item)));
        if (shown.length >= 1 && shown.length <= kMostViewports) this.show_runs(shown);
    }

    make_panel(run)
    {
        const {solver, model} = run.about;
        const about = run.about.detail ? plain(run.about.detail) : [plain(solver), plain(model)].filter(word => word && word !== plain(run.label)).join(' · ');
        return make('div', {class: 'panel', tabindex: 0, role: 'application',
                            'aria-label': `3D view of ${plain(run.label)}: arrow keys turn, Shift and arrow keys shift, plus and minus zoom`},
            make('p', {class: 'panel-label'}, swatch(this.theme.colour(run.index), run.index), name_element(run.label),
                make('span', {class: 'quiet'}, about)));
    }

    on_theme()
    {
        this.viewports?.set_theme(this.theme.scene);
        const elements = [...this.panels.querySelectorAll('.panel')];
        this.runs.forEach((run, i) =>
            elements[i]?.querySelector('.swatch path').setAttribute('stroke', this.theme.colour(run.index)));
        this.chips.replaceChildren(...(this.all_runs.length < 2 ? [] : this.all_runs.map((run, i) => this.make_chip(run, i))));
        this.plots.set_runs(this.runs.map(run => ({run, colour: this.theme.colour(run.index)})));
        this.transport.draw_ticks();
    }

    on_time()
    {
        this.redraw();
        if (!this.clock.playing) write_link(this.clock.time, this.page.scenes.length > 1 ? this.scene.name : null);
    }

    follow_link(hash)
    {
        const {time, scene} = read_link(hash);
        const index = this.page.scenes.findIndex(item => item.name === scene);
        if (index >= 0 && this.page.scenes[index] !== this.scene) this.show_scene(index);
        if (time === null) return;
        this.clock.play(false);
        this.clock.seek(time);
    }

    follow(run, body)
    {
        this.viewports?.follow(run, body);
        this.toolbar.show_followed(run, body);
    }

    on_pick(event)
    {
        const picked = this.viewports?.pick(event.clientX, event.clientY);
        if (picked && picked.body > 0) this.follow(picked.run, picked.body);
        else this.follow(null, 0);
    }

    set_ghost(index)
    {
        const run = this.runs[index];
        this.viewports?.set_ghost(run ? index : -1, run ? this.theme.colour(run.index) : null);
    }

    save_picture()
    {
        this.draw();
        this.viewports?.picture(blob => save_file('rattleback.png', blob));
    }

    start_live()
    {
        this.clock.follow_end = true;
        const say = text =>
        {
            this.live_notice.hidden = !text;
            this.live_notice.textContent = text;
        };
        const added = run =>
        {
            if (run.frame_count === run.packs.at(-1).pack.frames) return this.show_runs(this.runs);  // its first frames
            this.set_range();
            this.viewports?.renew();
            this.transport.refresh();
            this.plots.rebuild();
        };
        new Live(this.all_runs, added, say).start();
    }

    // Asks for a picture with the next refresh of the screen.
    redraw()
    {
        if (this.dirty) return;
        this.dirty = true;
        requestAnimationFrame(now => this.frame(now));
    }

    frame(now)
    {
        this.dirty = false;
        const begin = performance.now();
        const moving = this.clock.tick(now);
        this.draw();
        const spent = performance.now() - begin;
        this.frames.script_ms = this.frames.count === 0 ? spent : 0.9 * this.frames.script_ms + 0.1 * spent;
        ++this.frames.count;
        if (moving) this.redraw();
    }

    draw()
    {
        this.viewports?.draw(this.clock.time, this.settings);
        this.text_view?.draw(this.clock.time);
    }
}

// Texts of ours may be longer than a name, but not without end.
function plain_line(text) { return text.length > 600 ? `${text.slice(0, 600)}…` : text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '\ufffd'); }
