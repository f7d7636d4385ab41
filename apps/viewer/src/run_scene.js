// RunScene: what one viewport shows, a run with its floor, light, markers and perhaps the ghost of another run.
import * as THREE from 'three';
import {grid_unit, make_floor} from './floor.js';
import {Looks} from './looks.js';
import {Markers} from './markers.js';
import {multiply_poses, write_matrix} from './pose.js';
import {ShapeSet} from './shape_set.js';
import {kShape} from './shape_type.js';

export class RunScene
{
    // `changed` asks for a picture when a texture has come.
    constructor(run, bounds, theme, changed)
    {
        this.run = run;
        this.bounds = bounds;
        this.poses = new Float64Array(7 * run.body_count);
        this.ghost_poses = null;
        this.scene = new THREE.Scene();
        this.looks = Looks.make(run, changed);
        this.shapes = new ShapeSet(run, {looks: this.looks});
        this.markers = new Markers(run, bounds.radius);
        this.scene.add(this.shapes.group, this.markers.group);
        this.floors = this.make_floors(theme);
        this.own_sky = this.looks?.make_sky() ?? null;
        if (this.own_sky) this.scene.add(this.own_sky);
        this.add_lights();
        this.set_theme(theme);
    }

    make_floors(theme)
    {
        const floors = [];
        const {shape_type, shape_colour, shape_body} = this.run.shapes;
        shape_type.forEach((type, shape) =>
        {
            if (type !== kShape.plane || shape_colour[4 * shape + 3] <= 0) return;
            const [r, g, b] = shape_colour.subarray(4 * shape, 4 * shape + 3);
            const colour = new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
            const mesh = make_floor(colour, this.bounds.radius, theme, false, this.find_dress(shape));
            this.scene.add(mesh);
            floors.push({mesh, shape, body: shape_body[shape]});
        });
        if (floors.length === 0 && !this.run.about.weightless) this.add_grid(theme);
        return floors;
    }

    // What a plane's visual material says: a texture over two metres or, where the plane ends, over its size.
    find_dress(shape)
    {
        const look = this.looks?.of_shape(shape);
        if (!look) return null;
        const map = this.looks.is_cube(look.texture) ? null : this.looks.find_texture(look.texture);
        const halves = [look.half_x, look.half_y], ends = halves[0] > 0 && halves[1] > 0;
        const scale = look.repeat.map((repeat, k) => 0.5 * repeat / (ends && !look.uniform ? halves[k] : 1));
        const shift = look.repeat.map((repeat, k) => (!ends ? -0.5 : 0.5 * repeat * (look.uniform ? halves[k] : 1)));
        return {map, scale, shift};
    }

    // Without a floor of its own the run gets lines to tell distances by, below everything.
    add_grid(theme)
    {
        const {center, radius, low} = this.bounds;
        const unit = 10 * grid_unit(radius);
        this.grid = make_floor(new THREE.Color(theme.sky), radius, theme, true);
        this.grid.matrix.setPosition(unit * Math.round(center[0] / unit), unit * Math.round(center[1] / unit), low[2]);
        this.scene.add(this.grid);
    }

    add_lights()
    {
        const {center, radius} = this.bounds;
        this.own_lights = this.looks?.add_lights(this.scene) ?? false;
        this.sun = this.own_lights ? this.looks.casting : null;
        if (!this.own_lights)
        {
            this.sky = new THREE.HemisphereLight(0xffffff, 0xa59d92, 2.3);
            this.sun = new THREE.DirectionalLight(0xfff6e8, 2.6);
            this.sun.position.set(center[0] + 1.6 * radius, center[1] - 2.2 * radius, center[2] + 3.4 * radius);
            this.sun.target.position.set(...center);
            this.scene.add(this.sky, this.sun, this.sun.target);
        }
        if (!this.sun) return;
        const camera = this.sun.shadow.camera;
        camera.left = camera.bottom = -1.6 * radius;
        camera.right = camera.top = 1.6 * radius;
        camera.near = 0.1 * radius;
        camera.far = 9 * radius;
        this.sun.shadow.bias = -0.0004;
        this.sun.shadow.normalBias = 0.004 * radius;
    }

    // Before anything is drawn.
    set_shadow_size(size) { this.sun?.shadow.mapSize.set(size, size); }

    // Lights that hang on bodies or on the camera go where these are.
    move_lights(camera) { if (this.own_lights) this.looks.move_lights(this.poses, camera, this.bounds); }

    set_theme(theme)
    {
        this.scene.background = new THREE.Color(theme.sky);
        this.scene.fog = new THREE.Fog(theme.sky, 7 * this.bounds.radius, 26 * this.bounds.radius);
        for (const {mesh} of this.floors) mesh.userData.set_theme(theme);
        this.grid?.userData.set_theme(theme);
    }

    // Lays another run over this one; nothing takes the ghost away.
    set_ghost(run, colour)
    {
        if (this.ghost)
        {
            this.scene.remove(this.ghost.group);
            this.ghost.dispose();
        }
        this.ghost = run ? new ShapeSet(run, {ghost: colour}) : null;
        this.ghost_poses = run ? new Float64Array(7 * run.body_count) : null;
        if (this.ghost) this.scene.add(this.ghost.group);
    }

    update(time, settings)
    {
        this.run.read_time(time, this.poses, settings.blend);
        this.shapes.update(this.poses);
        this.shapes.show_outlines(settings.collision);
        if (this.sun) this.sun.castShadow = settings.shadows;
        for (const {mesh, shape, body} of this.floors)
        {
            const pose = new Float64Array(7);
            multiply_poses(pose, 0, this.poses, 7 * body, this.run.shapes.shape_pose, 7 * shape);
            write_matrix(mesh.matrix.elements, 0, pose, 0, 1, 1, 1);
        }
        this.markers.update(this.run.find_frame(time), this.poses, settings);
        if (!this.ghost) return;
        this.ghost.run.read_time(time, this.ghost_poses, settings.blend);
        this.ghost.update(this.ghost_poses);
    }

    dispose()
    {
        this.set_ghost(null);
        this.shapes.dispose();
        this.markers.dispose();
        this.sun?.shadow.map?.dispose();
        this.looks?.dispose();
        for (const {mesh} of [...this.floors, ...(this.grid ? [{mesh: this.grid}] : [])])
        {
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
    }
}
