// Deep links: #t=1.25&scene=pile names a moment.

export function read_link(hash = location.hash)
{
    const words = new URLSearchParams(hash.slice(1));
    const time = words.has('t') ? Number(words.get('t')) : NaN;
    return {time: Number.isFinite(time) ? time : null, scene: words.get('scene')};
}

// Writes the moment into the address, without a step in the history. Browsers refuse too many of these in a row.
let waiting = 0;
export function write_link(time, scene)
{
    clearTimeout(waiting);
    waiting = setTimeout(() =>
    {
        const words = new URLSearchParams({t: String(Number(time.toFixed(6)))});
        if (scene) words.set('scene', scene);
        const hash = `#${words}`;
        if (location.hash !== hash) history.replaceState(null, '', hash);
    }, 250);
}
