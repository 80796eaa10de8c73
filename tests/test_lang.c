/* SPDX-License-Identifier: BSD-3-Clause */
/* The model language: what files mean, and what is said about those that mean nothing. */
#include "lang_kit.h"

static void test_lorenz(void **state)
{
    (void)state;
    lang_model m = lang_read("# Lorenz\npar sigma=10 rho=28,beta = 4\ninit x=20,y=20 z=20\n"
                             "x'=sigma*(y-x)\ndy/dt=rho*x-y-x*z\nz' = x*y-beta*z\n"
                             "aux r=sqrt(x^2+y^2)\n@ total=10,dt=.01\ndone\nthis is ignored\n");
    assert_int_equal(gt_problem_size(&m.problem), 3);
    assert_string_equal(m.problem.names[2], "z");
    lang_near(m.problem.t1, 10, 0);
    const double x[] = {1, 2, 3}, f[] = {10, 23, -10};
    double dx[3], aux[1];
    assert_int_equal(m.problem.rhs(0, x, dx, m.problem.ctx), GT_OK);
    for (int i = 0; i < 3; i++) lang_near(dx[i], f[i], 0);
    lang_near(m.problem.x0[1], 20, 0);
    m.problem.aux(0, x, aux, m.problem.ctx);
    lang_near(aux[0], sqrt(5), 1e-15);
    assert_string_equal(m.problem.aux_names[0], "r");
    lang_free(&m);
}

/* Each expression at x = 0.75, y = -0.5, t = 2, with a = 3. */
static void test_values(void **state)
{
    (void)state;
    const double x = 0.75, y = -0.5, t = 2, a = 3;
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"1+2*3", 7},
        {"-x^2", -x * x},
        {"2^3^2", 64},
        {"2^-1", 0.5},
        {"2**3", 8},
        {"2*-3", -6},
        {"x>-1", 1},
        {"x+1>2", 0},
        {"(x+1>1.5)+2*(y<0)", 3},
        {"1&0|1", 1},
        {"not(x>0)", 0},
        {"not x<0", 0},
        {"if(x>0)then(3)else(4)", 3},
        {"2*if(x>5)then(3)else(4)+1", 9},
        {"sin(x)+cos(y)*tan(x)", sin(x) + cos(y) * tan(x)},
        {"asin(x)+acos(y)+atan(x)", asin(x) + acos(y) + atan(x)},
        {"atan2(y,x)", atan2(y, x)},
        {"sinh(x)*cosh(y)-tanh(x)", sinh(x) * cosh(y) - tanh(x)},
        {"exp(x)+ln(x)+log(x)+log10(x)", exp(x) + log(x) + log(x) + log10(x)},
        {"sqrt(x)+abs(y)+sign(y)+heav(0)", sqrt(x) + fabs(y) - 1 + 1},
        {"sign(0)+heav(y)", 0},
        {"min(x,y)+2*max(x,y)", y + 2 * x},
        {"mod(0-1,3)*100+mod(7,0-3)*10+mod(0-7,0-3)", 200 + 10 - 4},
        {"flr(y)+ceil(y)", -1},
        {"erf(x)+erfc(x)", 1},
        {"t*a+pi", t * a + acos(-1)},
        {"x^1.5", pow(x, 1.5)},
        {"x^y", pow(x, y)},
        {"x^-3", 1 / (x * x * x)},
        {"1e3+.5+2.+1.e-1+1E+2", 1102.6},
        {"b", 2 * x},
        {"f(2,3)", 2 - 3 * x},
        {"fac(5)", 120},
        {"sum(0,3)of(i'*x)", 6 * x},
        {"shift(x,1)", y},
        {"sum(0,1)of(shift(x,i'))", x + y},
        {"ram(1.25)", 2.5},
        {"X*Y", x * y},
        {"c1+c2+c[2]", 5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "par a=3\nnumber "
                 "c1=1,c2=2\nb=2*x\nf(u,v)=u-v*x\nfac(n)=if(n<=1)then(1)else(n*fac(n-1))\n"
                 "table ram %% 5 0 5 2*t\nx'=0\ny'=0\nr'=%s\n",
                 cases[k].text);
        lang_model m = lang_read(text);
        double point[3] = {x, y, 0}, dx[3];
        assert_int_equal(m.problem.rhs(t, point, dx, m.problem.ctx), GT_OK);
        if (fabs(dx[2] - cases[k].value) > 4e-15 * (1 + fabs(cases[k].value)))
            fail_msg("%s is %.17g, not %.17g", cases[k].text, dx[2], cases[k].value);
        lang_free(&m);
    }
}

