"""The names, types and sizes of MuJoCo 4.0.0's interface; written by bindings/python/tools/list_interface.py.

A line is 'key: words', and goes on where it is indented. Keys of arrays: type (d double, f float, i int, l long, ? bool, B byte, S text) and sizes of the dimensions."""
MODEL = """numbers: nq nv nu nactuator nout na nbody nbvh nbvhstatic nbvhdynamic noct njnt ntree nM nB nC nD ngeom nsite ncam nlight nflex nflexnode nflexvert
  nflexedge nflexelem nflexelemdata nflexstiffness nflexbending nefm0dof nefm0L nefmCvert nflexelemedge nflexshelldata nflextexcoord nJfe nmesh
  nmeshvert nmeshnormal nmeshtexcoord nmeshface nmeshgraph nmeshpoly nmeshpolyvert nmeshpolymap nskin nskinvert nskintexvert nskinface nskinbone
  nskinbonevert nhfield nhfielddata ntex ntexdata nmat npair nexclude neq ntendon nJten nwrap nsensor nnumeric nnumericdata ntext ntextdata ntuple
  ntupledata nkey nmocap nplugin npluginattr nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor nnames
  npaths nplastic nnames_map nJmom ngravcomp nemax njmax nconmax npolygonmax nmeshdegmax nuserdata nsensordata npluginstate nhistory narena nbuffer
  flg_gravcomp flg_surfacevel flg_adhesion signature
d nq: qpos0 qpos_spring
i nbody: body_parentid body_rootid body_weldid body_mocapid body_jntnum body_jntadr body_dofnum body_dofadr body_treeid body_geomnum body_geomadr
  body_plugin body_contype body_conaffinity body_bvhadr body_bvhnum name_bodyadr B_rownnz B_rowadr
B nbody: body_simple body_sameframe
d nbody 3: body_pos body_ipos body_inertia
d nbody 4: body_quat body_iquat
d nbody: body_mass body_subtreemass body_gravcomp body_margin
d nbody 2: body_invweight0
d nbody nuser_body: body_user
i nbvh: bvh_depth bvh_nodeid
i nbvh 2: bvh_child
d nbvhstatic 6: bvh_aabb
i noct: oct_depth
i noct 8: oct_child
d noct 6: oct_aabb
d noct 8: oct_coeff
i njnt: jnt_type jnt_qposadr jnt_dofadr jnt_bodyid jnt_actuatorid jnt_group jnt_plasticadr name_jntadr
? njnt: jnt_limited jnt_actfrclimited jnt_actgravcomp
d njnt 2: jnt_solref jnt_stiffnesspoly jnt_range jnt_actfrcrange
d njnt 5: jnt_solimp
d njnt 3: jnt_pos jnt_axis
d njnt: jnt_stiffness jnt_springyield jnt_margin
d njnt nuser_jnt: jnt_user
i nv: dof_bodyid dof_jntid dof_parentid dof_treeid dof_Madr dof_simplenum M_rownnz M_rowadr D_rownnz D_rowadr D_diag
d nv 2: dof_solref dof_dampingpoly
d nv 5: dof_solimp
d nv: dof_frictionloss dof_armature dof_damping dof_invweight0 dof_M0 dof_length
i ntree: tree_bodyadr tree_bodynum tree_dofadr tree_dofnum tree_sleep_policy
i ngeom: geom_type geom_contype geom_conaffinity geom_condim geom_bodyid geom_dataid geom_matid geom_group geom_priority geom_plugin name_geomadr
B ngeom: geom_sameframe
? ngeom: geom_castshadow
d ngeom: geom_solmix geom_rbound geom_margin geom_gap geom_adhesion
d ngeom 2: geom_solref
d ngeom 5: geom_solimp
d ngeom 3: geom_size geom_pos geom_friction
d ngeom 6: geom_aabb geom_surfacevel
d ngeom 4: geom_quat
d ngeom 12: geom_fluid
d ngeom nuser_geom: geom_user
f ngeom 4: geom_rgba
i nsite: site_type site_bodyid site_dataid site_matid site_group name_siteadr
B nsite: site_sameframe
d nsite 3: site_size site_pos
d nsite 4: site_quat
d nsite nuser_site: site_user
f nsite 4: site_rgba
i ncam: cam_mode cam_bodyid cam_targetbodyid cam_projection cam_output name_camadr
d ncam 3: cam_pos cam_poscom0 cam_pos0
d ncam 4: cam_quat
d ncam 9: cam_mat0
d ncam: cam_fovy cam_ipd
i ncam 2: cam_resolution
f ncam 2: cam_sensorsize
f ncam 4: cam_intrinsic
d ncam nuser_cam: cam_user
i nlight: light_mode light_bodyid light_targetbodyid light_type light_texid name_lightadr
? nlight: light_castshadow light_active
f nlight: light_bulbradius light_intensity light_range light_cutoff light_softness light_exponent
d nlight 3: light_pos light_dir light_poscom0 light_pos0 light_dir0
f nlight 3: light_attenuation light_ambient light_diffuse light_specular
i nflex: flex_contype flex_conaffinity flex_condim flex_priority flex_selfcollide flex_activelayers flex_passive flex_dim flex_group flex_interp
  flex_nodeadr flex_nodenum flex_vertadr flex_vertnum flex_edgeadr flex_edgenum flex_elemadr flex_elemnum flex_elemdataadr flex_stiffnessadr
  flex_elemedgeadr flex_bendingadr flex_plasticadr flex_plasticmode flex_shellnum flex_shelldataadr flex_texcoordadr flex_edgeequality flex_bvhadr
  flex_bvhnum name_flexadr
d nflex: flex_solmix flex_margin flex_gap flex_radius flex_damping flex_edgestiffness flex_edgedamping
d nflex 2: flex_solref flex_yield
d nflex 5: flex_solimp
d nflex 3: flex_friction flex_size
i nflexelem: flex_matid flex_elemlayer
i nflex 3: flex_cellnum
i nflexnode: flex_nodebodyid
i nflexvert: flex_vertbodyid flex_vertcell
i nflexedge 2: flex_edge flex_edgeflap
i nflexelemdata: flex_elem flex_elemtexcoord
i nflexelemedge: flex_elemedge
i nflexshelldata: flex_shell
d nflexvert 3: flex_vert flex_vert0
d nflexnode 3: flex_node flex_node0
d nflexedge: flexedge_length0 flexedge_invweight0
d nflexstiffness: flex_stiffness
d nflexbending: flex_bending
i nefm0dof: efm0_dofid efm0_L_rownnz efm0_L_rowadr
i nefm0L: efm0_L_colind
d nefm0L: efm0_L
i nefmCvert: efmC_perm
? nflex: flex_rigid flex_centered flex_flatskin
? nflexedge: flexedge_rigid
i nflexedge: flexedge_J_rownnz flexedge_J_rowadr
i nJfe: flexedge_J_colind
f nflex 4: flex_rgba
f nflextexcoord 2: flex_texcoord
i nmesh: mesh_vertadr mesh_vertnum mesh_faceadr mesh_facenum mesh_bvhadr mesh_bvhnum mesh_octadr mesh_octnum mesh_normaladr mesh_normalnum
  mesh_texcoordadr mesh_texcoordnum mesh_graphadr mesh_pathadr mesh_polynum mesh_polyadr name_meshadr
i nmesh 27: mesh_extrema
f nmeshvert 3: mesh_vert
f nmeshnormal 3: mesh_normal
f nmeshtexcoord 2: mesh_texcoord
i nmeshface 3: mesh_face mesh_facenormal mesh_facetexcoord
i nmeshgraph: mesh_graph
d nmesh 3: mesh_scale mesh_pos
d nmesh 4: mesh_quat
d nmeshpoly 3: mesh_polynormal
i nmeshpoly: mesh_polyvertadr mesh_polyvertnum
i nmeshpolyvert: mesh_polyvert
i nmeshvert: mesh_polymapadr mesh_polymapnum
i nmeshpolymap: mesh_polymap
i nskin: skin_matid skin_group skin_vertadr skin_vertnum skin_texcoordadr skin_faceadr skin_facenum skin_boneadr skin_bonenum skin_pathadr
  name_skinadr
f nskin 4: skin_rgba
f nskin: skin_inflate
f nskinvert 3: skin_vert
f nskintexvert 2: skin_texcoord
i nskinface 3: skin_face
i nskinbone: skin_bonevertadr skin_bonevertnum skin_bonebodyid
f nskinbone 3: skin_bonebindpos
f nskinbone 4: skin_bonebindquat
i nskinbonevert: skin_bonevertid
f nskinbonevert: skin_bonevertweight
d nhfield 4: hfield_size
i nhfield: hfield_nrow hfield_ncol hfield_adr hfield_pathadr name_hfieldadr
f nhfielddata: hfield_data
i ntex: tex_type tex_colorspace tex_height tex_width tex_nchannel tex_pathadr tex_contenttypeadr name_texadr
l ntex: tex_adr
B ntexdata: tex_data
i nmat 10: mat_texid
? nmat: mat_texuniform
f nmat 2: mat_texrepeat
f nmat: mat_emission mat_specular mat_shininess mat_reflectance mat_metallic mat_roughness
f nmat 4: mat_rgba
i npair: pair_dim pair_geom1 pair_geom2 pair_signature name_pairadr
d npair 2: pair_solref pair_solreffriction
d npair 5: pair_solimp pair_friction
d npair: pair_margin pair_gap pair_adhesion
i nexclude: exclude_signature name_excludeadr
i neq: eq_type eq_obj1id eq_obj2id eq_objtype name_eqadr
? neq: eq_active0
d neq 2: eq_solref
d neq 5: eq_solimp
d neq 12: eq_data
i ntendon: tendon_type tendon_adr tendon_num tendon_matid tendon_actuatorid tendon_group tendon_plasticadr tendon_treenum ten_J_rownnz ten_J_rowadr
  name_tendonadr
i ntendon 2: tendon_treeid
i nJten: ten_J_colind
? ntendon: tendon_limited tendon_actfrclimited
d ntendon: tendon_width tendon_margin tendon_stiffness tendon_damping tendon_armature tendon_frictionloss tendon_springyield tendon_length0
  tendon_invweight0
d ntendon 2: tendon_solref_lim tendon_solref_fri tendon_range tendon_actfrcrange tendon_stiffnesspoly tendon_dampingpoly tendon_lengthspring
d ntendon 5: tendon_solimp_lim tendon_solimp_fri
d ntendon nuser_tendon: tendon_user
f ntendon 4: tendon_rgba
i nwrap: wrap_type wrap_objid
d nwrap: wrap_prm
i nactuator: actuator_trntype actuator_dyntype actuator_gaintype actuator_biastype actuator_ctrladr actuator_ctrlnum actuator_ctrlspec
  actuator_outadr actuator_outnum actuator_actadr actuator_actnum actuator_historyadr actuator_group actuator_plugin name_actuatoradr
i nactuator 2: actuator_trnid actuator_history
d nactuator: actuator_cranklength actuator_delay actuator_damping actuator_armature
d nactuator 10: actuator_dynprm actuator_gainprm actuator_biasprm
? nactuator: actuator_actlimited actuator_actearly actuator_forcelimited
d nactuator 2: actuator_actrange actuator_dampingpoly actuator_forcerange
d nactuator nuser_actuator: actuator_user
? nu: actuator_ctrllimited
d nu 2: actuator_ctrlrange
d nout 6: actuator_gear
d nout: actuator_acc0 actuator_length0
d nout 2: actuator_lengthrange
i nsensor: sensor_type sensor_datatype sensor_needstage sensor_objtype sensor_objid sensor_reftype sensor_refid sensor_dim sensor_adr
  sensor_historyadr sensor_plugin name_sensoradr
i nsensor 3: sensor_intprm
d nsensor: sensor_cutoff sensor_noise sensor_delay
i nsensor 2: sensor_history
d nsensor 2: sensor_interval
d nsensor nuser_sensor: sensor_user
i nplugin: plugin plugin_stateadr plugin_statenum plugin_attradr name_pluginadr
S npluginattr: plugin_attr
i nnumeric: numeric_adr numeric_size name_numericadr
d nnumericdata: numeric_data
i ntext: text_adr text_size name_textadr
S ntextdata: text_data
i ntuple: tuple_adr tuple_size name_tupleadr
i ntupledata: tuple_objtype tuple_objid
d ntupledata: tuple_objprm
d nkey: key_time
d nkey nq: key_qpos
d nkey nv: key_qvel
d nkey na: key_act
d nkey nmocap*3: key_mpos
d nkey nmocap*4: key_mquat
d nkey nu: key_ctrl
d nkey nplastic: key_plastic
i nmat: name_matadr
i nkey: name_keyadr
S nnames: names
i nnames_map: names_map
S npaths: paths
i nB: B_colind
i nC: M_colind mapM2M mapD2M
i nD: D_colind mapM2D"""
DATA = """numbers: narena nbuffer nplugin pstack pbase parena threadpool threadlock maxuse_stack maxuse_arena maxuse_con maxuse_efc ncon ne nf nl nefc nJ
  efm_active nefmK nefmcon nefmT nefmA nefmdof nefmL nY nA nisland nidof ntree_awake nbody_awake nparent_awake nv_awake flg_energypos flg_energyvel
  flg_subtreevel flg_rnepost signature
d nq: qpos
d nv: qvel qacc_warmstart qfrc_applied qacc qLDiagInv qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_adhesion qfrc_passive
  qHDiagInv qfrc_actuator qfrc_smooth qacc_smooth qfrc_constraint qfrc_inverse efm_c efm_diag efm_ck efm_sdiag efm_ca
d na: act act_dot
d nhistory: history
d nplastic: plastic
d npluginstate: plugin_state
d nu: ctrl
d nbody 6: xfrc_applied cvel cacc cfrc_int cfrc_ext
? neq: eq_active
d nmocap 3: mocap_pos
d nmocap 4: mocap_quat
d nuserdata: userdata
d nsensordata: sensordata
i ntree: tree_asleep tree_awake tree_island map_itree2tree
i nplugin: plugin
L nplugin: plugin_data
d nbody 3: xpos xipos subtree_com subtree_linvel subtree_angmom
d nbody 4: xquat xiquat
d nbody 9: xmat ximat
d njnt 3: xanchor xaxis
d ngeom 3: geom_xpos
d ngeom 4: geom_xquat
d ngeom 9: geom_xmat
d nsite 3: site_xpos
d nsite 4: site_xquat
d nsite 9: site_xmat
d ncam 3: cam_xpos
d ncam 9: cam_xmat
d nlight 3: light_xpos light_xdir
d nv 6: cdof cdof_dot
d nbody 10: cinert crb
d nflexvert 3: flexvert_xpos
d nflexelem 6: flexelem_aabb
d nflexstiffness: flexelem_krot
? nflex: flex_hessian_valid
d nflexvert 6: flexvert_hessian
d nflexedge 9: flexedge_hessian
d nJfe: flexedge_J
d nflexedge: flexedge_length flexedge_velocity
d nbvhdynamic 6: bvh_aabb_dyn
d nflexvert: flexvert_lambda
i nflexvert: flexvert_conage
i ntendon: ten_wrapadr ten_wrapnum tendon_efcadr efm_tid
d nJten: ten_J
d ntendon: ten_length ten_velocity efm_ts efm_tk
i nwrap 2: wrap_obj
d nwrap 6: wrap_xpos
d nout: actuator_length actuator_velocity actuator_force
i nout: moment_rownnz moment_rowadr
i nJmom: moment_colind
d nJmom: actuator_moment
d nC: M qLD qH efm_fluid
? nbvh: bvh_active
i nbody: body_awake body_awake_ind parent_awake_ind
i nv: dof_awake_ind dof_island map_dof2idof map_idof2dof efm_K_rownnz efm_K_rowadr
d nD: qDeriv qLU
i nefc: efc_type efc_id efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_island map_efc2iefc map_iefc2efc iefc_type iefc_id efc_Y_rownnz efc_Y_rowadr
  efc_AR_rownnz efc_AR_rowadr iefc_state efc_state
i nJ: efc_J_colind
d nJ: efc_J
d nefc: efc_pos efc_margin efc_frictionloss efc_diagA efc_D efc_R iefc_frictionloss iefc_D iefc_R efc_vel efc_aref efc_b iefc_aref iefc_force
  efc_force
d nefc 4: efc_KBIP
i nisland: island_ntree island_itreeadr island_nv island_idofadr island_dofadr island_ne island_nf island_nefc island_iefcadr
d nidof: ifrc_smooth iacc_smooth iacc ifrc_constraint
i nY: efc_Y_colind
d nY: efc_Y
i nA: efc_AR_colind
d nA: efc_AR
i nactuator: efm_aid
d nactuator: efm_as efm_ak
i nefmK: efm_K_colind
d nefmK: efm_K_val
i nefmdof: efm_dofid
i nefmcon: efm_con_ind
d nefmcon: efm_con_val
d nefmL: efm_L"""
ENUMS = """mjtDisableBit: mjDSBL_CONSTRAINT=1 mjDSBL_EQUALITY=2 mjDSBL_FRICTIONLOSS=4 mjDSBL_LIMIT=8 mjDSBL_CONTACT=16 mjDSBL_SPRING=32 mjDSBL_DAMPER=64
  mjDSBL_GRAVITY=128 mjDSBL_CLAMPCTRL=256 mjDSBL_WARMSTART=512 mjDSBL_FILTERPARENT=1024 mjDSBL_ACTUATION=2048 mjDSBL_REFSAFE=4096 mjDSBL_SENSOR=8192
  mjDSBL_MIDPHASE=16384 mjDSBL_EULERDAMP=32768 mjDSBL_AUTORESET=65536 mjDSBL_NATIVECCD=131072 mjDSBL_ISLAND=262144 mjDSBL_MULTICCD=524288
  mjNDISABLE=20
mjtEnableBit: mjENBL_OVERRIDE=1 mjENBL_ENERGY=2 mjENBL_FWDINV=4 mjENBL_INVDISCRETE=8 mjENBL_SLEEP=16 mjENBL_DIAGEXACT=32 mjENBL_IPC=64
  mjENBL_SPECULATIVE=128 mjNENABLE=8
mjtJoint: mjJNT_FREE=0 mjJNT_BALL=1 mjJNT_SLIDE=2 mjJNT_HINGE=3
mjtGeom: mjGEOM_PLANE=0 mjGEOM_HFIELD=1 mjGEOM_SPHERE=2 mjGEOM_CAPSULE=3 mjGEOM_ELLIPSOID=4 mjGEOM_CYLINDER=5 mjGEOM_BOX=6 mjGEOM_MESH=7
  mjGEOM_SDF=8 mjNGEOMTYPES=9 mjGEOM_ARROW=100 mjGEOM_ARROW1=101 mjGEOM_ARROW2=102 mjGEOM_LINE=103 mjGEOM_LINEBOX=104 mjGEOM_FLEX=105
  mjGEOM_SKIN=106 mjGEOM_LABEL=107 mjGEOM_TRIANGLE=108 mjGEOM_NONE=1001
mjtProjection: mjPROJ_PERSPECTIVE=0 mjPROJ_ORTHOGRAPHIC=1
mjtCamLight: mjCAMLIGHT_FIXED=0 mjCAMLIGHT_TRACK=1 mjCAMLIGHT_TRACKCOM=2 mjCAMLIGHT_TARGETBODY=3 mjCAMLIGHT_TARGETBODYCOM=4
mjtLightType: mjLIGHT_SPOT=0 mjLIGHT_DIRECTIONAL=1 mjLIGHT_POINT=2 mjLIGHT_IMAGE=3
mjtTexture: mjTEXTURE_2D=0 mjTEXTURE_CUBE=1 mjTEXTURE_SKYBOX=2
mjtTextureRole: mjTEXROLE_USER=0 mjTEXROLE_RGB=1 mjTEXROLE_OCCLUSION=2 mjTEXROLE_ROUGHNESS=3 mjTEXROLE_METALLIC=4 mjTEXROLE_NORMAL=5
  mjTEXROLE_OPACITY=6 mjTEXROLE_EMISSIVE=7 mjTEXROLE_RGBA=8 mjTEXROLE_ORM=9 mjNTEXROLE=10
mjtColorSpace: mjCOLORSPACE_AUTO=0 mjCOLORSPACE_LINEAR=1 mjCOLORSPACE_SRGB=2
mjtIntegrator: mjINT_EULER=0 mjINT_RK4=1 mjINT_IMPLICIT=2 mjINT_IMPLICITFAST=3 mjINT_DISCRETE=4
mjtCone: mjCONE_PYRAMIDAL=0 mjCONE_ELLIPTIC=1
mjtJacobian: mjJAC_DENSE=0 mjJAC_SPARSE=1 mjJAC_AUTO=2
mjtSolver: mjSOL_PGS=0 mjSOL_CG=1 mjSOL_NEWTON=2
mjtEq: mjEQ_CONNECT=0 mjEQ_WELD=1 mjEQ_JOINT=2 mjEQ_TENDON=3 mjEQ_FLEX=4 mjEQ_FLEXVERT=5 mjEQ_FLEXSTRAIN=6 mjEQ_DISTANCE=7
mjtTendon: mjTENDON_FIXED=0 mjTENDON_SPATIAL=1
mjtWrap: mjWRAP_NONE=0 mjWRAP_JOINT=1 mjWRAP_PULLEY=2 mjWRAP_SITE=3 mjWRAP_SPHERE=4 mjWRAP_CYLINDER=5
mjtTrn: mjTRN_JOINT=0 mjTRN_JOINTINPARENT=1 mjTRN_SLIDERCRANK=2 mjTRN_TENDON=3 mjTRN_SITE=4 mjTRN_BODY=5 mjTRN_SO3=6 mjTRN_UNDEFINED=1000
mjtDyn: mjDYN_NONE=0 mjDYN_INTEGRATOR=1 mjDYN_FILTER=2 mjDYN_FILTEREXACT=3 mjDYN_MUSCLE=4 mjDYN_DCMOTOR=5 mjDYN_PID=6 mjDYN_USER=7
mjtGain: mjGAIN_FIXED=0 mjGAIN_AFFINE=1 mjGAIN_MUSCLE=2 mjGAIN_DCMOTOR=3 mjGAIN_SO3=4 mjGAIN_PID=5 mjGAIN_USER=6
mjtBias: mjBIAS_NONE=0 mjBIAS_AFFINE=1 mjBIAS_MUSCLE=2 mjBIAS_DCMOTOR=3 mjBIAS_SO3=4 mjBIAS_USER=5
mjtCtrlChart: mjCHART_EXPMAP=1 mjCHART_QUAT=2
mjtCtrlInput: mjINPUT_POS=1 mjINPUT_VEL=2 mjINPUT_FF=4 mjINPUT_VOLTAGE=8 mjINPUT_NONE=16 mjINPUT_PRESSURE=32
mjtObj: mjOBJ_UNKNOWN=0 mjOBJ_BODY=1 mjOBJ_XBODY=2 mjOBJ_JOINT=3 mjOBJ_DOF=4 mjOBJ_GEOM=5 mjOBJ_SITE=6 mjOBJ_CAMERA=7 mjOBJ_LIGHT=8 mjOBJ_FLEX=9
  mjOBJ_MESH=10 mjOBJ_SKIN=11 mjOBJ_HFIELD=12 mjOBJ_TEXTURE=13 mjOBJ_MATERIAL=14 mjOBJ_PAIR=15 mjOBJ_EXCLUDE=16 mjOBJ_EQUALITY=17 mjOBJ_TENDON=18
  mjOBJ_ACTUATOR=19 mjOBJ_SENSOR=20 mjOBJ_NUMERIC=21 mjOBJ_TEXT=22 mjOBJ_TUPLE=23 mjOBJ_KEY=24 mjOBJ_PLUGIN=25 mjNOBJECT=26 mjOBJ_FRAME=100
  mjOBJ_DEFAULT=101 mjOBJ_MODEL=102
mjtSensor: mjSENS_TOUCH=0 mjSENS_ACCELEROMETER=1 mjSENS_VELOCIMETER=2 mjSENS_GYRO=3 mjSENS_FORCE=4 mjSENS_TORQUE=5 mjSENS_MAGNETOMETER=6
  mjSENS_RANGEFINDER=7 mjSENS_CAMPROJECTION=8 mjSENS_JOINTPOS=9 mjSENS_JOINTVEL=10 mjSENS_TENDONPOS=11 mjSENS_TENDONVEL=12 mjSENS_ACTUATORPOS=13
  mjSENS_ACTUATORVEL=14 mjSENS_ACTUATORFRC=15 mjSENS_JOINTACTFRC=16 mjSENS_TENDONACTFRC=17 mjSENS_BALLQUAT=18 mjSENS_BALLANGVEL=19
  mjSENS_JOINTLIMITPOS=20 mjSENS_JOINTLIMITVEL=21 mjSENS_JOINTLIMITFRC=22 mjSENS_TENDONLIMITPOS=23 mjSENS_TENDONLIMITVEL=24 mjSENS_TENDONLIMITFRC=25
  mjSENS_FRAMEPOS=26 mjSENS_FRAMEQUAT=27 mjSENS_FRAMEXAXIS=28 mjSENS_FRAMEYAXIS=29 mjSENS_FRAMEZAXIS=30 mjSENS_FRAMELINVEL=31 mjSENS_FRAMEANGVEL=32
  mjSENS_FRAMELINACC=33 mjSENS_FRAMEANGACC=34 mjSENS_SUBTREECOM=35 mjSENS_SUBTREELINVEL=36 mjSENS_SUBTREEANGMOM=37 mjSENS_INSIDESITE=38
  mjSENS_GEOMDIST=39 mjSENS_GEOMNORMAL=40 mjSENS_GEOMFROMTO=41 mjSENS_CONTACT=42 mjSENS_E_POTENTIAL=43 mjSENS_E_KINETIC=44 mjSENS_CLOCK=45
  mjSENS_TACTILE=46 mjSENS_PLUGIN=47 mjSENS_USER=48
mjtStage: mjSTAGE_NONE=0 mjSTAGE_POS=1 mjSTAGE_VEL=2 mjSTAGE_ACC=3
mjtDataType: mjDATATYPE_REAL=0 mjDATATYPE_POSITIVE=1 mjDATATYPE_AXIS=2 mjDATATYPE_QUATERNION=3
mjtConDataField: mjCONDATA_FOUND=0 mjCONDATA_FORCE=1 mjCONDATA_TORQUE=2 mjCONDATA_DIST=3 mjCONDATA_POS=4 mjCONDATA_NORMAL=5 mjCONDATA_TANGENT=6
  mjCONDATA_LINVEL=7 mjCONDATA_ANGVEL=8 mjNCONDATA=9
mjtRayDataField: mjRAYDATA_DIST=0 mjRAYDATA_DIR=1 mjRAYDATA_ORIGIN=2 mjRAYDATA_POINT=3 mjRAYDATA_NORMAL=4 mjRAYDATA_DEPTH=5 mjNRAYDATA=6
mjtCamOutBit: mjCAMOUT_RGB=1 mjCAMOUT_DEPTH=2 mjCAMOUT_DIST=4 mjCAMOUT_NORMAL=8 mjCAMOUT_SEG=16 mjNCAMOUT=5
mjtSameFrame: mjSAMEFRAME_NONE=0 mjSAMEFRAME_BODY=1 mjSAMEFRAME_INERTIA=2 mjSAMEFRAME_BODYROT=3 mjSAMEFRAME_INERTIAROT=4
mjtSleepPolicy: mjSLEEP_AUTO=0 mjSLEEP_AUTO_NEVER=1 mjSLEEP_AUTO_ALLOWED=2 mjSLEEP_NEVER=3 mjSLEEP_ALLOWED=4 mjSLEEP_INIT=5
mjtLRMode: mjLRMODE_NONE=0 mjLRMODE_MUSCLE=1 mjLRMODE_MUSCLEUSER=2 mjLRMODE_ALL=3
mjtFlexSelf: mjFLEXSELF_NONE=0 mjFLEXSELF_NARROW=1 mjFLEXSELF_BVH=2 mjFLEXSELF_SAP=3 mjFLEXSELF_AUTO=4
mjtSDFType: mjSDFTYPE_SINGLE=0 mjSDFTYPE_INTERSECTION=1 mjSDFTYPE_MIDSURFACE=2 mjSDFTYPE_COLLISION=3
mjtState: mjSTATE_TIME=1 mjSTATE_QPOS=2 mjSTATE_QVEL=4 mjSTATE_ACT=8 mjSTATE_HISTORY=16 mjSTATE_WARMSTART=32 mjSTATE_CTRL=64
  mjSTATE_QFRC_APPLIED=128 mjSTATE_XFRC_APPLIED=256 mjSTATE_EQ_ACTIVE=512 mjSTATE_MOCAP_POS=1024 mjSTATE_MOCAP_QUAT=2048 mjSTATE_USERDATA=4096
  mjSTATE_PLUGIN=8192 mjSTATE_PLASTIC=16384 mjNSTATE=15 mjSTATE_PHYSICS=16414 mjSTATE_FULLPHYSICS=24607 mjSTATE_USER=8128 mjSTATE_INTEGRATION=32767
mjtConstraint: mjCNSTR_EQUALITY=0 mjCNSTR_FRICTION_DOF=1 mjCNSTR_FRICTION_TENDON=2 mjCNSTR_LIMIT_JOINT=3 mjCNSTR_LIMIT_TENDON=4
  mjCNSTR_CONTACT_FRICTIONLESS=5 mjCNSTR_CONTACT_PYRAMIDAL=6 mjCNSTR_CONTACT_ELLIPTIC=7
mjtConstraintState: mjCNSTRSTATE_SATISFIED=0 mjCNSTRSTATE_QUADRATIC=1 mjCNSTRSTATE_LINEARNEG=2 mjCNSTRSTATE_LINEARPOS=3 mjCNSTRSTATE_CONE=4
mjtWarning: mjWARN_INERTIA=0 mjWARN_CONTACTFULL=1 mjWARN_CNSTRFULL=2 mjWARN_BADQPOS=3 mjWARN_BADQVEL=4 mjWARN_BADQACC=5 mjWARN_BADCTRL=6
  mjNWARNING=7
mjtTimer: mjTIMER_STEP=0 mjTIMER_FORWARD=1 mjTIMER_INVERSE=2 mjTIMER_POSITION=3 mjTIMER_VELOCITY=4 mjTIMER_ACTUATION=5 mjTIMER_CONSTRAINT=6
  mjTIMER_ADVANCE=7 mjTIMER_POS_KINEMATICS=8 mjTIMER_POS_INERTIA=9 mjTIMER_POS_COLLISION=10 mjTIMER_POS_MAKE=11 mjTIMER_POS_PROJECT=12
  mjTIMER_COL_BROAD=13 mjTIMER_COL_NARROW=14 mjNTIMER=15
mjtSleepState: mjS_STATIC=-1 mjS_ASLEEP=0 mjS_AWAKE=1
mjtLogLevel: mjLOG_DEBUG=0 mjLOG_INFO=1 mjLOG_WARNING=2 mjLOG_ERROR=3
mjtLogTopic: mjTOPIC_NONE=0 mjTOPIC_TIME_STP=1 mjTOPIC_TIME_CMP=2 mjTOPIC_SLEEP=3 mjNTOPIC=3
mjtGeomInertia: mjINERTIA_VOLUME=0 mjINERTIA_SHELL=1
mjtMeshInertia: mjMESH_INERTIA_CONVEX=0 mjMESH_INERTIA_EXACT=1 mjMESH_INERTIA_LEGACY=2 mjMESH_INERTIA_SHELL=3
mjtMeshBuiltin: mjMESH_BUILTIN_NONE=0 mjMESH_BUILTIN_SPHERE=1 mjMESH_BUILTIN_HEMISPHERE=2 mjMESH_BUILTIN_CONE=3 mjMESH_BUILTIN_SUPERSPHERE=4
  mjMESH_BUILTIN_SUPERTORUS=5 mjMESH_BUILTIN_WEDGE=6 mjMESH_BUILTIN_PLATE=7 mjMESH_BUILTIN_GRID=8 mjMESH_BUILTIN_BOX=9 mjMESH_BUILTIN_CYLINDER=10
  mjMESH_BUILTIN_ELLIPSOID=11 mjMESH_BUILTIN_SQUARE=12 mjMESH_BUILTIN_DISC=13
mjtFlexSection: mjFLEXSECTION_CIRCLE=0 mjFLEXSECTION_BOX=1
mjtBuiltin: mjBUILTIN_NONE=0 mjBUILTIN_GRADIENT=1 mjBUILTIN_CHECKER=2 mjBUILTIN_FLAT=3
mjtMark: mjMARK_NONE=0 mjMARK_EDGE=1 mjMARK_CROSS=2 mjMARK_RANDOM=3
mjtLimited: mjLIMITED_FALSE=0 mjLIMITED_TRUE=1 mjLIMITED_AUTO=2
mjtAlignFree: mjALIGNFREE_FALSE=0 mjALIGNFREE_TRUE=1 mjALIGNFREE_AUTO=2
mjtPassthrough: mjPASSTHROUGH_NONE=0 mjPASSTHROUGH_TEXTURES=1
mjtEmbed: mjEMBED_FALSE=0 mjEMBED_TRUE=1 mjEMBED_AUTO=2
mjtInertiaFromGeom: mjINERTIAFROMGEOM_FALSE=0 mjINERTIAFROMGEOM_TRUE=1 mjINERTIAFROMGEOM_AUTO=2
mjtOrientation: mjORIENTATION_QUAT=0 mjORIENTATION_AXISANGLE=1 mjORIENTATION_XYAXES=2 mjORIENTATION_ZAXIS=3 mjORIENTATION_EULER=4
mjtConflict: mjCONFLICT_WARNING=0 mjCONFLICT_MERGE=1 mjCONFLICT_ERROR=2
mjtScaling: mjSCALING_SIMILAR=0 mjSCALING_GEOMETRY=1
mjtActuator: mjACTUATOR_GENERAL=0 mjACTUATOR_MOTOR=1 mjACTUATOR_POSITION=2 mjACTUATOR_VELOCITY=3 mjACTUATOR_INTVELOCITY=4 mjACTUATOR_DAMPER=5
  mjACTUATOR_CYLINDER=6 mjACTUATOR_MUSCLE=7 mjACTUATOR_ADHESION=8 mjACTUATOR_PID=9 mjACTUATOR_ORIENTATION=10 mjACTUATOR_DCMOTOR=11
mjtCTimer: mjCTIMER_TOTAL=0 mjCTIMER_ASSETS=1 mjCTIMER_TEXTURE=2 mjCTIMER_MESH_LOAD=3 mjCTIMER_MESH_HULL=4 mjCTIMER_MESH_POLYGON=5
  mjCTIMER_MESH_INERTIA=6 mjCTIMER_MESH_BVH=7 mjCTIMER_MESH_OCTREE=8 mjNCTIMER=9
mjtCatBit: mjCAT_STATIC=1 mjCAT_DYNAMIC=2 mjCAT_DECOR=4 mjCAT_ALL=7
mjtMouse: mjMOUSE_NONE=0 mjMOUSE_ROTATE_V=1 mjMOUSE_ROTATE_H=2 mjMOUSE_MOVE_V=3 mjMOUSE_MOVE_H=4 mjMOUSE_ZOOM=5 mjMOUSE_MOVE_V_REL=6
  mjMOUSE_MOVE_H_REL=7 mjMOUSE_TURN_V=8 mjMOUSE_TURN_H=9
mjtPertBit: mjPERT_TRANSLATE=1 mjPERT_ROTATE=2
mjtCamera: mjCAMERA_FREE=0 mjCAMERA_TRACKING=1 mjCAMERA_FIXED=2 mjCAMERA_USER=3
mjtLabel: mjLABEL_NONE=0 mjLABEL_BODY=1 mjLABEL_JOINT=2 mjLABEL_GEOM=3 mjLABEL_SITE=4 mjLABEL_CAMERA=5 mjLABEL_LIGHT=6 mjLABEL_TENDON=7
  mjLABEL_ACTUATOR=8 mjLABEL_CONSTRAINT=9 mjLABEL_FLEX=10 mjLABEL_SKIN=11 mjLABEL_SELECTION=12 mjLABEL_SELPNT=13 mjLABEL_CONTACTPOINT=14
  mjLABEL_CONTACTFORCE=15 mjLABEL_ISLAND=16 mjNLABEL=17
mjtFrame: mjFRAME_NONE=0 mjFRAME_BODY=1 mjFRAME_GEOM=2 mjFRAME_SITE=3 mjFRAME_CAMERA=4 mjFRAME_LIGHT=5 mjFRAME_CONTACT=6 mjFRAME_WORLD=7 mjNFRAME=8
mjtVisFlag: mjVIS_CONVEXHULL=0 mjVIS_TEXTURE=1 mjVIS_JOINT=2 mjVIS_CAMERA=3 mjVIS_ACTUATOR=4 mjVIS_ACTIVATION=5 mjVIS_LIGHT=6 mjVIS_TENDON=7
  mjVIS_RANGEFINDER=8 mjVIS_CONSTRAINT=9 mjVIS_INERTIA=10 mjVIS_SCLINERTIA=11 mjVIS_PERTFORCE=12 mjVIS_PERTOBJ=13 mjVIS_CONTACTPOINT=14
  mjVIS_ISLAND=15 mjVIS_CONTACTFORCE=16 mjVIS_CONTACTSPLIT=17 mjVIS_TRANSPARENT=18 mjVIS_AUTOCONNECT=19 mjVIS_COM=20 mjVIS_SELECT=21 mjVIS_STATIC=22
  mjVIS_SKIN=23 mjVIS_FLEXVERT=24 mjVIS_FLEXEDGE=25 mjVIS_FLEXFACE=26 mjVIS_FLEXSKIN=27 mjVIS_BODYBVH=28 mjVIS_MESHBVH=29 mjVIS_SDFITER=30
  mjNVISFLAG=31
mjtRndFlag: mjRND_SHADOW=0 mjRND_WIREFRAME=1 mjRND_REFLECTION=2 mjRND_ADDITIVE=3 mjRND_SKYBOX=4 mjRND_FOG=5 mjRND_HAZE=6 mjRND_DEPTH=7
  mjRND_SEGMENT=8 mjRND_IDCOLOR=9 mjRND_CULL_FACE=10 mjRND_POST_PROCESSING=11 mjNRNDFLAG=12
mjtStereo: mjSTEREO_NONE=0 mjSTEREO_QUADBUFFERED=1 mjSTEREO_SIDEBYSIDE=2
mjtPluginCapabilityBit: mjPLUGIN_ACTUATOR=1 mjPLUGIN_SENSOR=2 mjPLUGIN_PASSIVE=4 mjPLUGIN_SDF=8
mjtGridPos: mjGRID_TOPLEFT=0 mjGRID_TOPRIGHT=1 mjGRID_BOTTOMLEFT=2 mjGRID_BOTTOMRIGHT=3 mjGRID_TOP=4 mjGRID_BOTTOM=5 mjGRID_LEFT=6 mjGRID_RIGHT=7
mjtFramebuffer: mjFB_WINDOW=0 mjFB_OFFSCREEN=1
mjtDepthMap: mjDEPTH_ZERONEAR=0 mjDEPTH_ZEROFAR=1
mjtFontScale: mjFONTSCALE_50=50 mjFONTSCALE_100=100 mjFONTSCALE_150=150 mjFONTSCALE_200=200 mjFONTSCALE_250=250 mjFONTSCALE_300=300
mjtFont: mjFONT_NORMAL=0 mjFONT_SHADOW=1 mjFONT_BIG=2
mjrPixelFormat: mjPIXEL_FORMAT_UNKNOWN=0 mjPIXEL_FORMAT_R8=1 mjPIXEL_FORMAT_RGB8=2 mjPIXEL_FORMAT_RGBA8=3 mjPIXEL_FORMAT_R32F=4
  mjPIXEL_FORMAT_DEPTH32F=5 mjPIXEL_FORMAT_KTX=6
mjrVertexAttributeUsage: mjVERTEX_ATTRIBUTE_USAGE_POSITION=0 mjVERTEX_ATTRIBUTE_USAGE_NORMAL=1 mjVERTEX_ATTRIBUTE_USAGE_TANGENTS=2
  mjVERTEX_ATTRIBUTE_USAGE_UV=3 mjVERTEX_ATTRIBUTE_USAGE_COLOR=4
mjrVertexAttributeType: mjVERTEX_ATTRIBUTE_TYPE_FLOAT2=0 mjVERTEX_ATTRIBUTE_TYPE_FLOAT3=1 mjVERTEX_ATTRIBUTE_TYPE_FLOAT4=2
  mjVERTEX_ATTRIBUTE_TYPE_UBYTE4=3
mjrIndexType: mjINDEX_TYPE_U16=0 mjINDEX_TYPE_U32=1
mjrMeshPrimitiveType: mjMESH_PRIMITIVE_TYPE_TRIANGLES=0 mjMESH_PRIMITIVE_TYPE_LINES=1
mjtButton: mjBUTTON_NONE=0 mjBUTTON_LEFT=1 mjBUTTON_RIGHT=2 mjBUTTON_MIDDLE=3
mjtEvent: mjEVENT_NONE=0 mjEVENT_MOVE=1 mjEVENT_PRESS=2 mjEVENT_RELEASE=3 mjEVENT_SCROLL=4 mjEVENT_KEY=5 mjEVENT_RESIZE=6 mjEVENT_REDRAW=7
  mjEVENT_FILESDROP=8
mjtItem: mjITEM_END=-2 mjITEM_SECTION=-1 mjITEM_SEPARATOR=0 mjITEM_STATIC=1 mjITEM_BUTTON=2 mjITEM_CHECKINT=3 mjITEM_CHECKBYTE=4 mjITEM_RADIO=5
  mjITEM_RADIOLINE=6 mjITEM_SELECT=7 mjITEM_SLIDERINT=8 mjITEM_SLIDERNUM=9 mjITEM_EDITINT=10 mjITEM_EDITNUM=11 mjITEM_EDITFLOAT=12 mjITEM_EDITTXT=13
  mjNITEM=14
mjtSection: mjSECT_CLOSED=0 mjSECT_OPEN=1 mjSECT_FIXED=2"""
NAMES = """constants: mjMAXCONPAIR=50 mjMAXFLEXNODES=27 mjMAXIMP=0.9999 mjMAXLIGHT=100 mjMAXLINE=100 mjMAXLINEPNT=1001 mjMAXOVERLAY=500 mjMAXPLANEGRID=200
  mjMAXTREEDEPTH=50 mjMAXVAL=10000000000.0 mjMINAWAKE=10 mjMINIMP=0.0001 mjMINMU=1e-05 mjMINVAL=1e-15 mjNBIAS=10 mjNDYN=10 mjNEQDATA=12 mjNFLUID=12
  mjNGAIN=10 mjNGROUP=6 mjNIMP=5 mjNISLAND=20 mjNPOLY=2 mjNREF=2 mjNSENS=3 mjNSOLVER=200 mjPI=3.141592653589793
functions: mj_Euler mj_RungeKutta mj_actuatorInputName mj_addContact mj_addM mj_angmomMat mj_applyFT mj_camlight mj_checkAcc mj_checkPos mj_checkVel
  mj_clearCache mj_collision mj_comPos mj_comVel mj_compareFwdInv mj_constraintUpdate mj_contactForce mj_copyData mj_copyState mj_crb
  mj_defaultLROpt mj_defaultOption mj_defaultSolRefImp mj_defaultVisual mj_differentiatePos mj_embedAssets mj_energyPos mj_energyVel mj_extractState
  mj_factorM mj_flex mj_forward mj_forwardSkip mj_fullM mj_fwdAcceleration mj_fwdActuation mj_fwdConstraint mj_fwdKinematics mj_fwdPosition
  mj_fwdVelocity mj_geomDistance mj_getCache mj_getCacheCapacity mj_getCacheSize mj_getState mj_getTotalmass mj_id2name mj_implicit
  mj_initCtrlHistory mj_initSensorHistory mj_insideSite mj_integratePos mj_invConstraint mj_invPosition mj_invVelocity mj_inverse mj_inverseSkip
  mj_isDual mj_isPyramidal mj_isSparse mj_island mj_jac mj_jacBody mj_jacBodyCom mj_jacDot mj_jacGeom mj_jacPointAxis mj_jacSite mj_jacSubtreeCom
  mj_kinematics mj_loadAllPluginLibraries mj_loadPluginLibrary mj_loadTexture mj_local2Global mj_makeConstraint mj_makeM mj_maxContact mj_mulJacTVec
  mj_mulJacVec mj_mulM mj_mulM2 mj_multiRay mj_name2id mj_normalizeQuat mj_objectAcceleration mj_objectVelocity mj_passive mj_printData
  mj_printFormattedData mj_printFormattedModel mj_printFormattedScene mj_printModel mj_printScene mj_printSchema mj_projectConstraint mj_ray
  mj_rayFlex mj_rayHfield mj_rayMesh mj_readCtrl mj_readSensor mj_referenceConstraint mj_resetCallbacks mj_resetCtrl mj_resetData mj_resetDataDebug
  mj_resetDataKeyframe mj_rne mj_rnePostConstraint mj_saveLastXML mj_saveModel mj_sensorAcc mj_sensorPos mj_sensorVel mj_setCacheCapacity
  mj_setConst mj_setKeyframe mj_setLengthRange mj_setState mj_setTotalmass mj_sizeModel mj_solveM mj_solveM2 mj_stateSize mj_step mj_step1 mj_step2
  mj_subtreeVel mj_tendon mj_transmission mj_version mj_versionString mjd_inverseFD mjd_quatIntegrate mjd_subQuat mjd_transitionFD mjr_addAux
  mjr_blitAux mjr_blitBuffer mjr_changeFont mjr_defaultRendererInfo mjr_drawPixels mjr_figure mjr_findRect mjr_finish mjr_getError
  mjr_getRendererInfo mjr_label mjr_maxViewport mjr_overlay mjr_readPixels mjr_rectangle mjr_render mjr_resizeOffscreen mjr_restoreBuffer mjr_setAux
  mjr_setBuffer mjr_text mjr_uploadHField mjr_uploadMesh mjr_uploadTexture mju_Halton mju_L1 mju_add mju_add3 mju_addScl mju_addScl3 mju_addTo
  mju_addTo3 mju_addToScl mju_addToScl3 mju_axisAngle2Quat mju_band2Dense mju_bandDiag mju_bandMulMatVec mju_boxQP mju_cholFactor mju_cholFactorBand
  mju_cholSolve mju_cholSolveBand mju_cholUpdate mju_clip mju_copy mju_copy3 mju_copy4 mju_cross mju_d2n mju_decodePyramid mju_dense2Band
  mju_dense2sparse mju_derivQuat mju_dist3 mju_dot mju_dot3 mju_eig3 mju_encodePyramid mju_euler2Quat mju_eye mju_f2n mju_fill
  mju_getXMLDependencies mju_insertionSort mju_insertionSortInt mju_isBad mju_isZero mju_mat2Quat mju_mat2Rot mju_max mju_min mju_mulMatMat
  mju_mulMatMatT mju_mulMatTMat mju_mulMatTVec mju_mulMatTVec3 mju_mulMatVec mju_mulMatVec3 mju_mulPose mju_mulQuat mju_mulQuatAxis mju_mulVecMatVec
  mju_muscleBias mju_muscleDynamics mju_muscleGain mju_n2d mju_n2f mju_negPose mju_negQuat mju_norm mju_norm3 mju_normalize mju_normalize3
  mju_normalize4 mju_printMat mju_printMatSparse mju_quat2Mat mju_quat2Vel mju_quatIntegrate mju_quatZ2Vec mju_rayGeom mju_raySkin mju_rotVecQuat
  mju_round mju_scl mju_scl3 mju_sigmoid mju_sign mju_sparse2dense mju_springDamper mju_sqrMatTD mju_standardNormal mju_str2Type mju_sub mju_sub3
  mju_subFrom mju_subFrom3 mju_subQuat mju_sum mju_sym2dense mju_symmetrize mju_threadpool mju_transformSpatial mju_transpose mju_trnVecPose
  mju_type2Str mju_unit4 mju_warningText mju_writeLog mju_writeNumBytes mju_zero mju_zero3 mju_zero4 mjv_addGeoms mjv_alignToCamera
  mjv_applyPerturbForce mjv_applyPerturbPose mjv_averageCamera mjv_camera2GLCamera mjv_cameraFrame mjv_cameraFrustum mjv_cameraInModel
  mjv_cameraInRoom mjv_connector mjv_defaultCamera mjv_defaultFigure mjv_defaultFreeCamera mjv_defaultOption mjv_defaultPerturb mjv_frustumHeight
  mjv_initGeom mjv_initPerturb mjv_makeLights mjv_model2room mjv_moveCamera mjv_moveModel mjv_movePerturb mjv_room2model mjv_select mjv_updateCamera
  mjv_updateScene mjv_updateSkin
mjDISABLESTRING: Constraint Equality Frictionloss Limit Contact Spring Damper Gravity Clampctrl Warmstart Filterparent Actuation Refsafe Sensor
  Midphase Eulerdamp AutoReset NativeCCD Island MultiCCD
mjENABLESTRING: Override Energy Fwdinv InvDiscrete Sleep DiagExact IPC Speculative
mjTIMERSTRING: step forward inverse position velocity actuation constraint advance pos_kinematics pos_inertia pos_collision pos_make pos_project
  col_broadphase col_narrowphase
mjVISSTRING: Convex_Hull|0|H Texture|1|X Joint|0|J Camera|0|Q Actuator|0|U Activation|0|, Light|0|Z Tendon|1|V Range_Finder|1|Y Equality|0|E
  Inertia|0|I Scale_Inertia|0|' Perturb_Force|0|B Perturb_Object|1|O Contact_Point|0|C Island|0|N Contact_Force|0|F Contact_Split|0|P
  Transparent|0|T Auto_Connect|0|A Center_of_Mass|0|M Select_Point|0| Static_Body|1|D Skin|1|; Flex_Vert|0| Flex_Edge|1| Flex_Face|0| Flex_Skin|1|
  Body_Tree|0|` Mesh_Tree|0|\\ SDF_iters|0|
mjRNDSTRING: Shadow|1|S Wireframe|0|W Reflection|1|R Additive|0|L Skybox|1|K Fog|0|G Haze|1|/ Depth|0| Segment|0|, Id_Color|0| Cull_Face|1|
  Post_Processing|1|
mjLABELSTRING: None Body Joint Geom Site Camera Light Tendon Actuator Constraint Flex Skin Selection SelPoint Contact ContactForce Island
mjFRAMESTRING: None Body Geom Site Camera Light Contact World"""
VISUAL = """global_: azimuth=90 bvactive=0 cameraid=-1 elevation=-45 ellipsoidinertia=0 fovy=45 glow=0.3 ipd=0.068 linewidth=1 offheight=480 offwidth=640
  orthographic=0 realtime=1
quality: numquads=4 numslices=28 numstacks=16 offsamples=4 shadowsize=4096
headlight: active=2 ambient=0.1,0.1,0.1 diffuse=0.4,0.4,0.4 specular=0.5,0.5,0.5
map: actuatortendon=2 alpha=0.3 fogend=10 fogstart=3 force=0.005 haze=0.3 shadowclip=1 shadowscale=0.6 stiffness=100 stiffnessrot=500 torque=0.1
  zfar=50 znear=0.01
scale: actuatorlength=0.7 actuatorwidth=0.2 camera=0.3 com=0.4 connect=0.2 constraint=0.1 contactheight=0.1 contactwidth=0.3 forcewidth=0.1
  framelength=1 framewidth=0.1 frustum=10 jointlength=1 jointwidth=0.1 light=0.3 selectpoint=0.2 slidercrank=0.2
rgba: actuator=0.2,0.25,0.2,1 actuatornegative=0.2,0.6,0.9,1 actuatorpositive=0.9,0.4,0.2,1 camera=0.6,0.9,0.6,1 com=0.9,0.9,0.9,1
  connect=0.2,0.2,0.8,1 constraint=0.9,0,0,1 contactforce=0.7,0.9,0.9,1 contactfriction=0.9,0.8,0.4,1 contactgap=0.5,0.8,0.9,1
  contactpoint=0.9,0.6,0.2,1 contacttorque=0.9,0.7,0.9,1 crankbroken=0.9,0,0,1 fog=0,0,0,1 force=1,0.5,0.5,1 frustum=1,1,0,0.2 haze=1,1,1,1
  inertia=0.8,0.2,0.2,0.6 joint=0.2,0.6,0.8,1 light=0.6,0.6,0.9,1 rangefinder=1,1,0.1,1 selectpoint=0.9,0.9,0.1,1 slidercrank=0.5,0.3,0.8,1"""
