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

export function make_floor(colour, radius, theme)
{
    const material = new THREE.MeshLambertMaterial({color: colour});
    const unit = {value: grid_unit(radius)}, line = {value: new THREE.Color(theme.line)};
    material.onBeforeCompile = shader =>
    {
        shader.uniforms.unit = unit;
        shader.uniforms.line = line;
        shader.vertexShader = `varying vec2 on_plane;\n${shader.vertexShader}`.replace(
            '#include <begin_vertex>', '#include <begin_vertex>\non_plane = (modelMatrix * vec4(position, 1.0)).xy;\n' +
            'on_plane = position.xy;');
        shader.fragmentShader = `uniform float unit;\nuniform vec3 line;\nvarying vec2 on_plane;\n${kLines}\n${shader.fragmentShader}`
            .replace('#include <color_fragment>', `#include <color_fragment>
                float strength = max(0.35 * line_at(on_plane, unit), 0.7 * line_at(on_plane, 10.0 * unit));
                diffuseColor.rgb = mix(diffuseColor.rgb, line, strength);`);
    };
    const half = 60 * radius;
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2 * half, 2 * half), material);
    mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    mesh.userData.line = line;
    return mesh;
}
