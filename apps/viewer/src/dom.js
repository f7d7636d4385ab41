// Elements made by hand. Words of a recording only ever enter as text, never as markup.

const kLongest = 120;  // characters of a name that are shown

// make('p', {class: 'note', onclick: f}, 'text', child, ...)
export function make(tag, attributes = {}, ...children)
{
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
    {
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else if (value === true) element.setAttribute(name, '');
        else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, value);
    }
    element.append(...children.filter(child => child !== null && child !== undefined));
    return element;
}

// A name of the user's: no control characters, not longer than a line, read in its own direction.
export function plain(name)
{
    const text = String(name).replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
    return text.length > kLongest ? `${text.slice(0, kLongest)}…` : text;
}
export function name_element(name) { return make('bdi', {class: 'name', title: plain(name)}, plain(name)); }

const kIcons = {
    play: 'M7 4l13 8-13 8z',
    pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
    start: 'M5 4h3v16H5zM20 4v16L9 12z',
    end: 'M16 4h3v16h-3zM4 4l11 8-11 8z',
    back: 'M17 4v16L5 12zM18 4h2v16h-2z',
    forward: 'M7 4l12 8-12 8zM4 4h2v16H4z',
    loop: 'M17 2l5 4-5 4V7H7a3 3 0 00-3 3v2H2v-2a5 5 0 015-5h10zM7 22l-5-4 5-4v3h10a3 3 0 003-3v-2h2v2a5 5 0 01-5 5H7z',
    fit: 'M3 3h7v2H5v5H3zM14 3h7v7h-2V5h-5zM3 14h2v5h5v2H3zM19 14h2v7h-7v-2h5z',
    picture: 'M3 5h5l2-2h4l2 2h5v15H3zM12 8a5 5 0 100 10 5 5 0 000-10zm0 2a3 3 0 110 6 3 3 0 010-6z',
    theme: 'M12 2a10 10 0 100 20 10 10 0 000-20zm0 3v14a7 7 0 010-14z',
    close: 'M5 3l7 7 7-7 2 2-7 7 7 7-2 2-7-7-7 7-2-2 7-7-7-7z',
    help: 'M11 17h2v2h-2zM12 4a5 5 0 00-5 5h2a3 3 0 116 0c0 2-4 2.500-4 6h2c0-2.500 4-3 4-6a5 5 0 00-5-5z',
};
export function icon(name)
{
    const space = 'http://www.w3.org/2000/svg';
    const svg = document.createElementNS(space, 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(space, 'path');
    path.setAttribute('d', kIcons[name]);
    path.setAttribute('fill-rule', 'evenodd');
    svg.append(path);
    return svg;
}

// A button with an icon, words, or both. Words that only assistive technology reads go into `label`.
export function button({id, icon: picture, text, label, key, pressed, onclick})
{
    const hint = [label ?? text, key ? `(${key})` : ''].join(' ').trim();
    const element = make('button', {type: 'button', id, title: hint, 'aria-label': label, 'aria-keyshortcuts': key,
                                    'aria-pressed': pressed === undefined ? undefined : String(pressed), onclick});
    if (picture) element.append(icon(picture));
    if (text) element.append(make('span', {}, text));
    return element;
}
export function press(element, on) { element.setAttribute('aria-pressed', String(on)); }

// Hands a file to the user.
export function save_file(name, blob)
{
    const link = make('a', {href: URL.createObjectURL(blob), download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
