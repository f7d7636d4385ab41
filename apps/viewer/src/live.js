// Live: asks the server for frames that were written since.
import {read_message} from './page_data.js';

const kWait = 700;         // [ms] between questions
const kWaitAfterError = 3000;

export class Live
{
    // `added(run)` is called after frames came; `say(text)` shows what goes wrong.
    constructor(runs, added, say)
    {
        this.runs = runs;
        this.added = added;
        this.say = say;
        this.next = runs.map(run => run.about.next_frame);
    }

    start() { this.poll(); }

    async poll()
    {
        let wait = kWait;
        try
        {
            for (let i = 0; i < this.runs.length; ++i) if (!await this.ask(i)) return;
        }
        catch
        {
            this.say('The server does not answer; what came before is shown. Asking again …');
            wait = kWaitAfterError;
        }
        setTimeout(() => this.poll(), wait);
    }

    // False when there is no point in asking again.
    async ask(i)
    {
        const answer = await fetch(`/frames?run=${i}&from=${this.next[i]}&file=${this.runs[i].about.file}`, {cache: 'no-store'});
        if (answer.status === 204)
        {
            this.say('');
            return true;
        }
        if (!answer.ok)
        {
            this.say(`${await answer.text()} Reload the page to see the file as it is now.`);
            return false;
        }
        const {pack, arrays} = read_message(await answer.arrayBuffer());
        this.next[i] = pack.next_frame;
        this.runs[i].append(pack, arrays);
        this.added(this.runs[i]);
        this.say('');
        return true;
    }
}
