// Numbers as people read them.

export function seconds_text(time, end)
{
    const digits = end > 1000 ? 1 : end > 100 ? 2 : 3;
    return `${time.toFixed(digits)} s`;
}

// Four digits that matter; very large and very small numbers with an exponent.
export function number_text(value)
{
    if (value === null || value === undefined || Number.isNaN(value)) return '–';
    if (value === 0) return '0';
    const size = Math.abs(value);
    if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace('e+', 'e').replace('-', '−');
    return String(Number(value.toPrecision(4))).replace('-', '−');
}

// A number beside an axis whose ticks are `step` apart (0: not evenly).
export function tick_text(value, step)
{
    const size = Math.abs(value);
    if (value === 0) return '0';
    if (!step && size >= 0.01 && size < 1e5) return String(Number(value.toPrecision(3)));
    if (!step || size >= 1e5 || size < 1e-3) return String(value.toExponential(1)).replace('.0e', 'e').replace('e+', 'e').replace('-', '−');
    const decimals = /\.(\d*)|e-(\d+)/.exec(String(Number(step.toPrecision(2))));
    const digits = decimals ? decimals[1]?.length ?? Number(decimals[2]) : 0;
    return value.toFixed(Math.min(digits, 8)).replace('-', '−');
}
