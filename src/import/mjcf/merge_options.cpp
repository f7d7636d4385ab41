// Merges the options of attached models into those of the model that attaches them, by MuJoCo's rule for each.
#include "import/mjcf/merge_options.h"

#include <algorithm>

namespace rattleback::mjcf
{

namespace
{

/// An attribute of `option` or `flag` and the element that has it; the last of several counts.
struct Written
{
    const Element* element = nullptr;
    const Attribute* attribute = nullptr;

    std::vector<double> numbers() const { return element->numbers(attribute->rule->name); }
    /// Is it worth the same as the other one, or as what holds where nothing is written?
    bool equals(const Written* other) const
    {
        const AttributeRule& rule = *attribute->rule;
        const bool number = rule.type == Type::real || rule.type == Type::integer;
        if (!number) return attribute->text == (other ? other->attribute->text : rule.fallback);
        // Without its attributes an element tells the defaults.
        const Element plain{.rule = element->rule, .attributes = {}, .children = {}, .location = {}, .context = {}};
        return numbers() == (other ? other->numbers() : plain.numbers(rule.name));
    }
};

using WrittenOptions = std::map<std::string, Written, std::less<>>;

void note_attributes(const Element& element, WrittenOptions& list)
{
    for (const Attribute& attribute : element.attributes) list[attribute.rule->name] = {&element, &attribute};
}

const Written* find_written(const WrittenOptions& list, const std::string& name)
{
    const auto found = list.find(name);
    return found == list.end() ? nullptr : &found->second;
}

/// Tolerances and the timestep take the smaller of two values, counts of iterations the larger; others must agree.
bool takes_smaller(std::string_view name) { return name == "timestep" || name.ends_with("tolerance"); }
bool takes_larger(std::string_view name) { return name.ends_with("iterations") || name == "sdf_initpoints"; }

class OptionMerger
{
public:
    OptionMerger(const Element& attach, const Spec& parent)
        : mode_(parent.world.context->conflict),
          adopted_{.rule = find_element("mujoco", "option"),
                   .attributes = {},
                   .children = {},
                   .location = attach.location,
                   .context = attach.context},
          flags_{.rule = find_element("option", "flag"),
                 .attributes = {},
                 .children = {},
                 .location = attach.location,
                 .context = attach.context}
    {
    }

    void visit_option(const Written& child, const Written* parent)
    {
        const std::string& name = child.attribute->rule->name;
        if (name == "actuatorgroupdisable")
        {
            // Groups that either switches off.
            if (mode_ != "merge") return;
            Attribute both = *child.attribute;
            const std::vector<double> own = parent ? parent->numbers() : std::vector<double>();
            both.numbers.insert(both.numbers.end(), own.begin(), own.end());
            adopted_.attributes.push_back(std::move(both));
            return;
        }
        if (child.equals(parent)) return;
        if (parent == nullptr || mode_ == "warning") return pass(child, adopted_);
        const bool smaller = takes_smaller(name), larger = takes_larger(name);
        if (mode_ == "error" || (!smaller && !larger)) return refuse(name);
        if (smaller == (child.numbers()[0] < parent->numbers()[0])) adopted_.attributes.push_back(*child.attribute);
    }
    void visit_flag(const Written& child, const Written* parent)
    {
        if (child.equals(parent)) return;
        // Only what is not as usual spreads.
        if (mode_ == "merge" && child.equals(nullptr)) return;
        if (mode_ == "error" && parent != nullptr) return refuse(child.attribute->rule->name);
        pass(child, flags_);
    }
    void finish(const Element& attach, Spec& parent, Log& log)
    {
        const std::string model = attach.text("model");
        if (!refused_.empty())
            return log.fail(attach.location, "options of the model '" + model + "' are others here: " + refused_,
                            "write the same values, or 'conflict=\"warning\"' in 'compiler'", ErrorCode::invalid_value);
        if (!passed_.empty())
            log.warn(attach.location, "options of the model '" + model + "' do not hold here: " + passed_,
                     "'conflict=\"merge\"' in 'compiler' takes them over");
        if (!flags_.attributes.empty()) adopted_.children.push_back(std::move(flags_));
        if (!adopted_.attributes.empty() || !adopted_.children.empty()) parent.options.push_back(std::move(adopted_));
    }
    bool merges() const { return mode_ == "merge"; }

private:
    /// What the child alone says is adopted in merging, and passed over else.
    void pass(const Written& child, Element& target)
    {
        if (mode_ == "merge")
            target.attributes.push_back(*child.attribute);
        else
            passed_ += (passed_.empty() ? "" : ", ") + child.attribute->rule->name;
    }
    void refuse(const std::string& name) { refused_ += (refused_.empty() ? "" : ", ") + name; }

    std::string mode_, refused_, passed_;
    Element adopted_, flags_;
};

}  // namespace

void merge_options(const Spec& child, const Element& attach, Spec& parent, Log& log)
{
    WrittenOptions theirs, ours, their_flags, our_flags;
    const auto list = [](const Spec& spec, WrittenOptions& options, WrittenOptions& flags)
    {
        for (const Element& option : spec.options)
        {
            note_attributes(option, options);
            for (const Element& flag : option.children) note_attributes(flag, flags);
        }
    };
    list(child, theirs, their_flags);
    list(parent, ours, our_flags);
    OptionMerger merger(attach, parent);
    for (const auto& [name, written] : theirs) merger.visit_option(written, find_written(ours, name));
    for (const auto& [name, written] : their_flags) merger.visit_flag(written, find_written(our_flags, name));
    if (merger.merges()) parent.least_keys = std::max(parent.least_keys, child.least_keys);
    merger.finish(attach, parent, log);
}

}  // namespace rattleback::mjcf
