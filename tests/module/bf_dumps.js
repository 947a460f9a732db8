// bf_dumps.js - Bloom filters out and in: RedisBloom's dumps, files, replicas
'use strict';
const fs = require('fs');
const path = require('path');
const { assert, start, replica_of, in_sync, until, field, fails, pairs, items,
    dump, restore_damaged, run } = require('./lib.js');
const { murmur, plan, Chain, offsets, scandump, loadchunks } =
    require('./redisbloom.js');

const compat = { 'freshet.bf-compat': 'yes' };
const bad = /^ERR received bad data/;

// A chain as RedisBloom would have it.
function filled(n, error = 0.01, capacity = 100, options = {}) {
    const chain = new Chain(error, capacity, options);
    for (const item of items(n)) chain.add(item);
    return chain;
}

// Chains of each kind of life: grown, fixed, full, empty, evicting.
async function fill(s) {
    await s.call('BF.MADD', 'grown', ...items(3000));
    await s.call('BF.RESERVE', 'fixed', '0.001', 5000, 'NONSCALING');
    await s.call('BF.MADD', 'fixed', ...items(2000));
    await s.call('BF.INSERT', 'full', 'CAPACITY', 50, 'NONSCALING', 'ITEMS',
        ...items(60));
    await s.call('BF.RESERVE', 'empty', '0.01', 1000000, 'EXPANSION', 4);
    await s.call('CONFIG', 'SET', 'freshet.full-policy', 'evict');
    await s.call('BF.RESERVE', 'evicting', '0.01', 500, 'NONSCALING');
    await s.call('BF.MADD', 'evicting', ...items(3000));
    await s.call('CONFIG', 'SET', 'freshet.full-policy', 'error');
    return ['grown', 'fixed', 'full', 'empty', 'evicting'];
}

async function digests(s, keys) {
    const all = {};
    for (const key of keys) all[key] = await s.digest(key);
    return all;
}

async function same(primary, replica, keys) {
    await until('the replica has caught up', () => in_sync(primary, replica));
    assert.deepStrictEqual(await digests(replica, keys),
        await digests(primary, keys));
}

// Whatever was taken must be safe to use.
async function use(s, key) {
    await s.call('BF.MADD', key, ...items(30));
    await s.call('BF.MEXISTS', key, ...items(30));
    await s.call('BF.INFO', key);
    await s.call('BF.SCANDUMP', key, 0);
    await s.call('BF.SCANDUMP', key, 1);
    await s.call('COPY', key, 'copy', 'REPLACE');
}

// A header with a field of another value: a number, or bytes.
function with_field(header, name, value) {
    const at = offsets[name], changed = Buffer.from(header);
    if (name === 'error' || name === 'bpe') changed.writeDoubleLE(value, at);
    else if (name === 'n2') changed.writeUInt8(value, at);
    else if (['links', 'options', 'growth', 'hashes'].includes(name))
        changed.writeUInt32LE(value, at);
    else changed.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), at);
    return changed;
}

