// Starts the page; whatever goes wrong ends in a sentence on the page, never in a blank one.
import {App} from './app.js';
import {make} from './dom.js';
import {read_page} from './page_data.js';

function show_message(root, text) { root.replaceChildren(make('p', {class: 'message', role: 'alert'}, text)); }

function start()
{
    const root = document.getElementById('app');
    try
    {
        const app = new App(read_page(), root);
        // For tests, and for people at the console.
        window.rattleback = {
            app,
            seek: time => app.clock.seek(time),
            draw: () => app.draw(),
            shape_matrix: (run, shape) => app.viewports.scenes[run].shapes.matrix_of(shape),
            figures: () => ({draw_calls: app.viewports.renderer.info.render.calls,
                             triangles: app.viewports.renderer.info.render.triangles,
                             script_ms: app.frames.script_ms, frames: app.frames.count}),
        };
    }
    catch (error)
    {
        show_message(root, error instanceof Error ? error.message : String(error));
        console.warn(error);
    }
}

start();