static void test_arrays(void **state)
{
    (void)state;
    lang_model m =
        lang_read("par d=2\nu0=1\nu6=t\nu[1..5]'=d*(u[j-1]-2*u[j]+u[j+1])+[j]\nu[1..5](0)=[j]*10\n"
                  "v[3..1]'=u[j*2-1]\nu3(0)=7\naux s[1..2]=u[j+1]\n");
    const gt_problem *p = &m.problem;
    static const char *const names[] = {"u1", "u2", "u3", "u4", "u5", "v3", "v2", "v1"};
    assert_int_equal(gt_problem_size(p), 8);
    for (int i = 0; i < 8; i++) assert_string_equal(p->names[i], names[i]);
    const double x[] = {1, 4, 9, 16, 25, 0, 0, 0};
    double dx[8], aux[2];
    p->rhs(3, x, dx, p->ctx);
    const double f[] = {2 * (1 - 2 + 4) + 1,
                        2 * (1 - 8 + 9) + 2,
                        2 * (4 - 18 + 16) + 3,
                        2 * (9 - 32 + 25) + 4,
                        2 * (16 - 50 + 3) + 5,
                        25,
                        9,
                        1};
    for (int i = 0; i < 8; i++) lang_near(dx[i], f[i], 0);
    for (int i = 0; i < 5; i++) lang_near(p->x0[i], 10 * (i + 1), 0); /* array formulas come last */
    p->aux(0, x, aux, p->ctx);
    lang_near(aux[1], 9, 0);
    assert_string_equal(p->aux_names[1], "s2");
    lang_free(&m);
}

static void test_blocks_interleave(void **state)
{
    (void)state;
    lang_model m = lang_read("%[1..3]\nu[j]'=-v[j]\nv[j]'=u[j]\n%\nw'=u2\n#@ fast v,u3\n");
    static const char *const names[] = {"u1", "u2", "w", "v1", "v2", "u3", "v3"};
    assert_int_equal(m.problem.n_slow, 3);
    assert_int_equal(m.problem.n_fast, 4);
    for (int i = 0; i < 7; i++) assert_string_equal(m.problem.names[i], names[i]);
    lang_check_blocks(&m);
    lang_free(&m);
}

/* Another division than that of the file: its functions are made for it, and each block keeps the
 * order of the file. */
