// memory.js - maxmemory, many filters, large ones, freeing
'use strict';
const { assert, start, fails, pairs, items, run, until, field } =
    require('./lib.js');

const number = async (s, section, name) => Number(await field(s, section, name));

// What is freed is freed at once: Valkey would leave it to a thread.
const at_once = { 'lazyfree-lazy-user-del': 'no',
    'lazyfree-lazy-eviction': 'no' };

const tests = {
    async memory_is_counted_by_the_server() {
        const s = await start(at_once);
        const before = await number(s, 'memory', 'used_memory');
        const made = pairs(await s.call('FR.RESERVE', 'k', 'MEMORY', '64M'));
        const grown = await number(s, 'memory', 'used_memory') - before;
        assert.ok(grown >= made.memory && grown < made.memory * 1.05, grown);
        assert.ok(await s.call('MEMORY', 'USAGE', 'k') >= made.memory);
        assert.match(String(await s.call('INFO', 'freshet_filters')),
            new RegExp(`filters:1\r\n.*bytes:${made.memory}\r`));
        await s.call('DEL', 'k');
        assert.ok(await number(s, 'memory', 'used_memory') - before < 1 << 20);
    },

    async a_block_is_read_through_only_as_asked() {
        const s = await start();
        await s.call('FR.RESERVE', 'small', 'MEMORY', '1M');
        await s.call('FR.RESERVE', 'large', 'MEMORY', '80M');
        await s.call('FR.RESERVE', 'bloom', 'MEMORY', '80M', 'ALGORITHM',
            'bloom');
        for (const [key, word, counted] of [['small', [], true],
            ['small', ['COUNT'], true], ['small', ['NOCOUNT'], false],
            ['large', [], true], ['large', ['COUNT'], true],
            ['large', ['NOCOUNT'], false], ['bloom', [], false],
            ['bloom', ['COUNT'], true]]) {
            const info = pairs(await s.call('FR.INFO', key, ...word));
            for (const name of ['slots', 'used', 'over-plan', 'estimated'])
                assert.strictEqual(info[name] !== null, counted,
                    `${key} ${word}: ${name} is ${info[name]}`);
            assert.strictEqual(info.offered, 0);
        }
    },

    async the_fill_of_a_large_filter_is_estimated() {
        const s = await start();
        for (const algorithm of ['pocket', 'set']) {
            await s.call('FR.RESERVE', algorithm, 'MEMORY', '80M', 'SEED', 5,
                'ALGORITHM', algorithm);
            for (let i = 0; i < 20; i++)
                await s.call('FR.MADD', algorithm, ...items(10000, `${i} `));
            const told = pairs(await s.call('FR.INFO', algorithm));
            const all = pairs(await s.call('FR.INFO', algorithm, 'COUNT'));
            assert.deepStrictEqual([told.estimated, all.estimated], [1, 0]);
            assert.strictEqual(told.slots, all.slots);
            const share = told.used / all.used;
            assert.ok(share > 0.95 && share < 1.05, `${algorithm} ${share}`);
        }
    },

    async a_large_filter_is_reset_at_once_and_as_new() {
        const s = await start();
        for (const [size, ...options] of [['24M'], ['24M', 'ALGORITHM', 'set'],
            ['24M', 'LAST', '100000'],
            ['24M', 'WITHIN', '60000', 'HASH', 'siphash', 'SEEDHIGH', '7'],
            ['24M', 'ALGORITHM', 'bloom'], ['24M', 'ALGORITHM', 'rsbf'],
            ['300M'], ['300M', 'ALGORITHM', 'set']]) {
            const reserve = key => s.call('FR.RESERVE', key, 'MEMORY', size,
                'SEED', 5, ...options);
            await reserve('k');
            await reserve('new');
            const empty = await s.digest('new');
            for (let round = 0; round < 3; round++) {
                await s.call('FR.MADD', 'k', ...items(20000, `${round} `));
                assert.notStrictEqual(await s.digest('k'), empty);
                await s.call('FR.RESET', 'k');
                assert.strictEqual(await s.digest('k'), empty,
                    String(options));
            }
            assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 1);
            assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 0);
            await s.call('DEL', 'k', 'new');
        }
    },

    async a_reset_of_more_than_256_mib_returns_the_pages() {
        const s = await start();
        const rss = () => number(s, 'memory', 'used_memory_rss');
        await s.call('FR.RESERVE', 'k', 'MEMORY', '300M');
        const before = await rss();
        for (let i = 0; i < 10; i++)
            await s.call('FR.MADD', 'k', ...items(20000, `${i} `));
        await until('the server has measured it', async () =>
            await rss() > before + (150 << 20));
        const used = await number(s, 'memory', 'used_memory');
        await s.call('FR.RESET', 'k');
        assert.ok(await number(s, 'memory', 'used_memory') < used + (1 << 20));
        await until('the pages are returned',
            async () => await rss() < before + (50 << 20));
    },

    async a_gibibyte_is_reserved_without_touching_it() {
        const s = await start(at_once);
        for (let i = 0; i < 5; i++) { // the memory of a freed one is reused
            await s.call('FR.RESERVE', 'k', 'MEMORY', '1G');
            assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 1);
            assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 0);
            await s.call('DEL', 'k');
        }
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1G');
        assert.ok(await number(s, 'memory', 'used_memory_rss') < 128 << 20);
    },

    async memory_that_was_used_before_is_empty_again() {
        const s = await start(at_once);
        for (const size of ['8K', '60K', '300K', '1M', '5M', '40M', '200M']) {
            const reserve = () => s.call('FR.RESERVE', 'k', 'MEMORY', size,
                'SEED', 5);
            await reserve();
            const empty = await s.digest('k');
            for (let round = 0; round < 3; round++) {
                await s.call('FR.MADD', 'k', ...items(2000));
                await s.call('DEL', 'k');
                await reserve();
                assert.strictEqual(await s.digest('k'), empty, size);
            }
            await s.call('DEL', 'k');
        }
    },

    async what_maxmemory_cannot_hold_is_refused() {
        const s = await start({ maxmemory: '20mb' });
        await fails(s.call('FR.RESERVE', 'k', 'MEMORY', '64M'),
            /^OOM the filter needs/);
        await fails(s.call('FR.ADD', 'k', 'a'), /^OOM the filter needs/);
        await fails(s.call('FR.LOAD', 'k', 0, 64 << 20, 'x'), /^OOM the/);
        assert.strictEqual(await s.call('DBSIZE'), 0);
        await s.call('FR.RESERVE', 'small', 'MEMORY', '10M');
        await s.call('CONFIG', 'SET', 'maxmemory', '5mb');
        await fails(s.call('FR.RESERVE', 'k', 'MEMORY', '1M'),
            /^OOM command not allowed/);
        await fails(s.call('FR.ADD', 'k', 'a'), /^OOM the filter needs/);
        assert.strictEqual(await s.call('FR.EXISTS', 'small', 'a'), 0);
        assert.strictEqual(await s.call('FR.RESET', 'small'), 'OK');
    },

    async filters_are_evicted_where_the_policy_says_so() {
        const s = await start({ ...at_once, maxmemory: '20mb',
            'maxmemory-policy': 'allkeys-lru' });
        for (let i = 0; i < 20; i++)
            await s.call('FR.RESERVE', `k${i}`, 'MEMORY', '3M');
        const left = await s.call('DBSIZE');
        assert.ok(left >= 2 && left <= 7, left);
        assert.ok(await number(s, 'stats', 'evicted_keys') >= 13);
        await fails(s.call('FR.RESERVE', 'k', 'MEMORY', '30M'), /^OOM/);
    },

    async a_thousand_filters_live_side_by_side() {
        const s = await start({ save: '3600 1' });
        const all = [];
        for (let i = 0; i < 1000; i++) {
            all.push(s.call('FR.RESERVE', `k${i}`, 'MEMORY', '8K'));
            all.push(s.call('FR.MADD', `k${i}`, `own ${i}`, 'common'));
        }
        await Promise.all(all);
        const ask = () => Promise.all(items(1000).map((_, i) =>
            s.call('FR.MEXISTS', `k${i}`, `own ${i}`, 'common',
                `own ${i + 1}`)));
        for (const answer of await ask())
            assert.deepStrictEqual(answer, [1, 1, 0]);
        const digest = String(await s.call('DEBUG', 'DIGEST'));
        await s.restart();
        assert.strictEqual(String(await s.call('DEBUG', 'DIGEST')), digest);
        await s.call('FLUSHALL', 'ASYNC');
        await until('all are freed', async () =>
            /filters:0\r/.test(await s.call('INFO', 'freshet_filters')));
    },

    async a_large_filter_is_freed_by_a_thread() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '64M');
        await s.call('FR.MADD', 'k', ...items(20000));
        await s.call('UNLINK', 'k');
        await until('it is freed', async () =>
            await number(s, 'memory', 'lazyfreed_objects') === 1);
        assert.match(String(await s.call('INFO', 'freshet_filters')),
            /filters:0\r\nfreshet_bytes:0\r/);
    },

    async an_expired_filter_is_gone() {
        const s = await start();
        await s.call('FR.ADD', 'k', 'a');
        await s.call('PEXPIRE', 'k', 1);
        await until('it is gone', async () =>
            await s.call('EXISTS', 'k') === 0);
        assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 1);
    },
};

run(tests);
