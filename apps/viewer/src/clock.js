// Clock: the moment that all viewports, plots and texts show.

export class Clock
{
    constructor()
    {
        this.begin = 0;
        this.end = 0;
        this.time = 0;
        this.speed = 1;
        this.playing = false;
        this.loop = true;
        this.follow_end = false;  // stay at the newest frame of a run that goes on
        this.listeners = [];
        this.last = undefined;
    }

    on_change(listener) { this.listeners.push(listener); }
    tell() { for (const listener of this.listeners) listener(); }

    set_range(begin, end)
    {
        const at_end = this.follow_end;
        this.begin = begin;
        this.end = Math.max(begin, end);
        this.time = at_end ? this.end : Math.min(Math.max(this.time, begin), this.end);
        this.tell();
    }

    seek(time)
    {
        this.time = Math.min(Math.max(Number.isFinite(time) ? time : this.begin, this.begin), this.end);
        this.follow_end = false;
        this.tell();
    }

    play(on = !this.playing)
    {
        if (on && this.time >= this.end && !this.follow_end) this.time = this.begin;
        this.playing = on && this.end > this.begin;
        this.last = undefined;
        this.tell();
    }

    // `now` [ms] of the screen. True while the picture changes by itself.
    tick(now)
    {
        if (!this.playing) return false;
        const passed = this.last === undefined ? 0 : Math.min(0.1, (now - this.last) / 1000);
        this.last = now;
        let time = this.time + this.speed * passed;
        if (time >= this.end)
        {
            if (!this.loop)
            {
                this.playing = false;
                time = this.end;
            }
            else
            {
                time = this.time >= this.end ? this.begin : this.end;  // the last frame is seen before the first
            }
        }
        this.time = time;
        this.tell();
        return true;
    }
}
