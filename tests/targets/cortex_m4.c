/* SPDX-License-Identifier: BSD-3-Clause */
/* The start of a program on a Cortex-M4 without an operating system, and text to the machine that
 * watches it (semihosting). */
#include "targets/port.h"
#include <stdint.h>
#include <string.h>

extern uint32_t data_from[], data_begin[], data_end[], bss_begin[], bss_end[], stack_top[];
int main(void);
void reset(void);
void fault(void);
void *_sbrk(int more);
int posix_memalign(void **memory, size_t alignment, size_t bytes);

static long call(long number, const void *argument)
{
    register long r0 __asm__("r0") = number;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void port_write(const char *text) { call(0x04, text); }

static void end(uint32_t reason) { call(0x18, (const void *)(uintptr_t)reason); }

void port_exit(void) { end(0x20026); }

void fault(void)
{
    port_write("fault\n");
    end(0x20024);
    for (;;) {
    }
}

void reset(void)
{
    memcpy(data_begin, data_from, (size_t)((char *)data_end - (char *)data_begin));
    memset(bss_begin, 0, (size_t)((char *)bss_end - (char *)bss_begin));
    if (main()) fault();
    port_exit();
    for (;;) {
    }
}

/* There is no heap: the library works in the memory that it is given. */
void *_sbrk(int more)
{
    (void)more;
    return (void *)-1;
}

/* newlib's aligned_alloc asks for it and does not bring it. */
int posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    (void)memory, (void)alignment, (void)bytes;
    return 12; /* ENOMEM */
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top,           (const void *)reset, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, (const void *)fault};
