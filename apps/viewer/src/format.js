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
