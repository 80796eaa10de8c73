/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_API_H
#define GEARTRAIN_API_H

#define GT_VERSION "0.2.0"

/* What the shared library shows: everything else in it is hidden. */
#if defined(__GNUC__)
#define GT_API __attribute__((visibility("default")))
#else
#define GT_API
#endif

/* Declarations are those of C, also in a C++ program, where a complex number is a pair with the
 * same layout. */
#ifdef __cplusplus
#define GT_C_BEGIN extern "C" {
#define GT_C_END }
typedef struct gt_complex {
    double re, im;
} gt_complex;
#else
#define GT_C_BEGIN
#define GT_C_END
typedef double _Complex gt_complex;
#endif

GT_C_BEGIN

/* GT_VERSION of the library that is linked, which may be newer than the headers. */
GT_API const char *gt_version(void);

GT_C_END

#endif