static void test_split_from_outside(void **state)
{
    (void)state;
    static const char text[] = "%[1..3]\nu[j]'=-v[j]\nv[j]'=u[j]\n%\nw'=u2\n#@ fast v,u3\ndone\n";
    static const struct {
        const char *fast;
        size_t n_fast;
        const char *names[7];
    } cases[] = {{"", 0, {"u1", "v1", "u2", "v2", "u3", "v3", "w"}},
                 {"w,u1", 2, {"v1", "u2", "v2", "u3", "v3", "u1", "w"}},
                 {"u[2..3]", 2, {"u1", "v1", "v2", "v3", "w", "u2", "u3"}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lang_model m = {.arena = gt_arena_growing()};
        gt_message message = {""};
        gt_status status =
            gt_ode_parse_split(text, strlen(text), "m.ode", cases[k].fast, &m.ode, &message);
        if (status) fail_msg("%s", message.text);
        assert_int_equal(gt_model_build(gt_ode_model(m.ode), "", &m.problem, &m.arena, &message),
                         GT_OK);
        assert_int_equal(m.problem.n_fast, cases[k].n_fast);
        for (int i = 0; i < 7; i++) assert_string_equal(m.problem.names[i], cases[k].names[i]);
        if (cases[k].n_fast) lang_check_blocks(&m);
        lang_free(&m);
    }
    gt_ode *wrong;
    gt_message message = {""};
    assert_int_not_equal(gt_ode_parse_split(text, strlen(text), "m.ode", "u,uu", &wrong, &message),
                         GT_OK);
    if (!strstr(message.text, "no state uu")) fail_msg("%s", message.text);
    gt_ode_free(wrong);
}

static void test_errors(void **state)
{
    (void)state;
    const struct {
        const char *text, *where, *part;
    } cases[] = {
        {"x'=1+\n", "m.ode:1:6", "expression is needed"},
        {"x'=(1+2\n", "m.ode:1:8", "')' is needed"},
        {"x'=2x\n", "m.ode:1:5", "needs *"},
        {"x'=(1)(2)\n", "m.ode:1:7", "not expected"},
        {"x'=q\n", "m.ode:1:4", "q is not defined"},
        {"u[1..9]'=sin(j)\n", "m.ode:1:14", "the index of an array is written [j]"},
        {"par alpha=1\nx'=alpa\n", "m.ode:2:4", "did you mean alpha?"},
        {"x'=-sgn(x)\n", "m.ode:1:5", "did you mean sign?"},
        {"x'=1\nx'=2\n", "m.ode:2:1", "equation in line 1"},
        {"par a=1\na=2\nx'=a\n", "m.ode:2:1", "defined twice"},
        {"a=b\nb=a\nx'=a\n", "m.ode:1:1", "depends on itself"},
        {"x'=1/0\n", "m.ode:1:5", "division by zero"},
        {"x'=delay(x,1)\n", "m.ode:1:4", "delays are not supported"},
        {"x'=ran(1)\n", "m.ode:1:4", "random numbers are not supported"},
        {"wiener w\nx'=w\n", "m.ode:1:1", "wiener: noise is not supported"},
        {"markov z 2\nx'=z\n", "m.ode:1:1", "Markov"},
        {"special k=conv(even,1,2,w,x)\nx'=1\n", "m.ode:1:1", "special"},
        {"export {x} {y}\nx'=1\n", "m.ode:1:1", "external code"},
        {"volterra x\nx'=1\n", "m.ode:1:1", "Volterra"},
        {"x(t)=1+int{exp(-t)#x}\ny'=1\n", "m.ode:1:1", "Volterra"},
        {"x'=y+z\n0=y-1\n0=z-1\nsolv y=0, z=1\n", "m.ode:4:9", "a line of its own"},
        {"x(t+1)=x/2\n", "m.ode:1:1", "map"},
        {"@ meth=discrete\nx'=x/2\n", "m.ode:1:8", "map"},
        {"foo bar\nx'=1\n", "m.ode:1:1", "'foo'"},
        {"3\nx'=1\n", "m.ode:1:1", "old style"},
        {"", "m.ode", "no equation"},
        {"x'=y\n0=x-y\n", "m.ode", "equations 0="},
        {"x[1..3]'=x[j+1]\n", "m.ode:1:10", "x4"},
        {"x'=[j]\n", "m.ode:1:5", "[j] has a meaning only"},
        {"x'=sin(1,2)\n", "m.ode:1:4", "takes 1 argument"},
        {"f(a)=a\nx'=f(1,2)\n", "m.ode:2:4", "takes 1 argument"},
        {"f(a,a)=a\nx'=f(1,2)\n", "m.ode:1:5", "twice"},
        {"sum=3\nx'=1\n", "m.ode:1:1", "has a meaning in the language"},
        {"par T=3\nx'=T\n", "m.ode:1:5", "T is t"},
        {"x[5..-5]'=1\n", "m.ode:1:1", "x-5 is not a name"},
        {"x'=1\n#include nowhere.inc\n", "m.ode:2:1", "nowhere.inc"},
        {"x'=1\n#@ switches maybe\n", "m.ode:2:13", "on or off"},
        {"x'=1\nglobal 2 x {x=0}\n", "m.ode:2:8", "direction"},
        {"x'=1\nglobal 1 x {t=0}\n", "m.ode:2:13", "t is not defined"},
        {"number n=1\nx'=1\nglobal 1 x {n=0}\n", "m.ode:3:13", "neither"},
        {"x'=1\ny(0)=2\n", "m.ode:2:1", "no equation"},
        {"x'=y'\nz'=1\n", "m.ode:1:4", "there is no equation y'="},
        {"%[1..3]\nx[j]'=1\n", "m.ode:1:1", "not closed"},
        {"table f tab.dat\nx'=f(x)\n", "m.ode:1:9", "tab.dat cannot be read"},
        {"table f @ tab.dat\nx'=f(x)\n", "m.ode:1:9", "two arguments"},
        {"x'=1\n#@ quick x\n", "m.ode:2:4", "not known"},
        {"x'=1\n#@ fast y\n", "m.ode:2:9", "no state y"},
        {"x'=$\n", "m.ode:1:4", "expression is needed"},
        {"x'=if(x)then(1)\n", "m.ode:1:16", "'else' is needed"},
        {"x'=1e999\n", "m.ode:1:4", "too large"},
        {"x[1..3]'=1\nx2'=1\n", "m.ode:2:1", "equation in line 1"},
        {"x\x01'=1\n", "m.ode:1:2", "0x01"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        gt_ode *ode;
        gt_message message = {""};
        gt_status status =
            gt_ode_parse(cases[k].text, strlen(cases[k].text), "m.ode", &ode, &message);
        if (!status) fail_msg("no error: %s", cases[k].text);
        assert_null(gt_ode_model(ode));
        if (strncmp(message.text, cases[k].where, strlen(cases[k].where)) ||
            !strstr(message.text, cases[k].part))
            fail_msg("%s\n gave %s\n not %s .. %s", cases[k].text, message.text, cases[k].where,
                     cases[k].part);
        gt_ode_free(ode);
    }
}

static void test_warnings(void **state)
{
    (void)state;
    const struct {
        const char *text;
        int line;
        const char *part;
    } cases[] = {
        {"par a=1/2\nx'=a\n", 1, "is a formula"},
        {"x'=x+1>2\n", 1, "XPPAUT compares first"},
        {"x'=1\nx(0)=1/2\n", 2, "is a formula"},
        {"x'=1\nglobal 0 x {x=1}\n", 2, "both directions"},
        {"x'=1 # one\n", 1, "comment"},
        {"0 =y-1\nsolv y\nx'=1\n", 1, "no blanks"},
        {"x'=2^x^2\n", 1, "left to right"},
        {"b x-1\nx'=1\n", 1, "skipped"},
        {"x'=1\n@total=3\n", 2, "ignores options"},
        {"x'=1\n@ total = 3\n", 2, "blanks around ="},
        {"# a \\\nb\nx'=1\n", 1, "backslash"},
        {"ceil(x)=flr(1+x)\nx'=ceil(x)\n", 1, "what this file says counts"},
        {"par pi=3\nx'=pi\n", 1, "what this file says counts"},
        {"x'=1\n@ poimap=section,poivar=x\n", 2, "poimap"},
        {"par n=3\nx[1..4]'=sum(0,n)of(shift(x1,i'))\n", 2, "keeps its value"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        lang_model m = lang_read(cases[k].text);
        const gt_ode_facts *facts = gt_ode_facts_of(m.ode);
        bool found = false;
        for (size_t i = 0; i < facts->n_notes; i++)
            found = found || (facts->notes[i].line == cases[k].line &&
                              strstr(facts->notes[i].text, cases[k].part));
        if (!found) fail_msg("%s gave no warning '%s'", cases[k].text, cases[k].part);
        lang_free(&m);
    }
}

/* What a file defines counts, also above its definition; ceil of an integer is one more there. */
static void test_hidden_builtins(void **state)
{
    (void)state;
    lang_model m = lang_read(
        "x'=ceil(2)\ny'=max(1,2,3)\nz'=pi\nceil(x)=flr(1+x)\nmax(a,b,c)=a+b+c\npar pi=3\n");
    double x[3] = {0}, dx[3];
    m.problem.rhs(0, x, dx, m.problem.ctx);
    lang_near(dx[0], 3, 0);
    lang_near(dx[1], 6, 0);
    lang_near(dx[2], 3, 0);
    lang_free(&m);
}

/* A range in a list holds for the whole line; starts reach states that have their own statements.
 */
static void test_starts(void **state)
{
    (void)state;
    lang_model m =
        lang_read("u[1..5]'=0\nv[1..5]'=0\nw'=0\ninit w=4,u[3..5]=1.05,v[j]=[j]/2,v[1..2]=7\n");
    const double starts[] = {0, 0, 1.05, 1.05, 1.05, 7, 7, 1.5, 2, 2.5, 4};
    for (int i = 0; i < 11; i++) lang_near(m.problem.x0[i], starts[i], 0);
    lang_free(&m);
    m = lang_read(
        "par a=2\nx1'=0\nx[2..4]'=0\nx5'=x4\n%[1..5]\nx[j](0)=a*[j]\n%\n#@ start y=x5+x1\ny'=0\n");
    for (int i = 0; i < 5; i++) lang_near(m.problem.x0[i], 2 * (i + 1), 0);
    lang_near(m.problem.x0[5], 12, 0);
    lang_free(&m);
    m = lang_read("x1[0..3]'=0\nx9'=0\nx[9..13](0)=[j]\n"); /* x10 .. x13 are elements of x1 */
    const double others[] = {10, 11, 12, 13, 9};
    for (int i = 0; i < 5; i++) lang_near(m.problem.x0[i], others[i], 0);
    lang_free(&m);
}

static void test_text(void **state)
{
    (void)state;
    lang_model m = lang_read("\xef\xbb\xbf# Masse \xc3\xbc"
                             "ber Feder\nx'=v\nv'=-x\n#@ exact x=cos(t),v=-sin(t)\ninit x=1\n");
    assert_string_equal(gt_ode_model(m.ode)->title, "Masse \xc3\xbc"
                                                    "ber Feder");
    double x[2];
    assert_non_null(m.problem.exact);
    m.problem.exact(0.5, x, m.problem.ctx);
    lang_near(x[1], -sin(0.5), 1e-16);
    lang_free(&m);
    m = lang_read("#@ title Fr\xc3\xa9quence propre\nx'=1\n");
    assert_string_equal(gt_ode_model(m.ode)->title, "Fr\xc3\xa9quence propre");
    lang_free(&m);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Files beside the file: read where they are named, with the places of both in messages, and never
 * in a circle. */
static void test_include(void **state)
{
    (void)state;
    char folder[] = "/tmp/geartrain_include_XXXXXX", main_file[80], path[80];
    assert_non_null(mkdtemp(folder));
    snprintf(main_file, sizeof main_file, "%s/m.ode", folder);
    snprintf(path, sizeof path, "%s/part.inc", folder);
    write_file(path, "# rates\npar k=3\n#include \"more.inc\"\ndone\nnonsense\n");
    char more[80];
    snprintf(more, sizeof more, "%s/more.inc", folder);
    write_file(more, "f(u)=k*u\n");
    gt_ode *ode;
    gt_message message = {""};
    const char *text = "#include part.inc\nx'=-f(x)\ninit x=1\n";
    assert_int_equal(gt_ode_parse(text, strlen(text), main_file, &ode, &message), GT_OK);
    gt_ode_free(ode);
    write_file(more, "par a=1\nf(u)=k**\n");
    assert_int_not_equal(gt_ode_parse(text, strlen(text), main_file, &ode, &message), GT_OK);
    assert_non_null(strstr(message.text, "m.ode:1:1: more.inc:2:9: "));
    gt_ode_free(ode);
    write_file(more, "#include part.inc\n");
    assert_int_not_equal(gt_ode_parse(text, strlen(text), main_file, &ode, &message), GT_OK);
    assert_non_null(strstr(message.text, "includes itself"));
    gt_ode_free(ode);
    remove(more);
    remove(path);
    remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lorenz),
                                       cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_arrays),
                                       cmocka_unit_test(test_blocks_interleave),
                                       cmocka_unit_test(test_split_from_outside),
                                       cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_warnings),
                                       cmocka_unit_test(test_hidden_builtins),
                                       cmocka_unit_test(test_starts),
                                       cmocka_unit_test(test_text),
                                       cmocka_unit_test(test_include)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
