// Trials: runs of accuracy tests, many at once on all cores, each kept in a file so that an interrupted series goes on.
#pragma once

#include "lab/accuracy/run.h"

#include <filesystem>
#include <functional>
#include <map>
#include <span>

namespace rattleback::lab
{

/// One contestant in one test.
struct Trial
{
    int test = 1;
    CaseOptions changes = {};
    Contestant who = {};
    int frames = 0;  ///< of 10 ms; 0: all
    int keep = 0;    ///< every so many frames a sample is kept; 0: the last alone
};

/// What is kept of a run.
struct TrialOutcome
{
    std::string refused;  ///< as in AccuracyRun
    std::string trouble;
    std::string precision = "double";
    double seconds = 0;      ///< on the wall
    double cpu_seconds = 0;  ///< of the whole process: means something for trials that ran alone
    AccuracySample end;      ///< NaN where it did not run
    AccuracySample mean;     ///< of the magnitudes of all errors, over all frames
    std::vector<AccuracySample> samples;

    bool ran() const { return refused.empty(); }
};

/// Everything that a trial's outcome depends on but the program, in one line.
std::string describe(const Trial& trial);

/// The trials of a folder, in its file runs.jsonl: one line each, written as soon as it is done.
class TrialBook
{
public:
    using MakeCase = std::function<Result<AccuracyCase>(const Trial&)>;
    using Say = std::function<void(const std::string&)>;

    /// Reads what an earlier program left in the folder, which is made where needed. `mark` is added to every trial's
    /// description, for what all of them share.
    static Result<TrialBook> open(const std::filesystem::path& folder, std::string mark = {});

    /// The outcomes of all, in their order. Those in the file are not run again; the others run at the same time on
    /// `threads` cores (0: all).
    Result<std::vector<TrialOutcome>> run(std::span<const Trial> trials, const MakeCase& make, const Say& say,
                                          int threads = 0);

    int reused() const { return reused_; }  ///< trials so far that were in the file
    int ran() const { return ran_; }        ///< that were not
    const std::filesystem::path& file() const { return file_; }

private:
    std::filesystem::path file_;
    std::string mark_;
    std::map<std::string, TrialOutcome> known_;
    int reused_ = 0, ran_ = 0;
    bool torn_ = false;  ///< the file ends within a line
};

}  // namespace rattleback::lab
