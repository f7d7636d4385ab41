// Audit of a recording: did anything ever pass through anything, in the states and on the way between them?
#pragma once

#include <rattleback/record.h>

namespace rattleback::lab
{

/// How bad, by the deepest overlap over the size of the smaller of the two shapes.
enum class OverlapClass
{
    none,
    slight,     ///< below 1e-4
    visible,    ///< below 1e-2
    tunnelled,  ///< beyond
};
const char* to_string(OverlapClass kind);

/// Two shapes that intersect at some moment.
struct AuditFinding
{
    int first_shape = -1, second_shape = -1;
    double first_time = 0;    ///< of intersection [s]; on the way between frames found to 1e-6 of the step
    double deepest = 0;       ///< overlap [m]
    double deepest_time = 0;  ///< [s]
    double size = 0;          ///< of the smaller shape [m]
    OverlapClass kind = OverlapClass::none;
};

/// Two shapes that come too close to prove that they stay apart, and are not seen to meet.
struct AuditDoubt
{
    int first_shape = -1, second_shape = -1;
    double time = 0;  ///< apart until then [s]
};

/// How far two shapes provably stay apart along the way from a frame to the next.
struct ProvenDistance
{
    std::int64_t step = 0;  ///< from this frame on
    int first_shape = -1, second_shape = -1;
    double distance = 0;  ///< lower bound of that of their surfaces [m]
};

struct AuditOptions
{
    bool states_only = false;      ///< leave out the way from frame to frame
    bool distances = false;        ///< prove how far apart what is apart stays; takes several times as long
    const Model* model = nullptr;  ///< whose filters say what may collide; null: MuJoCo's rules about bodies alone
    int threads = 1;               ///< 0: one per core; no influence on the report
};

struct AuditReport
{
    std::int64_t frames = 0;
    std::int64_t pairs = 0;              ///< of shapes, looked at in a frame or a step
    std::int64_t queries = 0;            ///< of vertex and face or edge and edge along the way
    std::int64_t undecided = 0;          ///< pairs in steps of which nothing is proven
    AuditDoubt doubt;                    ///< the first of them
    double tessellation_error = 0;       ///< smaller overlaps of cylinders and ellipsoids are not seen [m]
    std::vector<AuditFinding> findings;  ///< by first time
    /// By step, of all pairs that were looked at and are proven apart; with AuditOptions::distances.
    std::vector<ProvenDistance> distances;

    OverlapClass worst() const;
    /// No intersection, and nothing undecided.
    bool clean() const { return findings.empty() && undecided == 0; }
    /// The least of `distances`, the first of several; null without any.
    const ProvenDistance* least_distance() const;
};

/// Shapes that may collide, by the options' model or by the rules about bodies; the smaller number first.
std::vector<std::pair<int, int>> list_pairs(const RecordedModel& model, const AuditOptions& options);

/// Looks at every frame, and at the path from each to the next: the centre of mass in a straight line, the rotation
/// log(R1 R0ᵀ) at a constant rate. Apart along the way means proven so (certified_time_of_impact). Errors: frames that
/// are more than a step apart without `states_only`; a model that does not fit.
Result<AuditReport> audit(Recording& recording, const AuditOptions& options = {});

}  // namespace rattleback::lab
