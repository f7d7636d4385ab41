// KeptOverWrites: memories of which something outlives a state that is written from outside.
#pragma once

namespace rattleback
{

class KeptOverWrites
{
public:
    /// A place, or parameters, were written: as Memory::reset(), but for what belongs to the shapes and not to where
    /// they are.
    virtual void forget_motion() = 0;

protected:
    ~KeptOverWrites() = default;
};

}  // namespace rattleback
