// Comparing the dynamics of a robot with what Pinocchio and MuJoCo read in the same URDF file.
#pragma once

#include "external/oracle_match.h"

#include <filesystem>

namespace rattleback
{

/// Where tools/peers puts an environment.
std::filesystem::path find_peer(const std::string& name);

/// The folder of example-robot-data; empty where it is not installed.
std::filesystem::path find_robots();

/// Runs a script of this folder with the Python of a peer; what it prints.
std::vector<std::string> ask_python(const std::string& peer, const std::string& script, const std::string& arguments,
                                    const std::string& text);

/// All numbers with which a line begins.
std::vector<double> read_numbers(const std::string& line);

/// Fail unless M and bias agree at 20 states with those of the file; joints are hinges, slides and free ones
/// (Pinocchio), or hinges and slides alone (MuJoCo).
void expect_same_as_pinocchio(const std::string& urdf, const Model& model, const char* base);
void expect_same_as_mujoco(const Model& model, lab::Oracle& oracle);

}  // namespace rattleback

#define SKIP_WITHOUT_PEER(name, option)                                        \
    if (!std::filesystem::exists(::rattleback::find_peer(name) / "installed")) \
    GTEST_SKIP() << name << " is not here: tools/peers " option
