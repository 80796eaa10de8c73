/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in and out by the buffer protocol. */
#include "py_core.h"
#include <stdlib.h>
#include <string.h>

static bool held(PyObject *object, Py_buffer *view, size_t count, bool writable, const char *format,
                 const char *what)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, view, flags)) return false;
    bool fits = view->format && !strcmp(view->format, format);
    size_t items = view->itemsize ? (size_t)view->len / (size_t)view->itemsize : 0;
    if (fits && (count == SIZE_MAX || items == count)) return true;
    if (!fits)
        PyErr_Format(PyExc_TypeError, "%s must hold numbers of format '%s', not '%s'", what, format,
                     view->format ? view->format : "B");
    else
        PyErr_Format(PyExc_ValueError, "%s must have %zu numbers, not %zu", what, count, items);
    PyBuffer_Release(view);
    return false;
}

bool py_doubles(PyObject *object, Py_buffer *view, size_t count, bool writable, const char *what)
{
    return held(object, view, count, writable, "d", what);
}

bool py_ints(PyObject *object, Py_buffer *view, size_t count, const char *what)
{
    return held(object, view, count, false, "i", what);
}

bool py_copy_doubles(PyObject *object, size_t count, gt_arena *arena, double **copy,
                     const char *what)
{
    Py_buffer view;
    *copy = NULL;
    if (!object || object == Py_None) return true;
    if (!py_doubles(object, &view, count, false, what)) return false;
    size_t items = (size_t)view.len / sizeof(double);
    *copy = gt_arena_doubles(arena, items + 1);
    if (*copy && view.len) memcpy(*copy, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    if (!*copy) PyErr_NoMemory();
    return *copy != NULL;
}

/* ---- memory that grows ---- */

static bool grow(py_growing *memory, size_t count)
{
    size_t room = memory->room ? memory->room : 4096;
    while (room < memory->used + count) room *= 2;
    char *larger = realloc(memory->bytes, room);
    if (!larger) return false;
    memory->bytes = larger;
    memory->room = room;
    return true;
}

void *py_room(py_growing *memory, size_t count)
{
    if (memory->used + count > memory->room && !grow(memory, count)) return NULL;
    char *place = memory->bytes + memory->used;
    memory->used += count;
    return place;
}

bool py_append(py_growing *memory, const void *bytes, size_t count)
{
    if (!count) return true;
    void *place = py_room(memory, count);
    if (place) memcpy(place, bytes, count);
    return place != NULL;
}

typedef struct py_array {
    PyObject ob_base;
    char *bytes;
    Py_ssize_t count, item;
    char format[2];
} py_array;

static int array_buffer(PyObject *self, Py_buffer *view, int flags)
{
    py_array *a = (py_array *)self;
    if (PyBuffer_FillInfo(view, self, a->bytes ? a->bytes : (char *)&a->bytes, a->count * a->item,
                          0, flags))
        return -1;
    view->itemsize = a->item;
    if (flags & PyBUF_FORMAT) view->format = a->format;
    if (flags & PyBUF_ND) view->shape = &a->count;
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES) view->strides = &a->item;
    return 0;
}

static void array_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    free(((py_array *)self)->bytes);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot array_slots[] = {
    {Py_tp_doc, "Numbers in memory of their own, for numpy.frombuffer."},
    {Py_tp_dealloc, array_free},
    {Py_bf_getbuffer, array_buffer},
    {0, NULL}};
PyType_Spec py_array_spec = {"geartrain._core.Array", sizeof(py_array), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, array_slots};

PyObject *py_array_of(py_state *state, py_growing *memory, const char *format)
{
    py_array *a = PyObject_New(py_array, state->array);
    if (!a) {
        free(memory->bytes);
        *memory = (py_growing){0};
        return NULL;
    }
    char *fitting = memory->used ? realloc(memory->bytes, memory->used) : memory->bytes;
    a->bytes = fitting ? fitting : memory->bytes;
    a->item = *format == 'd' ? (Py_ssize_t)sizeof(double) : 1;
    a->count = (Py_ssize_t)memory->used / a->item;
    a->format[0] = *format;
    a->format[1] = '\0';
    *memory = (py_growing){0};
    return (PyObject *)a;
}
