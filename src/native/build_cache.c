/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folder that keeps compiled models: KEY.so, where KEY is the SHA-256 of all that went into the
 * compilation.
 *
 * What lies there is loaded as code, so the folder must be the user's own, a real folder and closed
 * to others; so must each object. A compilation works in a folder build-XXXXXX of its own inside,
 * seals its result (object_seal.c), has it written to the disk and renames it into place, so
 * several programs that compile the same at once do the same work twice, safely. An object whose
 * seal does not fit is never loaded, but made again. Objects that are used get the time of use, and
 * the least recently used go when there are too many.
 */
#define _XOPEN_SOURCE 700 /* S_ISVTX */
#include "native/native.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_OBJECTS = 256, STALE_SECONDS = 3600 };
static const long long most_bytes = 256LL << 20;

/* Others could have put something there. */
static bool open_to_others(const struct stat *info)
{
    return info->st_uid != geteuid() || (info->st_mode & (S_IWGRP | S_IWOTH));
}

/* mkdir -p, with the folders that are missing closed to others. */
static bool make_folders(const char *path)
{
    char *copy = gt_text("%s", path);
    if (!copy) return false;
    for (char *slash = copy + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        (void)mkdir(copy, 0700); /* one that cannot be made is missed below */
        *slash = '/';
    }
    bool made = !mkdir(copy, 0700) || errno == EEXIST;
    free(copy);
    return made;
}

/* In a folder that anyone may write to, ours can be swapped for another unless the sticky bit
 * protects it. */
static bool can_be_swapped(const gt_build_cache *cache)
{
    struct stat parent;
    if (fstatat(cache->folder, "..", &parent, 0)) return true;
    return (parent.st_mode & S_IWOTH) && !(parent.st_mode & S_ISVTX);
}

gt_status gt_build_cache_open(gt_build_cache *cache, const char *path, gt_message *message)
{
    *cache = (gt_build_cache){.folder = -1, .path = path};
    if (path[0] != '/')
        return gt_fail(message, GT_BAD_ARGUMENT, "the cache folder %s is not an absolute path",
                       path);
    if (!make_folders(path))
        return gt_fail(message, GT_IO, "the cache folder %s cannot be made: %s", path,
                       strerror(errno));
    struct stat info;
    cache->folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    gt_status status = GT_OK;
    if (cache->folder < 0 || fstat(cache->folder, &info))
        status = gt_fail(message, GT_IO, "the cache folder %s cannot be used: %s", path,
                         errno == ELOOP || errno == ENOTDIR ? "it is a link or not a folder"
                                                            : strerror(errno));
    else if (info.st_uid != geteuid())
        status = gt_fail(message, GT_IO, "the cache folder %s belongs to another user", path);
    else if (open_to_others(&info) || can_be_swapped(cache))
        status = gt_fail(
            message, GT_IO,
            "the cache folder %s is open to others; close it with chmod 700, and empty it", path);
    else if ((info.st_mode & 0777) != 0700 && fchmod(cache->folder, 0700))
        status = gt_fail(message, GT_IO, "the cache folder %s cannot be closed to others: %s", path,
                         strerror(errno));
    if (status) gt_build_cache_close(cache);
    return status;
}

void gt_build_cache_close(gt_build_cache *cache)
{
    if (cache->folder >= 0) close(cache->folder);
    cache->folder = -1;
}

typedef char object_name[GT_SHA256_HEX + 3];

static const char *name_of(const char *key, object_name name)
{
    snprintf(name, sizeof(object_name), "%s.so", key);
    return name;
}

