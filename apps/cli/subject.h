// Subject: what a command works on, a scene of the laboratory or a model file.
#pragma once

#include "lab/scenes/scenes.h"

#include <rattleback/import.h>

#include <memory>

namespace rattleback::cli
{

struct Subject
{
    std::shared_ptr<const lab::Scene> scene;  ///< of a file: its path as the name, and no `build`
    std::shared_ptr<const Model> model;
    std::vector<Error> warnings;  ///< of a file, and on meshes that collide as their hulls
};

/// The scene of that name, or the model in that file: a word that ends as model files do, or an existing file.
Result<Subject> open_subject(const std::string& word, const ImportOptions& options = {});

/// Does the word end as model files do?
bool is_model_file(const std::string& word);

/// Says on stderr what a file holds that has no effect, or another than one might think.
void print_warnings(const std::vector<Error>& warnings);

}  // namespace rattleback::cli
