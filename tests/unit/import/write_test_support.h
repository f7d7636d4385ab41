// Shared by the tests of the writer: writing what must be good, and reading it again.
#pragma once

#include <gtest/gtest.h>
#include <rattleback/builder.h>
#include <rattleback/export.h>
#include <rattleback/import.h>

namespace rattleback
{

/// The text of a model that can be written.
inline std::string write_good(const Model& model)
{
    Result<std::string> text = write_mjcf(model);
    EXPECT_TRUE(text.ok()) << to_text(text.errors());
    return text.ok() ? std::move(text).value() : std::string();
}

/// Written and read: the same model, without a word of warning, and written again the same text.
inline void expect_round_trip(const Model& model)
{
    const std::string text = write_good(model);
    const Result<Imported> imported = parse_mjcf(text, "written.xml", ".");
    ASSERT_TRUE(imported.ok()) << to_text(imported.errors()) << '\n' << text;
    EXPECT_EQ(fingerprint(imported.value().model), fingerprint(model)) << text;
    EXPECT_TRUE(imported.value().warnings.empty()) << to_text(imported.value().warnings);
    EXPECT_EQ(write_good(imported.value().model), text);
}

/// The model of a sound builder.
inline Model build_good(const ModelBuilder& builder)
{
    Result<Model> model = builder.build();
    EXPECT_TRUE(model.ok()) << to_text(model.errors());
    return std::move(model).value();
}

}  // namespace rattleback
