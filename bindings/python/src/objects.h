// What Python's objects hold: shared engine objects, locks, and arrays that were asked for.
#pragma once

#include "arrays.h"

#include <rattleback/batch.h>

#include <atomic>
#include <mutex>

namespace rattleback::python
{

using SharedModel = std::shared_ptr<const Model>;

/// Who works on an object. A second thread waits its turn; a callback of the one that works may read, not step.
class Busy
{
public:
    /// True in a callback of the work that holds this object, on whichever thread it runs.
    bool is_inside() const { return inside_ == this; }

    /// Marks this thread as being in such a callback.
    class Inside
    {
    public:
        explicit Inside(const Busy& busy) : before_(inside_) { inside_ = &busy; }
        ~Inside() { inside_ = before_; }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        const Busy* before_;
    };

private:
    friend class Turn;
    std::mutex mutex_;
    static thread_local const Busy* inside_;
};

/// Releases the interpreter's lock and holds the object, for one call.
class Turn
{
public:
    /// What changes the object must not be called from its own callbacks.
    Turn(Busy& busy, Access access) : busy_(busy), nested_(busy.is_inside())
    {
        if (!nested_) busy.mutex_.lock();
        if (nested_ && access == Access::write)
            fail_check(__FILE__, __LINE__,
                       "a callback of a run may read, and write inputs, but not step, reset or restore");
    }
    ~Turn()
    {
        if (!nested_) busy_.mutex_.unlock();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    nb::gil_scoped_release released_;
    Busy& busy_;
    bool nested_;
};

/// State or Control of something, seen from Python. `batch`: arrays have a leading world dimension.
struct StateObject
{
    std::shared_ptr<const void> owner;
    State* state = nullptr;
    SharedModel model;
    bool batch = false;
    std::array<nb::object, 11> arrays;  ///< made when first asked for: the memory never moves
};
struct ControlObject
{
    std::shared_ptr<const void> owner;
    Control* control = nullptr;
    SharedModel model;
    bool batch = false;
    std::array<nb::object, 11> arrays;
};

struct World
{
    Simulation simulation;
    Busy busy;
};
struct Worlds
{
    Batch batch;
    Busy busy;
};
/// A Simulation or a Batch in Python.
struct SimulationObject
{
    std::shared_ptr<World> world;
    nb::object state, control, sensors, acceleration;
};
struct BatchObject
{
    std::shared_ptr<Worlds> worlds;
    nb::object state, control, sensors, accelerations;
    std::array<nb::object, kWorldParameterCount> varied;
};

/// What `answer` finds in the worlds while nobody steps them.
template <class Answer>
auto ask_worlds(const BatchObject& self, Answer answer)
{
    const Turn turn(self.worlds->busy, Access::read);
    return answer(self.worlds->batch);
}
/// Adds what is read of a Batch to its class.
void bind_batch_reading(nb::class_<BatchObject>& type);

struct ModelObject
{
    SharedModel model;
};

/// Contacts of a world as of one moment; see bind_contacts.
nb::object make_contacts(std::shared_ptr<const void> owner, SharedModel model, const Contacts& contacts,
                         const ContactForces& forces, Busy& busy);

nb::object make_model(SharedModel model);
nb::object to_python(const Energy& energy);
nb::object to_python(const Momentum& momentum);
nb::object to_python(StepDerivatives derivatives);

/// A keyframe by name, id or number.
KeyframeId find_keyframe(const Model& model, nb::handle given);
/// A world of a batch; an IndexError where there is none.
int check_world(nb::handle given, int world_count);

}  // namespace rattleback::python
