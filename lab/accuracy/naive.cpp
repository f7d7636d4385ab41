// The plain version of PBD-R: one loop per stage, nothing fused, nothing reused.
#include "lab/accuracy/naive.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace rattleback::lab
{

namespace
{

struct Vector
{
    float x = 0, y = 0, z = 0;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(float s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
Vector cross(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

struct Particle
{
    Vector rest, position, velocity, change;
    float mass = 0;
};
using Body = std::vector<Particle>;

struct Matrix
{
    double m[3][3] = {};
};

Vector center_of(const Body& body)
{
    Vector sum;
    float mass = 0;
    for (const Particle& p : body)
    {
        sum = sum + p.mass * p.position;
        mass += p.mass;
    }
    return (1 / mass) * sum;
}

Vector linear_momentum(const Body& body)
{
    Vector sum;
    for (const Particle& p : body) sum = sum + p.mass * p.velocity;
    return sum;
}

Vector angular_momentum(const Body& body, Vector center, Vector moving)
{
    Vector sum;
    for (const Particle& p : body) sum = sum + p.mass * cross(p.position - center, p.velocity - moving);
    return sum;
}

/// U V^T of the singular value decomposition, by Jacobi's method on A^T A and one division.
Matrix polar(const Matrix& a)
{
    double s[3][3] = {}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) s[i][j] += a.m[k][i] * a.m[k][j];
    for (int sweep = 0; sweep < 10; ++sweep)
    {
        for (int p = 0; p < 2; ++p)
        {
            for (int q = p + 1; q < 3; ++q)
            {
                if (s[p][q] == 0) continue;
                const double theta = (s[q][q] - s[p][p]) / (2 * s[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), sine = t * c;
                for (auto& row : s)
                {
                    const double kp = row[p], kq = row[q];
                    row[p] = c * kp - sine * kq;
                    row[q] = sine * kp + c * kq;
                }
                for (int k = 0; k < 3; ++k)
                {
                    const double pk = s[p][k], qk = s[q][k], vp = v[k][p], vq = v[k][q];
                    s[p][k] = c * pk - sine * qk;
                    s[q][k] = sine * pk + c * qk;
                    v[k][p] = c * vp - sine * vq;
                    v[k][q] = sine * vp + c * vq;
                }
            }
        }
    }
    Matrix r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) r.m[i][j] += a.m[i][l] * v[l][k] / std::sqrt(s[k][k]) * v[j][k];
    return r;
}

void match_shape(Body& body, float dt)
{
    const Vector center = center_of(body);
    Matrix a;
    for (const Particle& p : body)
    {
        const Vector r = p.position - center;
        const float arm[3] = {r.x, r.y, r.z}, rest[3] = {p.rest.x, p.rest.y, p.rest.z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) a.m[i][j] += static_cast<double>(p.mass * arm[i] * rest[j]);
    }
    const Matrix r = polar(a);
    for (Particle& p : body)
    {
        const float rest[3] = {p.rest.x, p.rest.y, p.rest.z};
        float goal[3] = {center.x, center.y, center.z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) goal[i] += static_cast<float>(r.m[i][j]) * rest[j];
        p.change = Vector{goal[0], goal[1], goal[2]} - p.position;
    }
    for (Particle& p : body)
    {
        p.position = p.position + p.change;
        p.velocity = p.velocity + (1 / dt) * p.change;
    }
}

Vector solve(const float (&i)[3][3], Vector b)
{
    const float c00 = i[1][1] * i[2][2] - i[1][2] * i[2][1], c01 = i[0][2] * i[2][1] - i[0][1] * i[2][2];
    const float c02 = i[0][1] * i[1][2] - i[0][2] * i[1][1], c11 = i[0][0] * i[2][2] - i[0][2] * i[2][0];
    const float c12 = i[0][2] * i[1][0] - i[0][0] * i[1][2], c22 = i[0][0] * i[1][1] - i[0][1] * i[1][0];
    const float s = 1 / (i[0][0] * c00 + i[1][0] * c01 + i[2][0] * c02);
    return {s * (c00 * b.x + c01 * b.y + c02 * b.z), s * (c01 * b.x + c11 * b.y + c12 * b.z),
            s * (c02 * b.x + c12 * b.y + c22 * b.z)};
}

void restore_momentum(Body& body, float mass, Vector linear, Vector angular, float dt)
{
    const Vector change = (1 / mass) * (linear - linear_momentum(body));
    for (Particle& p : body)
    {
        p.velocity = p.velocity + change;
        p.position = p.position + dt * change;
    }
    const Vector center = center_of(body);
    float inertia[3][3] = {};
    for (const Particle& p : body)
    {
        const Vector r = p.position - center;
        const float arm[3] = {r.x, r.y, r.z};
        const float squared = r.x * r.x + r.y * r.y + r.z * r.z;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) inertia[i][j] += p.mass * ((i == j ? squared : 0.0F) - arm[i] * arm[j]);
    }
    const Vector after = angular_momentum(body, center, (1 / mass) * linear_momentum(body));
    const Vector spin = solve(inertia, after - angular);
    for (Particle& p : body)
    {
        const Vector turn = cross(spin, p.position - center);
        p.velocity = p.velocity - turn;
        p.position = p.position - dt * turn;
    }
}

void touch_floor(Body& body, float radius, float friction, float dt)
{
    for (Particle& p : body)
    {
        p.change = {};
        const float gap = p.position.z - radius;
        if (gap > 0) continue;
        const float speed = std::sqrt(p.velocity.x * p.velocity.x + p.velocity.y * p.velocity.y);
        const float slide = speed > 0 ? std::min(-friction * gap, speed * dt) / speed : 0;
        p.change = 0.9F * Vector{-slide * p.velocity.x, -slide * p.velocity.y, -gap};
    }
    for (Particle& p : body)
    {
        p.position = p.position + p.change;
        p.velocity = p.velocity + (1 / dt) * p.change;
    }
}

}  // namespace

double run_naive(const float (*centers)[3], int count, float radius, float mass, float force, int frames)
{
    constexpr float kDt = 0.001F;
    Body body(static_cast<std::size_t>(count));
    float lowest = 0;
    for (int i = 0; i < count; ++i) lowest = std::min(lowest, centers[i][2]);
    for (int i = 0; i < count; ++i)
    {
        Particle& p = body[static_cast<std::size_t>(i)];
        p.rest = {centers[i][0], centers[i][1], centers[i][2]};
        p.position = p.rest + Vector{0, 0, radius - lowest};
        p.mass = mass / static_cast<float>(count);
    }
    const Vector start = center_of(body);
    for (Particle& p : body) p.rest = p.position - start;
    for (int step = 0; step < 10 * frames; ++step)
    {
        for (Particle& p : body)
        {
            p.velocity = p.velocity + kDt * Vector{force / mass, 0, -9.81F};
            p.position = p.position + kDt * p.velocity;
        }
        for (int i = 0; i < 10; ++i)
        {
            touch_floor(body, radius, 0.4F, kDt);
            const Vector linear = linear_momentum(body);
            const Vector angular = angular_momentum(body, center_of(body), (1 / mass) * linear);
            match_shape(body, kDt);
            restore_momentum(body, mass, linear, angular, kDt);
        }
    }
    return static_cast<double>(center_of(body).x - start.x);
}

double run_naive_box(int n, int frames)
{
    const float radius = 0.1F / static_cast<float>(n);
    std::vector<float> flat;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k)
                for (const int c : {i, j, k}) flat.push_back(-0.1F + radius + 2 * radius * static_cast<float>(c));
    return run_naive(reinterpret_cast<const float(*)[3]>(flat.data()), n * n * n, radius, 4, 17, frames);
}

}  // namespace rattleback::lab
