// The schema of MuJoCo 4.0's MJCF, with what we do with each element and attribute.
#include "import/mjcf/schema_table.h"

namespace rattleback::mjcf
{

namespace
{

constexpr Use kRead = Use::read, kIgnored = Use::ignored, kRefused = Use::refused;

constexpr TableSet kSets[] = {
    {"turn", "quat:r4 axisangle:r4 xyaxes:r6 zaxis:r3 euler:r3"},
    {"soft", "solref:r1-2=0.02,1 solimp:r1-5=0.9,0.95,0.001,0.5,2"},
    {"tendon", "name:name class:@class group:i=0~ $TendonRows user:r*~"},
    {"equality", "name:name class:@class active:b=true $soft"},
    {"drive",
     "name:name class:@class group:i=0 nsample:i=0 interp:w=zoh{zoh|linear|cubic} delay:r=0 ctrlrange:r2=0,0 "
     "forcerange:r2=0,0 forcelimited:w=auto{false|true|auto} gear:r1-6=1,0,0,0,0,0 damping:r1-3=0,0,0 armature:r=0 "
     "cranklength:r=0 lengthrange:r2=0,0 user:r*~ joint:@joint jointinparent:@joint tendon:@tendon site:@site "
     "refsite:@site slidersite:@site cranksite:@site"},
    {"ctrl", "ctrllimited:w=auto{false|true|auto}"},
    {"act", "actlimited:w=auto{false|true|auto} actrange:r2=0,0"},
    {"sense",
     "name:name nsample:i=0 interp:w=zoh{zoh|linear|cubic} delay:r=0 interval:r1-2=0,0 cutoff:r=0 noise:r=0 user:r*~"},
    {"object", "objtype:w!{body|xbody|geom|site|camera} objname:s!"},
    {"relative", "reftype:w{body|xbody|geom|site|camera} refname:s"},
    {"ends", "geom1:@geom geom2:@geom body1:@body body2:@body"},
};

constexpr TableRow kRows[] = {
    // Sections
    {"", "mujoco", "mujoco", "", kRead, "model:s=MuJoCo,Model"},
    {"mujoco", "compiler", "compiler", "", kRead,
     "autolimits:b=true boundmass:r=0 boundinertia:r=0 settotalmass:r=-1 balanceinertia:b=false strippath:b=false "
     "coordinate:w=local{local|global} angle:w=degree{radian|degree} fitaabb:b=false eulerseq:s=xyz meshdir:s "
     "texturedir:s assetdir:s discardvisual:b=false usethread:b=true~ fusestatic:b=false "
     "inertiafromgeom:w=auto{false|true|auto} inertiagrouprange:i2=0,5 saveinertial:b=false~ savecompiled:b=true~ "
     "savecanonical:b=true~ alignfree:b=false conflict:w=warning{warning|merge|error} passthrough:s=none~"},
    {"compiler", "lengthrange", "", "", kRead,
     "mode:w=muscle{none|muscle|muscleuser|all} useexisting:b=true uselimit:b=false accel:r=20 maxforce:r=0 "
     "timeconst:r=1 timestep:r=0.01 inttotal:r=10 interval:r=2 tolrange:r=0.05"},
    {"mujoco", "option", "option", "", kRead,
     "timestep:r=0.002 impratio:r=1 tolerance:r=1e-8 ls_tolerance:r=0.01 noslip_tolerance:r=1e-6 ccd_tolerance:r=1e-6 "
     "sleep_tolerance:r=1e-3~ gravity:r3=0,0,-9.81 wind:r3=0,0,0 magnetic:r3=0,-0.5,0 density:r=0 viscosity:r=0 "
     "o_margin:r=0 o_solref:r1-2=0.02,1 o_solimp:r1-5=0.9,0.95,0.001,0.5,2 o_friction:r1-5=1,1,0.005,0.0001,0.0001 "
     "integrator:w=Euler{Euler|RK4|implicit|implicitfast|discrete} cone:w=pyramidal{pyramidal|elliptic} "
     "jacobian:w=auto{dense|sparse|auto}~ solver:w=Newton{PGS|CG|Newton} iterations:i=100 ls_iterations:i=50 "
     "noslip_iterations:i=0 ccd_iterations:i=35 sdf_iterations:i=10~ sdf_initpoints:i=40~ actuatorgroupdisable:i*"},
    {"option", "flag", "", "", kRead,
     "constraint:w=enable{disable|enable} equality:w=enable{disable|enable} frictionloss:w=enable{disable|enable} "
     "limit:w=enable{disable|enable} contact:w=enable{disable|enable} spring:w=enable{disable|enable} "
     "damper:w=enable{disable|enable} gravity:w=enable{disable|enable} clampctrl:w=enable{disable|enable} "
     "warmstart:w=enable{disable|enable} filterparent:w=enable{disable|enable} actuation:w=enable{disable|enable} "
     "refsafe:w=enable{disable|enable} sensor:w=enable{disable|enable}~ midphase:w=enable{disable|enable}~ "
     "eulerdamp:w=enable{disable|enable} autoreset:w=enable{disable|enable}~ nativeccd:w=enable{disable|enable}~ "
     "island:w=enable{disable|enable} multiccd:w=enable{disable|enable} override:w=disable{disable|enable} "
     "energy:w=disable{disable|enable}~ fwdinv:w=disable{disable|enable}~ invdiscrete:w=disable{disable|enable}~ "
     "sleep:w=disable{disable|enable} diagexact:w=disable{disable|enable} ipc:w=disable{disable|enable}~ "
     "speculative:w=disable{disable|enable}"},
    {"mujoco", "size", "", "", kIgnored,
     "memory:s njmax:s nconmax:s nstack:s nuserdata:s nkey:s nuser_body:s nuser_jnt:s nuser_geom:s nuser_site:s "
     "nuser_cam:s nuser_tendon:s nuser_actuator:s nuser_sensor:s"},
    {"mujoco", "statistic", "", "", kIgnored, "meaninertia:s meanmass:s meansize:s extent:s center:s"},
    {"mujoco", "default", "default", "class", kRead, "class:name"},
    {"default", "default", "default", "class", kRead, "class:name!"},
    {"mujoco", "asset", "asset", "", kRead, ""},
    {"mujoco", "worldbody", "body", "", kRead, ""},
    {"mujoco", "contact", "contact", "", kRead, ""},
    {"mujoco", "equality", "equality", "", kRead, ""},
    {"mujoco", "tendon", "tendon", "", kRead, ""},
    {"mujoco", "actuator", "actuator", "", kRead, ""},
    {"mujoco", "sensor", "sensor", "", kRead, ""},
    {"mujoco", "keyframe", "keyframe", "", kRead, ""},
    {"mujoco", "deformable", "deformable", "", kRead, ""},
    {"mujoco", "extension", "extension", "", kRefused, ""},
    {"mujoco", "custom", "custom", "", kIgnored, ""},
    {"mujoco", "body", "body", "", kIgnored,
     "name:s childclass:s pos:s quat:s axisangle:s xyaxes:s zaxis:s euler:s mocap:s gravcomp:s sleep:s simple:s fuse:s "
     "user:s"},
    {"mujoco", "frame", "body", "", kIgnored, "name:s childclass:s pos:s quat:s axisangle:s xyaxes:s zaxis:s euler:s"},
    {"mujoco", "visual", "visual", "", kIgnored, ""},

    // Assets
    {"asset default", "mesh", "mesh", "mesh", kRead,
     "name:name class:@class content_type:s~ file:f vertex:r* normal:r*~ texcoord:r* face:i* refpos:r3=0,0,0 "
     "refquat:r4=1,0,0,0 scale:r3=1,1,1 smoothnormal:b=false~ maxhullvert:i=-1 "
     "inertia:w=legacy{convex|exact|legacy|shell} builtin:s params:r* material:s~"},
    {"asset", "hfield", "", "hfield", kRead,
     "name:name content_type:s~ file:f nrow:i=0 ncol:i=0 size:r4! elevation:r*"},
    {"asset", "model", "", "model", kRead, "name:name file:f! content_type:s~"},
    {"asset default", "texture", "", "texture", kRead,
     "name:name class:@class type:w=cube{2d|cube|skybox} colorspace:s~ content_type:s~ file:f gridsize:i2=1,1 "
     "gridlayout:s fileright:f fileleft:f fileup:f filedown:f filefront:f fileback:f "
     "builtin:w=none{none|gradient|checker|flat} rgb1:r3=0.8,0.8,0.8 rgb2:r3=0.5,0.5,0.5 "
     "mark:w=none{none|edge|cross|random} markrgb:r3=0,0,0 random:r=0.01 width:i=0 height:i=0 hflip:b=false "
     "vflip:b=false nchannel:i=3~ embed:s~"},
    {"asset default", "material", "material", "material", kRead,
     "name:name class:@class texture:@texture texrepeat:r2=1,1 texuniform:b=false emission:r=0 specular:r=0.5 "
     "shininess:r=0.5 reflectance:r=0 metallic:r=-1 roughness:r=-1 rgba:r4=1,1,1,1"},
    {"material", "layer", "", "", kRead, "texture:@texture role:s"},
    {"asset deformable", "skin", "skin", "skin", kIgnored,
     "name:name class:@class file:s vertex:s texcoord:s face:s inflate:s material:s rgba:s group:s"},
    {"skin", "bone", "", "", kIgnored, "body:s bindpos:s bindquat:s vertid:s vertweight:s"},
    {"deformable", "flex", "any", "", kRefused, ""},
    {"mesh geom body actuator sensor asset extension", "plugin", "any", "", kRefused, ""},

    // The tree of bodies
    {"body", "body", "body", "body", kRead,
     "name:name childclass:@class pos:r3=0,0,0 $turn mocap:b=false $BodyRows sleep:w=auto{auto|never|allowed|init} "
     "simple:w=auto{false|auto}~ "
     "fuse:w=auto{false|auto} "
     "user:r*~"},
    {"body", "frame", "body", "frame", kRead, "name:name childclass:@class pos:r3=0,0,0 $turn"},
    {"body", "replicate", "body", "", kRead, "count:i! sep:s offset:r3=0,0,0 euler:r3=0,0,0 childclass:@class"},
    {"body", "attach", "", "", kRead, "model:@model body:s frame:s prefix:s!"},
    {"body", "inertial", "", "", kRead, "pos:r3! $turn mass:r! diaginertia:r3 fullinertia:r6"},
    {"body default", "joint", "", "joint", kRead,
     "name:name class:@class type:w=hinge{free|ball|slide|hinge} group:i=0~ $JointRows "
     "springdamper:r2=0,0 user:r*~"},
    {"body", "freejoint", "", "joint", kRead, "name:name group:i=0~ align:w=auto{false|true|auto}"},
    {"body default", "geom", "geom", "geom", kRead,
     "name:name class:@class type:w=sphere{plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh|sdf} "
     "$ShapeRows condim:i=3 priority:i=0 size:r1-3=0,0,0 material:@material "
     "friction:r1-3=1,0.005,0.0001 "
     "shellinertia:b=false solmix:r=1 $soft surfacevel:r1-6=0,0,0,0,0,0 adhesion:r=0 "
     "fromto:r6 pos:r3=0,0,0 $turn hfield:@hfield mesh:@mesh fitscale:r=1 castshadow:s~ "
     "fluidshape:w=none{none|ellipsoid} fluidcoef:r1-5=0.5,0.25,1.5,1,1 user:r*~"},
    {"body default", "site", "", "site", kRead,
     "name:name class:@class type:w=sphere{sphere|capsule|ellipsoid|cylinder|box|mesh} group:i=0~ pos:r3=0,0,0 $turn "
     "material:s~ mesh:s~ size:r1-3=0.005,0.005,0.005 fromto:r6 rgba:r4=0.5,0.5,0.5,1~ user:r*~"},
    {"body default", "camera", "", "camera", kRead,
     "name:name class:@class projection:w=perspective{perspective|orthographic} fovy:r=45 ipd:r=0.068 "
     "resolution:i2=1,1 output:s~ pos:r3=0,0,0 $turn mode:w=fixed{fixed|track|trackcom|targetbody|targetbodycom} "
     "target:@body focal:r2=0,0 focalpixel:r2=0,0 principal:r2=0,0 principalpixel:r2=0,0 sensorsize:r2=0,0 user:r*~"},
    {"body default", "light", "", "light", kRead,
     "name:name class:@class directional:b=false type:w=spot{spot|directional|point|image} castshadow:b=true "
     "active:b=true pos:r3=0,0,0 dir:r3=0,0,-1 bulbradius:r=0.02 intensity:r=0 range:r=10 attenuation:r3=1,0,0 "
     "cutoff:r=45 softness:r=0.2 exponent:r=10 ambient:r3=0,0,0 diffuse:r3=0.7,0.7,0.7 specular:r3=0.3,0.3,0.3 "
     "mode:w=fixed{fixed|track|trackcom|targetbody|targetbodycom} target:@body texture:s~"},
    {"body", "flexcomp", "any", "", kRefused, ""},
    {"body", "composite", "any", "", kRefused, ""},

    // What joins and drives bodies
    {"contact default", "pair", "", "pair", kRead,
     "name:name class:@class geom1:@geom! geom2:@geom! condim:i=3 friction:r1-5=1,1,0.005,0.0001,0.0001 $soft "
     "solreffriction:r1-2=0,0 margin:r=0 gap:r=0 adhesion:r=0"},
    {"contact", "exclude", "", "exclude", kRead, "name:name body1:@body! body2:@body!"},
    {"default", "equality", "", "equality", kRead, "$equality"},
    {"equality", "connect", "", "equality", kRead,
     "$equality body1:@body body2:@body anchor:r3 site1:@site site2:@site"},
    {"equality", "weld", "", "equality", kRead,
     "$equality body1:@body body2:@body relpose:r7=0,1,0,0,0,0,0 anchor:r3=0,0,0 site1:@site site2:@site "
     "torquescale:r=1"},
    {"equality", "joint", "", "equality", kRead, "$equality joint1:@joint! joint2:@joint polycoef:r1-5=0,1,0,0,0"},
    {"equality", "tendon", "", "equality", kRead, "$equality tendon1:@tendon! tendon2:@tendon polycoef:r1-5=0,1,0,0,0"},
    {"equality", "flex", "", "", kRefused, ""},
    {"equality", "flexvert", "", "", kRefused, ""},
    {"equality", "flexstrain", "", "", kRefused, ""},
    {"default", "tendon", "", "tendon", kRead, "$tendon width:s~ material:s~ rgba:s~"},
    {"tendon", "spatial", "spatial", "tendon", kRead, "$tendon width:s~ material:s~ rgba:s~"},
    {"tendon", "fixed", "fixed", "tendon", kRead, "$tendon"},
    {"spatial", "site", "", "", kRead, "site:@site!"},
    {"spatial", "geom", "", "", kRead, "geom:@geom! sidesite:@site"},
    {"spatial", "pulley", "", "", kRead, "divisor:r!"},
    {"fixed", "joint", "", "", kRead, "joint:@joint! coef:r!"},
    {"actuator default", "general", "", "actuator", kRead,
     "$drive $ctrl $act body:@body actdim:i=-1~ input:s velrange:r2=0,0 ffrange:r2=0,0 inheritrange:r=0 "
     "dyntype:w=none{none|integrator|filter|filterexact|pid|dcmotor|muscle|user} "
     "gaintype:w=fixed{fixed|affine|muscle|dcmotor|pid|so3|user} biastype:w=none{none|affine|muscle|dcmotor|so3|user} "
     "dynprm:r*=1 gainprm:r*=1 biasprm:r*=0 actearly:b=false"},
    {"actuator default", "motor", "", "actuator", kRead, "$drive $ctrl"},
    {"actuator default", "position", "", "actuator", kRead,
     "$drive $ctrl inheritrange:r=0 kp:r=1 kv:r=0 dampratio:r=0 timeconst:r=0"},
    {"actuator default", "velocity", "", "actuator", kRead, "$drive $ctrl kv:r=1"},
    {"actuator default", "intvelocity", "", "actuator", kRead,
     "$drive $ctrl $act inheritrange:r=0 kp:r=1 kv:r=0 dampratio:r=0"},
    {"actuator default", "damper", "", "actuator", kRead, "$drive kv:r=1"},
    {"actuator default", "cylinder", "", "actuator", kRead,
     "$drive $ctrl timeconst:r=1 area:r=1 diameter:r bias:r3=0,0,0"},
    {"actuator default", "muscle", "", "actuator", kRead,
     "$drive $ctrl timeconst:r1-2=0.01,0.04 tausmooth:r=0 range:r1-2=0.75,1.05 force:r=-1 scale:r=200 lmin:r=0.5 "
     "lmax:r=1.6 vmax:r=1.5 fpmax:r=1.3 fvmax:r=1.2"},
    {"actuator default", "adhesion", "", "actuator", kRead, "$drive $ctrl body:@body gain:r=1"},
    {"actuator default", "dcmotor", "", "actuator", kRead,
     "$drive $ctrl motorconst:r1-2=0,0 resistance:r=0 nominal:r1-3=0,0,0 saturation:r1-3=0,0,0 "
     "inductance:r1-2=0,0 cogging:r1-3=0,0,0 controller:r1-6=0,0,0,0,0,0 thermal:r1-6=0,0,0,0,0,0 "
     "lugre:r1-5=0,0,0,0,0 input:s=voltage"},
    {"actuator default", "pid", "", "actuator", kRead,
     "$drive $ctrl $act posrange:r2=0,0 velrange:r2=0,0 ffrange:r2=0,0 inheritrange:r=0 kp:r=1 kv:r=0 dampratio:r=0 "
     "ki:r=0 "
     "imax:r=0 slewmax:r=0 input:s=pos,vel"},
    {"actuator default", "orientation", "", "actuator", kRead,
     "$drive $ctrl $act kp:r=1 kv:r=0 dampratio:r=0 input:w=expmap{expmap|quat}"},

    // Sensors
    {"sensor", "jointpos", "", "sensor", kRead, "$sense joint:@joint!"},
    {"sensor", "jointvel", "", "sensor", kRead, "$sense joint:@joint!"},
    {"sensor", "gyro", "", "sensor", kRead, "$sense site:@site!"},
    {"sensor", "accelerometer", "", "sensor", kRead, "$sense site:@site!"},
    {"sensor", "framepos", "", "sensor", kRead, "$sense $object $relative"},
    {"sensor", "framequat", "", "sensor", kRead, "$sense $object $relative"},
    {"sensor", "framelinvel", "", "sensor", kRead, "$sense $object $relative"},
    {"sensor", "frameangvel", "", "sensor", kRead, "$sense $object $relative"},
    {"sensor", "framexaxis", "", "sensor", kRead, "$sense $object $relative"},
    {"sensor", "frameyaxis", "", "sensor", kRead, "$sense $object $relative"},
    {"sensor", "framezaxis", "", "sensor", kRead, "$sense $object $relative"},
    {"sensor", "framelinacc", "", "sensor", kRead, "$sense $object"},
    {"sensor", "frameangacc", "", "sensor", kRead, "$sense $object"},
    {"sensor", "touch", "", "sensor", kRead, "$sense site:@site!"},
    {"sensor", "velocimeter", "", "sensor", kRead, "$sense site:@site!"},
    {"sensor", "force", "", "sensor", kRead, "$sense site:@site!"},
    {"sensor", "torque", "", "sensor", kRead, "$sense site:@site!"},
    {"sensor", "magnetometer", "", "sensor", kRead, "$sense site:@site!"},
    {"sensor", "camprojection", "", "sensor", kRead, "$sense site:@site! camera:@camera!"},
    {"sensor", "rangefinder", "", "sensor", kRead, "$sense site:@site camera:@camera data:s=dist"},
    {"sensor", "tendonpos", "", "sensor", kRead, "$sense tendon:@tendon!"},
    {"sensor", "tendonvel", "", "sensor", kRead, "$sense tendon:@tendon!"},
    {"sensor", "actuatorpos", "", "sensor", kRead, "$sense actuator:@actuator!"},
    {"sensor", "actuatorvel", "", "sensor", kRead, "$sense actuator:@actuator!"},
    {"sensor", "actuatorfrc", "", "sensor", kRead, "$sense actuator:@actuator!"},
    {"sensor", "jointactuatorfrc", "", "sensor", kRead, "$sense joint:@joint!"},
    {"sensor", "tendonactuatorfrc", "", "sensor", kRead, "$sense tendon:@tendon!"},
    {"sensor", "ballquat", "", "sensor", kRead, "$sense joint:@joint!"},
    {"sensor", "ballangvel", "", "sensor", kRead, "$sense joint:@joint!"},
    {"sensor", "jointlimitpos", "", "sensor", kRead, "$sense joint:@joint!"},
    {"sensor", "jointlimitvel", "", "sensor", kRead, "$sense joint:@joint!"},
    {"sensor", "jointlimitfrc", "", "sensor", kRead, "$sense joint:@joint!"},
    {"sensor", "tendonlimitpos", "", "sensor", kRead, "$sense tendon:@tendon!"},
    {"sensor", "tendonlimitvel", "", "sensor", kRead, "$sense tendon:@tendon!"},
    {"sensor", "tendonlimitfrc", "", "sensor", kRead, "$sense tendon:@tendon!"},
    {"sensor", "subtreecom", "", "sensor", kRead, "$sense body:@body!"},
    {"sensor", "subtreelinvel", "", "sensor", kRead, "$sense body:@body!"},
    {"sensor", "subtreeangmom", "", "sensor", kRead, "$sense body:@body!"},
    {"sensor", "insidesite", "", "sensor", kRead, "$sense site:@site! $object enclosed:b=false"},
    {"sensor", "distance", "", "sensor", kRead, "$sense $ends"},
    {"sensor", "normal", "", "sensor", kRead, "$sense $ends"},
    {"sensor", "fromto", "", "sensor", kRead, "$sense $ends"},
    {"sensor", "contact", "", "sensor", kRead,
     "$sense $ends subtree1:@body subtree2:@body site:@site num:i=1 data:s=found "
     "reduce:w=none{none|mindist|maxforce|netforce}"},
    {"sensor", "e_potential", "", "sensor", kRead, "$sense"},
    {"sensor", "e_kinetic", "", "sensor", kRead, "$sense"},
    {"sensor", "clock", "", "sensor", kRead, "$sense"},
    {"sensor", "tactile", "", "sensor", kRead, "$sense geom:@geom! mesh:@mesh!"},
    {"sensor", "user", "", "sensor", kRead, "$sense objtype:s~ objname:s~ datatype:s~ needstage:s~ dim:i=1"},

    // States, and what is for display only
    {"keyframe", "key", "", "key", kRead,
     "name:name time:r=0 qpos:r* qvel:r* act:r* mpos:r* mquat:r* ctrl:r* plastic:r*~"},
    {"custom", "numeric", "", "numeric", kIgnored, "name:name size:s data:s"},
    {"custom", "text", "", "text", kIgnored, "name:name data:s"},
    {"custom", "tuple", "tuple", "tuple", kIgnored, "name:name"},
    {"tuple", "element", "", "", kIgnored, "objtype:s objname:s prm:s"},
    {"visual", "global", "", "", kIgnored,
     "cameraid:s orthographic:s fovy:s ipd:s azimuth:s elevation:s linewidth:s glow:s offwidth:s offheight:s "
     "realtime:s "
     "ellipsoidinertia:s bvactive:s"},
    {"visual", "quality", "", "", kIgnored, "shadowsize:s offsamples:s numslices:s numstacks:s numquads:s"},
    {"visual", "headlight", "", "", kRead,
     "ambient:r3=0.1,0.1,0.1 diffuse:r3=0.4,0.4,0.4 specular:r3=0.5,0.5,0.5 active:i=1"},
    {"visual", "map", "", "", kIgnored,
     "stiffness:s stiffnessrot:s force:s torque:s alpha:s fogstart:s fogend:s znear:s zfar:s haze:s shadowclip:s "
     "shadowscale:s actuatortendon:s"},
    {"visual", "scale", "", "", kIgnored,
     "forcewidth:s contactwidth:s contactheight:s connect:s com:s camera:s light:s selectpoint:s jointlength:s "
     "jointwidth:s actuatorlength:s actuatorwidth:s framelength:s framewidth:s constraint:s slidercrank:s frustum:s"},
    {"visual", "rgba", "", "", kIgnored,
     "fog:s haze:s force:s inertia:s joint:s actuator:s actuatornegative:s actuatorpositive:s com:s camera:s light:s "
     "selectpoint:s connect:s contactpoint:s contactforce:s contactfriction:s contacttorque:s contactgap:s "
     "rangefinder:s "
     "constraint:s slidercrank:s crankbroken:s frustum:s bv:s bvactive:s"},
};

}  // namespace

std::span<const TableRow> table_rows() { return kRows; }
std::span<const TableSet> table_sets() { return kSets; }

}  // namespace rattleback::mjcf
