// Bullet's GJK and EPA for one pair of convex shapes, in double precision, without margins around the shapes.
#include "lab/peers/bullet/shapes.h"
#include "lab/peers/pair_probe.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace rattleback::lab
{

namespace
{

class BulletProbe final : public PairProbe
{
public:
    BulletProbe(std::unique_ptr<btConvexShape> first, std::unique_ptr<btConvexShape> second)
        : first_(std::move(first)), second_(std::move(second))
    {
    }

    std::string name() const override { return bullet_version() + " GJK/EPA"; }

    int find_contacts(const PlacedShape& first, const PlacedShape& second, double margin) override
    {
        btGjkPairDetector detector(first_.get(), second_.get(), &simplex_, &depth_);
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = to_bullet(first);
        input.m_transformB = to_bullet(second);
        input.m_maximumDistanceSquared = margin * margin;
        if (margin == 0) input.m_maximumDistanceSquared = SIMD_EPSILON;
        btPointCollector result;
        result.m_normalOnBInWorld.setZero();  // it leaves them as they are where it finds nothing
        result.m_pointInWorld.setZero();
        detector.getClosestPoints(input, result, nullptr);
        found_ = result.m_hasResult && result.m_distance < margin;
        normal_ = -from_bullet(result.m_normalOnBInWorld);  // it points from the second shape to the first
        on_second_ = from_bullet(result.m_pointInWorld);
        distance_ = result.m_distance;
        return found_ ? 1 : 0;
    }

    void read_contacts(std::vector<ProbePoint>& points) const override
    {
        points.clear();
        if (found_) points.push_back({on_second_ - 0.5 * distance_ * normal_, normal_, distance_});
    }

private:
    std::unique_ptr<btConvexShape> first_, second_;
    btVoronoiSimplexSolver simplex_;
    btGjkEpaPenetrationDepthSolver depth_;
    bool found_ = false;
    Vec3 normal_, on_second_;
    double distance_ = 0;
};

}  // namespace

Result<std::unique_ptr<PairProbe>> make_bullet_probe(const PlacedShape& first, const PlacedShape& second)
{
    auto a = make_bullet_shape(first), b = make_bullet_shape(second);
    if (!a || !b)
    {
        return Error{.code = ErrorCode::unsupported, .where = "bullet", .message = "has no convex shape for this pair"};
    }
    return std::unique_ptr<PairProbe>(std::make_unique<BulletProbe>(std::move(a), std::move(b)));
}

}  // namespace rattleback::lab
