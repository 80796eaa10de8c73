/* SPDX-License-Identifier: BSD-3-Clause */
#include "native/native.h"
#include <dlfcn.h>
#ifdef __ELF__
#include <link.h>
#include <stdio.h>
#include <sys/stat.h>
#endif
#include <stdlib.h>
#include <string.h>

/* A loader maps the parts that the header names without looking whether the file has them, and the
 * process dies by SIGBUS at the first use of one that is missing: a copy that broke off. What else
 * is wrong with a file dlopen says. */
static bool is_cut_short(const char *path)
{
#ifdef __ELF__
    ElfW(Ehdr) header;
    ElfW(Phdr) part;
    struct stat info;
    bool cut = false;
    FILE *file = !stat(path, &info) && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) return false;
    if (fread(&header, sizeof header, 1, file) == 1 && !memcmp(header.e_ident, ELFMAG, SELFMAG)) {
        cut = fseek(file, (long)header.e_phoff, SEEK_SET) != 0;
        for (int i = 0; i < header.e_phnum && !cut; i++) {
            cut = fread(&part, sizeof part, 1, file) != 1;
            if (cut || part.p_type != PT_LOAD) continue;
            cut = part.p_filesz > (size_t)info.st_size ||
                  part.p_offset > (size_t)info.st_size - part.p_filesz;
        }
    }
    fclose(file);
    return cut;
#else
    (void)path;
    return false;
#endif
}

gt_status gt_library_attach(gt_library *library, const char *path, gt_message *message)
{
    /* Without a slash it would be looked for among the libraries of the system. */
    char *name = gt_text("%s%s", strchr(path, '/') ? "" : "./", path);
    if (!name) return gt_fail(message, GT_NO_MEMORY, "out of memory");
    if (is_cut_short(name)) {
        free(name);
        return gt_fail(message, GT_IO,
                       "%s cannot be loaded: a part of it is missing; copy or make it again", path);
    }
    library->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    free(name);
    if (library->handle) return GT_OK;
    const char *why = dlerror();
    return gt_fail(message, GT_IO, "%s cannot be loaded: %s", path, why ? why : "reason unknown");
}

gt_status gt_library_open(gt_library *library, const char *path, gt_message *message)
{
    GT_ARMOR(message, library && path);
    *library = (gt_library){.handle = NULL};
    return gt_library_attach(library, path, message);
}

void *gt_library_symbol(const gt_library *library, const char *name)
{
    return library && name && library->handle ? dlsym(library->handle, name) : NULL;
}

static const char *what_is_missing(const gt_model *model)
{
    if (!model->name || !*model->name) return "name";
    if (!model->title) return "title";
    return model->build || model->build_self ? NULL : "build";
}

gt_status gt_library_model(const gt_library *library, const char *path, const gt_model **model,
                           gt_message *message)
{
    GT_ARMOR(message, library && model);
    *model = gt_library_symbol(library, "geartrain_model");
    if (!*model)
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "%s defines no geartrain_model: it needs 'const gt_model geartrain_model = {...};'",
            path);
    if ((*model)->abi != GT_MODEL_ABI)
        return gt_fail(message, GT_UNSUPPORTED,
                       "%s was made for model interface %u, this is interface %d: compile it "
                       "again, with .abi = "
                       "GT_MODEL_ABI",
                       path, (*model)->abi, GT_MODEL_ABI);
    const char *missing = what_is_missing(*model);
    if (missing)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s: geartrain_model has no %s", path, missing);
    return GT_OK;
}

void gt_library_close(gt_library *library)
{
    if (!library) return;
    if (library->handle) dlclose(library->handle);
    free(library->log);
    free(library->remark);
    *library = (gt_library){.handle = NULL};
}
