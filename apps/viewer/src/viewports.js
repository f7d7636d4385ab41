// Viewports: up to four runs side by side on one canvas, seen by one camera.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {find_bounds} from './bounds.js';
import {find_camera_pose} from './model_camera.js';
import {RunScene} from './run_scene.js';

const kDirection = new THREE.Vector3(0.75, -1, 0.5).normalize();
const kFieldOfView = 38;  // [degrees], up and down
const kFineShadows = 900;  // pixels of a viewport's width from which shadows are finer
const kMargin = 0.9;     // of the picture that everything fills

export class Viewports
{
    // `panels` is the element that the panels lie in; `redraw` asks for a picture soon. Null where WebGL is missing.
    static make(panels, redraw)
    {
        const canvas = document.createElement('canvas');
        canvas.className = 'canvas';
        canvas.setAttribute('aria-hidden', 'true');
        const context = canvas.getContext('webgl2', {antialias: true, preserveDrawingBuffer: true});
        return context ? new Viewports(panels, redraw, canvas, context) : null;
    }

    constructor(panels, redraw, canvas, context)
    {
        this.panels = panels;
        this.redraw = redraw;
        this.canvas = canvas;
        this.renderer = new THREE.WebGLRenderer({canvas, context});
        this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.renderer.shadowMap.autoUpdate = false;
        this.renderer.info.autoReset = false;
        this.canvas.addEventListener('webglcontextrestored', () => this.renew());
        panels.prepend(this.canvas);
        this.camera = new THREE.PerspectiveCamera(kFieldOfView, 1, 0.01, 1000);
        this.camera.up.set(0, 0, 1);
        this.controls = new OrbitControls(this.camera, panels);
        this.controls.enableDamping = false;
        this.controls.zoomToCursor = true;
        this.controls.addEventListener('change', redraw);
        this.scenes = [];
        this.shown = '';  // what the scenes were last moved to
        this.version = 0;
        this.followed = null;  // {run, body, at}
        this.model_camera = -1;  // of the first run's model; -1: the mouse moves the camera
        new ResizeObserver(redraw).observe(panels);
    }

    // Shows these runs; each has a panel, an element that lies over its part of the canvas.
    set_runs(runs, elements, theme)
    {
        for (const scene of this.scenes) scene.dispose();
        this.bounds = find_bounds(runs);
        this.scenes = runs.map(run => new RunScene(run, this.bounds, theme, () => this.renew()));
        this.renderer.setClearColor(theme.line);
        this.elements = elements;
        const fine = elements[0]?.clientWidth * this.renderer.getPixelRatio() > kFineShadows;
        for (const scene of this.scenes) scene.set_shadow_size(fine ? 2048 : 1024);
        this.look_through(-1);
        this.follow(null);
        this.fit();
        this.renew();
    }

    // Everything is moved and drawn anew, shadows too.
    renew()
    {
        ++this.version;
        this.redraw();
    }

    set_theme(theme)
    {
        for (const scene of this.scenes) scene.set_theme(theme);
        this.renderer.setClearColor(theme.line);
        this.renew();
    }

    // Lays run number `index` over all others; -1: over none.
    set_ghost(index, colour)
    {
        const run = this.scenes[index]?.run;
        for (const scene of this.scenes) scene.set_ghost(run && scene.run !== run ? run : null, colour);
        this.renew();
    }

    // Looks at everything.
    fit()
    {
        const {center, radius} = this.bounds;
        const aspects = this.elements.map(element => element.clientWidth / Math.max(1, element.clientHeight));
        const aspect = Math.max(0.1, Math.min(...aspects, 100));
        this.controls.target.set(...center);
        this.camera.position.copy(kDirection).multiplyScalar(this.find_distance(aspect)).add(this.controls.target);
        this.camera.near = radius / 200;
        this.camera.far = 80 * radius;
        this.controls.minDistance = radius / 60;
        this.controls.maxDistance = 25 * radius;
        this.controls.update();
        this.redraw();
    }

    // How far from the middle the camera must be to see all corners of the bounds.
    find_distance(aspect)
    {
        const {center, low, high, radius} = this.bounds;
        const up_slope = Math.tan(THREE.MathUtils.degToRad(kFieldOfView / 2)) * kMargin;
        const right = new THREE.Vector3(0, 0, 1).cross(kDirection).normalize();
        const up = kDirection.clone().cross(right);
        let most = 0.1 * radius;
        for (let corner = 0; corner < 8; ++corner)
        {
            const place = new THREE.Vector3(...[0, 1, 2].map(k => (corner >> k & 1 ? high : low)[k] - center[k]));
            const sideways = Math.max(Math.abs(place.dot(up)) / up_slope, Math.abs(place.dot(right)) / (up_slope * aspect));
            most = Math.max(most, place.dot(kDirection) + sideways);
        }
        return most;
    }

    // The camera goes along with a body of a run; null: it stays.
    follow(run, body)
    {
        this.followed = run ? {run, body, at: null} : null;
        this.redraw();
    }

