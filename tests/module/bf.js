// bf.js - BF.* commands: RedisBloom's answers, complaints and growth
'use strict';
const { assert, start, fails, pairs, items, run, field, sleep, until,
    ReplyError, MODULE } = require('./lib.js');
const { Chain, scandump } = require('./redisbloom.js');

const compat = { 'freshet.bf-compat': 'yes' };
const evict = { ...compat, 'freshet.full-policy': 'evict' };

// name, fewest arguments, most arguments, a good set of them after the key
const commands = [
    ['BF.RESERVE', 3, 6, ['0.01', '100']], ['BF.ADD', 2, 2, ['a']],
    ['BF.MADD', 2, 99, ['a']], ['BF.INSERT', 3, 99, ['ITEMS', 'a']],
    ['BF.EXISTS', 2, 2, ['a']], ['BF.MEXISTS', 2, 99, ['a']],
    ['BF.INFO', 1, 2, []], ['BF.CARD', 1, 1, []],
    ['BF.SCANDUMP', 2, 2, ['0']], ['BF.LOADCHUNK', 3, 3, ['1', 'x']],
];
const names = ['Capacity', 'Size', 'Number of filters',
    'Number of items inserted', 'Expansion rate'];
const words = ['CAPACITY', 'size', 'Filters', 'ITEMS', 'EXPANSION'];

