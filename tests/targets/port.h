/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_TESTS_TARGETS_PORT_H
#define GEARTRAIN_TESTS_TARGETS_PORT_H

/* What a program needs of its machine: a place for its text, and an end. */
#include <stdarg.h>
#ifdef __arm__
void port_write(const char *text);
void port_exit(void);
#else
#include <stdio.h>
static inline void port_write(const char *text) { fputs(text, stdout); }
static inline void port_exit(void) { fflush(stdout); }
#endif

#endif
