// Walks the XML without recursion, so that no depth of nesting can exhaust the stack.
#include "import/mjcf/reader.h"

#include <algorithm>
#include <set>

#include "import/mjcf/check_attribute.h"
#include "import/xml/xml_text.h"

namespace rattleback::mjcf
{

namespace
{

constexpr const char* kEmptyHint = "an MJCF file holds one element 'mujoco'";

/// Reads the files of one model.
class Reader
{
public:
    Reader(Source& source, Log& log) : source_(source), log_(log) {}

    std::optional<Element> read_root(std::string_view text, const std::string& name);
    void note_main_file(const std::filesystem::path& path)
    {
        std::error_code code;
        seen_.insert(std::filesystem::weakly_canonical(path, code));
    }

private:
    /// An open element: where its children go, and in which context they are looked up.
    struct Level
    {
        Element* parent = nullptr;
        std::string context;
        pugi::xml_node next = {};
    };

    void walk(const XmlText& file, pugi::xml_node first, Element& parent, const std::string& context, int depth);
    bool add_element(const XmlText& file, pugi::xml_node node, const Level& level, Element& element);
    void add_attributes(const XmlText& file, pugi::xml_node node, bool in_default, Element& element);
    /// False (and an error): what the file holds is not in the model.
    bool include(const XmlText& file, pugi::xml_node node, const Level& level, int depth);
    Source& source_;
    Log& log_;
    std::set<std::filesystem::path> seen_;
    int include_depth_ = 0;
    bool full_ = false;  // the limit of elements was met
    /// Where the XML breaks off: the element that was being read then, whose names may be garbage.
    pugi::xml_node torn_;
};

/// The last element of a document.
pugi::xml_node find_last(const pugi::xml_document& document)
{
    pugi::xml_node last = document.document_element();
    while (true)
    {
        pugi::xml_node child = last.last_child();
        while (child && child.type() != pugi::node_element) child = child.previous_sibling();
        if (!child) return last;
        last = child;
    }
}

/// An empty list of numbers or an empty reference, which to MuJoCo is as good as none.
bool says_nothing(const Attribute& attribute)
{
    const Type type = attribute.rule->type;
    const bool list = type == Type::real || type == Type::integer;
    const bool reference = type == Type::reference && attribute.rule->kind != "class";
    return (list || reference) && attribute.text.find_first_not_of(" \t\n\r") == std::string::npos;
}

/// Notes the names below an element that is not read.
struct NameLoser : pugi::xml_tree_walker
{
    explicit NameLoser(Log& given) : log(given) {}
    bool for_each(pugi::xml_node& node) override
    {
        if (const pugi::xml_attribute name = node.attribute("name")) log.lose(name.value());
        return true;
    }
    Log& log;
};
void lose_names(pugi::xml_node node, Log& log)
{
    NameLoser loser(log);
    loser.for_each(node);
    node.traverse(loser);
}

std::optional<Element> Reader::read_root(std::string_view text, const std::string& name)
{
    XmlText file;
    const bool whole = file.parse(text, name, kEmptyHint, log_);
    const pugi::xml_node node = file.document.document_element();
    if (!whole)  // what stands before the break can be read, not understood
    {
        torn_ = find_last(file.document);
        Element root{.rule = find_element("", "mujoco")};
        if (node != torn_ && std::string_view(node.name()) == "mujoco")
            walk(file, node.first_child(), root, "mujoco", 1);
        return std::nullopt;
    }
    if (std::string_view(node.name()) != "mujoco")
    {
        log_.fail(file.locate(node), "the file begins with " + in_quotes(node.name()) + " instead of 'mujoco'");
        return std::nullopt;
    }
    Element root;
    if (!add_element(file, node, {nullptr, ""}, root)) return std::nullopt;
    walk(file, node.first_child(), root, "mujoco", 1);
    return root;
}

void Reader::walk(const XmlText& file, pugi::xml_node first, Element& parent, const std::string& context, int depth)
{
    std::vector<Level> levels{{&parent, context, first}};
    while (!levels.empty() && !full_)
    {
        Level& top = levels.back();
        const pugi::xml_node node = top.next;
        if (!node)
        {
            levels.pop_back();
            continue;
        }
        top.next = node.next_sibling();
        if (node.type() != pugi::node_element || node == torn_) continue;
        const int here = depth + static_cast<int>(levels.size());
        if (here > source_.options->limits.depth)
        {
            log_.fail(file.locate(node), "elements are nested too deeply",
                      "at most " + std::to_string(source_.options->limits.depth) + " levels", ErrorCode::limit);
            top.next = {};
            continue;
        }
        if (std::string_view(node.name()) == "include")
        {
            if (!include(file, node, top, here)) log_.lose_part();
            continue;
        }
        Element element;
        if (!add_element(file, node, top, element)) continue;
        top.parent->children.push_back(std::move(element));
        Element& added = top.parent->children.back();  // stays where it is until we are back at this level
        if (node.first_child()) levels.push_back({&added, added.rule->context, node.first_child()});
    }
}

bool Reader::add_element(const XmlText& file, pugi::xml_node node, const Level& level, Element& element)
{
    const bool is_root = level.parent == nullptr;
    element.location = file.locate(node);
    element.rule = is_root || !level.context.empty() ? find_element(level.context, node.name()) : nullptr;
    element.id = source_.next_id++;
    if (++source_.elements > source_.options->limits.elements)
    {
        full_ = true;
        log_.fail(element.location, "too many elements", "at most " + std::to_string(source_.options->limits.elements),
                  ErrorCode::limit);
        return false;
    }
    if (!element.rule)
    {
        std::vector<std::string> names;
        for (const ElementRule* rule : list_elements(level.context))
        {
            if (!level.context.empty()) names.push_back(rule->name);
        }
        log_.fail(element.location,
                  "unknown element " + in_quotes(node.name()) + " in '" + level.parent->rule->name + "'",
                  names.empty()       ? "it has no elements"
                  : log_.takes_hint() ? name_hint(node.name(), names)
                                      : "");
        level.parent->broken = true;
        lose_names(node, log_);
        return false;
    }
    if (element.rule->use == Use::refused)
    {
        const bool dropped = element.is("composite");
        log_.fail(element.location,
                  dropped ? "'composite' is no part of MJCF since MuJoCo 4.0"
                          : "'" + element.rule->name + "' is not supported",
                  dropped ? "write its bodies out (older versions of MuJoCo save a model so), or use 'replicate'" : "",
                  ErrorCode::unsupported);
        level.parent->broken = true;
        lose_names(node, log_);
        return false;
    }
    add_attributes(file, node, level.context == "default", element);
    return true;
}

void Reader::add_attributes(const XmlText& file, pugi::xml_node node, bool in_default, Element& element)
{
    // Places of attributes: the parser tells the element's alone, so we look for the name from there.
    std::size_t from = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    for (const pugi::xml_attribute& written : node.attributes())
    {
        const std::string_view name = written.name();
        Attribute attribute{.text = written.value()};
        const std::size_t found = std::min(file.text.find(name, from), file.text.size());
        from = find_value_end(file.text, found);
        attribute.location = file.locate(static_cast<std::ptrdiff_t>(found));
        const AttributeRule* rule = element.rule->find(name);
        const bool is_class = element.is("default");
        const bool refers = rule && rule->type == Type::reference && rule->kind != "mesh" && rule->kind != "hfield" &&
                            rule->kind != "material" && rule->kind != "texture" && rule->name != "target";
        if (!rule && element.is("replicate"))
        {
            // MuJoCo looks for what it knows here and for nothing else.
            log_.warn(attribute.location, "'replicate' has no attribute " + in_quotes(name) + ": it is passed over");
            continue;
        }
        if (!rule || (in_default && !is_class && (rule->type == Type::name || refers)))
        {
            std::vector<std::string> names;
            for (const AttributeRule& known : element.rule->attributes)
            {
                if (log_.takes_hint()) names.push_back(known.name);
            }
            log_.fail(attribute.location, "unknown attribute " + in_quotes(name) + " of '" + element.rule->name + "'",
                      rule ? "not allowed in defaults" : name_hint(name, names));
            element.broken = true;
            continue;
        }
        if (element.find(name))
        {
            log_.fail(attribute.location, "attribute " + in_quotes(name) + " is given twice");
            continue;
        }
        attribute.rule = rule;
        if (says_nothing(attribute)) continue;
        if (check_attribute(*element.rule, source_.options->limits.string_length, attribute, log_))
            element.attributes.push_back(std::move(attribute));
        else
            element.broken = true;
    }
    if (in_default && !element.is("default")) return;
    for (const AttributeRule& rule : element.rule->attributes)
    {
        if (!rule.required || element.has(rule.name)) continue;
        if (!element.broken)
            log_.fail(element.location, "'" + element.rule->name + "' needs the attribute '" + rule.name + "'");
        element.broken = true;
    }
}

bool Reader::include(const XmlText& file, pugi::xml_node node, const Level& level, int depth)
{
    const SourceLocation here = file.locate(node);
    const auto refuse = [&](std::string message, std::string hint = {}, ErrorCode code = ErrorCode::syntax)
    {
        log_.fail(here, std::move(message), std::move(hint), code);
        return false;
    };
    const std::string name = node.attribute("file").value();
    for (const pugi::xml_attribute& attribute : node.attributes())
    {
        if (std::string_view(attribute.name()) != "file")
            refuse("unknown attribute " + in_quotes(attribute.name()) + " of 'include'", "it has only 'file'");
    }
    if (name.empty()) return refuse("'include' needs the attribute 'file'");
    if (include_depth_ >= source_.options->limits.include_depth)
        return refuse("includes are nested too deeply",
                      "at most " + std::to_string(source_.options->limits.include_depth), ErrorCode::limit);
    const auto path = find_path(find_folder(source_.folder, name, here), name, here, source_, log_);
    if (!path) return false;
    std::error_code code;
    if (!seen_.insert(std::filesystem::weakly_canonical(*path, code)).second)
        return refuse("the file " + in_quotes(name) + " is included twice or includes itself",
                      "a file can be included once in a model");
    const Result<std::string> text = read_bytes(*path, source_.text_left);
    if (!text)
    {
        log_.append(here, text.errors());
        return false;
    }
    source_.text_left -= text->size();
    XmlText inner;
    if (!inner.parse(text.value(), path->generic_string(), kEmptyHint, log_)) return false;
    ++include_depth_;
    walk(inner, inner.document.document_element().first_child(), *level.parent, level.context, depth);
    --include_depth_;
    return true;
}

}  // namespace

std::optional<Element> read_text(std::string_view text, const std::string& name, Source& source, Log& log)
{
    if (text.size() > source.options->limits.bytes)
    {
        log.fail({std::make_shared<const std::string>(name), 0, 0}, "the text is too long",
                 "at most " + std::to_string(source.options->limits.bytes) + " bytes", ErrorCode::limit);
        return std::nullopt;
    }
    return Reader(source, log).read_root(text, name);
}

std::optional<Element> read_file(const std::filesystem::path& path, const SourceLocation& location, Source& source,
                                 Log& log)
{
    const Result<std::string> text = read_bytes(path, source.text_left);
    if (!text)
    {
        log.append(location, text.errors());
        return std::nullopt;
    }
    source.text_left -= text->size();
    Reader reader(source, log);
    reader.note_main_file(path);
    return reader.read_root(text.value(), path.generic_string());
}

}  // namespace rattleback::mjcf