    // Looks through a camera of the first run's model; -1: freely.
    look_through(index)
    {
        const freed = this.model_camera >= 0 && index < 0;
        this.model_camera = index;
        this.controls.enabled = index < 0;
        this.camera.fov = kFieldOfView;
        this.camera.up.set(0, 0, 1);
        if (freed) this.fit();
        this.redraw();
    }

    // Puts the camera where the model's is. An orthographic one is looked through from far away.
    move_to_model_camera()
    {
        const scene = this.scenes[0], camera = scene?.run.about.looks?.cameras[this.model_camera];
        if (!camera) return;
        const {position, rotation} = find_camera_pose(scene.run, camera, scene.poses);
        const {radius} = this.bounds, away = camera.orthographic ? 200 * camera.field_of_view : 0;
        this.camera.quaternion.copy(rotation);
        this.camera.position.set(0, 0, away).applyQuaternion(rotation).add(position);
        this.camera.fov = camera.orthographic ? 2 * Math.atan(1 / 400) * 180 / Math.PI : camera.field_of_view;
        this.camera.near = Math.max(0.005 * radius, 0.5 * away);
        this.camera.far = 80 * radius + 2 * away;
        this.camera.updateMatrixWorld();
    }

    move_along()
    {
        const scene = this.followed && this.scenes.find(item => item.run === this.followed.run);
        if (!scene) return;
        const o = 7 * this.followed.body;
        const now = new THREE.Vector3(scene.poses[o], scene.poses[o + 1], scene.poses[o + 2]);
        const step = this.followed.at ? now.clone().sub(this.followed.at) : now.clone().sub(this.controls.target);
        this.camera.position.add(step);
        this.controls.target.add(step);
        this.followed.at = now;
    }

    // Angles [rad] to the left and upwards, shifts as a part of the distance, and a factor of the distance.
    move_camera({left = 0, up = 0, right_shift = 0, up_shift = 0, zoom = 1})
    {
        const offset = this.camera.position.clone().sub(this.controls.target);
        offset.applyAxisAngle(this.camera.up, left);
        const angle = offset.angleTo(this.camera.up);
        const side = offset.clone().cross(this.camera.up).normalize();
        const turned = Math.min(Math.max(angle - up, 0.02), Math.PI - 0.02);
        offset.applyAxisAngle(side, angle - turned);
        offset.multiplyScalar(zoom);
        const shift = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0).multiplyScalar(right_shift)
            .addScaledVector(new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 1), up_shift)
            .multiplyScalar(offset.length());
        this.controls.target.add(shift);
        this.camera.position.copy(this.controls.target).add(offset);
        this.controls.update();
        this.redraw();
    }

    // Draws all viewports at one moment.
    draw(time, settings)
    {
        const {renderer, camera} = this;
        const area = this.panels.getBoundingClientRect();
        const size = renderer.getSize(new THREE.Vector2());
        if (size.x !== Math.round(area.width) || size.y !== Math.round(area.height))
        {
            renderer.setSize(Math.round(area.width), Math.round(area.height), false);
        }
        renderer.info.reset();
        renderer.setScissorTest(false);
        renderer.clear();  // between the viewports
        renderer.setScissorTest(true);
        // When only the camera moved, bodies and shadows stay as they are.
        const shown = `${time} ${this.version} ${JSON.stringify(settings)}`;
        const moved = shown !== this.shown;
        this.shown = shown;
        if (moved) for (const scene of this.scenes) scene.update(time, settings);
        this.move_along();
        this.move_to_model_camera();
        this.scenes.forEach((scene, i) =>
        {
            scene.move_lights(camera);
            const box = this.elements[i].getBoundingClientRect();
            if (box.width < 1 || box.height < 1) return;
            // Whole pixels: three rounds viewports down after it drew shadows, and to the nearest otherwise.
            const left = Math.round(box.left - area.left), width = Math.round(box.right - area.left) - left;
            const bottom = Math.round(area.bottom - box.bottom), height = Math.round(area.bottom - box.top) - bottom;
            camera.aspect = width / height;
            camera.updateProjectionMatrix();
            renderer.setViewport(left, bottom, width, height);
            renderer.setScissor(left, bottom, width, height);
            renderer.shadowMap.needsUpdate = moved;
            renderer.render(scene.scene, camera);
        });
    }

    // The body under a place of the screen: {run, body}, or nothing.
    pick(x, y)
    {
        for (let i = 0; i < this.scenes.length; ++i)
        {
            const box = this.elements[i].getBoundingClientRect();
            if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
            const place = new THREE.Vector2(2 * (x - box.left) / box.width - 1, 1 - 2 * (y - box.top) / box.height);
            this.camera.aspect = box.width / box.height;
            this.camera.updateProjectionMatrix();
            const ray = new THREE.Raycaster();
            ray.setFromCamera(place, this.camera);
            const hit = ray.intersectObject(this.scenes[i].shapes.group, true).find(item => item.object.userData.bucket);
            if (hit) return {run: this.scenes[i].run, body: hit.object.userData.bucket.bodies[hit.instanceId]};
        }
        return null;
    }

    // The canvas as it is now, as a PNG.
    picture(done) { this.canvas.toBlob(done, 'image/png'); }
}
