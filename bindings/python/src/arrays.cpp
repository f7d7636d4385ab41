// NumPy arrays by way of nanobind, which owns the protocol; NumPy converts what is not float64 in C order.
#include "arrays.h"

#include "convert.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

namespace rattleback::python
{

namespace
{

nb::dlpack::dtype to_dtype(Scalar scalar)
{
    switch (scalar)
    {
        case Scalar::float32:
            return nb::dtype<float>();
        case Scalar::int32:
            return nb::dtype<std::int32_t>();
        case Scalar::uint32:
            return nb::dtype<std::uint32_t>();
        case Scalar::int64:
            return nb::dtype<std::int64_t>();
        case Scalar::uint64:
            return nb::dtype<std::uint64_t>();
        case Scalar::float64:
            break;
    }
    return nb::dtype<double>();
}

template <class Owner>
nb::capsule make_capsule(Owner owner)
{
    return nb::capsule(new Owner(std::move(owner)), [](void* held) noexcept { delete static_cast<Owner*>(held); });
}

double nothing = 0;  // where an empty array points to

struct Layout
{
    std::size_t shape[3]{};
    std::int64_t strides[3]{};
    std::size_t dimensions = 0;

    void add(std::int64_t size, std::int64_t stride)
    {
        shape[dimensions] = static_cast<std::size_t>(size);
        strides[dimensions++] = stride;
    }
};
Layout lay_out(const Block& block)
{
    Layout layout;
    if (block.worlds >= 0) layout.add(block.worlds, block.count * block.stride);
    layout.add(block.count, block.stride);
    if (block.width > 0) layout.add(block.width, 1);
    return layout;
}

template <class Array>
nb::object wrap(const void* data, const Layout& layout, nb::handle owner, Scalar scalar,
                nb::rv_policy policy = nb::rv_policy::reference)
{
    Array array(const_cast<void*>(data != nullptr ? data : &nothing), layout.dimensions, layout.shape, owner,
                layout.strides, to_dtype(scalar));
    return nb::cast(array, policy);
}

template <class T>
nb::object own(std::vector<T> values, std::span<const std::int64_t> shape, nb::dlpack::dtype type)
{
    std::vector<std::size_t> sizes(shape.begin(), shape.end());
    const nb::capsule owner = make_capsule(std::move(values));
    T* data = static_cast<std::vector<T>*>(owner.data())->data();
    void* place = data != nullptr ? static_cast<void*>(data) : &nothing;
    return nb::cast(nb::ndarray<nb::numpy>(place, sizes.size(), sizes.data(), owner, nullptr, type),
                    nb::rv_policy::reference);
}

}  // namespace

nb::object make_view(const Block& block, Access access, std::shared_ptr<const void> owner)
{
    const nb::capsule capsule = make_capsule(std::move(owner));
    if (access == Access::write) return wrap<nb::ndarray<nb::numpy>>(block.data, lay_out(block), capsule, block.scalar);
    return wrap<nb::ndarray<nb::numpy, nb::ro>>(block.data, lay_out(block), capsule, block.scalar);
}

nb::object make_array(std::vector<double> values, std::span<const std::int64_t> shape)
{
    return own(std::move(values), shape, nb::dtype<double>());
}
nb::object make_array(std::vector<std::int64_t> values)
{
    const std::int64_t size = static_cast<std::int64_t>(values.size());
    return own(std::move(values), {&size, 1}, nb::dtype<std::int64_t>());
}
nb::object copy_array(const Block& block)
{
    return wrap<nb::ndarray<nb::numpy>>(block.data, lay_out(block), {}, block.scalar, nb::rv_policy::copy);
}

NumberArray read_numbers(nb::handle given)
{
    const nb::object numpy = nb::module_::import_("numpy");
    NumberArray numbers;
    try
    {
        // Text, dates and complex numbers have no numbers to give; NumPy would parse the first and cut the last.
        const nb::object raw = numpy.attr("asarray")(given);
        const std::string kind = nb::cast<std::string>(raw.attr("dtype").attr("kind"));
        if (kind != "f" && kind != "i" && kind != "u" && kind != "b") throw Mismatch{"an array of real numbers"};
        numbers.array = numpy.attr("ascontiguousarray")(raw, "float64");
    }
    catch (nb::python_error& error)
    {
        if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
        throw Mismatch{"an array of real numbers"};
    }
    const auto array = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(numbers.array);
    numbers.values = {array.data(), array.size()};
    for (std::size_t i = 0; i < array.ndim(); ++i) numbers.shape.push_back(array.shape(i));
    return numbers;
}

std::string shape_text(std::span<const std::int64_t> shape)
{
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i == 0 ? "" : ", ") + (shape[i] < 0 ? std::string("n") : std::to_string(shape[i]));
    return text + (shape.size() == 1 ? ",)" : ")");
}

NumberArray read_numbers(nb::handle given, const char* place, std::span<const std::int64_t> shape)
{
    NumberArray numbers;
    try
    {
        numbers = read_numbers(given);
    }
    catch (const Mismatch& mismatch)
    {
        raise_mismatch(place, {mismatch.expected + " of shape " + shape_text(shape)}, given);
    }
    bool fits = numbers.shape.size() == shape.size();
    for (std::size_t i = 0; fits && i < shape.size(); ++i)
        fits = shape[i] < 0 || numbers.shape[i] == static_cast<std::size_t>(shape[i]);
    if (!fits)
    {
        const std::vector<std::int64_t> got(numbers.shape.begin(), numbers.shape.end());
        throw nb::value_error(
            (std::string(place) + ": expected shape " + shape_text(shape) + ", got " + shape_text(got)).c_str());
    }
    return numbers;
}

}  // namespace rattleback::python
