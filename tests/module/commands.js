// commands.js - every command: answers, wrong words, odd keys
'use strict';
const { assert, start, replica_of, in_sync, until, field, fails, pairs, items,
    dump, run, sleep } = require('./lib.js');

// name, fewest arguments, most arguments, a good set of them after the key
const arities = [
    ['FR.RESERVE', 3, 99], ['FR.RESET', 1, 1], ['FR.MERGE', 2, 99],
    ['FR.INFO', 1, 99], ['FR.LIST', 0, 0], ['FR.ADD', 2, 2],
    ['FR.MADD', 2, 99], ['FR.INSERT', 3, 99], ['FR.EXISTS', 2, 2],
    ['FR.MEXISTS', 2, 99], ['FR.QUERY', 2, 99], ['FR.REMEMBER', 2, 99],
    ['FR.FORGET', 2, 99], ['FR.TICK', 2, 2], ['FR.MADDHASH', 2, 99],
    ['FR.QUERYHASH', 2, 99], ['FR.REMEMBERHASH', 2, 99], ['FR.ANSWER', 5, 5], ['FR.DUMP', 2, 99], ['FR.LOAD', 4, 99],
];
const hash = Buffer.alloc(16, 7);

// Without a key, or only for replicas and append-only files.
const without_client_key = ['FR.LIST', 'FR.TICK', 'FR.ANSWER'];

