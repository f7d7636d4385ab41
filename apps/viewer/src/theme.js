// Theme: dark or light, as the system says or as the user chose.

const kModes = ['auto', 'light', 'dark'];
// Okabe and Ito's colours, which colour-blind people tell apart; each run has its dashes too.
export const kRunColours = {light: ['#0072b2', '#b35900', '#007a5a', '#a3497d'],
                            dark: ['#56b4e9', '#f0a83c', '#35c49b', '#e29ac2']};
export const kRunDashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const kSkies = {light: {sky: '#e9ecef', line: '#6d747c', floor_fade: 0.15}, dark: {sky: '#171b21', line: '#646d77', floor_fade: 0.78}};

export class Theme
{
    constructor(changed)
    {
        this.changed = changed;
        this.mode = 'auto';
        this.system = window.matchMedia('(prefers-color-scheme: dark)');
        this.system.addEventListener('change', () => this.apply());
        this.apply(true);
    }

    get name() { return this.mode === 'auto' ? (this.system.matches ? 'dark' : 'light') : this.mode; }
    get scene() { return kSkies[this.name]; }
    colour(run) { return kRunColours[this.name][run % 4]; }

    next() { this.set(kModes[(kModes.indexOf(this.mode) + 1) % kModes.length]); }
    set(mode)
    {
        this.mode = mode;
        this.apply();
    }
    apply(first = false)
    {
        document.documentElement.dataset.theme = this.name;
        if (!first) this.changed();
    }
}
