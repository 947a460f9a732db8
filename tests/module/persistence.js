// persistence.js - restarts, dumps, damage, and the program's state files
'use strict';
const fs = require('fs');
const path = require('path');
const { assert, start, fails, pairs, items, dump, load, restore_damaged, run,
    freshet, work, until, field, sleep } = require('./lib.js');

const hash = Buffer.alloc(16, 7);

// A filter of each kind of life: plain, windows, random, numbered requests.
async function fill(s) {
    await s.call('FR.RESERVE', 'plain', 'MEMORY', '3M');
    await s.call('FR.RESERVE', 'last', 'MEMORY', '1M', 'LAST', 100000);
    await s.call('FR.RESERVE', 'time', 'MEMORY', '1M', 'WITHIN', 3600000);
    await s.call('FR.RESERVE', 'random', 'MEMORY', '1M', 'ALGORITHM', 'rsbf');
    for (const key of ['plain', 'last', 'time', 'random'])
        await s.call('FR.MADD', key, ...items(5000));
    for (const [client, seq] of [['me', 41], ['you', 7]])
        await s.call('FR.MADDHASH', 'plain', hash, 'CLIENT', client, 'SEQ', seq,
            'FIRST');
    return ['plain', 'last', 'time', 'random'];
}

async function digests(s, keys) {
    const all = {};
    for (const key of keys) all[key] = await s.digest(key);
    return all;
}

