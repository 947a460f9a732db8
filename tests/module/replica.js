// replica.js - a replica is its primary, byte for byte
'use strict';
const { assert, start, replica_of, in_sync, until, pairs, items, dump, load,
    run, sleep, field } = require('./lib.js');

const hash = Buffer.alloc(16, 7);

async function same(primary, replica, keys) {
    await until('the replica has caught up', () => in_sync(primary, replica));
    for (const key of keys)
        assert.strictEqual(await replica.digest(key),
            await primary.digest(key), key);
}

const tests = {
    async every_algorithm_is_replicated_exactly() {
        const p = await start(), r = await replica_of(p);
        const names = (await p.call('FR.LIST')).map(row => pairs(row).name);
        for (const name of names)
            await p.call('FR.RESERVE', name, 'MEMORY', '64K', 'ALGORITHM',
                name, 'ERROR', '0.01');
        for (let round = 0; round < 20; round++)
            for (const name of names)
                await p.call('FR.MADD', name, ...items(700, round % 7));
        await same(p, r, names);
    },

    async implicit_filters_and_every_write_are_replicated() {
        const p = await start(), r = await replica_of(p);
        await p.call('CONFIG', 'SET', 'freshet.default-memory', '1mb');
        await r.call('CONFIG', 'SET', 'freshet.default-memory', '3mb');
        await p.call('FR.ADD', 'add', 'a');
        await p.call('FR.MADD', 'madd', 'a', 'b');
        await p.call('FR.INSERT', 'insert', 'MEMORY', '70K', 'ERROR', '0.02',
            'LAST', 500, 'REFRESH', 'ITEMS', 'a');
        await p.call('FR.REMEMBER', 'add', 'c');
        await p.call('FR.FORGET', 'madd', 'b');
        await p.call('FR.MADDHASH', 'add', hash, 'CLIENT', 'me', 'SEQ', 1,
            'FIRST');
        await p.call('FR.REMEMBERHASH', 'add', Buffer.alloc(160, 5));
        await p.call('FR.QUERYHASH', 'add', hash);
        await p.call('COPY', 'add', 'twin');
        await p.call('FR.ADD', 'twin', 'more');
        await p.call('FR.MERGE', 'add', 'twin');
        await p.call('FR.ADD', 'reset', 'x');
        await p.call('FR.RESET', 'reset');
        await same(p, r, ['add', 'madd', 'insert', 'twin', 'reset']);
        assert.strictEqual(pairs(await r.call('FR.INFO', 'add')).memory,
            1 << 20);
    },

    async both_hashes_are_replicated_with_their_keys() {
        const p = await start({ appendonly: 'yes' }), r = await replica_of(p);
        for (const hash of ['xxh3-128', 'siphash']) {
            const made = pairs(await p.call('FR.RESERVE', hash, 'MEMORY',
                '64K', 'HASH', hash));
            const info = pairs(await p.call('FR.INFO', hash));
            assert.strictEqual(info.hash, hash);
            assert.strictEqual('seed-high' in info, hash === 'siphash');
            assert.deepStrictEqual(info['seed-high'], made['seed-high']);
            await p.call('FR.MADD', hash, ...items(500, 1));
        }
        await same(p, r, ['xxh3-128', 'siphash']);
        const before = await p.digest('siphash');
        await p.restart();
        assert.strictEqual(await p.digest('siphash'), before);
        await assert.rejects(p.call('FR.RESERVE', 'no', 'MEMORY', '64K',
            'HASH', 'md5'), /no hash named md5/);
    },

    async time_windows_run_on_the_primary_s_time() {
        const p = await start({ appendonly: 'yes' }), r = await replica_of(p);
        await p.call('FR.RESERVE', 'w', 'MEMORY', '1M', 'WITHIN', 200);
        for (let i = 0; i < 40; i++) {
            await p.call('FR.MADD', 'w', ...items(10, i % 5));
            await sleep(13);
        }
        await same(p, r, ['w']);
        const before = await p.digest('w');
        await p.restart(); // from the AOF, much later than it was written
        assert.strictEqual(await p.digest('w'), before);
    },

    async scripts_and_transactions_are_replicated_exactly() {
        const p = await start(), r = await replica_of(p);
        await p.call('FR.RESERVE', 'k', 'MEMORY', '1M', 'WITHIN', 1000);
        await p.call('EVAL', "for i = 1, 100 do redis.call('FR.ADD', " +
            "KEYS[1], i) end redis.call('FR.ADD', KEYS[2], 'x')", 2, 'k',
        'new');
        await p.call('MULTI');
        await p.call('FR.ADD', 'k', 'in a transaction');
        await p.call('FR.ADD', 'k2', 'in a transaction');
        await p.call('EXEC');
        await same(p, r, ['k', 'new', 'k2']);
    },

    async a_load_is_replicated_when_it_is_whole() {
        const p = await start({ appendonly: 'yes' }), r = await replica_of(p);
        await p.call('FR.RESERVE', 'k', 'MEMORY', '3M');
        await p.call('FR.MADD', 'k', ...items(5000));
        const saved = await dump(p, 'k'), half = 1 << 20;
        await p.call('FR.LOAD', 'loaded', 0, saved.length,
            saved.subarray(0, half));
        const late = await replica_of(p); // joins in the middle of it
        await p.call('FR.LOAD', 'loaded', half, saved.length,
            saved.subarray(half));
        await p.call('FR.ADD', 'loaded', 'after');
        await same(p, r, ['k', 'loaded']);
        await same(p, late, ['k', 'loaded']);
        const before = await p.digest('loaded');
        await p.restart();
        assert.strictEqual(await p.digest('loaded'), before);
    },

    async a_full_sync_brings_everything() {
        const p = await start();
        await p.call('FR.RESERVE', 'k', 'MEMORY', '4M', 'ALGORITHM', 'bsbf');
        await p.call('FR.MADD', 'k', ...items(20000));
        const r = await replica_of(p,
            { 'repl-diskless-load': 'on-empty-db' });
        const s = await replica_of(p, { 'repl-diskless-load': 'swapdb' });
        await p.call('FR.MADD', 'k', ...items(500, 'more'));
        await same(p, r, ['k']);
        await same(p, s, ['k']);
    },

    async answers_survive_a_failover() {
        const p = await start(), r = await replica_of(p);
        await p.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        const ask = (s, ...first) => s.call('FR.MADDHASH', 'k', hash, 'CLIENT',
            'me', 'SEQ', 5, ...first).then(String);
        assert.strictEqual(await ask(p, 'FIRST'), '1');
        await until('it is replicated', () => in_sync(p, r));
        await p.end('SIGKILL');
        await r.call('REPLICAOF', 'NO', 'ONE');
        assert.strictEqual(await ask(r), '1');
    },

    async queries_on_a_replica_answer_and_change_nothing() {
        const p = await start(), r = await replica_of(p);
        await p.call('FR.RESERVE', 'k', 'MEMORY', '1M', 'WITHIN', 100);
        await p.call('FR.ADD', 'k', 'a');
        await sleep(300);
        await until('it is replicated', () => in_sync(p, r));
        await r.call('FR.MEXISTS', 'k', 'a', 'b');
        await r.call('FR.INFO', 'k');
        await same(p, r, ['k']);
        await p.call('FR.QUERY', 'k', 'a'); // tells the time
        await same(p, r, ['k']);
        await assert.rejects(r.call('FR.ADD', 'k', 'b'), /READONLY/);
        await assert.rejects(r.call('FR.QUERY', 'k', 'b'), /READONLY/);
    },
};

run(tests);
