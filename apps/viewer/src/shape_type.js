// Kinds of shapes, in the order of rattleback::ShapeType.
export const kShapeNames = ['plane', 'sphere', 'capsule', 'box', 'cylinder', 'ellipsoid', 'hull', 'mesh', 'height_field',
                            'points', 'segments', 'surface'];
export const kShape = Object.fromEntries(kShapeNames.map((name, index) => [name, index]));
// By MuJoCo's convention shapes of this group and above are there for collision only.
export const kCollisionGroup = 3;