const tests = {
    async new_is_one_and_seen_is_zero() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 1);
        assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 0);
        assert.deepStrictEqual(await s.call('FR.MADD', 'k', 'a', 'b', 'b'),
            [0, 1, 0]);
        assert.deepStrictEqual(
            await s.call('FR.INSERT', 'k', 'ITEMS', 'b', 'c'), [0, 1]);
        assert.strictEqual(await s.call('FR.EXISTS', 'k', 'c'), 1);
        assert.deepStrictEqual(await s.call('FR.MEXISTS', 'k', 'c', 'd'),
            [1, 0]);
        assert.deepStrictEqual(await s.call('FR.QUERY', 'k', 'c', 'd'),
            [0, 1]);
        assert.strictEqual(await s.call('FR.REMEMBER', 'k', 'd'), 'OK');
        assert.deepStrictEqual(await s.call('FR.QUERY', 'k', 'd'), [0]);
        assert.strictEqual(await s.call('FR.FORGET', 'k', 'd', 'zz'), 1);
        assert.deepStrictEqual(await s.call('FR.QUERY', 'k', 'd'), [1]);
        assert.strictEqual(await s.call('FR.RESET', 'k'), 'OK');
        assert.deepStrictEqual(await s.call('FR.MEXISTS', 'k', 'a', 'b'),
            [0, 0]);
    },

    async batches_answer_as_single_items_do() {
        const s = await start();
        const list = items(3000).concat(items(1500), items(600, 'other'));
        for (const key of ['one', 'many'])
            await s.call('FR.RESERVE', key, 'MEMORY', '1M', 'SEED', 5);
        const single = await Promise.all(
            list.map(item => s.call('FR.ADD', 'one', item)));
        assert.deepStrictEqual(await s.call('FR.MADD', 'many', ...list),
            single);
        assert.strictEqual(await s.digest('one'), await s.digest('many'));
    },

    async reserve_says_what_it_chose() {
        const s = await start();
        const made = pairs(await s.call('FR.RESERVE', 'k', 'MEMORY', '16M',
            'ERROR', '0.01', 'EXPECT', '1000', 'SEED', '9'));
        assert.strictEqual(made.created, 1);
        assert.strictEqual(made.seed, 9);
        assert.ok(made.memory <= 16 << 20 && made.algorithm && made.why);
        await fails(s.call('FR.RESERVE', 'k', 'MEMORY', '1M'),
            /^ERR item exists/);
        const kept = pairs(await s.call('FR.RESERVE', 'k', 'MEMORY', '1M',
            'NX'));
        assert.deepStrictEqual([kept.created, kept.memory],
            [0, made.memory]);
        const sbf = pairs(await s.call('FR.RESERVE', 'sbf', 'NX', 'MEMORY',
            1 << 20, 'ALGORITHM', 'sbf', 'PARAM', 'k', '3', 'param', 'p',
            '4'));
        assert.strictEqual(sbf.algorithm, 'sbf');
        assert.match(sbf.parameters, /\bk=3,/);
        const info = pairs(await s.call('FR.INFO', 'k'));
        assert.deepStrictEqual([info.error, info.expect, info.seed, info.hash],
            ['0.01', 1000, 9, 'xxh3-128']);
    },

    async every_algorithm_of_the_list_can_be_reserved() {
        const s = await start();
        // A seed: fpbuffer drops 1 % of new items on purpose, at random.
        for (const row of await s.call('FR.LIST')) {
            const about = pairs(row);
            const made = pairs(await s.call('FR.RESERVE', about.name,
                'MEMORY', '256K', 'ALGORITHM', about.name, 'ERROR', '0.01',
                'SEED', '1'));
            assert.strictEqual(made.algorithm, about.name);
            assert.deepStrictEqual(
                await s.call('FR.MADD', about.name, 'a', 'b'), [1, 1]);
            if (about.forget)
                assert.strictEqual(
                    await s.call('FR.FORGET', about.name, 'a'), 1);
            else
                await fails(s.call('FR.FORGET', about.name, 'a'),
                    /cannot forget/);
        }
    },

    async maps_in_resp3_are_flat_arrays_in_resp2() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        const flat = pairs(await s.call('FR.INFO', 'k'));
        await s.call('HELLO', 3);
        const map = await s.call('FR.INFO', 'k');
        assert.ok(map instanceof Map);
        assert.deepStrictEqual([...map.keys()], Object.keys(flat));
        assert.ok((await s.call('FR.LIST'))[0] instanceof Map);
    },

    async a_key_is_made_only_by_commands_that_say_so() {
        const s = await start();
        await s.call('CONFIG', 'SET', 'freshet.default-memory', '2mb');
        for (const args of [['FR.QUERY', 'k', 'a'], ['FR.REMEMBER', 'k', 'a'],
            ['FR.FORGET', 'k', 'a'], ['FR.RESET', 'k'], ['FR.INFO', 'k'],
            ['FR.MERGE', 'k', 'k2'], ['FR.MADDHASH', 'k', hash],
            ['FR.QUERYHASH', 'k', hash], ['FR.REMEMBERHASH', 'k', hash],
            ['FR.DUMP', 'k', 0],
            ['FR.INSERT', 'k', 'NOCREATE', 'ITEMS', 'a']])
            await fails(s.call(...args), /^ERR not found/);
        assert.strictEqual(await s.call('FR.EXISTS', 'k', 'a'), 0);
        assert.deepStrictEqual(await s.call('FR.MEXISTS', 'k', 'a', 'b'),
            [0, 0]);
        assert.strictEqual(await s.call('DBSIZE'), 0);
        await s.call('FR.ADD', 'add', 'a');
        await s.call('FR.MADD', 'madd', 'a');
        await s.call('FR.INSERT', 'insert', 'MEMORY', '1M', 'ITEMS', 'a');
        for (const key of ['add', 'madd'])
            assert.strictEqual(pairs(await s.call('FR.INFO', key)).memory,
                2 << 20);
        assert.strictEqual(pairs(await s.call('FR.INFO', 'insert')).memory,
            1 << 20);
        await fails(s.call('CONFIG', 'SET', 'freshet.default-memory', '1kb'),
            /1048576/);
    },

    async a_window_lets_a_repeat_through_when_it_is_over() {
        const s = await start();
        await s.call('FR.RESERVE', 'last', 'MEMORY', '1M', 'LAST', '100');
        await s.call('FR.ADD', 'last', 'x');
        await s.call('FR.MADD', 'last', ...items(50));
        assert.strictEqual(await s.call('FR.ADD', 'last', 'x'), 0);
        await s.call('FR.MADD', 'last', ...items(70, 'more'));
        assert.strictEqual(await s.call('FR.ADD', 'last', 'x'), 1);
        await s.call('FR.RESERVE', 'time', 'MEMORY', '1M', 'WITHIN', '300');
        assert.deepStrictEqual(await s.call('FR.MADD', 'time', 'x', 'x'),
            [1, 0]);
        await sleep(400);
        assert.strictEqual(await s.call('FR.ADD', 'time', 'x'), 1);
        await sleep(400); // whoever only queries gets it through, too
        assert.deepStrictEqual(await s.call('FR.QUERY', 'time', 'x'), [1]);
        await fails(s.call('FR.RESERVE', 'k', 'MEMORY', '1M', 'REFRESH'),
            /REFRESH needs a window/);
    },

    async a_reset_filter_learns_the_time_again() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M', 'WITHIN', '60000');
        for (let i = 0; i < 20; i++) {
            const all = [s.call('FR.ADD', 'k', 'x'), s.call('FR.RESET', 'k'),
                s.call('FR.ADD', 'k', 'x')]; // within one millisecond
            assert.deepStrictEqual((await Promise.all(all)).slice(1),
                ['OK', 1]);
            await sleep(2);
            assert.strictEqual(await s.call('FR.ADD', 'k', 'x'), 0);
        }
    },

    async hashes_answer_as_items_do() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        const all = Buffer.concat(items(600).map((_, i) => {
            const one = Buffer.alloc(16);
            one.writeBigUInt64LE(BigInt(i) * 0x9e3779b97f4a7c15n &
                0xffffffffffffffffn);
            one.writeBigUInt64LE(BigInt(i + 1), 8);
            return one;
        }));
        assert.strictEqual(String(await s.call('FR.MADDHASH', 'k', all)),
            '1'.repeat(600));
        assert.strictEqual(String(await s.call('FR.MADDHASH', 'k', all)),
            '0'.repeat(600));
        assert.strictEqual(String(await s.call('FR.MADDHASH', 'k', '')), '');
        for (const name of ['FR.MADDHASH', 'FR.QUERYHASH', 'FR.REMEMBERHASH'])
            await fails(s.call(name, 'k', 'short'), /16 bytes each/);
        const odd = Buffer.concat([Buffer.alloc(16, 3), all.subarray(0, 32)]);
        for (let i = 0; i < 2; i++)
            assert.strictEqual(String(await s.call('FR.QUERYHASH', 'k', odd)),
                '100', 'nothing is remembered');
        assert.strictEqual(await s.call('FR.REMEMBERHASH', 'k', odd), 'OK');
        assert.strictEqual(String(await s.call('FR.QUERYHASH', 'k', odd)),
            '000');
        assert.strictEqual(String(await s.call('FR.QUERYHASH', 'k', '')), '');
        const info = pairs(await s.call('FR.INFO', 'k'));
        assert.deepStrictEqual([info.offered, info.remembered], [1200, 3]);
    },

    async a_numbered_request_gets_its_first_answer_again() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        const ask = async (client, seq, data = hash, ...more) => String(
            await s.call('FR.MADDHASH', 'k', data, 'CLIENT', client, 'SEQ',
                seq, ...more));
        assert.strictEqual(await ask('me', 2, hash, 'FIRST'), '1');
        assert.strictEqual(await ask('me', 2), '1');
        assert.strictEqual(await ask('you', 2, hash, 'FIRST'), '0');
        assert.strictEqual(await ask('me', 3), '0');
        assert.strictEqual(pairs(await s.call('FR.INFO', 'k')).offered, 3);
        await fails(ask('me', 2), /answered already/);
        await fails(ask('me', 3, Buffer.alloc(32)), /another request/);
        await fails(ask('me', 4, hash, 'SECOND'), /CLIENT id SEQ n \[FIRST\]/);
        await fails(ask('', 1), /CLIENT id SEQ n/);
        await fails(ask('x'.repeat(129), 1), /CLIENT id SEQ n/);
        await fails(ask('me', '-1'), /CLIENT id SEQ n/);
        await fails(ask('me', '9223372036854775808'), /CLIENT id SEQ n/);
        await fails(ask('me', 4, Buffer.alloc(16 * 65537)), /at most 65536/);
        assert.match(String(await s.call('INFO', 'freshet_filters')),
            /answers_repeated:1\r/);
    },

    async hashes_of_another_seed_are_refused() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M', 'SEED',
            '18446744073709551615');
        for (const name of ['FR.QUERYHASH', 'FR.REMEMBERHASH', 'FR.MADDHASH']) {
            await fails(s.call(name, 'k', hash, 'SEED', 7), /^OTHERSEED/);
            await fails(s.call(name, 'k', hash, 'SEED', '0'), /SEED n/);
            await fails(s.call(name, 'k', hash, 'SEED'), /SEED n/);
            await s.call(name, 'k', hash, 'SEED', '18446744073709551615');
        }
        assert.strictEqual(String(await s.call('FR.MADDHASH', 'k', hash, 'SEED',
            '18446744073709551615', 'CLIENT', 'me', 'SEQ', 1, 'FIRST')), '0');
    },

    // A request that is sent again must not be called a repeat of itself.
    async a_forgotten_client_gets_an_error_and_no_verdict() {
        const s = await start();
        const ask = async (client, seq, ...first) => String(await s.call(
            'FR.MADDHASH', 'k', hash, 'CLIENT', client, 'SEQ', seq, ...first));
        for (const limit of [64, 3, 100]) {
            await s.call('CONFIG', 'SET', 'freshet.replay-clients', limit);
            await s.call('DEL', 'k');
            await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
            await fails(ask('me', 1), /^FORGOTTEN/); // never seen before
            assert.strictEqual(await ask('me', 1, 'FIRST'), '1');
            for (let i = 1; i < limit; i++) await ask(`other-${i}`, 1, 'FIRST');
            assert.strictEqual(await ask('me', 1), '1');
            for (let i = 1; i <= limit; i++) await ask(`new-${i}`, 1, 'FIRST');
            await fails(ask('me', 1), /^FORGOTTEN/);
            assert.strictEqual(pairs(await s.call('FR.INFO', 'k')).offered,
                2 * limit);
            assert.strictEqual(await ask('me', 2, 'FIRST'), '0');
        }
        assert.ok(Number(await field(s, 'freshet_filters',
            'freshet_clients_forgotten')) > 0);
        for (const wrong of ['0', '4097'])
            await fails(s.call('CONFIG', 'SET', 'freshet.replay-clients',
                wrong), /between 1 and 4096/);
    },

    // Where a replica keeps fewer answers, it still does what its primary did.
    async a_replica_that_forgets_sooner_stays_equal() {
        const s = await start();
        const r = await replica_of(s, { 'freshet.replay-clients': 2 });
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        for (const [seq, ...first] of [[1, 'FIRST'], [2]])
            for (let i = 0; i < 9; i++)
                await s.call('FR.MADDHASH', 'k', hash, 'CLIENT', `c${i}`, 'SEQ',
                    seq, ...first);
        await until('the replica has all', () => in_sync(s, r));
        const counted = async one =>
            pairs(await one.call('FR.INFO', 'k')).offered;
        assert.strictEqual(await counted(r), await counted(s));
    },

    async merge_folds_in_equals_and_refuses_others() {
        const s = await start();
        for (const key of ['a', 'b', 'c'])
            await s.call('FR.RESERVE', key, 'MEMORY', '1M', 'SEED', 3);
        await s.call('FR.RESERVE', 'other', 'MEMORY', '1M', 'SEED', 4);
        await s.call('FR.ADD', 'b', 'x');
        await s.call('FR.ADD', 'c', 'y');
        assert.strictEqual(await s.call('FR.MERGE', 'a', 'b', 'c'), 'OK');
        assert.deepStrictEqual(await s.call('FR.MEXISTS', 'a', 'x', 'y'),
            [1, 1]);
        const before = await s.digest('a');
        await s.call('FR.ADD', 'b', 'z');
        await fails(s.call('FR.MERGE', 'a', 'b', 'other'), /equal options/);
        assert.strictEqual(await s.digest('a'), before); // all or none
    },

    async merge_compares_both_halves_of_a_key() {
        const s = await start();
        for (const [key, high] of [['a', 1], ['b', 1], ['other', 2]])
            await s.call('FR.RESERVE', key, 'MEMORY', '1M', 'HASH', 'siphash',
                'SEED', 3, 'SEEDHIGH', high);
        await s.call('FR.ADD', 'b', 'x');
        const before = await s.digest('a');
        await fails(s.call('FR.MERGE', 'a', 'b', 'other'), /equal options/);
        assert.strictEqual(await s.digest('a'), before); // all or none
        assert.strictEqual(await s.call('FR.MERGE', 'a', 'b'), 'OK');
        assert.strictEqual(await s.call('FR.EXISTS', 'a', 'x'), 1);
    },

    async the_list_tells_which_algorithms_split() {
        const s = await start();
        const split = (await s.call('FR.LIST')).map(pairs)
            .filter(row => row.split).map(row => row.name);
        assert.deepEqual(split, ['pocket', 'set', 'sqf', 'isqf', 'qht']);
    },

    async wrong_numbers_of_words_are_refused() {
        const s = await start();
        for (const [name, least, most] of arities) {
            const few = Array(Math.max(least - 1, 0)).fill('x');
            if (least > 0)
                await fails(s.call(name, ...few),
                    new RegExp(`wrong number of arguments for '${name}'`,
                        'i'));
            if (most < 99)
                await fails(s.call(name, ...Array(most + 1).fill('x')),
                    /wrong number of arguments/);
        }
        assert.strictEqual(await s.call('PING'), 'PONG');
    },

    async a_key_of_another_type_is_refused() {
        const s = await start();
        await s.call('SET', 'text', 'x');
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        const good = {
            'FR.RESERVE': ['MEMORY', '1M'], 'FR.RESET': [],
            'FR.MERGE': ['k'], 'FR.INFO': [],
            'FR.INSERT': ['ITEMS', 'a'], 'FR.MADDHASH': [hash],
            'FR.QUERYHASH': [hash], 'FR.REMEMBERHASH': [hash],
            'FR.DUMP': ['0'], 'FR.LOAD': ['0', '1', 'x'],
        };
        for (const [name] of arities)
            if (!without_client_key.includes(name))
                await fails(s.call(name, 'text', ...good[name] || ['a']),
                    /^WRONGTYPE/);
        await fails(s.call('FR.MERGE', 'k', 'text'), /^WRONGTYPE/);
        await fails(s.call('GET', 'k'), /^WRONGTYPE/);
        assert.strictEqual(await s.call('TYPE', 'k'), 'freshet--');
    },

    async values_out_of_range_are_refused_with_a_reason() {
        const s = await start();
        const reserve = (...more) => s.call('FR.RESERVE', 'k', ...more);
        for (const [args, reason] of [
            [['MEMORY', '0'], /how much memory/],
            [['MEMORY', '-1'], /takes a size/],
            [['MEMORY', '99999999999999999999999'], /takes a size/],
            [['MEMORY', '1Q'], /takes a size/],
            [['MEMORY', '1'], /at least/],
            [['MEMORY', '2P'], /at most 2\^48/],
            [['MEMORY', '200T'], /^OOM/],
            [['MEMORY', '1M', 'ERROR', '0'], /between 0 and 1/],
            [['MEMORY', '1M', 'ERROR', '1'], /between 0 and 1/],
            [['MEMORY', '1M', 'ERROR', 'nan'], /between 0 and 1/],
            [['MEMORY', '1M', 'EXPECT', '0'], /above 0/],
            [['MEMORY', '1M', 'LAST', '18446744073709551615'], /2\^48/],
            [['MEMORY', '1M', 'WITHIN', '18446744073709551615'], /at most/],
            [['MEMORY', '1M', 'LAST', '5', 'WITHIN', '5'], /not both/],
            [['MEMORY', '1M', 'ALGORITHM', 'magic'], /no algorithm/],
            [['MEMORY', '1M', 'ALGORITHM', 'sbf', 'PARAM', 'q', '1'],
                /no parameter/],
            [['MEMORY', '1M', 'ALGORITHM', 'sbf', 'PARAM', 'k', '1,p=2'],
                /PARAM takes/],
            [['MEMORY', '1M', 'PARAM', 'k'], /PARAM takes/],
            [['MEMORY', '1M', 'SEED'], /SEED takes/],
            [['MEMORY', '1M', 'SEED', '1.5'], /whole number/],
            [['MEMORY', '1M', 'BOGUS\r\n+OK'], /unknown argument 'BOGUS\?\?/],
            [['MEMORY', '1M\0junk'], /takes a size/],
        ])
            await fails(reserve(...args), reason);
        assert.strictEqual(await s.call('EXISTS', 'k'), 0);
        await s.call('FR.ADD', 'k', 'a');
        await fails(s.call('FR.DUMP', 'k', '-1'), /offset/);
        await fails(s.call('FR.DUMP', 'k', '99999999999999999'), /offset/);
        await fails(s.call('FR.DUMP', 'k', '0', 'COUNT', '0'), /COUNT/);
        await fails(s.call('FR.INFO', 'k', 'bogus'), /COUNT/);
        await fails(s.call('FR.INSERT', 'k', 'ITEMS'), /wrong number/);
        await fails(s.call('FR.INSERT', 'k', 'ITEM', 'x'), /ITEMS/);
    },

    async keys_and_items_are_any_bytes() {
        const s = await start();
        const key = Buffer.from([0, 13, 10, 255, 0]);
        await s.call('FR.RESERVE', key, 'MEMORY', '1M');
        assert.deepStrictEqual(
            await s.call('FR.MADD', key, '', Buffer.from([0]),
                Buffer.from([0, 0]), '', Buffer.from([0])), [1, 1, 1, 0, 0]);
        const large = Buffer.alloc(10 << 20, 'x');
        await s.call('FR.RESERVE', large, 'MEMORY', '1M');
        assert.strictEqual(await s.call('FR.ADD', large, large), 1);
        assert.strictEqual(await s.call('FR.ADD', large, large), 0);
        large[large.length - 1] = 0;
        assert.strictEqual(await s.call('EXISTS', large), 0);
        large[large.length - 1] = 'x'.charCodeAt(0);
        await s.call('COPY', large, 'short');
        assert.strictEqual(await s.call('FR.EXISTS', 'short', large), 1);
    },

    async every_command_takes_keys_of_any_bytes() {
        const s = await start();
        for (const key of [Buffer.from([0, 13, 10, 255, 0]), Buffer.from(''),
            Buffer.alloc(10 << 20, 'k')]) {
            const twin = Buffer.concat([key, Buffer.from('2')]);
            await s.call('FR.RESERVE', key, 'MEMORY', '64K');
            await s.call('COPY', key, twin);
            const saved = await dump(s, key);
            const good = {
                'FR.RESERVE': ['MEMORY', '1M', 'NX'], 'FR.RESET': [],
                'FR.MERGE': [twin], 'FR.INFO': [],
                'FR.INSERT': ['ITEMS', key], 'FR.MADDHASH': [hash],
                'FR.QUERYHASH': [hash], 'FR.REMEMBERHASH': [hash],
                'FR.DUMP': ['0'], 'FR.LOAD': ['0', saved.length, saved,
                    'REPLACE'],
            };
            for (const [name] of arities)
                if (!without_client_key.includes(name))
                    await s.call(name, key, ...good[name] || [key]);
            await s.call('DEL', key);
            assert.strictEqual(await s.call('FR.ADD', key, key), 1);
            assert.strictEqual(await s.call('FR.EXISTS', twin, key), 0);
            await s.call('FLUSHALL');
        }
    },

    async listeners_are_told() {
        const s = await start({ 'notify-keyspace-events': 'Ed' });
        const listener = s.connect(), heard = [];
        await listener.call('PSUBSCRIBE', '__keyevent@0__:fr.*');
        listener.waiting.push(...Array(8).fill({ reject() {},
            resolve: reply => heard.push(String(reply[2]).slice(15)) }));
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        await s.call('FR.ADD', 'k', 'a');
        await s.call('FR.ADD', 'k', 'a'); // a repeat is no event
        await s.call('FR.REMEMBER', 'k', 'b');
        await s.call('FR.FORGET', 'k', 'b');
        await s.call('FR.RESET', 'k');
        await until('all is heard', async () => heard.length >= 5);
        assert.deepStrictEqual(heard, ['fr.reserve', 'fr.add', 'fr.remember',
            'fr.forget', 'fr.reset']);
    },

    async a_transaction_is_given_up_when_a_watched_filter_changes() {
        const s = await start(), other = s.connect();
        await s.call('FR.ADD', 'k', 'a');
        await s.call('WATCH', 'k');
        await other.call('FR.ADD', 'k', 'b');
        await s.call('MULTI');
        await s.call('PING');
        assert.strictEqual(await s.call('EXEC'), null);
    },

    async the_server_knows_the_commands() {
        const s = await start();
        const count = (await s.call('COMMAND', 'LIST', 'FILTERBY', 'MODULE',
            'freshet')).length;
        assert.strictEqual(count, arities.length);
        const [info] = await s.call('COMMAND', 'INFO', 'FR.MADD');
        assert.strictEqual(info[1], -3);
        assert.ok(info[2].includes('write') && !info[2].includes('denyoom'));
        const [reserve] = await s.call('COMMAND', 'INFO', 'FR.RESERVE');
        assert.ok(reserve[2].includes('denyoom'));
    },

    // Redis 7.0 has no categories of modules.
    async a_user_can_be_given_the_category() {
        const s = await start();
        const categories = (await s.call('ACL', 'CAT')).map(String);
        if (!categories.includes('freshet')) return;
        await s.call('ACL', 'SETUSER', 'u', 'on', 'nopass', '~*', '+@freshet');
        await s.call('AUTH', 'u', 'x');
        assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 1);
        await fails(s.call('SET', 'x', 'y'), /^NOPERM/);
    },

    async a_module_with_arguments_is_refused() {
        await assert.rejects(start({ loadmodule:
            [process.env.MODULE, 'bf-compat'] }), /no server/);
    },
};

run(tests);
