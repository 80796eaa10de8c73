/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checkpoints: the runs of all ranks as bytes, in one file of PETSc's binary viewer:
 *
 *     numbers   TSG_MARK, ranks, bytes of each rank, checksum of each rank (halves)
 *     bytes     of rank 0, rank 1, ..
 *
 * The file gets its name when it is whole. A file that is damaged in the part of one rank is
 * refused on all of them, before any rank calls f again.
 */
#include "ts_geartrain.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TSG_MARK = 1196705, PER_RANK = 3 };

static MPI_Comm comm_of(const tsg_data *d) { return PetscObjectComm((PetscObject)d->ts); }

/* FNV-1a, as two numbers that an integer of PETSc holds. */
static void checksum(const unsigned char *bytes, size_t count, PetscInt halves[2])
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < count; i++) sum = (sum ^ bytes[i]) * 1099511628211u;
    halves[0] = (PetscInt)(sum & 0x7fffffff);
    halves[1] = (PetscInt)(sum >> 33 & 0x7fffffff);
}

/* Where the bytes of this rank begin among those of all. */
static PetscInt start_of(const PetscInt *table, int rank)
{
    PetscInt start = 0;
    for (int i = 0; i < rank; i++) start += table[PER_RANK * i];
    return start;
}

static PetscErrorCode write_file(const tsg_data *d, const char *path, const void *bytes,
                                 size_t count)
{
    PetscViewer viewer;
    PetscMPIInt rank, size;
    PetscInt *table, mine[PER_RANK] = {(PetscInt)count}, head[2] = {TSG_MARK};
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_rank(comm_of(d), &rank));
    PetscCallMPI(MPI_Comm_size(comm_of(d), &size));
    checksum(bytes, count, mine + 1);
    head[1] = size;
    PetscCall(PetscMalloc1((size_t)size * PER_RANK, &table));
    PetscCallMPI(MPI_Allgather(mine, PER_RANK, MPIU_INT, table, PER_RANK, MPIU_INT, comm_of(d)));
    PetscCall(PetscViewerBinaryOpen(comm_of(d), path, FILE_MODE_WRITE, &viewer));
    PetscCall(PetscViewerBinaryWrite(viewer, head, 2, PETSC_INT));
    PetscCall(PetscViewerBinaryWrite(viewer, table, PER_RANK * size, PETSC_INT));
    PetscCall(PetscViewerBinaryWriteAll(viewer, bytes, mine[0], start_of(table, rank),
                                        start_of(table, size), PETSC_CHAR));
    PetscCall(PetscViewerDestroy(&viewer));
    PetscCall(PetscFree(table));
    PetscFunctionReturn(0);
}

PetscErrorCode tsg_save(tsg_data *d)
{
    char new_name[PETSC_MAX_PATH_LEN];
    void *bytes = NULL;
    size_t count = 0;
    PetscMPIInt rank;
    int failed[2];
    PetscFunctionBegin;
    failed[0] = gt_run_save(d->run, NULL, &bytes, &count, &d->message) != GT_OK ||
                count > PETSC_MAX_INT / 2;
    PetscCall(MPIU_Allreduce(MPI_IN_PLACE, failed, 1, MPI_INT, MPI_MAX, comm_of(d)));
    PetscCheck(!failed[0], comm_of(d), PETSC_ERR_SUP, "-ts_geartrain_checkpoint: %s",
               d->message.text[0] ? d->message.text : "a rank cannot save its run");
    PetscCall(PetscSNPrintf(new_name, sizeof new_name, "%s.new", d->checkpoint));
    PetscCall(write_file(d, new_name, bytes, count));
    free(bytes);
    PetscCallMPI(MPI_Comm_rank(comm_of(d), &rank));
    failed[0] = rank == 0 && rename(new_name, d->checkpoint) != 0;
    PetscCall(MPIU_Allreduce(MPI_IN_PLACE, failed, 1, MPI_INT, MPI_MAX, comm_of(d)));
    PetscCheck(!failed[0], comm_of(d), PETSC_ERR_FILE_WRITE,
               "-ts_geartrain_checkpoint: %s cannot be renamed to %s", new_name, d->checkpoint);
    PetscFunctionReturn(0);
}

