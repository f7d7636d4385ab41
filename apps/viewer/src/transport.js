// Transport: play, pause, step, loop, speed, and the scrubber with ticks where something happened.
import {button, icon, make, press} from './dom.js';
import {seconds_text} from './format.js';

const kSpeeds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
// Each kind has its own colour, shape and row.
const kEvents = {
    impact: {colour: '--tick-impact', mark: '▲', one: 'impact', many: 'impacts'},
    warning: {colour: '--tick-warning', mark: '◆', one: 'warning', many: 'warnings'},
    divergence: {colour: '--tick-divergence', mark: '✕', one: 'divergence', many: 'divergences'},
};

export class Transport
{
    constructor(clock)
    {
        this.clock = clock;
        this.runs = [];
        this.events = [];
        this.play = button({id: 'play', icon: 'play', label: 'Play', key: 'Space', onclick: () => clock.play()});
        this.loop = button({id: 'loop', icon: 'loop', label: 'Loop', key: 'l', pressed: true, onclick: () => this.set_loop()});
        this.speed = make('select', {id: 'speed', 'aria-label': 'Speed', title: 'Speed (, and .)',
                                     onchange: () => { clock.speed = Number(this.speed.value); }});
        for (const speed of kSpeeds) this.speed.append(make('option', {value: speed}, `${speed}×`));
        this.speed.value = 1;
        this.range = make('input', {type: 'range', id: 'scrubber', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time',
                                    oninput: () => clock.seek(Number(this.range.value))});
        this.range.addEventListener('keydown', event => this.on_range_key(event));
        this.ticks = make('canvas', {class: 'ticks', 'aria-hidden': 'true'});
        this.readout = make('output', {id: 'readout', class: 'readout'});
        this.legend = make('p', {class: 'events', id: 'events'});
        const step = (icon_name, label, key, action) => button({icon: icon_name, label, key, onclick: action});
        this.element = make('section', {class: 'transport', 'aria-label': 'Time'},
            make('div', {class: 'track'}, this.ticks, this.range),
            make('div', {class: 'buttons'},
                make('div', {class: 'group'},
                    step('start', 'To the start', 'Home', () => clock.seek(clock.begin)),
                    step('back', 'One frame back', 'ArrowLeft', () => this.step(-1)), this.play,
                    step('forward', 'One frame on', 'ArrowRight', () => this.step(1)),
                    step('end', 'To the end', 'End', () => clock.seek(clock.end)), this.loop),
                this.speed, this.readout, this.legend));
        new ResizeObserver(() => this.draw_ticks()).observe(this.ticks);
        clock.on_change(() => this.update());
    }

    set_runs(runs)
    {
        this.runs = runs;
        this.refresh();
    }

    // After frames were added.
    refresh()
    {
        this.events = this.runs.flatMap(run => run.events).sort((a, b) => a.time - b.time);
        const counts = Object.keys(kEvents).map(kind => [kind, this.events.filter(item => item.kind === kind).length]);
        this.legend.replaceChildren(...counts.filter(([, count]) => count > 0).map(([kind, count]) =>
            make('span', {class: kind}, `${kEvents[kind].mark} ${count} ${kEvents[kind][count === 1 ? 'one' : 'many']}`)));
        this.draw_ticks();
        this.update();
    }

    set_loop(on = !this.clock.loop)
    {
        this.clock.loop = on;
        press(this.loop, on);
    }

    change_speed(step)
    {
        const at = Math.min(Math.max(kSpeeds.indexOf(this.clock.speed) + step, 0), kSpeeds.length - 1);
        this.clock.speed = kSpeeds[at];
        this.speed.value = kSpeeds[at];
    }

    // The run with the most frames sets the pace of stepping.
    get pace() { return this.runs.reduce((best, run) => (!best || run.frame_count > best.frame_count ? run : best), null); }

    step(count)
    {
        const run = this.pace;
        this.clock.play(false);
        if (!run || run.frame_count === 0) return;
        const at = run.find_frame(this.clock.time);
        const between = this.clock.time > run.time[at] + 1e-9 * Math.max(1, this.clock.time);
        const next = count < 0 && between ? at + count + 1 : at + count;
        this.clock.seek(run.time[Math.min(Math.max(next, 0), run.frame_count - 1)]);
    }

    // To the next event after (1) or before (-1) now.
    jump(direction)
    {
        const slack = 1e-9 * Math.max(1, this.clock.time);
        const found = direction > 0 ? this.events.find(item => item.time > this.clock.time + slack) :
                                      this.events.findLast(item => item.time < this.clock.time - slack);
        this.clock.play(false);
        if (found) this.clock.seek(found.time);
    }

    on_range_key(event)
    {
        const steps = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10}[event.key];
        if (steps === undefined || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        this.step(event.shiftKey ? 10 * steps : steps);
    }

    update()
    {
        const {clock} = this;
        this.range.min = clock.begin;
        this.range.max = clock.end > clock.begin ? clock.end : clock.begin + 1;
        this.range.value = clock.time;
        const run = this.pace;
        const frame = run && run.frame_count > 0 ? `frame ${run.find_frame(clock.time) + 1} of ${run.frame_count}` : 'no frames yet';
        const text = `${seconds_text(clock.time, clock.end)} of ${seconds_text(clock.end, clock.end)}`;
        this.readout.replaceChildren(make('b', {}, text), make('span', {}, frame));
        this.range.setAttribute('aria-valuetext', `${text}, ${frame}`);
        const name = clock.playing ? 'pause' : 'play';
        if (this.play.dataset.icon === name) return;
        this.play.dataset.icon = name;
        this.play.replaceChildren(icon(name));
        this.play.setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
    }

    draw_ticks()
    {
        const {ticks, clock} = this;
        const scale = window.devicePixelRatio || 1, width = ticks.clientWidth, height = ticks.clientHeight;
        ticks.width = Math.round(width * scale);
        ticks.height = Math.round(height * scale);
        const context = ticks.getContext('2d');
        context.scale(scale, scale);
        const style = getComputedStyle(ticks);
        const thumb = 8;  // half the width of the slider's thumb: its travel ends that far from the edges
        const taken = new Set();
        for (const event of this.events)
        {
            const part = clock.end > clock.begin ? (event.time - clock.begin) / (clock.end - clock.begin) : 0;
            const x = thumb + part * (width - 2 * thumb);
            const key = `${event.kind}${Math.round(x)}`;
            if (taken.has(key)) continue;
            taken.add(key);
            context.fillStyle = context.strokeStyle = style.getPropertyValue(kEvents[event.kind].colour);
            draw_mark(context, event.kind, x, height);
        }
    }
}

function draw_mark(context, kind, x, height)
{
    const y = height - 5;
    context.beginPath();
    if (kind === 'divergence')
    {
        context.lineWidth = 2;
        context.moveTo(x - 3.5, y - 3.5);
        context.lineTo(x + 3.5, y + 3.5);
        context.moveTo(x + 3.5, y - 3.5);
        context.lineTo(x - 3.5, y + 3.5);
        context.stroke();
        return;
    }
    context.moveTo(x, y - 4);
    context.lineTo(x + 3.5, kind === 'impact' ? y + 3 : y);
    if (kind === 'warning') context.lineTo(x, y + 4);
    context.lineTo(x - 3.5, kind === 'impact' ? y + 3 : y);
    context.fill();
}
