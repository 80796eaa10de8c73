/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PARAM_H
#define GEARTRAIN_PARAM_H

#include <float.h>
#include <geartrain/api.h>
#include <geartrain/status.h>
#include <stdbool.h>
#include <stddef.h>

GT_C_BEGIN

/* One row of an option table (methods) or a parameter table (models). A table ends with a row
 * without a name. */
typedef enum gt_param_type { GT_REAL, GT_INTEGER, GT_CHOICE } gt_param_type;

enum { GT_MAX_PARAMS = 256 };

#define GT_POSITIVE DBL_MIN /* as `min`: must be above 0 */

/* Where an option goes in the option struct of its method: GT_OPTION_FIELD(struct, member) finds
 * the type. */
typedef enum gt_field_type {
    GT_FIELD_NONE,
    GT_FIELD_DOUBLE,
    GT_FIELD_INT,
    GT_FIELD_LONG,
    GT_FIELD_BOOL
} gt_field_type;
typedef struct gt_field {
    gt_field_type type;
    size_t offset;
} gt_field;
#ifndef __cplusplus
/* An enum is an int or an unsigned; another type does not compile. */
#define GT_OPTION_FIELD(options, member)                                                           \
    {                                                                                              \
        _Generic(((options *)0)->member, double                                                    \
                 : GT_FIELD_DOUBLE, int                                                            \
                 : GT_FIELD_INT, unsigned                                                          \
                 : GT_FIELD_INT, long                                                              \
                 : GT_FIELD_LONG, bool                                                             \
                 : GT_FIELD_BOOL),                                                                 \
            offsetof(options, member)                                                              \
    }
#endif

typedef struct gt_param {
    const char *name, *help, *unit;
    gt_param_type type;
    double initial;             /* the default; for a choice its index */
    double min, max;            /* inclusive; both 0: any finite number */
    const char *const *choices; /* GT_CHOICE: ends with NULL */
    gt_field field;             /* for gt_params_fill; zero: none */
} gt_param;

/* A value for every row, in the order of the table. */
typedef struct gt_values {
    double v[GT_MAX_PARAMS];
} gt_values;

GT_API size_t gt_params_count(const gt_param *table);
/* The default of every row. */
GT_API void gt_params_defaults(const gt_param *table, gt_values *values);
/* The same as a value. */
static inline gt_values gt_params_default(const gt_param *table)
{
    gt_values values;
    gt_params_defaults(table, &values);
    return values;
}

/* Sets one value from its text; names the nearest name or the range when it does not fit. `what` is
 * "option" or "parameter" and `owner` whose table it is. */
GT_API gt_status gt_params_set(const gt_param *table, const char *what, const char *owner,
                               const char *name, const char *value, gt_values *values,
                               gt_message *message) GT_MUST_CHECK;

/* Sets values from text like "order=8, newton_tol=1e-10"; NULL and "" set nothing. */
GT_API gt_status gt_params_parse(const gt_param *table, const char *what, const char *owner,
                                 const char *text, gt_values *values,
                                 gt_message *message) GT_MUST_CHECK;

/* Writes the values into the fields that the rows name; what no row names stays as it is. */
GT_API void gt_params_fill(const gt_param *table, const double *v, void *options);

/* Writes the value of row i as text that gt_params_set reads back. */
GT_API void gt_params_print(const gt_param *row, double value, char *buffer, size_t size);

/* The candidate nearest to `name` by edit distance, NULL when none is near. `names` ends with NULL.
 */
GT_API const char *gt_nearest_name(const char *name, const char *const *names);

GT_C_END

#endif