/* Removes the folder `name` in `parent` with its files; there are no folders in it. */
static void remove_folder(int parent, const char *name)
{
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
    if (!list) {
        if (folder >= 0) close(folder);
        return;
    }
    for (struct dirent *entry; (entry = readdir(list));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            (void)unlinkat(folder, entry->d_name, 0);
    closedir(list);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

char *gt_build_cache_find(const gt_build_cache *cache, const char *key)
{
    object_name name;
    struct stat info;
    name_of(key, name);
    /* Not to be blocked by a FIFO: what it is, is looked at after it is open. */
    int descriptor = openat(cache->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool sound = descriptor >= 0 && !fstat(descriptor, &info) && S_ISREG(info.st_mode) &&
                 !open_to_others(&info) && gt_object_is_sound(descriptor, key);
    if (descriptor >= 0) close(descriptor);
    if (!sound) {
        gt_build_cache_forget(cache, key);
        return NULL;
    }
    (void)utimensat(cache->folder, name, NULL, AT_SYMLINK_NOFOLLOW); /* used now */
    return gt_text("%s/%s", cache->path, name);
}

void gt_build_cache_forget(const gt_build_cache *cache, const char *key)
{
    object_name name;
    if (unlinkat(cache->folder, name_of(key, name), 0) && errno != ENOENT)
        remove_folder(cache->folder, name);
}

char *gt_build_cache_keep(const gt_build_cache *cache, const char *key, const char *made)
{
    object_name name;
    if (!gt_object_seal(made, key)) return NULL;
    if (renameat(AT_FDCWD, made, cache->folder, name_of(key, name))) return NULL;
    (void)fsync(
        cache->folder); /* a name that a power cut takes back costs a compilation, no more */
    return gt_text("%s/%s", cache->path, name);
}

char *gt_build_folder(const char *where)
{
    char *path = gt_text("%s/build-XXXXXX", where);
    if (path && mkdtemp(path)) return path;
    free(path);
    return NULL;
}

void gt_build_folder_remove(char *path)
{
    if (path) remove_folder(AT_FDCWD, path);
    free(path);
}

typedef struct object {
    object_name name;
    long long bytes;
    struct timespec used;
} object;

static int by_use(const void *a, const void *b)
{
    const struct timespec *one = &((const object *)a)->used, *other = &((const object *)b)->used;
    if (one->tv_sec != other->tv_sec) return one->tv_sec < other->tv_sec ? 1 : -1;
    return one->tv_nsec < other->tv_nsec ? 1 : one->tv_nsec > other->tv_nsec ? -1 : 0;
}

/* The bound: the most recently used objects stay. */
static void drop_oldest(int folder, object *objects, size_t count)
{
    long long bytes = 0;
    qsort(objects, count, sizeof *objects, by_use);
    for (size_t i = 0; i < count; i++) {
        bytes += objects[i].bytes;
        if (i >= MOST_OBJECTS || bytes > most_bytes) (void)unlinkat(folder, objects[i].name, 0);
    }
}

void gt_build_cache_tidy(const gt_build_cache *cache, const char *own_folder)
{
    struct stat own, info;
    int copy = openat(cache->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    size_t count = 0, room = 0;
    object *objects = NULL;
    if (!list && copy >= 0) close(copy);
    if (!list || stat(own_folder, &own)) {
        if (list) closedir(list);
        return;
    }
    for (struct dirent *entry; (entry = readdir(list));) {
        const char *name = entry->d_name;
        if (fstatat(copy, name, &info, AT_SYMLINK_NOFOLLOW)) continue;
        /* Age is measured from the folder that was made now, whatever the clock says. */
        if (!strncmp(name, "build-", 6) && S_ISDIR(info.st_mode) &&
            own.st_mtime - info.st_mtime > STALE_SECONDS)
            remove_folder(copy, name);
        size_t length = strlen(name);
        if (length + 1 != sizeof(object_name) || strcmp(name + length - 3, ".so") ||
            !S_ISREG(info.st_mode))
            continue;
        if (count == room) {
            object *more = realloc(objects, (room = 2 * room + 64) * sizeof *objects);
            if (!more) break;
            objects = more;
        }
        memcpy(objects[count].name, name, length + 1);
        objects[count].bytes = (long long)info.st_size;
        objects[count++].used = info.st_mtim;
    }
    closedir(list);
    if (count) drop_oldest(cache->folder, objects, count);
    free(objects);
}