const tests = {
    async a_restart_from_rdb_changes_nothing() {
        const s = await start({ save: '3600 1' });
        const keys = await fill(s), before = await digests(s, keys);
        await s.restart();
        assert.deepStrictEqual(await digests(s, keys), before);
        assert.strictEqual(String(await s.call('FR.MADDHASH', 'plain', hash,
            'CLIENT', 'me', 'SEQ', 41)), '1');
        assert.strictEqual(await s.call('FR.ADD', 'plain', 'item-17'), 0);
    },

    async a_restart_from_aof_changes_nothing() {
        const s = await start({ appendonly: 'yes' });
        const keys = await fill(s), before = await digests(s, keys);
        await s.restart();
        assert.deepStrictEqual(await digests(s, keys), before);
    },

    async a_rewritten_aof_makes_the_same_filters() {
        const s = await start({ appendonly: 'yes',
            'aof-use-rdb-preamble': 'no' });
        const keys = await fill(s);
        await s.call('BGREWRITEAOF');
        await until('the rewrite is done', async () =>
            await field(s, 'persistence', 'aof_rewrite_in_progress') === '0' &&
            await field(s, 'persistence', 'aof_rewrite_scheduled') === '0');
        await s.call('FR.ADD', 'plain', 'after the rewrite');
        const before = await digests(s, keys);
        await s.restart();
        assert.deepStrictEqual(await digests(s, keys), before);
        assert.strictEqual(String(await s.call('FR.MADDHASH', 'plain', hash,
            'CLIENT', 'you', 'SEQ', 7)), '0');
    },

    async dump_and_restore_and_copy_are_exact() {
        const s = await start();
        for (const key of await fill(s)) {
            await s.call('RESTORE', key + '2', 0, await s.call('DUMP', key));
            await s.call('COPY', key, key + '3');
            const digest = await s.digest(key);
            assert.strictEqual(await s.digest(key + '2'), digest);
            assert.strictEqual(await s.digest(key + '3'), digest);
        }
        await s.call('FR.ADD', 'plain3', 'only here');
        assert.strictEqual(await s.call('FR.EXISTS', 'plain', 'only here'), 0);
        assert.strictEqual(String(await s.call('FR.MADDHASH', 'plain2', hash,
            'CLIENT', 'me', 'SEQ', 41)), '1');
    },

    async a_young_filter_is_saved_as_little() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '512M');
        await s.call('FR.MADD', 'k', ...items(20));
        assert.ok((await s.call('DUMP', 'k')).length < 4 << 20);
    },

    async restore_refuses_or_survives_any_flipped_byte() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '64K', 'LAST', 1000);
        await s.call('FR.MADD', 'k', ...items(300));
        await s.call('FR.MADDHASH', 'k', hash, 'CLIENT', 'me', 'SEQ', 1,
            'FIRST');
        const use = async key => {
            await s.call('FR.MADD', key, ...items(50));
            await s.call('FR.INFO', key);
        };
        assert.ok(await restore_damaged(s, 'k', use,
            i => i < 700 ? 1 : 997) > 200);
    },

    async a_damaged_rdb_file_is_not_loaded() {
        const s = await start({ save: '3600 1', rdbcompression: 'no',
            rdbchecksum: 'no' });
        await s.call('FR.RESERVE', 'k', 'MEMORY', '64K');
        await s.call('FR.MADD', 'k', ...items(300));
        await s.end();
        const file = path.join(s.dir, 'dump.rdb'), rdb = fs.readFileSync(file);
        const at = rdb.indexOf('freshet\0');
        assert.ok(at > 0);
        rdb[at + 24] ^= 0x40; // the size of the block
        fs.writeFileSync(file, rdb);
        await assert.rejects(s.start(), /no server/);
        assert.match(s.log(), /a freshet filter is refused/);
    },

    async a_dump_is_a_state_file_of_the_program() {
        const s = await start(), file = path.join(work, 'from-server');
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        await s.call('FR.MADD', 'k', ...items(1000));
        fs.writeFileSync(file, await dump(s, 'k', 100000));
        assert.match(freshet(['info', file]), /^new +1000$/m);
        assert.strictEqual(
            freshet(['--state', file], 'item-5\nfresh one\nitem-999\n'),
            'fresh one\n');
        // And back, with what the program remembered.
        await fails(load(s, 'k', fs.readFileSync(file)), /^BUSYKEY/);
        assert.strictEqual(await load(s, 'k', fs.readFileSync(file), 70001,
            'REPLACE'), 0);
        assert.strictEqual(await s.call('FR.EXISTS', 'k', 'fresh one'), 1);
        await load(s, 'k2', await dump(s, 'k'));
        assert.strictEqual(await s.digest('k2'), await s.digest('k'));
    },

    async a_state_file_of_the_program_is_loaded_with_its_window() {
        const s = await start(), file = path.join(work, 'from-program');
        freshet(['--state', file, '-m', '1M', '--within', '1h'], 'a\nb\n');
        await load(s, 'k', fs.readFileSync(file));
        assert.strictEqual(pairs(await s.call('FR.INFO', 'k')).within, 3600000);
        assert.deepStrictEqual(await s.call('FR.MADD', 'k', 'a', 'c'), [0, 1]);
    },

    async a_load_that_is_not_finished_leaves_nothing() {
        const s = await start({ save: '3600 1' });
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        const saved = await dump(s, 'k');
        const next = await s.call('FR.LOAD', 'half', 0, saved.length,
            saved.subarray(0, 300));
        assert.strictEqual(next, 300);
        assert.match(String(await s.call('INFO', 'freshet_filters')),
            /loads_unfinished:1\r/);
        assert.strictEqual(await s.call('EXISTS', 'half'), 0);
        await fails(s.call('FR.INFO', 'half'), /not found/);
        await s.restart();
        assert.strictEqual(await s.call('DBSIZE'), 1);
        await fails(s.call('FR.LOAD', 'half', 300, saved.length,
            saved.subarray(300)), /does not continue/);
    },

    // The chunks of the first attempt are in memory until then.
    async a_load_that_begins_again_needs_no_more_memory() {
        const s = await start({ 'freshet.max-memory': '10mb' });
        for (let i = 0; i < 3; i++)
            assert.strictEqual(await s.call('FR.LOAD', 'k', 0, 6 << 20, 'x'),
                1);
        await fails(s.call('FR.LOAD', 'other', 0, 6 << 20, 'x'), /max-memory/);
    },

    async a_damaged_load_is_refused_whole() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '64K');
        await s.call('FR.MADD', 'k', ...items(100));
        const saved = await dump(s, 'k');
        for (let i = 0; i < saved.length; i += 331) {
            const bad = Buffer.from(saved);
            bad[i] ^= 4;
            await fails(load(s, 'bad', bad), /^ERR/);
        }
        await fails(load(s, 'bad', saved.subarray(0, saved.length - 1)),
            /^ERR/);
        await fails(load(s, 'bad', Buffer.concat([saved, saved])), /^ERR/);
        await fails(s.call('FR.LOAD', 'bad', 0, '99999999999999999', 'x'),
            /FR.LOAD takes/);
        await fails(s.call('FR.LOAD', 'bad', 5, 4, 'x'), /FR.LOAD takes/);
        assert.strictEqual(await s.call('DBSIZE'), 1);
        assert.strictEqual(await load(s, 'good', saved), 0);
    },

    async loads_of_several_keys_may_be_mixed() {
        const s = await start();
        const saved = {};
        for (let i = 0; i < 5; i++) {
            await s.call('FR.RESERVE', `k${i}`, 'MEMORY', '64K');
            await s.call('FR.ADD', `k${i}`, `in ${i}`);
            saved[i] = await dump(s, `k${i}`);
        }
        for (let at = 0; at < saved[0].length; at += 10000)
            for (let i = 0; i < 5; i++)
                await s.call('FR.LOAD', `l${i}`, at, saved[i].length,
                    saved[i].subarray(at, at + 10000));
        for (let i = 0; i < 5; i++)
            assert.strictEqual(await s.digest(`l${i}`),
                await s.digest(`k${i}`));
    },
};

run(tests);
