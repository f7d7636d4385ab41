// Rattleback: one model, many solvers. This header is the whole contract.
#pragma once

#include <rattleback/appearance.h>
#include <rattleback/batch.h>
#include <rattleback/builder.h>
#include <rattleback/contacts.h>
#include <rattleback/control.h>
#include <rattleback/derivatives.h>
#include <rattleback/dynamics.h>
#include <rattleback/error.h>
#include <rattleback/export.h>
#include <rattleback/import.h>
#include <rattleback/math.h>
#include <rattleback/model.h>
#include <rattleback/query.h>
#include <rattleback/record.h>
#include <rattleback/report.h>
#include <rattleback/simplices.h>
#include <rattleback/simulation.h>
#include <rattleback/solver.h>
#include <rattleback/state.h>
