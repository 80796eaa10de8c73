// SPDX-License-Identifier: BSD-3-Clause
// Runs the module apart from the page, so that the page never waits. A job says which model and problem it is about,
// and which calls of web/lab_face.h to make; what is as in the job before is not done again.
'use strict';

let core, lab, known = {};

// The module imports what the C library would ask of a system (there is none: every such call fails), longjmp, and
// how far a run is.
function imports(module) {
    const table = () => core.__indirect_function_table;
    const LONG_JUMP = {};
    const env = {
        progress: (t, steps) => postMessage({ progress: { t, steps } }),
        emscripten_notify_memory_growth() {},
        setTempRet0() {},
        _emscripten_throw_longjmp() { throw LONG_JUMP; },
        emscripten_longjmp() { throw LONG_JUMP; },
    };
    const invoke = (index, ...values) => {
        const stack = core.stackSave();
        try {
            return table().get(index)(...values);
        } catch (jump) {
            core.stackRestore(stack);
            if (jump !== LONG_JUMP) throw jump;
            core.setThrew(1, 0);
        }
    };
    const given = {};
    for (const { module: room, name } of WebAssembly.Module.imports(module)) {
        given[room] ??= {};
        given[room][name] = name.startsWith('invoke_') ? invoke : env[name] ?? (() => 52 /* not implemented */);
    }
    return given;
}

async function start(bytes) {
    const { module, instance } = await (async () => {
        const module = await WebAssembly.compile(bytes);
        const instance = await WebAssembly.instantiate(module, imports(module));
        return { module, instance };
    })();
    core = instance.exports;
    core._initialize?.();
    lab = core.gt_lab_new();
    if (!lab) throw new Error('out of memory');
    return module;
}

function textAt(pointer) {
    const bytes = new Uint8Array(core.memory.buffer, pointer);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

// Numbers go as they are, texts as pointers, null as no text.
function call(name, ...values) {
    const texts = [];
    const given = values.map((value) => {
        if (typeof value === 'number') return value;
        if (value === null) return 0;
        const bytes = new TextEncoder().encode(value);
        const pointer = core.malloc(bytes.length + 1);
        if (!pointer) throw new Error('out of memory');
        new Uint8Array(core.memory.buffer, pointer, bytes.length + 1).set([...bytes, 0]);
        texts.push(pointer);
        return pointer;
    });
    const began = performance.now();
    core['gt_lab_' + name](lab, ...given);
    const answer = JSON.parse(textAt(core.gt_lab_answer(lab)));
    answer.ms = performance.now() - began;
    texts.forEach((pointer) => core.free(pointer));
    const count = answer.numbers;
    if (count)
        answer.numbers = new Float64Array(core.memory.buffer, core.gt_lab_numbers(lab), count).slice();
    return answer;
}

// The model and the problem of a job, unless they are there already. Where one is wrong the calls are not made.
function prepare(job) {
    const done = {};
    const model = JSON.stringify(job.model), problem = JSON.stringify(job.problem);
    if (known.model !== model) {
        known = {};
        known.opened = call('open', job.model.name, job.model.text ?? null);
        known.model = model;
    }
    done.opened = known.opened;
    if (done.opened.status !== 'ok') return done;
    if (known.problem !== problem) {
        known.built = call('build', job.problem.set, job.problem.init, job.problem.t1 ?? NaN);
        known.problem = problem;
    }
    done.built = known.built;
    return done;
}

function perform(job) {
    const result = job.model ? prepare(job) : {};
    const failed = [result.opened, result.built].some((part) => part && part.status !== 'ok');
    result.answers = failed ? [] : job.calls.map((values) => call(...values));
    return result;
}

onmessage = async ({ data }) => {
    try {
        if (data.bytes) {
            await start(data.bytes);
            postMessage({ ready: true });
            return;
        }
        const result = perform(data);
        const buffers = result.answers.filter((a) => a.numbers?.buffer).map((a) => a.numbers.buffer);
        postMessage({ id: data.id, result }, buffers);
    } catch (error) {
        postMessage({ id: data.id, failed: String(error.message ?? error) });
    }
};
