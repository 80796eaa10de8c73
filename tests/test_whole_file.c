/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that appear only when they are complete, with a disk that fails at the k-th write: short,
 * full, broken. A full disk threw all rows away; a process that was killed left half a row under a
 * name that nobody knew.
 */
#include <errno.h>
#include <geartrain/author/file.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What the disk does: writes `room` bytes and no more, then fails with `error`; 0: it works. */
static struct {
    long room;
    int error, syncs, fail_sync, die; /* die: at which write the process is killed */
} disk;

ssize_t __real_write(int descriptor, const void *bytes, size_t count);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t count);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t count)
{
    if (disk.die && --disk.die == 0) raise(SIGKILL);
    if (!disk.error) return __real_write(descriptor, bytes, count);
    if (disk.room <= 0) {
        errno = disk.error;
        return -1;
    }
    if ((long)count > disk.room) count = (size_t)disk.room; /* a short write, then the error */
    ssize_t wrote = __real_write(descriptor, bytes, count);
    if (wrote > 0) disk.room -= wrote;
    return wrote;
}

int __real_fsync(int descriptor);
int __wrap_fsync(int descriptor);
int __wrap_fsync(int descriptor)
{
    disk.syncs++;
    if (!disk.fail_sync) return __real_fsync(descriptor);
    errno = disk.fail_sync;
    return -1;
}

static char folder[] = "/tmp/geartrain-file-XXXXXX";

static int enter(void **state)
{
    (void)state;
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    memset(&disk, 0, sizeof disk);
    return !mkdtemp(folder) || chdir(folder);
}

static int leave(void **state)
{
    (void)state;
    memset(&disk, 0, sizeof disk);
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") || system(command);
}

enum { ROWS = 2000 };

/* Rows of uneven length, whose number can be read back. */
static int write_rows(gt_file *file, int rows)
{
    for (int i = 0; i < rows; i++)
        if (fprintf(file->stream, "%d,%0*d,%d\n", i, 1 + i % 40, i, i) < 0) return i;
    return rows;
}

/* The number of rows, all of them whole and in order; -1: they are not, or there is no such file.
 */
static int rows_in(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[200];
    int rows = 0;
    if (!file) return -1;
    for (; fgets(line, sizeof line, file); rows++) {
        int a, b, c;
        if (!strchr(line, '\n') || sscanf(line, "%d,%d,%d", &a, &b, &c) != 3 || a != rows ||
            b != rows || c != rows) {
            fclose(file);
            return -1;
        }
    }
    fclose(file);
    return rows;
}

static bool there(const char *path) { return !access(path, F_OK); }

static void a_complete_file_gets_its_name(void **state)
{
    gt_file file;
    gt_message message = {""};
    struct stat made, plain;
    (void)state;
    assert_int_equal(gt_file_open(&file, "a.csv", &message), GT_OK);
    assert_null(file.left_behind);
    assert_int_equal(write_rows(&file, ROWS), ROWS);
    assert_false(there("a.csv"));
    assert_true(rows_in("a.csv.unfinished") > 0); /* whole rows at any time */
    fputs("no end", file.stream);
    assert_int_equal(gt_file_close(&file, true, &message), GT_OK);
    assert_false(there("a.csv.unfinished"));
    assert_int_equal(file.lines, ROWS);
    assert_false(file.partial);
    assert_int_equal(disk.syncs, 1);
    assert_int_equal(rows_in("a.csv"), -1); /* for its last line, which is there */
    FILE *other = fopen("plain", "w");
    assert_non_null(other);
    fclose(other);
    assert_false(stat("a.csv", &made) || stat("plain", &plain));
    assert_int_equal(made.st_mode, plain.st_mode); /* as the umask says */
}

static void an_incomplete_file_is_partial(void **state)
{
    gt_file file;
    gt_message message = {""};
    (void)state;
    assert_int_equal(gt_file_open(&file, "a.csv", &message), GT_OK);
    write_rows(&file, 10);
    fputs("half a ro", file.stream);
    assert_int_equal(gt_file_close(&file, false, &message), GT_OK);
    assert_true(file.partial);
    assert_int_equal(rows_in("a.csv.partial"), 10);
    assert_int_equal(gt_file_open(&file, "b.csv", &message), GT_OK);
    assert_int_equal(gt_file_close(&file, false, &message), GT_OK);
    assert_false(there("b.csv.partial") || there("b.csv"));
    assert_int_equal(gt_file_open(&file, "c.csv", &message), GT_OK);
    write_rows(&file, 10);
    gt_file_discard(&file);
    assert_false(there("c.csv.partial") || there("c.csv") || there("c.csv.unfinished"));
}

