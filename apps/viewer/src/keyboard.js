// Keyboard: everything without a mouse.
import {make} from './dom.js';

const kTurn = 0.12;   // [rad] per key
const kShift = 0.06;  // of the distance to the target
const kZoom = 1.15;

// Keys that work anywhere but in fields that use them.
function page_keys(app)
{
    return {
        ' ': () => app.clock.play(),
        ArrowLeft: event => app.transport.step(event.shiftKey ? -10 : -1),
        ArrowRight: event => app.transport.step(event.shiftKey ? 10 : 1),
        Home: () => app.clock.seek(app.clock.begin),
        End: () => app.clock.seek(app.clock.end),
        ',': () => app.transport.change_speed(-1),
        '.': () => app.transport.change_speed(1),
        n: () => app.transport.jump(1),
        p: () => app.transport.jump(-1),
        l: () => app.transport.set_loop(),
        c: () => app.toolbar.toggle('contacts'),
        m: () => app.toolbar.toggle('center_of_mass'),
        o: () => app.toolbar.toggle('collision'),
        h: () => app.toolbar.toggle('shadows'),
        b: () => app.toolbar.toggle('blend'),
        f: () => app.toolbar.follow_next(),
        g: () => app.toolbar.next_ghost(),
        x: () => app.plots.set_log(),
        r: () => app.act.fit(),
        d: () => app.theme.next(),
        '?': () => app.help.showModal(),
    };
}

// Keys of a viewport that has the focus. The view moves as the arrow points.
const kViewKeys = {
    ArrowLeft: {left: kTurn}, ArrowRight: {left: -kTurn}, ArrowUp: {up: kTurn}, ArrowDown: {up: -kTurn},
    'Shift+ArrowLeft': {right_shift: -kShift}, 'Shift+ArrowRight': {right_shift: kShift},
    'Shift+ArrowUp': {up_shift: kShift}, 'Shift+ArrowDown': {up_shift: -kShift},
    '+': {zoom: 1 / kZoom}, '=': {zoom: 1 / kZoom}, '-': {zoom: kZoom},
};

export function listen_to_keys(app)
{
    const keys = page_keys(app);
    document.addEventListener('keydown', event =>
    {
        if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || app.help.open) return;
        const target = event.target;
        if (target.closest?.('.panel'))
        {
            const move = kViewKeys[event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key];
            if (move)
            {
                app.viewports?.move_camera(move);
                return event.preventDefault();
            }
        }
        if (target.closest?.('select, input:not([type=range])')) return;
        if (event.key === ' ' && target.closest?.('button, summary, a')) return;
        const number = Number(event.key);
        const action = keys[event.key] ?? (number >= 1 && number <= 9 ? () => app.toggle_run(number - 1) : null);
        if (!action) return;
        action(event);
        event.preventDefault();
    });
}

const kHelp = [
    ['Space', 'play or pause'], ['← →', 'one frame back or on; with Shift ten'], ['Home End', 'to the start, to the end'],
    [', .', 'slower, faster'], ['n p', 'next and previous event'], ['l', 'loop'], ['1 … 9', 'show or hide a run'],
    ['c m o h b', 'contacts, centre of mass, collision shapes, shadows, blending between frames'],
    ['f', 'follow the next body'], ['g', 'next ghost'], ['r', 'see everything'], ['x', 'logarithmic plots'],
    ['d', 'dark, light or as the system'], ['?', 'this help'],
    ['in a viewport', 'arrows turn, Shift and arrows shift, + and − zoom'],
    ['with a mouse', 'drag turns, right button shifts, wheel zooms, double click follows a body; on plots click jumps, drag zooms, double click shows all'],
];

export function make_help()
{
    const dialog = make('dialog', {class: 'help', 'aria-label': 'Keys'},
        make('div', {class: 'head'}, make('h2', {}, 'Keys and mouse'),
            make('button', {type: 'button', onclick: () => dialog.close()}, 'Close')),
        make('dl', {}, ...kHelp.flatMap(([keys, what]) => [make('dt', {}, make('kbd', {}, keys)), make('dd', {}, what)])));
    dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
    return dialog;
}
