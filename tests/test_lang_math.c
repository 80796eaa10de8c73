/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is derived from the equations of a file: the Jacobian against differences of order 6 for
 * every form of expression, and Taylor coefficients against the derivative of the solution that
 * they claim to be.
 */
#include "lang_kit.h"

/* d f_i / d x_k by the central difference of order 6. */
static void difference_column(const gt_problem *p, double t, const double *x, size_t k,
                              double *column)
{
    static const double weight[] = {45, -9, 1};
    size_t n = gt_problem_size(p);
    double h = 2e-3, *y = calloc(2 * n, sizeof *y), *f = y + n;
    for (size_t i = 0; i < n; i++) column[i] = 0;
    for (int s = -3; s <= 3; s++) {
        if (!s) continue;
        memcpy(y, x, n * sizeof *y);
        y[k] += s * h;
        assert_int_equal(p->rhs(t, y, f, p->ctx), GT_OK);
        for (size_t i = 0; i < n; i++)
            column[i] += (s > 0 ? 1 : -1) * weight[abs(s) - 1] * f[i] / (60 * h);
    }
    free(y);
}

/* The largest error of the Jacobian in the norm |e| / (1 + |J|). */
static double jacobian_error(const lang_model *m, double t, const double *x)
{
    const gt_problem *p = &m->problem;
    size_t n = gt_problem_size(p);
    gt_arena arena = gt_arena_growing();
    gt_matrix J = {0};
    double *column = calloc(n, sizeof *column), worst = 0;
    assert_non_null(p->jac);
    gt_matrix_layout(&J, n, p->jac_pattern, false, &arena);
    assert_int_equal(p->jac(t, x, &J, p->ctx), GT_OK);
    for (size_t k = 0; k < n; k++) {
        difference_column(p, t, x, k, column);
        for (size_t i = 0; i < n; i++) {
            const double *entry = gt_matrix_at(&J, i, k);
            double e = fabs((entry ? *entry : 0) - column[i]) / (1 + fabs(column[i]));
            if (!(e <= worst)) worst = e;
        }
    }
    free(column);
    gt_arena_free(&arena);
    return worst;
}

/* Every form, smooth near x = 0.7, y = 0.4. */
static const char *const forms[] = {
    "x+y-3",
    "-x",
    "x*y*x",
    "x/y",
    "2/(x*y)",
    "x^2*y^3",
    "x^-2",
    "x^2.5",
    "x^y",
    "a^x",
    "x^17",
    "sin(x*y)",
    "cos(x-y)",
    "tan(x*y)",
    "asin(x*y)",
    "acos(x*y)",
    "atan(x/y)",
    "atan2(x,y)",
    "sinh(x)*cosh(y)",
    "tanh(x*y)",
    "exp(x*y)",
    "ln(x)+log(y)*log10(x*y)",
    "expm1(x-y)+log1p(x*y)",
    "sqrt(x+y^2)",
    "abs(x-y)*abs(y-x)",
    "sign(x)*x",
    "heav(x-y)*y",
    "min(x,y)*max(x,2*y)",
    "mod(5*x,y)",
    "flr(x+5)*x",
    "ceil(y)*y",
    "erf(x)*erfc(y)",
    "if(x>y)then(x*y)else(x+y)",
    "if((x<y)|(y==1))then(x*y)else(x+y^2)",
    "(x>=y)*x+(x<=y)*y+(x!=y)*x*y",
    "not(x>1)*y+((x>0)&(y>0))*x^2",
    "g(x,y)+g(y,x)",
    "pw(5,x)",
    "wave(x)",
    "named*x",
    "sum(1,4)of(x^2*i'+y)",
    "sum(0,2)of(shift(x,i')*i'*y)",
    "sum(0,2)of(sin(shift(x,i'))*shift(x,i')*sum(0,1)of(shift(x,i')))",
    "t*x*sin(a*t)",
};

