/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DOPRI5 and DOP853 (Hairer, Norsett, Wanner) in Fortran, which Debian has inside SciPy only, with
 * no symbol to call. A Python that integrates with them asks this process for f through two pipes:
 * so f is the same, its calls are counted here, and time says nothing.
 */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char script[] =
    "import sys, struct\n"
    "import numpy as np\n"
    "from scipy.integrate import ode\n"
    "name, n, rtol, atol, end, most = sys.argv[1], int(sys.argv[2]), *map(float, sys.argv[3:7])\n"
    "source, to = sys.stdin.buffer, sys.stdout.buffer\n"
    "start = np.frombuffer(source.read(8 * (n + 1)))\n"
    "def f(t, x):\n"
    "    to.write(b'f' + struct.pack('d', t) + np.asarray(x, dtype=float).tobytes())\n"
    "    to.flush()\n"
    "    return np.frombuffer(source.read(8 * n)).copy()\n"
    "r = ode(f).set_integrator(name, rtol=rtol, atol=atol, nsteps=int(most))\n"
    "r.set_initial_value(start[1:], start[0])\n"
    "x = r.integrate(end)\n"
    "to.write((b'd' if r.successful() else b'x') + struct.pack('d', r.t) + x.tobytes())\n"
    "to.flush()\n";

static const char python[] = "/usr/bin/python3"; /* Debian's, for which the package is */

const char *bench_scipy_missing(void)
{
    if (access(python, X_OK)) return "there is no /usr/bin/python3 (Debian: python3-scipy)";
    return system("/usr/bin/python3 -c 'import scipy.integrate' >/dev/null 2>&1")
               ? "SciPy is not there (Debian: "
                 "python3-scipy)"
               : NULL;
}

typedef struct pipes {
    pid_t child;
    int to, from;
} pipes;

static bool send(int to, const void *bytes, size_t count)
{
    const char *at = bytes;
    for (ssize_t done; count; at += done, count -= (size_t)done)
        if ((done = write(to, at, count)) <= 0) return false;
    return true;
}

static bool receive(int from, void *bytes, size_t count)
{
    char *at = bytes;
    for (ssize_t done; count; at += done, count -= (size_t)done)
        if ((done = read(from, at, count)) <= 0) return false;
    return true;
}

static pipes ask_python(const bench_solver *self, const bench_task *task)
{
    char n[32], rtol[32], atol[32], end[32], most[32];
    int down[2], up[2];
    snprintf(n, sizeof n, "%zu", gt_problem_size(&task->problem->gt));
    snprintf(rtol, sizeof rtol, "%.17g", task->tol);
    snprintf(atol, sizeof atol, "%.17g", bench_atol(task));
    snprintf(end, sizeof end, "%.17g", task->t1);
    snprintf(most, sizeof most, "%ld", bench_most_steps(task));
    bench_require(!pipe(down) && !pipe(up), "SciPy: no pipe");
    pid_t child = fork();
    bench_require(child >= 0, "SciPy: no process");
    if (child == 0) {
        dup2(down[0], STDIN_FILENO);
        dup2(up[1], STDOUT_FILENO);
        close(down[1]);
        close(up[0]);
        execl(python, python, "-W", "ignore", "-c", script, self->method, n, rtol, atol, end, most,
              (char *)NULL);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    return (pipes){child, down[1], up[0]};
}

/* Calls of f in `calls`; 0: it failed. */
long bench_scipy_calls(const bench_solver *self, bench_task *task)
{
    const gt_problem *p = &task->problem->gt;
    size_t n = gt_problem_size(p);
    double *x = malloc((n + 1) * sizeof *x), *dx = malloc(n * sizeof *dx);
    bench_require(x && dx, "out of memory for a run");
    pipes with = ask_python(self, task);
    long calls = 0;
    char what = 'x';
    x[0] = p->t0;
    memcpy(x + 1, p->x0, n * sizeof *x);
    bool ok = send(with.to, x, (n + 1) * sizeof *x);
    while (ok && receive(with.from, &what, 1) && receive(with.from, x, (n + 1) * sizeof *x) &&
           what == 'f') {
        calls++;
        ok = !p->rhs(x[0], x + 1, dx, p->ctx) && send(with.to, dx, n * sizeof *dx);
    }
    close(with.to);
    close(with.from);
    waitpid(with.child, NULL, 0);
    task->failed = what != 'd';
    memcpy(task->x, x + 1, n * sizeof *x);
    free(x);
    free(dx);
    return task->failed ? 0 : calls;
}

const bench_solver bench_scipy_dopri5 = {
    .peer = "SciPy", .method = "dopri5", .settings = "Fortran, calls of f only"};
const bench_solver bench_scipy_dop853 = {
    .peer = "SciPy", .method = "dop853", .settings = "Fortran, calls of f only"};