/* Wherever the disk is full, the rows before that place stay, and only whole ones. */
static void a_full_disk_keeps_the_rows(void **state)
{
    static const int errors[] = {ENOSPC, EIO, EFBIG};
    int kept_most = 0;
    (void)state;
    for (long room = 0; room < 30000; room = room < 200 ? room + 7 : room + 977) {
        gt_file file;
        gt_message message = {""};
        FILE *old = fopen("a.csv", "w");
        assert_non_null(old);
        fputs("0,0,0\n", old);
        fclose(old);
        remove("a.csv.partial");
        assert_int_equal(gt_file_open(&file, "a.csv", &message), GT_OK);
        disk.room = room;
        disk.error = errors[room % 3];
        (void)write_rows(&file, ROWS);
        assert_int_equal(gt_file_close(&file, true, &message), GT_IO);
        disk.error = 0;
        assert_non_null(strstr(message.text, strerror(errors[room % 3])));
        assert_int_equal(rows_in("a.csv"), 1); /* the old one */
        assert_false(there("a.csv.unfinished"));
        int kept = file.partial ? rows_in("a.csv.partial") : 0;
        assert_int_equal(kept, (int)file.lines);
        assert_true(file.partial ? kept > 0 && strstr(message.text, "a.csv.partial") != NULL
                                 : room < 6);
        if (kept < kept_most)
            fail_msg("room for %ld bytes keeps %d rows, less room kept %d", room, kept, kept_most);
        kept_most = kept;
    }
    assert_true(kept_most > 500);
}

static void a_failing_sync_is_no_success(void **state)
{
    gt_file file;
    gt_message message = {""};
    (void)state;
    assert_int_equal(gt_file_open(&file, "a.csv", &message), GT_OK);
    write_rows(&file, 5);
    disk.fail_sync = EIO;
    assert_int_equal(gt_file_close(&file, true, &message), GT_IO);
    assert_false(there("a.csv"));
    assert_int_equal(rows_in("a.csv.partial"), 5);
}

/* Killed at any write: no half row, and the next one finds it. */
static void a_killed_process_leaves_whole_rows(void **state)
{
    gt_file file;
    gt_message message = {""};
    char left[64] = "a.csv.unfinished";
    (void)state;
    for (int k = 1; k <= 3; k++) {
        pid_t child = fork();
        if (child == 0) {
            disk.die = 1 + 3 * k;
            if (!gt_file_open(&file, "a.csv", &message)) (void)write_rows(&file, ROWS);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        if (k > 1) snprintf(left, sizeof left, "a.csv.unfinished%d", k);
        if (rows_in(left) <= 0) fail_msg("%s has no rows, or half of one", left);
    }
    assert_int_equal(gt_file_open(&file, "a.csv", &message), GT_OK);
    assert_string_equal(file.left_behind, "a.csv.unfinished");
    assert_string_equal(file.temporary, "a.csv.unfinished4");
    write_rows(&file, 3);
    /* One that is being written is not left behind, also when the process is this one. */
    gt_file second;
    remove("a.csv.unfinished");
    remove("a.csv.unfinished2");
    remove("a.csv.unfinished3");
    assert_int_equal(gt_file_open(&second, "a.csv", &message), GT_OK);
    assert_null(second.left_behind);
    assert_int_equal(gt_file_close(&second, true, &message), GT_OK);
    assert_int_equal(gt_file_close(&file, true, &message), GT_OK);
    assert_int_equal(rows_in("a.csv"), 3);
}

static void wrong_calls_are_refused(void **state)
{
    gt_file file;
    gt_message message = {""};
    (void)state;
    assert_int_equal(gt_file_open(NULL, "a.csv", &message), GT_BAD_ARGUMENT);
    assert_int_equal(gt_file_open(&file, NULL, &message), GT_BAD_ARGUMENT);
    assert_int_equal(gt_file_open(&file, "", &message), GT_BAD_ARGUMENT);
    assert_int_equal(gt_file_close(&file, true, &message), GT_OK); /* not open */
    assert_int_equal(gt_file_open(&file, "no/such/folder/a.csv", NULL), GT_IO);
    assert_int_equal(gt_file_close(NULL, true, &message), GT_OK);
    gt_file_discard(NULL);
    gt_file_discard(&file);
}

/* One row may be longer than any buffer. */
static void a_long_row_is_written_whole(void **state)
{
    gt_file file;
    gt_message message = {""};
    struct stat info;
    (void)state;
    assert_int_equal(gt_file_open(&file, "a.csv", &message), GT_OK);
    fputs("short\n", file.stream);
    for (int i = 0; i < 100000; i++) fputs("1,", file.stream);
    assert_false(stat("a.csv.unfinished", &info));
    assert_int_equal(info.st_size, 6);
    fputs("1\n", file.stream);
    assert_int_equal(gt_file_close(&file, true, &message), GT_OK);
    assert_int_equal(stat("a.csv", &info), 0);
    assert_int_equal(info.st_size, 6 + 200000 + 2);
    assert_int_equal(file.lines, 2);
}

int main(void)
{
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(a_complete_file_gets_its_name),      IN_A_FOLDER(an_incomplete_file_is_partial),
        IN_A_FOLDER(a_full_disk_keeps_the_rows),         IN_A_FOLDER(a_failing_sync_is_no_success),
        IN_A_FOLDER(a_killed_process_leaves_whole_rows), IN_A_FOLDER(wrong_calls_are_refused),
        IN_A_FOLDER(a_long_row_is_written_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