static char *form_file(const char *form)
{
    static char text[2000];
    snprintf(text, sizeof text,
             "par a=1.3\ng(u,v)=u*sin(v)+y\npw(n,u)=if(n<=0)then(x)else(sin(u)*pw(n-1,u*y))\n"
             "table wave %% 3 0 4 t^2\nnamed=x*y+exp(y)\nx'=%s\ny'=(%s)*y\nz'=x*z\ninit "
             "x=.7,y=.4,z=.5\n",
             form, form);
    return text;
}

static void test_every_form(void **state)
{
    (void)state;
    const double x[] = {0.7, 0.4, 0.5};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        lang_model m = lang_read(form_file(forms[k]));
        double error = jacobian_error(&m, 0.3, x);
        if (!(error < 1e-10)) fail_msg("the derivative of %s is wrong by %g", forms[k], error);
        lang_free(&m);
    }
}

/* Arrays: bands inside, ends written out, dense and sparse storage, elements used out of order. */
static void test_array_jacobians(void **state)
{
    (void)state;
    static const char *const files[] = {
        ("par d=3\nu0=1\nu41=u40\nu[1..40]'=d*(u[j-1]-2*u[j]+u[j+1])-u[j]^3+v[j]\n"
         "v[1..40]'=u[j]*v[j]-v[j]^2*[j]/40\n"),
        ("u0=1\nv0=u1\nu21=0\nv21=0\n%[1..20]\nu[j]'=u[j-1]*v[j+1]-u[j]\n"
         "v[j]'=u[j+1]-v[j-1]*v[j]\n%\n#@ fast v\n"),
        "x[0..29]'=sum(0,29)of(sin(shift(x0,i')-x[j]))/30-x[j]\n",
        "f[0..40]=x[j+1]^2-x[j]\nx0=0\nx41=t\nx[1..40]'=f[j]-f[j-1]\n",
        "s1=x1\ns[2..30]=s[j-1]+x[j]^2\nx[1..30]'=-s[j]*x[j]\n",
        "x[1..30]'=-x[j]+shift(x1,mod([j]*7,30))^2\n",
        "x[30..1]'=x[j]*y[j*2]\ny[1..60]'=if(mod([j],3)==0)then(y[j]^2)else(0)\n",
        "x[1..30]'=sum(0,[j])of(i'*x[j])\n",
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        lang_model m = lang_read(files[k]);
        size_t n = gt_problem_size(&m.problem);
        double *x = calloc(n, sizeof *x);
        for (size_t i = 0; i < n; i++) x[i] = 0.5 + 0.3 * sin((double)i);
        double error = jacobian_error(&m, 0.3, x);
        if (!(error < 1e-9)) fail_msg("file %zu: the Jacobian is wrong by %g", k, error);
        if (m.problem.n_fast) lang_check_blocks(&m);
        free(x);
        lang_free(&m);
    }
}

/* The pattern of a chain has three diagonals however long it is, and the graph does not grow. */
static void test_ranges_stay_ranges(void **state)
{
    (void)state;
    size_t nodes = 0;
    for (int n = 100; n <= 100000; n *= 10) {
        char text[200];
        snprintf(text, sizeof text, "x0=0\nx%d=0\nx[1..%d]'=x[j-1]-2*x[j]+x[j+1]-x[j]^3\n", n + 1,
                 n);
        lang_model m = lang_read(text);
        assert_int_equal(m.problem.jac_pattern.storage, GT_CSC);
        assert_int_equal(m.problem.jac_pattern.colptr[n], 3 * n - 2);
        if (nodes) assert_int_equal(gt_ode_facts_of(m.ode)->n_nodes, nodes);
        nodes = gt_ode_facts_of(m.ode)->n_nodes;
        lang_free(&m);
    }
}

