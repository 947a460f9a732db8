// allocations.js - every n-th allocation of a command fails: the command says
// so, changes nothing, and works the next time
//
// MODULE has the command FAULT.ALLOC: tests/fault/module_memory.c.
'use strict';
const { assert, ReplyError, start, dump, items, run } = require('./lib.js');

const small = ['MEMORY', '8K', 'SEED', 5];
const hashes = n => Buffer.alloc(16 * n, 7);
const reserve = (s, key, ...more) =>
    s.call('FR.RESERVE', key, ...small, ...more);

// What the keys hold; null where there is none.
async function contents(s) {
    const all = {};
    for (const key of ['k', 'other'])
        all[key] = await s.call('EXISTS', key) ? await s.digest(key) : null;
    return all;
}

// Let each allocation of a command fail, one after the other.  Returns how
// many there are.
async function sweep(s, prepare, command) {
    for (let n = 1; ; n++) {
        await s.call('FLUSHALL', 'SYNC');
        await prepare(s);
        const args = typeof command === 'function' ? await command(s) : command;
        const before = await contents(s);
        await s.call('FAULT.ALLOC', n);
        const got = await s.call(...args).catch(error => error);
        const calls = await s.call('FAULT.ALLOC', 0);
        const what = `${args[0]}, allocation ${n}: ${got}`;
        if (calls < n) {
            assert.ok(!(got instanceof Error), what);
            return n - 1;
        }
        assert.ok(got instanceof ReplyError, what);
        assert.match(got.message, /memory|cannot allocate|Bad data|failed/, what);
        assert.deepStrictEqual(await contents(s), before, what);
        await prepare(s).catch(() => {}); // a load begins again
        await s.call(...args); // throws if it fails
    }
}

const nothing = async () => {};

// A dump of another filter, loaded in two chunks: the second one is swept.
async function half_loaded(s) {
    await reserve(s, 'from');
    await s.call('FR.MADD', 'from', ...items(50));
    s.saved = await dump(s, 'from');
    await s.call('DEL', 'from');
    await s.call('FR.LOAD', 'k', 0, s.saved.length, s.saved.subarray(0, 999));
}

async function dumped(s, make, read) {
    await make(s);
    s.saved = await read(s);
    await s.call('DEL', 'k');
}

const chain = async s => {
    await s.call('BF.RESERVE', 'k', '0.01', 20);
    await s.call('BF.MADD', 'k', ...items(30));
};

// [what is there before, the command, how many allocations at least]
const rows = [
    [nothing, ['FR.RESERVE', 'k', ...small], 2],
    [nothing, ['FR.RESERVE', 'k', ...small, 'HASH', 'siphash'], 2],
    [nothing, ['FR.RESERVE', 'k', ...small, 'ALGORITHM', 'sbf', 'ERROR',
        '0.01'], 2],
    [nothing, ['FR.ADD', 'k', 'a'], 2],
    [nothing, ['FR.MADD', 'k', ...items(500)], 2],
    [nothing, ['FR.INSERT', 'k', ...small, 'ITEMS', 'a', 'b'], 2],
    [s => reserve(s, 'k'), ['FR.MADD', 'k', ...items(500)], 0],
    [s => reserve(s, 'k'), ['FR.MADDHASH', 'k', hashes(300)], 0],
    [s => reserve(s, 'k'), ['FR.MADDHASH', 'k', hashes(300), 'CLIENT', 'me',
        'SEQ', 1, 'FIRST'], 0],
    [s => reserve(s, 'k'), ['FR.RESET', 'k'], 0],
    [s => reserve(s, 'k'), ['FR.INFO', 'k'], 0],
    [s => reserve(s, 'k'), ['FR.DUMP', 'k', 0], 1],
    [s => reserve(s, 'k'), ['COPY', 'k', 'other'], 2],
    [s => reserve(s, 'k').then(() => reserve(s, 'other')),
        ['FR.MERGE', 'k', 'other'], 0],
    [s => dumped(s, () => reserve(s, 'k'), () => dump(s, 'k')),
        s => ['FR.LOAD', 'k', 0, s.saved.length, s.saved], 2],
    [half_loaded, s => ['FR.LOAD', 'k', 999, s.saved.length,
        s.saved.subarray(999)], 1],
    [s => dumped(s, () => reserve(s, 'k'), () => s.call('DUMP', 'k')),
        s => ['RESTORE', 'k', 0, s.saved], 2],
    [nothing, ['BF.RESERVE', 'k', '0.01', 100], 2],
    [nothing, ['BF.ADD', 'k', 'a'], 2],
    [nothing, ['BF.INSERT', 'k', 'CAPACITY', 50, 'ITEMS', 'a'], 2],
    [chain, ['BF.MADD', 'k', 'new-1'], 0],
    [chain, ['BF.SCANDUMP', 'k', 0], 0],
    [chain, ['COPY', 'k', 'other'], 2],
    [s => dumped(s, chain, () => s.call('DUMP', 'k')),
        s => ['RESTORE', 'k', 0, s.saved], 2],
    [s => dumped(s, chain, async () => (await s.call('BF.SCANDUMP', 'k',
        0))[1]), s => ['BF.LOADCHUNK', 'k', 1, s.saved], 1],
];

const tests = {
    async an_allocation_that_fails_changes_nothing() {
        const s = await start({ 'freshet.bf-compat': 'yes',
            'freshet.default-memory': '1mb' });
        let total = 0;
        for (const [prepare, command, least] of rows) {
            const n = await sweep(s, prepare, command);
            const name = typeof command === 'function' ?
                (await command(s))[0] : command[0];
            assert.ok(n >= least, `${name}: ${n} allocations`);
            total += n;
        }
        assert.strictEqual(await s.call('PING'), 'PONG');
        console.log(`${total} allocations of ${rows.length} commands`);
    },

    // A full filter grows by a link, item by item: those before it are added.
    async a_chain_that_cannot_grow_keeps_what_it_has() {
        const s = await start({ 'freshet.bf-compat': 'yes' });
        for (let n = 1; ; n++) {
            await s.call('FLUSHALL', 'SYNC');
            await s.call('BF.RESERVE', 'k', '0.01', 10);
            await s.call('FAULT.ALLOC', n);
            const got = await s.call('BF.MADD', 'k', ...items(40));
            if (await s.call('FAULT.ALLOC', 0) < n) break;
            const added = got.findIndex(one => one instanceof Error);
            assert.ok(added > 0, String(got));
            assert.match(got[added].message, /problem inserting/);
            assert.strictEqual(await s.call('BF.CARD', 'k'), got.slice(0,
                added).filter(one => one === 1).length);
            for (let i = 0; i < added; i++)
                assert.strictEqual(await s.call('BF.EXISTS', 'k',
                    `item-${i}`), 1);
            await s.call('BF.MADD', 'k', ...items(40));
            assert.strictEqual(await s.call('BF.EXISTS', 'k', 'item-39'), 1);
        }
    },
};

run(tests);
