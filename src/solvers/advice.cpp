// Asks the solvers that have something to say.
#include "solvers/advice.h"

#include "solvers/particles/particles.h"
#include "solvers/particles/tipping.h"

namespace rattleback
{

std::vector<Error> find_advice(const SolverInfo& info, const Model& model, const Parameters& parameters)
{
    using namespace particles;
    if (&info == &kPbd) return find_tipping_boxes(model, read_options(Method::pbd, parameters));
    if (&info == &kPbdr) return find_tipping_boxes(model, read_options(Method::pbdr, parameters));
    return {};
}

}  // namespace rattleback