/* x(t + s) by its Taylor series must satisfy the equation: the defect of order p falls like s^p. */
static double defect(const gt_problem *p, double t, const double *x, int order, double s)
{
    size_t n = gt_problem_size(p);
    double *c = calloc(((size_t)order + 4) * n, sizeof *c), worst = 0;
    double *y = c + ((size_t)order + 1) * n, *dy = y + n, *f = dy + n;
    memcpy(c, x, n * sizeof *c);
    assert_int_equal(p->taylor(t, order, c, p->ctx), GT_OK);
    for (size_t i = 0; i < n; i++) {
        for (int k = order; k >= 0; k--) y[i] = y[i] * s + c[(size_t)k * n + i];
        for (int k = order; k >= 1; k--) dy[i] = dy[i] * s + k * c[(size_t)k * n + i];
    }
    assert_int_equal(p->rhs(t + s, y, f, p->ctx), GT_OK);
    for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs(f[i] - dy[i]) / (1 + fabs(f[i])));
    free(c);
    return worst;
}

static void test_taylor(void **state)
{
    (void)state;
    const double x[] = {0.7, 0.4, 0.5};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        lang_model m = lang_read(form_file(forms[k]));
        if (strstr(forms[k], "pw(")) { /* calls itself: no recurrence */
            assert_null(m.problem.taylor);
        } else {
            const int order = 6;
            double coarse = defect(&m.problem, 0.3, x, order, 0.004),
                   fine = defect(&m.problem, 0.3, x, order, 0.002);
            if (!(fine < 1e-12 || fine < coarse / 40)) /* 2^6 but for the next term */
                fail_msg("the series of %s: defect %g, with half the step %g", forms[k], coarse,
                         fine);
        }
        lang_free(&m);
    }
}

static void test_taylor_of_arrays(void **state)
{
    (void)state;
    lang_model m = lang_read(
        "u0=1\nu31=sin(t)\nu[1..30]'=u[j-1]-2*u[j]+u[j+1]-exp(u[j])*[j]/30+v\nv'=u3*v-cos(u[7])\n");
    double x[31];
    for (int i = 0; i < 31; i++) x[i] = 0.1 * cos(i);
    double coarse = defect(&m.problem, 0.3, x, 8, 0.04), fine = defect(&m.problem, 0.3, x, 8, 0.02);
    assert_true(fine < 1e-12 || fine < coarse / 200);
    lang_free(&m);
}

/* One slope of atan2(0,y) is the number -0, whose term is made only when the slopes are linked, so
 * that the list of terms may move just then (at 16, 32, 64 terms): the link must go to the list as
 * it is afterwards. */
static void test_taylor_where_its_terms_grow(void **state)
{
    (void)state;
    const int order = 6;
    for (int n = 0; n < 140; n++) { /* one term more from each file to the next */
        char text[4096];
        int used = snprintf(text, sizeof text, "y'=1\nx[1..2]'=(1+atan2(0,y))*x[j]\n");
        for (int k = 0; k < n / 2; k++)
            used += snprintf(text + used, sizeof text - (size_t)used, "z%c%c'=y\n", 'a' + k % 26,
                             'a' + k / 26);
        if (n % 2) snprintf(text + used, sizeof text - (size_t)used, "w'=-y\n");
        lang_model m = lang_read(text);
        size_t size = gt_problem_size(&m.problem);
        double *x = calloc((size_t)(order + 1) * size, sizeof *x), expected = 1;
        for (size_t i = 0; i < size; i++) x[i] = 1;
        assert_int_equal(m.problem.taylor(0, order, x, m.problem.ctx), GT_OK);
        for (int k = 1; k <= order; k++) {
            expected /= k;
            lang_near(x[(size_t)k * size + 1], expected, 1e-14);
        }
        free(x);
        lang_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_form),
                                       cmocka_unit_test(test_array_jacobians),
                                       cmocka_unit_test(test_ranges_stay_ranges),
                                       cmocka_unit_test(test_taylor),
                                       cmocka_unit_test(test_taylor_of_arrays),
                                       cmocka_unit_test(test_taylor_where_its_terms_grow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
