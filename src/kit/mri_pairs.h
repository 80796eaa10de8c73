/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_MRI_PAIRS_H
#define GEARTRAIN_KIT_MRI_PAIRS_H

/* What `data` of a multirate infinitesimal method with implicit slow stages points to, see
 * mri_implicit.c. */
enum { MRI_MOST_PAIRS = 5 };

typedef struct mri_pairs {
    int order, pairs;
    double lambda;
    double c[MRI_MOST_PAIRS + 1];
    double gamma0[MRI_MOST_PAIRS][MRI_MOST_PAIRS], gamma1[MRI_MOST_PAIRS][MRI_MOST_PAIRS];
    double delta[MRI_MOST_PAIRS][MRI_MOST_PAIRS];
    double d[MRI_MOST_PAIRS]; /* of the comparison */
} mri_pairs;

#endif
