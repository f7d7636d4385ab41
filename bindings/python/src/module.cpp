// The module rattleback._core: everything that is compiled; the package around it is Python.
#include "bindings.h"

namespace rattleback::python
{

NB_MODULE(_core, module)
{
    module.doc() = "Rattleback's engine: one model, many solvers.";
    install_check_handler(module);
    bind_report(module);
    bind_model(module);
    bind_builder(module);
    bind_import(module);
    bind_state(module);
    bind_contacts(module);
    bind_record(module);
    bind_solver(module);
    bind_simulation(module);
    bind_batch(module);
    bind_dynamics(module);
    bind_query(module);
    module.attr("version") = RATTLEBACK_VERSION;
}

}  // namespace rattleback::python
