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
        result_ = btPointCollector();
        detector.getClosestPoints(input, result_, nullptr);
        return result_.m_hasResult && result_.m_distance < margin ? 1 : 0;
    }

    void read_contacts(std::vector<ProbePoint>& points) const override
    {
        points.clear();
        if (!result_.m_hasResult) return;
        // Its normal points from the second shape to the first, its point lies on the second.
        const Vec3 normal = -from_bullet(result_.m_normalOnBInWorld);
        const Vec3 on_second = from_bullet(result_.m_pointInWorld);
        const double distance = result_.m_distance;
        points.push_back({on_second - 0.5 * distance * normal, normal, distance});
    }

private:
    std::unique_ptr<btConvexShape> first_, second_;
    btVoronoiSimplexSolver simplex_;
    btGjkEpaPenetrationDepthSolver depth_;
    btPointCollector result_;
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