/* The bytes of this rank, for PetscFree. */
static PetscErrorCode read_file(const tsg_data *d, const char *path, char **bytes, PetscInt *count)
{
    PetscViewer viewer;
    PetscMPIInt rank, size;
    PetscInt head[2] = {0}, *table, own[2], got = 0;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_rank(comm_of(d), &rank));
    PetscCallMPI(MPI_Comm_size(comm_of(d), &size));
    PetscCall(PetscMalloc1((size_t)size * PER_RANK, &table));
    PetscCall(PetscViewerBinaryOpen(comm_of(d), path, FILE_MODE_READ, &viewer));
    PetscCall(PetscViewerBinaryRead(viewer, head, 2, &got, PETSC_INT));
    PetscCheck(got == 2 && head[0] == TSG_MARK, comm_of(d), PETSC_ERR_FILE_UNEXPECTED,
               "-ts_geartrain_resume: %s is not a checkpoint of -ts_type geartrain", path);
    PetscCheck(head[1] == size, comm_of(d), PETSC_ERR_FILE_UNEXPECTED,
               "-ts_geartrain_resume: %s was written by %d ranks, and this run has %d", path,
               (int)head[1], (int)size);
    PetscCall(PetscViewerBinaryRead(viewer, table, PER_RANK * size, NULL, PETSC_INT));
    *count = table[PER_RANK * rank];
    PetscCall(PetscMalloc1((size_t)*count + 1, bytes));
    PetscCall(PetscViewerBinaryReadAll(viewer, *bytes, *count, start_of(table, rank),
                                       start_of(table, size), PETSC_CHAR));
    PetscCall(PetscViewerDestroy(&viewer));
    checksum((const unsigned char *)*bytes, (size_t)*count, own);
    int damaged = own[0] != table[PER_RANK * rank + 1] || own[1] != table[PER_RANK * rank + 2];
    PetscCall(MPIU_Allreduce(MPI_IN_PLACE, &damaged, 1, MPI_INT, MPI_MAX, comm_of(d)));
    PetscCheck(!damaged, comm_of(d), PETSC_ERR_FILE_UNEXPECTED,
               "-ts_geartrain_resume: %s is damaged", path);
    PetscCall(PetscFree(table));
    PetscFunctionReturn(0);
}

/* Where a rank refuses its part all do, with the message of the first that does. */
static PetscErrorCode agree(tsg_data *d, gt_status status)
{
    PetscMPIInt rank, size, who;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_rank(comm_of(d), &rank));
    PetscCallMPI(MPI_Comm_size(comm_of(d), &size));
    who = status ? rank : size;
    PetscCall(MPIU_Allreduce(MPI_IN_PLACE, &who, 1, MPI_INT, MPI_MIN, comm_of(d)));
    if (who == size) PetscFunctionReturn(0);
    PetscCallMPI(
        MPI_Bcast(d->message.text, (PetscMPIInt)sizeof d->message.text, MPI_CHAR, who, comm_of(d)));
    SETERRQ(comm_of(d), PETSC_ERR_FILE_UNEXPECTED, "-ts_geartrain_resume: rank %d: %s", (int)who,
            d->message.text);
}

PetscErrorCode tsg_resume(tsg_data *d)
{
    char *bytes = NULL;
    PetscInt count = 0;
    PetscFunctionBegin;
    PetscCall(read_file(d, d->resume, &bytes, &count));
    gt_status status = gt_run_restore(&d->run, &d->problem, d->method, &d->plan, NULL, bytes,
                                      (size_t)count, &d->message);
    PetscCall(PetscFree(bytes));
    if (d->error) PetscFunctionReturn(d->error);
    PetscCall(agree(d, status));
    d->ts->ptime = gt_run_time(d->run);
    PetscCall(tsg_put(d, gt_run_x(d->run), d->ts->vec_sol));
    PetscFunctionReturn(0);
}
