// Floor: a plane drawn as a lit surface with a grid of round distances, from its front only.
import * as THREE from 'three';

// Lines a pixel wide at every unit, stronger at every tenth, fading where they would become noise.
const kLines = `
    float line_at(vec2 p, float unit)
    {
        vec2 q = p / unit;
        vec2 width = fwidth(q);
        vec2 near = abs(fract(q - 0.5) - 0.5) / max(width, vec2(1e-6));
        float calm = 1.0 - smoothstep(0.15, 0.6, max(width.x, width.y));
        return calm * (1.0 - min(min(near.x, near.y), 1.0));
    }
`;

// A round number of metres that divides `radius` well.
export function grid_unit(radius)
{
    const power = 10 ** Math.floor(Math.log10(radius));
    return power / (radius / power < 3 ? 5 : 2);
}

// `lines_only`: the surface itself is not seen. The result follows themes through userData.set_theme.
// `dress`: a visual material {map, scale, shift} of the model's instead of the grid, or nothing; scale per metre.
export function make_floor(colour, radius, theme, lines_only = false, dress = null)
{
    if (dress) return make_dressed_floor(colour, radius, dress);
    const material = new THREE.MeshLambertMaterial({transparent: lines_only, depthWrite: !lines_only});
    const unit = {value: grid_unit(radius)}, line = {value: new THREE.Color()};
    material.onBeforeCompile = shader =>
    {
        shader.uniforms.unit = unit;
        shader.uniforms.line = line;
        shader.vertexShader = `varying vec2 on_plane;\n${shader.vertexShader}`.replace(
            '#include <begin_vertex>', '#include <begin_vertex>\non_plane = position.xy;');
        shader.fragmentShader = `uniform float unit;\nuniform vec3 line;\nvarying vec2 on_plane;\n${kLines}\n${shader.fragmentShader}`
            .replace('#include <color_fragment>', `#include <color_fragment>
                float strength = max(0.35 * line_at(on_plane, unit), 0.7 * line_at(on_plane, 10.0 * unit));
                diffuseColor = ${lines_only ? 'vec4(line, strength)' : 'vec4(mix(diffuseColor.rgb, line, strength), 1.0)'};`);
    };
    material.customProgramCacheKey = () => `floor ${lines_only}`;
    const half = 60 * radius;
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2 * half, 2 * half), material);
    mesh.receiveShadow = !lines_only;
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.userData.set_theme = wanted =>
    {
        line.value.set(wanted.line);
        material.color.copy(colour).lerp(new THREE.Color(wanted.sky), wanted.floor_fade);
    };
    mesh.userData.set_theme(theme);
    return mesh;
}

// A plane with the model's own texture, or its plain colour: as its author meant it, whatever the theme.
function make_dressed_floor(colour, radius, {map, scale, shift})
{
    const half = 60 * radius, geometry = new THREE.PlaneGeometry(2 * half, 2 * half);
    const position = geometry.getAttribute('position'), uv = geometry.getAttribute('uv');
    for (let i = 0; i < position.count; ++i)
        uv.setXY(i, scale[0] * position.getX(i) + shift[0], -scale[1] * position.getY(i) + shift[1]);
    const mesh = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({color: colour, map}));
    mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.userData.set_theme = () => {};
    return mesh;
}
