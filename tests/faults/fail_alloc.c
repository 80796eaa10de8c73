/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An allocator that fails, for LD_PRELOAD: call number FAIL_ALLOC_AT of malloc, calloc, realloc,
 * posix_memalign and aligned_alloc returns nothing, and with FAIL_ALLOC_ON all later ones too. Only
 * calls of the program itself and of libjansson count: what the C library, BLAS and the compiler's
 * run time do without memory is not ours to test. The number of calls is written to the file that
 * FAIL_ALLOC_REPORT names.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static struct {
    uintptr_t from, to;
} ranges[2];
static atomic_long calls;
static long at;
static bool onwards;

static int note(struct dl_phdr_info *info, size_t size, void *data)
{
    int *index = data;
    (void)size;
    bool program = (*index)++ == 0, jansson = strstr(info->dlpi_name, "libjansson") != NULL;
    for (int i = 0; (program || jansson) && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X)) continue;
        ranges[program ? 0 : 1].from = info->dlpi_addr + h->p_vaddr;
        ranges[program ? 0 : 1].to = info->dlpi_addr + h->p_vaddr + h->p_memsz;
    }
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    int index = 0;
    const char *number = getenv("FAIL_ALLOC_AT");
    dl_iterate_phdr(note, &index);
    at = number ? atol(number) : 0;
    onwards = getenv("FAIL_ALLOC_ON") != NULL;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_ALLOC_REPORT");
    char digits[24];
    size_t n = sizeof digits;
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd < 0) return;
    digits[--n] = '\n';
    for (long left = atomic_load(&calls); left || n == sizeof digits - 1; left /= 10)
        digits[--n] = (char)('0' + left % 10);
    (void)!write(fd, digits + n, sizeof digits - n);
    close(fd);
}

static bool fails(const void *caller)
{
    uintptr_t place = (uintptr_t)caller;
    bool ours = false;
    for (int i = 0; i < 2; i++) ours |= place >= ranges[i].from && place < ranges[i].to;
    if (!ours) return false;
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (number != at && !(onwards && at > 0 && number > at)) return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (fails(__builtin_return_address(0))) return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}
