// Looks: textures, visual materials and lights of a model, as far as WebGL shows them.
import * as THREE from 'three';
import {find_follow_point, find_mode_pose} from './model_camera.js';

const kSides = 6;

export class Looks
{
    // `changed` asks for a picture when a texture has come. Null where a model has no appearance.
    static make(run, changed) { return run.about.looks ? new Looks(run, changed) : null; }

    constructor(run, changed)
    {
        this.run = run;
        this.about = run.about.looks;
        this.changed = changed;
        this.textures = new Map();
    }

    // The visual material of a shape, with what planes need; nothing where it has none.
    of_shape(shape)
    {
        const [material, half_x, half_y] = this.about.shapes[shape] ?? [-1, 0, 0];
        return material < 0 ? null : {...this.about.materials[material], index: material, half_x, half_y};
    }

    // The texture with that index, a square of the first colour until its files are read; null: none.
    find_texture(index)
    {
        if (index < 0 || !this.run.shapes[`texture${index}_0`]) return null;
        if (!this.textures.has(index)) this.textures.set(index, this.load(index));
        return this.textures.get(index);
    }

    is_cube(index) { return index >= 0 && this.about.textures[index].type !== '2d'; }

    load(index)
    {
        const cube = this.is_cube(index), count = cube ? kSides : 1;
        const texture = cube ? new THREE.CubeTexture() : new THREE.Texture();
        texture.colorSpace = THREE.SRGBColorSpace;
        texture.flipY = false;
        texture.wrapS = texture.wrapT = cube ? THREE.ClampToEdgeWrapping : THREE.RepeatWrapping;
        texture.anisotropy = 8;
        const files = Array.from({length: count}, (_, side) => this.run.shapes[`texture${index}_${side}`]);
        Promise.all(files.map(file => createImageBitmap(new Blob([file], {type: 'image/png'})))).then(images =>
        {
            if (cube) texture.images = images;
            else texture.image = images[0];
            texture.needsUpdate = true;
            this.changed();
        }, () => {});  // a file that is no picture: the colour alone
        return texture;
    }

    // The cube around the scene; nothing where the model has none.
    make_sky()
    {
        const index = this.about.textures.findIndex(({type}) => type === 'skybox');
        const map = this.find_texture(index);
        if (!map) return null;
        const material = new THREE.ShaderMaterial({
            uniforms: {map: {value: map}}, side: THREE.BackSide, depthWrite: false, depthTest: false,
            vertexShader: `varying vec3 way;
                void main()
                {
                    way = position;
                    gl_Position = (projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0)).xyww;
                }`,
            // MuJoCo turns the cube so that its up is the world's.
            fragmentShader: `uniform samplerCube map;
                varying vec3 way;
                void main()
                {
                    gl_FragColor = texture(map, vec3(way.x, way.z, -way.y));
                    #include <colorspace_fragment>
                }`,
        });
        const mesh = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), material);
        mesh.frustumCulled = false;
        mesh.renderOrder = -1;
        return mesh;
    }

    // Puts the texture of a visual material on a three material. `scale`: repetitions of flat ones on a unit shape.
    dress(material, look, scale)
    {
        const map = this.find_texture(look.texture);
        material.roughness = 1 - 0.75 * Math.min(1, Math.max(0, look.shininess * look.specular));
        material.emissiveIntensity = look.emission;
        if (look.emission > 0) material.emissive?.set(0xffffff);
        if (!map) return;
        if (!this.is_cube(look.texture))
        {
            material.map = map.clone();
            material.map.repeat.set(...scale);
            return;
        }
        // By the direction from the middle of the shape, of the unit solid or in true proportions.
        material.onBeforeCompile = shader =>
        {
            shader.uniforms.sides = {value: map};
            shader.vertexShader = `varying vec3 outward;\n${shader.vertexShader}`.replace('#include <begin_vertex>',
                `#include <begin_vertex>
                outward = position;
                ${look.uniform ? `#ifdef USE_INSTANCING
                outward *= vec3(length(instanceMatrix[0]), length(instanceMatrix[1]), length(instanceMatrix[2]));
                #endif` : ''}`);
            shader.fragmentShader = `uniform samplerCube sides;\nvarying vec3 outward;\n${shader.fragmentShader}`.replace(
                '#include <map_fragment>', 'diffuseColor *= texture(sides, outward);');
        };
        material.customProgramCacheKey = () => `cube ${look.uniform}`;
    }

    // The model's own lights instead of ours; false where it has none.
    add_lights(scene)
    {
        const {headlight, lights} = this.about;
        this.lamps = [];
        if (!headlight) return false;
        const colour = parts => new THREE.Color().setRGB(...parts, THREE.SRGBColorSpace);
        const ambient = [0, 1, 2].map(k => Math.min(1, (headlight.active ? headlight.ambient[k] : 0) +
                                                       lights.reduce((sum, light) => sum + light.ambient[k], 0)));
        scene.add(new THREE.AmbientLight(colour(ambient), Math.PI));
        if (headlight.active)
        {
            this.head = new THREE.DirectionalLight(colour(headlight.diffuse), Math.PI);
            scene.add(this.head, this.head.target);
        }
        for (const light of lights)
        {
            const lamp = light.type === 'directional' ? new THREE.DirectionalLight(colour(light.diffuse), Math.PI) :
                light.type === 'point' ? new THREE.PointLight(colour(light.diffuse), Math.PI, 0, 0) :
                    new THREE.SpotLight(colour(light.diffuse), Math.PI, 0,
                                        Math.min(1.5, light.cutoff * Math.PI / 180), 0.5, 0);
            scene.add(lamp);
            if (lamp.target) scene.add(lamp.target);
            this.lamps.push({light, lamp});
        }
        return true;
    }

    // Moves the lights to where their bodies are.
    move_lights(poses, camera, bounds)
    {
        if (this.head)
        {
            this.head.position.copy(camera.position);
            this.head.target.position.copy(camera.position).add(camera.getWorldDirection(new THREE.Vector3()));
        }
        for (const {light, lamp} of this.lamps)
        {
            const {position, rotation} = find_mode_pose(this.run, light, poses);
            const direction = new THREE.Vector3(...light.direction).applyQuaternion(rotation);
            if (light.mode.startsWith('target') && light.target >= 0)
                direction.copy(find_follow_point(this.run, light.mode, light.target, poses)).sub(position).normalize();
            lamp.position.copy(position);
            // A directional light has no place: its shadows need one outside of everything.
            if (light.type === 'directional')
                lamp.position.set(...bounds.center).addScaledVector(direction, -4 * bounds.radius);
            lamp.target?.position.copy(lamp.position).add(direction);
        }
    }

    // The lamp whose shadows are drawn.
    get casting() { return this.lamps?.find(({light}) => light.cast_shadow && light.type !== 'point')?.lamp ?? null; }

    dispose() { for (const texture of this.textures.values()) texture.dispose(); }
}
