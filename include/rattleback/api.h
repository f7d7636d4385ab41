// RATTLEBACK_API: marks what a shared library shows to programs; everything else in it is hidden.
#pragma once

#if defined(__GNUC__)
/// After the name of a namespace in a public header: what is declared there is part of the API.
#define RATTLEBACK_API __attribute__((visibility("default")))
/// For the few declarations in public headers that are the library's own.
#define RATTLEBACK_LOCAL __attribute__((visibility("hidden")))
#else
#define RATTLEBACK_API
#define RATTLEBACK_LOCAL
#endif