const tests = {
    // SMHasher's check: 256 hashes, and the hash of all of them.
    async the_hash_of_these_tests_is_murmurhash64a() {
        const key = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
        const all = Buffer.alloc(2048);
        for (let i = 0; i < 256; i++)
            all.writeBigUInt64LE(
                murmur(key.subarray(0, i), BigInt(256 - i)), 8 * i);
        assert.strictEqual(murmur(all, 0n) & 0xffffffffn, 0x1f0d3804n);
    },

    // BF.RESERVE bf 0.1 10, BF.ADD bf item1, and what BF.SCANDUMP answers then:
    // the example that stands in RedisBloom's own documentation.
    async redisbloom_s_own_example_comes_out_the_same() {
        const s = await start(compat);
        const header = Buffer.concat([['0100000000000000', '01000000',
            '05000000', '02000000'], ['0800000000000000', '4000000000000000',
            '0100000000000000', '9a9999999999a93f', '4af7d49edef01840',
            '05000000', '0a00000000000000', '00']].flat()
            .map(field => Buffer.from(field, 'hex')));
        const example = [[1, header],
            [9, Buffer.from('0108008000042000', 'hex')]];
        await s.call('BF.RESERVE', 'bf', 0.1, 10);
        await s.call('BF.ADD', 'bf', 'item1');
        assert.deepStrictEqual(await scandump(s, 'bf'), example);
        const chain = new Chain(0.1, 10); // and out of these tests' own
        chain.add('item1');
        assert.deepStrictEqual(chain.dump(), example);
    },

    async a_dump_of_redisbloom_is_loaded() {
        const s = await start(compat), chain = filled(2000);
        const known = items(2000), unknown = items(2000, 'other');
        assert.strictEqual(chain.links.length, 5);
        await loadchunks(s, 'k', chain.dump(1000));
        assert.deepStrictEqual(await s.call('BF.MEXISTS', 'k', ...known),
            known.map(() => 1));
        assert.deepStrictEqual(await s.call('BF.MEXISTS', 'k', ...unknown),
            unknown.map(item => Number(chain.has(item))));
        const info = pairs(await s.call('BF.INFO', 'k'));
        assert.deepStrictEqual([info.Capacity, info['Number of filters'],
            info['Number of items inserted'], info['Expansion rate']],
        [3100, 5, chain.size, 2]);
        assert.deepStrictEqual(await scandump(s, 'k'), chain.dump());
        // And it goes on as it would have there.
        assert.deepStrictEqual(await s.call('BF.MADD', 'k', ...unknown),
            unknown.map(item => chain.add(item)));
        const own = await scandump(s, 'k');
        assert.deepStrictEqual(own.slice(1), chain.dump().slice(1));
    },

    async a_dump_of_a_filter_that_does_not_scale_is_loaded() {
        const s = await start(compat);
        const chain = filled(100, 0.001, 100, { scaling: false });
        await loadchunks(s, 'k', chain.dump());
        assert.deepStrictEqual(await s.call('BF.MEXISTS', 'k', ...items(100)),
            Array(100).fill(1));
        await fails(s.call('BF.ADD', 'k', 'one more'), /is full/);
        assert.deepStrictEqual(await scandump(s, 'k'), chain.dump());
        await loadchunks(s, 'zero', filled(5, 0.01, 9, // EXPANSION 0
            { scaling: false, growth: 0 }).dump());
        assert.strictEqual(await s.call('BF.EXISTS', 'zero', 'item-4'), 1);
    },

    async a_dump_of_a_filter_of_an_old_redisbloom_is_loaded() {
        const s = await start(compat);
        const chain = filled(500, 0.01, 100, { rounded: true });
        assert.deepStrictEqual(chain.links.map(link => link.n2), [11, 13]);
        await loadchunks(s, 'k', chain.dump());
        const list = items(1000, 'other').concat(items(500));
        assert.deepStrictEqual(await s.call('BF.MEXISTS', 'k', ...list),
            list.map(item => Number(chain.has(item))));
        const own = await scandump(s, 'k');
        assert.deepStrictEqual(own.slice(1), chain.dump().slice(1));
        await s.call('BF.MADD', 'k', ...items(9000, 'more')); // it still grows
        await s.call('COPY', 'k', 'copy');
        await loadchunks(s, 'k2', await scandump(s, 'k'));
        assert.strictEqual(await s.digest('k2'), await s.digest('copy'));
    },

    async a_dump_comes_back_as_it_went() {
        const s = await start(compat);
        await s.call('BF.RESERVE', 'large', '0.01', 15000000);
        await s.call('BF.MADD', 'large', ...items(1000));
        await s.call('BF.MADD', 'grown', ...items(1000));
        for (const key of ['large', 'grown']) {
            const all = await scandump(s, key);
            await loadchunks(s, key + '2', all);
            assert.strictEqual(await s.digest(key + '2'), await s.digest(key));
            assert.ok(all.every(([, chunk]) => chunk.length <= 16 << 20));
        }
        assert.deepStrictEqual( // header, 16 MiB, the rest
            (await scandump(s, 'large')).map(([next]) => next)
                .slice(0, 2), [1, (16 << 20) + 1]);
        for (const past of [-1, 1e9, '9223372036854775807']) {
            const [next, chunk] = await s.call('BF.SCANDUMP', 'grown', past);
            assert.deepStrictEqual([next, chunk.length], [0, 0]);
        }
    },

    async a_header_without_its_chunks_leaves_nothing() {
        const p = await start({ ...compat, save: '3600 1', appendonly: 'yes' });
        const r = await replica_of(p, compat), all = filled(300).dump();
        await p.call('SET', 'other', 'x');
        for (const [key, n] of [['header', 1], ['half', all.length - 1]]) {
            await loadchunks(p, key, all.slice(0, n));
            assert.strictEqual(await p.call('EXISTS', key), 0);
            assert.strictEqual(await p.call('BF.EXISTS', key, 'item-1'), 0);
            await fails(p.call('BF.INFO', key), /^ERR not found/);
        }
        assert.match(String(await p.call('INFO', 'freshet_filters')),
            /loads_unfinished:2\r/);
        await until('the replica has caught up', () => in_sync(p, r));
        for (const s of [p, r])
            assert.strictEqual(await s.call('DBSIZE'), 1);
        await p.restart();
        assert.strictEqual(await p.call('DBSIZE'), 1);
        await fails(p.call('BF.LOADCHUNK', 'half', ...all.at(-1)),
            /^ERR not found/);
        await loadchunks(p, 'half', all);
        assert.strictEqual(await p.call('BF.EXISTS', 'half', 'item-1'), 1);
    },

    async chunks_that_do_not_fit_are_refused() {
        const s = await start(compat), all = filled(300).dump();
        const [one, two] = all.slice(1), chunk = one[1];
        const refuse = (at, data, text) =>
            fails(s.call('BF.LOADCHUNK', 'k', at, data), text);
        await loadchunks(s, 'k', all.slice(0, 1));
        await refuse(0, '', bad);
        await refuse(-5, 'x', bad);
        await refuse('-9223372036854775808', 'x', bad);
        await refuse(chunk.length, chunk, bad);
        await refuse(chunk.length + 2, chunk, /^ERR invalid offset/);
        await refuse('9223372036854775807', chunk, /^ERR invalid offset/);
        await refuse(...two, /^ERR invalid offset/); // out of turn
        await refuse(chunk.length + 2, Buffer.concat([chunk, chunk.subarray(-1)]),
            /^ERR invalid chunk - Too big for current filter/);
        await refuse(1, 'x', bad); // and the load goes on, none the worse
        await loadchunks(s, 'k', all.slice(1));
        assert.deepStrictEqual(await scandump(s, 'k'), all);
        await refuse(...two, /^ERR item exists/);
    },

    async loads_may_be_mixed_and_begun_again() {
        const s = await start(compat), all = filled(300).dump();
        await s.call('FR.RESERVE', 'fr', 'MEMORY', '64K');
        const saved = await dump(s, 'fr');
        await loadchunks(s, 'a', all.slice(0, 2));
        await loadchunks(s, 'b', all.slice(0, 1));
        await loadchunks(s, 'a', all);
        assert.strictEqual(await s.call('EXISTS', 'a', 'b'), 1);
        // The chunks of one command are none of the other's.
        await fails(s.call('FR.LOAD', 'b', all[0][1].length,
            all.reduce((n, [, chunk]) => n + chunk.length, 0), 'x'),
        /does not continue/);
        await s.call('FR.LOAD', 'c', 0, saved.length, saved.subarray(0, 73));
        await fails(s.call('BF.LOADCHUNK', 'c', 9, '12345678'),
            /^ERR not found/);
        await loadchunks(s, 'b', all.slice(1));
        assert.strictEqual(await s.digest('a'), await s.digest('b'));
    },

    // The chunks of the first attempt are in memory until then.
    async a_load_that_begins_again_needs_no_more_memory() {
        const s = await start({ ...compat, 'freshet.max-memory': '10mb' });
        const [header] = new Chain(0.01, 3000000).dump();
        for (let i = 0; i < 3; i++)
            await loadchunks(s, 'k', [header]);
        await fails(s.call('BF.LOADCHUNK', 'other', ...header), /max-memory/);
    },

    async headers_that_make_no_sense_are_refused() {
        const s = await start(compat);
        const [[, good]] = filled(50, 0.01, 100).dump();
        const huge = 2n ** 63n, past = 2n ** 64n - 1n;
        for (const [name, ...values] of [
            ['items', 49, 51, past], ['links', 0, 2, 2 ** 32 - 1],
            ['options', 0, 1, 7, 16, 2 ** 32 - 1],
            ['growth', 0, 32769, 2 ** 32 - 1],
            ['bytes', 0, 1, huge, past], ['bits', 0, 1, 64, huge, past],
            ['size', 0, 101, past],
            ['error', 0, -1, 1, NaN, Infinity, 1e-310, 0.1],
            ['bpe', 0, -1, 5, NaN, Infinity],
            ['hashes', 0, 1, 100, 2 ** 32 - 1], ['entries', 0, 49, 1e6, past],
            ['n2', 1, 63, 255]])
            for (const value of values)
                await fails(s.call('BF.LOADCHUNK', 'k', 1,
                    with_field(good, name, value)), bad);
        for (const cut of [0, 1, 19, 20, 72])
            await fails(s.call('BF.LOADCHUNK', 'k', 1, good.subarray(0, cut)),
                bad);
        await fails(s.call('BF.LOADCHUNK', 'k', 1,
            Buffer.concat([good, Buffer.alloc(1)])), bad);
        await fails(s.call('BF.LOADCHUNK', 'k', 1, Buffer.alloc(1 << 20, 255)),
            bad);
        assert.match(String(await s.call('INFO', 'freshet_filters')),
            /loads_unfinished:0\r/);
        assert.strictEqual(
            await s.call('BF.LOADCHUNK', 'k', 1, good), 'OK');
    },

    async headers_that_promise_too_much_take_no_memory() {
        const s = await start({ ...compat, maxmemory: '50mb' });
        const many = new Chain(0.01, 1);
        for (let i = 0; i < 1100; i++) many.append(1, 0.005);
        await fails(s.call('BF.LOADCHUNK', 'k', 1, many.header()), bad);
        const large = new Chain(0.01, 1);
        large.links = [plan(2 ** 31, 0.005), plan(2 ** 32, 0.0025)];
        await fails(s.call('BF.LOADCHUNK', 'k', 1, large.header()),
            /^OOM the filter needs/);
        assert.ok(await field(s, 'memory', 'used_memory') < 10e6);
        assert.strictEqual(await s.call('PING'), 'PONG');
    },

    async a_header_with_any_bit_flipped_is_refused_or_safe() {
        const s = await start({ ...compat, maxmemory: '500mb' });
        const [[, good]] = filled(50, 0.01, 100).dump();
        let refused = 0, taken = 0;
        for (let bit = 0; bit < good.length * 8; bit++) {
            const header = Buffer.from(good);
            header[bit >> 3] ^= 1 << bit % 8;
            try {
                await s.call('BF.LOADCHUNK', 'k', 1, header);
            } catch {
                refused++;
                continue;
            }
            const bytes = Number(header.readBigUInt64LE(offsets.bytes));
            await s.call('BF.LOADCHUNK', 'k', bytes + 1,
                Buffer.alloc(bytes, 0x5a));
            await use(s, 'k');
            taken++;
            await s.call('DEL', 'k');
        }
        // What may differ: growth, scaling, the last bits of rates.
        assert.ok(refused > 400, `refused ${refused}, taken ${taken}`);
        assert.strictEqual(await s.call('PING'), 'PONG');
    },

    async restore_refuses_or_survives_any_flipped_byte() {
        const s = await start(compat);
        await s.call('BF.MADD', 'k', ...items(300));
        assert.ok(await restore_damaged(s, 'k', key => use(s, key)) > 100);
    },

    async a_damaged_rdb_file_is_not_loaded() {
        const s = await start({ ...compat, save: '3600 1',
            rdbcompression: 'no', rdbchecksum: 'no' });
        await loadchunks(s, 'k', filled(50).dump());
        const [[, header]] = await scandump(s, 'k');
        await s.end();
        const file = path.join(s.dir, 'dump.rdb'), rdb = fs.readFileSync(file);
        const at = rdb.indexOf(header);
        assert.ok(at > 0);
        rdb[at + offsets.bits + 5] ^= 0x40;
        fs.writeFileSync(file, rdb);
        await assert.rejects(s.start(), /no server/);
        assert.match(s.log(), /a Bloom filter is refused: its header/);
    },

    async restarts_change_nothing() {
        for (const options of [{ save: '3600 1' }, { appendonly: 'yes' }]) {
            const s = await start({ ...compat, ...options });
            const keys = await fill(s), before = await digests(s, keys);
            await s.restart();
            assert.deepStrictEqual(await digests(s, keys), before);
            assert.strictEqual(await s.call('BF.ADD', 'grown', 'item-17'), 0);
            await s.end();
        }
    },

    async a_rewritten_aof_makes_the_same_filters() {
        const s = await start({ ...compat, appendonly: 'yes',
            'aof-use-rdb-preamble': 'no' });
        const keys = await fill(s);
        await s.call('BGREWRITEAOF');
        await until('the rewrite is done', async () =>
            await field(s, 'persistence', 'aof_rewrite_in_progress') === '0' &&
            await field(s, 'persistence', 'aof_rewrite_scheduled') === '0');
        await s.call('BF.ADD', 'grown', 'after the rewrite');
        const before = await digests(s, keys);
        await s.restart();
        assert.deepStrictEqual(await digests(s, keys), before);
    },

    async an_rdb_file_with_bloom_filters_loads_without_bf_compat() {
        const s = await start({ ...compat, save: '3600 1' });
        const keys = await fill(s), before = await digests(s, keys);
        s.options = { save: '3600 1' };
        await s.restart();
        assert.deepStrictEqual(await digests(s, keys), before);
        await fails(s.call('BF.ADD', 'grown', 'x'), /unknown command/);
    },

    async dump_and_restore_and_copy_are_exact() {
        const s = await start(compat);
        for (const key of await fill(s)) {
            await s.call('RESTORE', key + '2', 0, await s.call('DUMP', key));
            await s.call('COPY', key, key + '3');
            const digest = await s.digest(key);
            assert.strictEqual(await s.digest(key + '2'), digest);
            assert.strictEqual(await s.digest(key + '3'), digest);
        }
        await s.call('BF.ADD', 'fixed3', 'only here');
        assert.strictEqual(await s.call('BF.EXISTS', 'fixed', 'only here'), 0);
        assert.notStrictEqual(await s.digest('fixed3'), await s.digest('fixed'));
    },

    // Settings of the replica count for nothing.
    async replicas_have_the_same_bytes() {
        const p = await start({ ...compat, appendonly: 'yes' });
        const r = await replica_of(p, { ...compat,
            'freshet.full-policy': 'evict' });
        const keys = await fill(p);
        await p.call('BF.ADD', 'add', 'a');
        await p.call('BF.INSERT', 'insert', 'ERROR', '0.0123456789', 'CAPACITY',
            7, 'EXPANSION', 3, 'ITEMS', ...items(100));
        await p.call('EVAL', "for i = 1, 300 do redis.call('BF.ADD', " +
            'KEYS[1], i) end', 1, 'script');
        await p.call('MULTI');
        await p.call('BF.MADD', 'multi', 'a', 'b');
        await p.call('BF.ADD', 'add', 'in a transaction');
        await p.call('EXEC');
        keys.push('add', 'insert', 'script', 'multi');
        await same(p, r, keys);
        await same(p, await replica_of(p, compat), keys); // a full sync
        const before = await digests(p, keys);
        await p.restart();
        assert.deepStrictEqual(await digests(p, keys), before);
    },

    async a_load_is_replicated_when_it_is_whole() {
        const p = await start({ ...compat, appendonly: 'yes' });
        const r = await replica_of(p, compat);
        await p.call('BF.RESERVE', 'k', '0.01', 2000000); // 2.6 MB
        await p.call('BF.MADD', 'k', ...items(3000));
        const all = await scandump(p, 'k');
        await p.call('BF.LOADCHUNK', 'loaded', ...all[0]);
        const late = await replica_of(p, compat); // joins in the middle of it
        await loadchunks(p, 'loaded', all.slice(1));
        await p.call('BF.ADD', 'loaded', 'after');
        for (const one of [r, late]) await same(p, one, ['k', 'loaded']);
        const before = await p.digest('loaded');
        await p.restart();
        assert.strictEqual(await p.digest('loaded'), before);
    },

    async digests_tell_filters_apart() {
        const s = await start(compat), seen = new Set();
        for (const args of [[0.01, 100], [0.02, 100], [0.01, 101],
            [0.01, 100, 'EXPANSION', 3], [0.01, 100, 'NONSCALING']]) {
            await s.call('BF.RESERVE', 'k', ...args);
            seen.add(await s.digest('k'));
            await s.call('BF.ADD', 'k', 'a');
            seen.add(await s.digest('k'));
            await s.call('DEL', 'k');
        }
        assert.strictEqual(seen.size, 10);
    },
};

run(tests);