const tests = {
    async without_bf_compat_the_commands_are_unknown() {
        const s = await start();
        for (const [name, , , args] of commands)
            await fails(s.call(name, 'k', ...args), /^ERR unknown command/);
        assert.deepStrictEqual((await s.call('CONFIG', 'GET',
            'freshet.bf-compat')).map(String), ['freshet.bf-compat', 'no']);
        await fails(s.call('CONFIG', 'SET', 'freshet.bf-compat', 'yes'),
            /immutable/);
    },

    async answers_in_resp2_are_integers() {
        const s = await start(compat);
        assert.strictEqual(await s.call('BF.RESERVE', 'k', '0.001', 1000),
            'OK');
        assert.strictEqual(await s.call('BF.ADD', 'k', 'a'), 1);
        assert.strictEqual(await s.call('BF.ADD', 'k', 'a'), 0);
        assert.deepStrictEqual(await s.call('BF.MADD', 'k', 'a', 'b', 'b'),
            [0, 1, 0]);
        assert.deepStrictEqual(
            await s.call('BF.INSERT', 'k', 'ITEMS', 'b', 'c'), [0, 1]);
        assert.strictEqual(await s.call('BF.EXISTS', 'k', 'c'), 1);
        assert.strictEqual(await s.call('BF.EXISTS', 'k', 'd'), 0);
        assert.deepStrictEqual(await s.call('BF.MEXISTS', 'k', 'c', 'd'),
            [1, 0]);
        assert.strictEqual(await s.call('BF.CARD', 'k'), 3);
    },

    async answers_in_resp3_are_booleans() {
        const s = await start(compat);
        await s.call('HELLO', 3);
        assert.strictEqual(await s.call('BF.RESERVE', 'k', '0.001', 1000),
            'OK');
        assert.strictEqual(await s.call('BF.ADD', 'k', 'a'), true);
        assert.strictEqual(await s.call('BF.ADD', 'k', 'a'), false);
        assert.deepStrictEqual(await s.call('BF.MADD', 'k', 'a', 'b'),
            [false, true]);
        assert.deepStrictEqual(
            await s.call('BF.INSERT', 'k', 'ITEMS', 'b', 'c'), [false, true]);
        assert.strictEqual(await s.call('BF.EXISTS', 'k', 'c'), true);
        assert.deepStrictEqual(await s.call('BF.MEXISTS', 'k', 'c', 'd'),
            [true, false]);
        assert.strictEqual(await s.call('BF.CARD', 'k'), 3);
        const [next, header] = await s.call('BF.SCANDUMP', 'k', 0);
        assert.deepStrictEqual([next, header.length], [1, 73]);
    },

    async nonscaling_wins_where_redisbloom_lets_it() {
        const s = await start(compat);
        assert.deepStrictEqual(await s.call('BF.INSERT', 'i', 'NONSCALING',
            'EXPANSION', 2, 'ITEMS', 'a'), [1]);
        assert.strictEqual(await s.call('BF.RESERVE', 'r', '0.1', 10,
            'NONSCALING', 'EXPANSION', 0), 'OK');
        for (const key of ['i', 'r'])
            assert.strictEqual(pairs(await s.call('BF.INFO', key))
                ['Expansion rate'], null);
    },

    // As RedisBloom answers: 32 bytes, and 64 for each link beside its bits.
    async figures_are_those_of_redisbloom() {
        const s = await start(compat);
        await s.call('BF.ADD', 'k', 'a');
        const info = pairs(await s.call('BF.INFO', 'k'));
        assert.strictEqual(info.Size, 240);
        const usage = await s.call('MEMORY', 'USAGE', 'k');
        assert.ok(usage >= 240 && usage < 340, String(usage));
        assert.deepStrictEqual((await s.call('BF.DEBUG', 'k')).map(String),
            ['size:1', 'bytes:144 bits:1152 hashes:8 hashwidth:64 ' +
                'capacity:100 size:1 ratio:0.005']);
        await s.call('BF.MADD', 'k', ...items(250));
        assert.deepStrictEqual((await s.call('BF.DEBUG', 'k')).map(line =>
            String(line).replace(/size:\d+( ratio)?/, 'size:N$1')),
        ['size:N', 'bytes:144 bits:1152 hashes:8 hashwidth:64 ' +
            'capacity:100 size:N ratio:0.005',
        'bytes:312 bits:2496 hashes:9 hashwidth:64 capacity:200 size:N ' +
            'ratio:0.0025']);
        assert.strictEqual(pairs(await s.call('BF.INFO', 'k')).Size,
            32 + 2 * 64 + 144 + 312);
        await fails(s.call('BF.DEBUG', 'none'), /^ERR not found/);
        await s.call('FR.ADD', 'f', 'a');
        await fails(s.call('BF.DEBUG', 'f'), /FR\.INFO/);
    },

    async defaults_can_be_set_as_in_redisbloom() {
        const made = async s => {
            await s.call('BF.ADD', 'k', 'a');
            const info = pairs(await s.call('BF.INFO', 'k'));
            await s.call('DEL', 'k');
            return [info.Capacity, info['Expansion rate']];
        };
        const s = await start({ ...compat, 'freshet.bf-initial-size': 500,
            'freshet.bf-expansion-factor': 4, 'freshet.bf-error-rate': 0.1 });
        assert.deepStrictEqual(await made(s), [500, 4]);
        await s.call('BF.ADD', 'd', 'a');
        assert.match(String((await s.call('BF.DEBUG', 'd'))[1]), /ratio:0.05$/);
        await s.call('CONFIG', 'SET', 'freshet.bf-expansion-factor', '0');
        assert.deepStrictEqual(await made(s), [500, null]);
        for (const [name, value] of [['error-rate', 'x'], ['error-rate', '0'],
            ['error-rate', '1'], ['initial-size', '0'], ['initial-size', '-1'],
            ['expansion-factor', '32769'], ['expansion-factor', '']])
            await fails(s.call('CONFIG', 'SET', `freshet.bf-${name}`, value),
                /takes/);
        assert.strictEqual(String((await s.call('CONFIG', 'GET',
            'freshet.bf-error-rate'))[1]), '0.1');
        const a = await start({ ...compat, loadmodule:
            [MODULE, 'ERROR_RATE', '0.001', 'INITIAL_SIZE', '300'] });
        assert.deepStrictEqual(await made(a), [300, 2]);
        assert.deepStrictEqual((await a.call('CONFIG', 'GET',
            'freshet.bf-error-rate')).map(String),
        ['freshet.bf-error-rate', '0.001']);
        for (const wrong of ['ERROR_RATE', 'ERROR_RATE 2', 'SIZE 3'])
            await assert.rejects(start({ ...compat, loadmodule:
                [MODULE, ...wrong.split(' ')] }), /no server/);
    },

    async info_has_five_keys_and_no_more() {
        const s = await start(compat);
        await s.call('BF.RESERVE', 'k', '0.01', 1000, 'EXPANSION', 4);
        await s.call('BF.RESERVE', 'fixed', '0.01', 500, 'NONSCALING');
        await s.call('BF.MADD', 'k', 'a', 'b', 'c');
        const flat = await s.call('BF.INFO', 'k'), info = pairs(flat);
        assert.ok(flat.every(one => !Buffer.isBuffer(one))); // simple strings
        assert.deepStrictEqual(Object.keys(info), names);
        assert.strictEqual(info.Size, 32 + 64 + 1384);
        assert.deepStrictEqual(Object.values(info),
            [1000, info.Size, 1, 3, 4]);
        assert.strictEqual(pairs(await s.call('BF.INFO', 'fixed'))
            ['Expansion rate'], null);
        for (const [i, word] of words.entries())
            assert.deepStrictEqual(await s.call('BF.INFO', 'k', word),
                [info[names[i]]]);
        assert.deepStrictEqual(await s.call('BF.INFO', 'fixed', 'EXPANSION'),
            [null]);
    },

    async info_in_resp3_is_a_map() {
        const s = await start(compat);
        await s.call('BF.RESERVE', 'k', '0.01', 1000);
        await s.call('BF.RESERVE', 'fixed', '0.01', 500, 'NONSCALING');
        await s.call('HELLO', 3);
        const info = await s.call('BF.INFO', 'k');
        assert.ok(info instanceof Map);
        assert.deepStrictEqual([...info.keys()], names);
        for (const [i, word] of words.entries())
            assert.deepStrictEqual([...await s.call('BF.INFO', 'k', word)],
                [[names[i], info.get(names[i])]]);
        assert.strictEqual((await s.call('BF.INFO', 'fixed'))
            .get('Expansion rate'), null);
    },

    async wrong_numbers_of_words_are_refused() {
        const s = await start(compat);
        for (const [name, least, most] of commands) {
            const wrong = new RegExp('^ERR wrong number of arguments for ' +
                `'${name}' command`, 'i');
            await fails(s.call(name, ...Array(least - 1).fill('1')), wrong);
            if (most < 99)
                await fails(s.call(name, ...Array(most + 1).fill('1')), wrong);
        }
        for (const more of [['CAPACITY', '5'], ['NOCREATE', 'CAPACITY'],
            ['ERROR', '0.1', 'ITEMS'], ['NONSCALING', 'ERROR']])
            await fails(s.call('BF.INSERT', 'k', ...more),
                /^ERR wrong number of arguments for 'BF.INSERT' command/);
    },

    async complaints_are_redisbloom_s() {
        const s = await start(compat);
        const range = 'ERR error rate must be in the range (0.000000, ' +
            '1.000000)';
        const capacity = 'ERR capacity must be in the range [1, 1073741824]';
        const expansion = 'ERR expansion must be in the range [0, 32768]';
        for (const [args, text] of [
            ['RESERVE k x 100', 'ERR bad error rate'],
            ['RESERVE k nan 100', 'ERR bad error rate'],
            ['RESERVE k 0 100', range], ['RESERVE k 1 100', range],
            ['RESERVE k -0.1 100', range], ['RESERVE k inf 100', range],
            ['RESERVE k 0.1 x', 'ERR bad capacity'],
            ['RESERVE k 0.1 1.5', 'ERR bad capacity'],
            ['RESERVE k 0.1 0', capacity], ['RESERVE k 0.1 -1', capacity],
            ['RESERVE k 0.1 1073741825', capacity],
            ['RESERVE k 0.1 99999999999999999999', 'ERR bad capacity'],
            ['RESERVE k 0.1 100 EXPANSION', 'ERR no expansion'],
            ['RESERVE k 0.1 100 EXPANSION x', 'ERR bad expansion'],
            ['RESERVE k 0.1 100 EXPANSION -1', expansion],
            ['RESERVE k 0.1 100 EXPANSION 32769', expansion],
            ['RESERVE k 0.1 100 NONSCALING EXPANSION 2',
                'ERR Nonscaling filters cannot expand'],
            ['INSERT k ERROR x ITEMS a', 'ERR Bad error rate'],
            ['INSERT k ERROR 1 ITEMS a', range],
            ['INSERT k CAPACITY x ITEMS a', 'ERR Bad capacity'],
            ['INSERT k CAPACITY 0 ITEMS a', capacity],
            ['INSERT k EXPANSION x ITEMS a', 'ERR Bad expansion'],
            ['INSERT k EXPANSION 32769 ITEMS a', expansion],
            ['INSERT k BOGUS ITEMS a', 'ERR Unknown argument received'],
            ['INSERT k NOCREATE ITEMS a', 'ERR not found'],
            ['INFO k', 'ERR not found'], ['SCANDUMP k 0', 'ERR not found'],
            ['LOADCHUNK k x y', 'ERR Second argument must be numeric'],
            ['LOADCHUNK k 1 y', 'ERR received bad data'],
            ['LOADCHUNK k 2 y', 'ERR not found'],
            ['RESERVE here 0.1 100', 'ERR item exists'],
            ['INFO here BOGUS', 'ERR Invalid information value'],
            ['SCANDUMP here x', 'ERR Second argument must be numeric'],
            ['LOADCHUNK here 1 x', 'ERR item exists'],
        ]) {
            await s.call('BF.ADD', 'here', 'a');
            await assert.rejects(s.call(...`BF.${args}`.split(' ')),
                { message: text }, args);
        }
        assert.strictEqual(await s.call('EXISTS', 'k'), 0);
    },

    async a_key_that_is_not_there_or_of_another_type() {
        const s = await start(compat);
        await s.call('SET', 'text', 'x');
        for (const [name, , , args] of commands.filter(([name]) =>
            !/EXISTS$/.test(name)))
            await fails(s.call(name, 'text', ...args), /^WRONGTYPE/);
        for (const key of ['text', 'missing']) { // RedisBloom says so for both
            assert.strictEqual(await s.call('BF.EXISTS', key, 'a'), 0);
            assert.deepStrictEqual(await s.call('BF.MEXISTS', key, 'a', 'b'),
                [0, 0]);
        }
        assert.strictEqual(await s.call('BF.CARD', 'missing'), 0);
        assert.strictEqual(await s.call('DBSIZE'), 1);
        await s.call('BF.ADD', 'bloom', 'a');
        for (const args of [['FR.ADD', 'bloom', 'a'], ['FR.INFO', 'bloom'],
            ['GET', 'bloom']])
            await fails(s.call(...args), /^WRONGTYPE/);
        assert.strictEqual(await s.call('TYPE', 'bloom'), 'freshetbf');
    },

    async an_implicit_filter_has_redisbloom_s_defaults() {
        const s = await start(compat);
        await s.call('BF.ADD', 'add', 'a');
        await s.call('BF.MADD', 'madd', 'a');
        await s.call('BF.INSERT', 'insert', 'ITEMS', 'a');
        const [, header] = new Chain(0.01, 100).dump()[0];
        for (const key of ['add', 'madd', 'insert']) {
            const [, own] = (await scandump(s, key))[0];
            assert.deepStrictEqual(own.subarray(8, 36), header.subarray(8, 36));
        }
    },

    // Each answer, each field and each bit.
    async a_chain_grows_as_redisbloom_s_does() {
        const s = await start(compat);
        for (const [error, capacity, growth] of [[0.01, 100, 2], [0.001, 50, 3],
            [0.25, 10, 1], [0.0625, 64, 4]]) {
            const model = new Chain(error, capacity, { growth });
            const list = items(1500, error);
            await s.call('BF.RESERVE', 'k', error, capacity, 'EXPANSION',
                growth);
            assert.deepStrictEqual(await s.call('BF.MADD', 'k', ...list),
                list.map(item => model.add(item)));
            const own = await scandump(s, 'k'), other = model.dump();
            assert.deepStrictEqual(own.slice(1), other.slice(1));
            for (let at = 52; at < own[0][1].length; at += 53) {
                const [a, b] = [own, other].map(d => d[0][1].readDoubleLE(at));
                assert.ok(Math.abs(a / b - 1) < 1e-14); // of two logarithms
                other[0][1].writeDoubleLE(a, at);
            }
            assert.deepStrictEqual(own[0], other[0]);
            const info = pairs(await s.call('BF.INFO', 'k'));
            assert.deepStrictEqual(
                [info['Number of filters'], info.Capacity,
                    info['Number of items inserted']],
                [model.links.length,
                    model.links.reduce((n, link) => n + link.entries, 0),
                    model.size]);
            await s.call('DEL', 'k');
        }
    },

    async a_filter_that_is_full_and_does_not_scale_says_so() {
        const s = await start(compat), full = /^ERR non scaling filter is full/;
        await s.call('BF.RESERVE', 'k', '0.0001', 3, 'NONSCALING');
        const answer = await s.call('BF.MADD', 'k', 'a', 'b', 'a', 'c', 'd',
            'e');
        assert.deepStrictEqual(answer.slice(0, 4), [1, 1, 0, 1]);
        assert.strictEqual(answer.length, 5); // it stops at the first one
        assert.ok(answer[4] instanceof ReplyError);
        assert.match(answer[4].message, full);
        await fails(s.call('BF.ADD', 'k', 'e'), full);
        assert.strictEqual(await s.call('BF.ADD', 'k', 'a'), 0);
        assert.strictEqual(await s.call('BF.CARD', 'k'), 3);
        const made = await s.call('BF.INSERT', 'k2', 'CAPACITY', 1, 'EXPANSION',
            0, 'ITEMS', 'a', 'b');
        assert.strictEqual(made[0], 1); // an expansion of 0 says the same
        assert.match(made[1].message, full);
    },

    async with_full_policy_evict_it_forgets_the_oldest() {
        const s = await start(evict), capacity = 20000;
        await s.call('BF.RESERVE', 'k', '0.001', capacity, 'NONSCALING');
        for (let i = 0; i < 10; i++) {
            const answer = await s.call('BF.MADD', 'k',
                ...items(capacity, i));
            assert.strictEqual(answer.length, capacity);
            assert.ok(answer.filter(one => one === 1).length >
                capacity * 0.99);
        }
        const known = async i => (await s.call('BF.MEXISTS', 'k',
            ...items(capacity, i))).filter(one => one === 1).length;
        // All that a Bloom filter of this capacity would know.
        assert.ok(await known(9) > capacity * 0.995);
        assert.ok(await known(0) < capacity * 0.01);
        const info = pairs(await s.call('BF.INFO', 'k'));
        assert.deepStrictEqual(Object.keys(info), names);
        assert.deepStrictEqual([info.Capacity, info['Number of filters'],
            info['Expansion rate']], [capacity, 1, null]);
        assert.strictEqual(await s.call('BF.CARD', 'k'),
            info['Number of items inserted']);
        await fails(s.call('BF.SCANDUMP', 'k', 0), /FR\.DUMP/);
        await fails(s.call('BF.RESERVE', 'k', '0.1', 10), /^ERR item exists/);
        assert.strictEqual(await s.call('FR.EXISTS', 'k', '9-1'), 1);
    },

    async the_policy_counts_when_the_filter_is_made() {
        const s = await start(compat);
        await s.call('BF.RESERVE', 'error', '0.0001', 1, 'NONSCALING');
        await s.call('CONFIG', 'SET', 'freshet.full-policy', 'evict');
        await s.call('BF.INSERT', 'evict', 'CAPACITY', 1, 'NONSCALING',
            'ITEMS', 'a');
        await s.call('BF.RESERVE', 'scales', '0.01', 1);
        await s.call('CONFIG', 'SET', 'freshet.full-policy', 'error');
        await s.call('BF.ADD', 'error', 'a');
        await fails(s.call('BF.ADD', 'error', 'b'), /is full/);
        assert.strictEqual(await s.call('BF.ADD', 'evict', 'b'), 1);
        assert.deepStrictEqual(
            await Promise.all(['error', 'evict', 'scales'].map(key =>
                s.call('TYPE', key))),
            ['freshetbf', 'freshet--', 'freshetbf']);
        await fails(s.call('CONFIG', 'SET', 'freshet.full-policy', 'bogus'),
            /./);
    },

    async a_filter_of_freshet_s_own_answers_too() {
        const s = await start(compat);
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M', 'WITHIN', 100);
        assert.deepStrictEqual(await s.call('BF.MADD', 'k', 'a', 'a'), [1, 0]);
        assert.strictEqual(await s.call('BF.EXISTS', 'k', 'a'), 1);
        assert.strictEqual(await s.call('BF.CARD', 'k'), 1);
        await sleep(200);
        assert.strictEqual(await s.call('BF.ADD', 'k', 'a'), 1);
    },

    async an_error_above_a_quarter_is_a_quarter() {
        const s = await start(compat);
        await s.call('BF.RESERVE', 'k', '0.9', 100);
        await s.call('BF.RESERVE', 'quarter', '0.25', 100);
        assert.strictEqual(await s.digest('k'), await s.digest('quarter'));
        assert.match(s.log(), /error rate of 0\.9 is taken as 0\.25/);
    },

    // wicketkeeper sends NX, which means nothing.
    async reserve_passes_over_words_it_does_not_know() {
        const s = await start(compat);
        await s.call('BF.RESERVE', 'k', '0.01', 500, 'NONSCALING', 'NX');
        assert.deepStrictEqual(await s.call('BF.INFO', 'k', 'EXPANSION'),
            [null]);
        await s.call('BF.RESERVE', 'k2', '0.01', 500, 'NX', 'expansion', '5');
        assert.deepStrictEqual(await s.call('BF.INFO', 'k2', 'EXPANSION'),
            [5]);
    },

    async insert_takes_options_in_any_order_by_their_beginnings() {
        const s = await start(compat);
        await s.call('BF.INSERT', 'k', 'exp', 7, 'CAP', 321, 'Er', '0.002',
            'items', 'a');
        await s.call('BF.RESERVE', 'k2', '0.002', 321, 'EXPANSION', 7);
        await s.call('BF.ADD', 'k2', 'a');
        assert.strictEqual(await s.digest('k'), await s.digest('k2'));
        await s.call('BF.INSERT', 'k', 'CAPACITY', 5, 'NOC', 'I', 'I', 'c');
        assert.deepStrictEqual(await s.call('BF.MEXISTS', 'k', 'I', 'c'),
            [1, 1]);
        assert.deepStrictEqual(await s.call('BF.INFO', 'k', 'CAPACITY'),
            [321]);
    },

    async keys_and_items_are_any_bytes() {
        const s = await start(compat);
        const key = Buffer.from([0, 13, 10, 255, 0]);
        assert.deepStrictEqual(
            await s.call('BF.MADD', key, '', Buffer.from([0]),
                Buffer.from([0, 0]), '', Buffer.from([0])), [1, 1, 1, 0, 0]);
        const large = Buffer.alloc(10 << 20, 'x');
        assert.strictEqual(await s.call('BF.ADD', large, large), 1);
        assert.strictEqual(await s.call('BF.ADD', large, large), 0);
        large[large.length - 1] = 0;
        assert.strictEqual(await s.call('EXISTS', large), 0);
        assert.strictEqual(await s.call('PING'), 'PONG');
    },

    async memory_is_counted_and_given_back() {
        const s = await start(compat);
        await s.call('BF.RESERVE', 'k', '0.01', 10000000);
        const bytes = (await s.call('BF.INFO', 'k', 'SIZE'))[0];
        assert.ok(bytes > 13 << 20 && bytes < 14 << 20);
        assert.ok(Math.abs(await s.call('MEMORY', 'USAGE', 'k') - bytes) <
            1000);
        assert.ok(await field(s, 'memory', 'used_memory') > bytes);
        assert.ok(await field(s, 'freshet_filters', 'freshet_bytes') >=
            bytes - 1000);
        await s.call('DEL', 'k');
        await until('a thread has freed it', async () =>
            /filters:0\r\nfreshet_bytes:0\r/.test(
                await s.call('INFO', 'freshet_filters')));
    },

    async what_maxmemory_cannot_hold_is_refused() {
        for (const options of [compat, evict]) {
            const s = await start({ ...options, maxmemory: '20mb' });
            for (const more of [[], ['NONSCALING']])
                await fails(s.call('BF.RESERVE', 'k', '0.01', 100000000,
                    ...more), /^OOM the filter needs/);
            assert.strictEqual(await s.call('DBSIZE'), 0);
            await s.call('BF.RESERVE', 'small', '0.01', 1000);
            await s.call('CONFIG', 'SET', 'maxmemory', '500kb');
            for (const [name, , , args] of commands.filter(([name]) =>
                /ADD|INSERT|RESERVE|LOADCHUNK/.test(name)))
                await fails(s.call(name, 'small', ...args),
                    /^OOM command not allowed/);
            assert.strictEqual(await s.call('BF.EXISTS', 'small', 'a'), 0);
            await s.end();
        }
    },

    async a_chain_does_not_grow_beyond_maxmemory() {
        const s = await start(compat);
        await s.call('BF.RESERVE', 'k', '0.0001', 1000, 'EXPANSION', 1000);
        await s.call('BF.MADD', 'k', ...items(999));
        await s.call('CONFIG', 'SET', 'maxmemory',
            Number(await field(s, 'memory', 'used_memory')) + (1 << 20));
        const answer = await s.call('BF.MADD', 'k', 'last', 'more', 'not seen');
        assert.deepStrictEqual([answer.length, answer[0]], [2, 1]);
        assert.match(answer[1].message, /^OOM the filter needs/); // 2.8 MB
        await fails(s.call('BF.ADD', 'k', 'more'), /^OOM the filter needs/);
        assert.strictEqual(await s.call('BF.ADD', 'k', 'last'), 0);
        assert.deepStrictEqual(await s.call('BF.INFO', 'k', 'FILTERS'), [1]);
        await s.call('CONFIG', 'SET', 'maxmemory', 0);
        assert.strictEqual(await s.call('BF.ADD', 'k', 'more'), 1);
        assert.deepStrictEqual(await s.call('BF.INFO', 'k', 'FILTERS'), [2]);
    },

    async what_nobody_can_hold_is_refused() {
        const s = await start(compat);
        await fails(s.call('BF.RESERVE', 'k', '4e-324', 1),
            /^ERR Insufficient memory to create filter/);
        // A next link that is out of all bounds.
        await s.call('BF.RESERVE', 'k', '5e-308', 1);
        await s.call('BF.ADD', 'k', 'a');
        await fails(s.call('BF.ADD', 'k', 'b'),
            /^ERR problem inserting into filter/);
        assert.strictEqual(await s.call('BF.EXISTS', 'k', 'a'), 1);
        assert.strictEqual(await s.call('BF.CARD', 'k'), 1);
    },

    async listeners_are_told() {
        const s = await start({ ...compat, 'notify-keyspace-events': 'Ed' });
        const listener = s.connect(), heard = [];
        await listener.call('PSUBSCRIBE', '__keyevent@0__:bf.*');
        listener.waiting.push(...Array(8).fill({ reject() {},
            resolve: reply => heard.push(String(reply[2]).slice(15)) }));
        await s.call('BF.RESERVE', 'k', '0.01', 100);
        await s.call('BF.ADD', 'k', 'a');
        await s.call('BF.ADD', 'k', 'a'); // a repeat is no event
        for (const [at, chunk] of await scandump(s, 'k'))
            await s.call('BF.LOADCHUNK', 'k2', at, chunk);
        await until('all is heard', async () => heard.length >= 3);
        assert.deepStrictEqual(heard, ['bf.reserve', 'bf.add', 'bf.load']);
    },

    async the_server_knows_the_commands() {
        const s = await start(compat);
        for (const [name, least, most] of commands) {
            const [info] = await s.call('COMMAND', 'INFO', name);
            const arity = name === 'BF.RESERVE' || name === 'BF.INFO' ||
                most === 99 ? -(least + 1) : least + 1;
            assert.deepStrictEqual([info[1], ...info.slice(3, 6)],
                [arity, 1, 1, 1]);
            assert.ok(info[2].includes(/EXISTS|INFO|CARD|SCAN/.test(name) ?
                'readonly' : 'denyoom'));
        }
    },
};

run(tests);
