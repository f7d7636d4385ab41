// Expander: puts replicas and attached models in place.
#pragma once

#include <functional>
#include <set>

#include "import/mjcf/pose.h"
#include "import/mjcf/references.h"
#include "import/mjcf/spec.h"

namespace rattleback::mjcf
{

/// A frame at `pose` that stands where `like` stands in its file.
Element make_frame(const Pose& pose, const Element& like);

class Expander
{
public:
    Expander(Spec& spec, Source& source, Log& log) : spec_(spec), source_(source), log_(log) {}

    /// A model that may be attached.
    void add_model(const std::string& name, Spec model) { models_.emplace(name, std::move(model)); }

    /// Replaces all replicate and attach elements of the tree and extends the lists of the spec.
    void expand()
    {
        attach_own_parts(spec_.world);
        expand(spec_.world);
    }

private:
    using Rename = std::function<std::string(const std::string&)>;
    using IdMap = std::map<int, int>;

    void expand(Element& parent);
    void replicate(const Element& element, std::vector<Element>& children);
    void attach(const Element& element, std::vector<Element>& children);
    /// Attachments of parts of the model itself.
    void attach_own_parts(Element& parent);
    void attach_own(const Element& element, std::vector<Element>& children);
    void attach_lists(Spec& model, NameSet names, const Rename& rename, IdMap& ids);
    void attach_keys(Spec& model, const Rename& rename, const IdMap& ids);
    /// A copy in which all names are new, and references to `names` follow.
    Element copy(const Element& element, const NameSet& names, const Rename& rename, bool keep_ids, IdMap& ids);
    /// Is there room for `count` more elements?
    bool may_copy(const Element& element, double count);
    /// The body or frame of that name below `world`; none, too, where the search takes too long.
    const Element* find_part(const Element& world, const std::string& kind, const std::string& name,
                             const Element& attach);
    bool may_nest(const Element& part, const Element& attach);

    Spec& spec_;
    Source& source_;
    Log& log_;
    std::map<std::string, Spec> models_;
    std::set<std::pair<std::string, std::string>> attached_assets_;
    std::set<std::string> merged_;     ///< models whose options were looked at
    std::set<std::string> key_names_;  ///< of all keyframes of the spec; filled by the first that is attached
    double visits_left_ = 1e9;         ///< of elements, by searches for what is attached
    bool full_ = false;
};

}  // namespace rattleback::mjcf
