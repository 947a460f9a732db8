// clients.js - node-redis and ioredis, as their users call them
//
// CLIENTS is where clients.sh installed them.
'use strict';
const { createHash } = require('crypto');
const fs = require('fs');
const path = require('path');
const { createRequire } = require('module');
const { assert, start, cluster, items, run } = require('./lib.js');
const { Chain } = require('./redisbloom.js');

const { CLIENTS } = process.env;
if (!fs.existsSync(path.join(CLIENTS, 'installed'))) {
    console.log('clients: not installed, skipped');
    process.exit(77);
}
const client = createRequire(path.join(CLIENTS, 'package.json'));
const { createClient, RESP_TYPES } = client('@redis/client');
const bloom = client('@redis/bloom').default;
const { Redis } = client('ioredis');

const compat = { 'freshet.bf-compat': 'yes' };
const names = ['Capacity', 'Size', 'Number of filters',
    'Number of items inserted', 'Expansion rate'];

// Do something with a node-redis client of each protocol, each on an empty
// server.
async function with_node_redis(work, options = compat) {
    const s = await start(options);
    for (const RESP of [2, 3]) {
        const c = createClient({ RESP, socket: { port: s.port },
            modules: { bf: bloom.bf } });
        c.on('error', () => {}); // calls fail by themselves
        await c.connect();
        await c.flushAll();
        await work(c, RESP);
        await c.close();
    }
}

async function with_ioredis(work, options = {}) {
    const s = await start(compat);
    const c = new Redis({ port: s.port, ...options });
    await work(c, s);
    c.disconnect();
}

const tests = {
    node_redis_calls_bf_methods: () => with_node_redis(async ({ bf }) => {
        assert.strictEqual(await bf.reserve('k', 0.01, 100, { EXPANSION: 3 }),
            'OK');
        await assert.rejects(bf.reserve('k', 0.01, 100),
            { message: 'ERR item exists' });
        assert.strictEqual(await bf.add('k', 'a'), true);
        assert.strictEqual(await bf.add('k', 'a'), false);
        assert.deepStrictEqual(await bf.mAdd('k', ['a', 'b']), [false, true]);
        assert.deepStrictEqual(await bf.insert('k', ['b', 'c']),
            [false, true]);
        assert.strictEqual(await bf.exists('k', 'c'), true);
        assert.strictEqual(await bf.exists('missing', 'c'), false);
        assert.deepStrictEqual(await bf.mExists('k', ['c', 'd']),
            [true, false]);
        assert.strictEqual(await bf.card('k'), 3);
        await assert.rejects(bf.insert('missing', 'a', { NOCREATE: true }),
            { message: 'ERR not found' });
    }),

    node_redis_reads_info: () => with_node_redis(async ({ bf }) => {
        await bf.insert('k', items(150), { CAPACITY: 100, ERROR: 0.001,
            EXPANSION: 3 });
        const info = await bf.info('k');
        assert.deepStrictEqual(Object.keys(info), names);
        assert.deepStrictEqual([info.Capacity, info['Number of filters'],
            info['Number of items inserted'], info['Expansion rate']],
        [400, 2, 150, 3]);
        await bf.reserve('fixed', 0.01, 100, { NONSCALING: true });
        assert.strictEqual((await bf.info('fixed'))['Expansion rate'], null);
    }),

    node_redis_loads_a_dump_of_redisbloom: () => with_node_redis(async c => {
        const { bf } = c.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
        const chain = new Chain(0.01, 100), dumped = [];
        for (const item of items(1000)) chain.add(item);
        for (const [iterator, chunk] of chain.dump())
            assert.strictEqual(await bf.loadChunk('k', iterator, chunk), 'OK');
        assert.ok((await bf.mExists('k', items(1000))).every(Boolean));
        for (let at = 0;;) {
            const { iterator, chunk } = await bf.scanDump('k', at);
            if (iterator === 0) break;
            dumped.push([iterator, chunk]);
            at = iterator;
        }
        assert.deepStrictEqual(dumped, chain.dump());
    }),

    // A filter that is full is an error among the answers.  In RESP2 this
    // client makes false of it, as if the item had been seen.
    node_redis_and_a_full_filter: () => with_node_redis(async (c, RESP) => {
        const answer = await c.bf.insert('k', ['a', 'b', 'c', 'd'],
            { CAPACITY: 2, NONSCALING: true });
        assert.deepStrictEqual(answer.slice(0, 2), [true, true]);
        assert.strictEqual(answer.length, 3);
        if (RESP === 3)
            assert.match(answer[2].message, /non scaling filter is full/);
        await assert.rejects(c.bf.add('k', 'c'),
            { message: 'ERR non scaling filter is full' });
    }),

    node_redis_and_a_filter_that_evicts: () => with_node_redis(
        async ({ bf }) => {
            await bf.reserve('k', 0.001, 1000, { NONSCALING: true });
            for (let i = 0; i < 10; i++)
                assert.strictEqual((await bf.mAdd('k', items(1000, i))).length,
                    1000);
            // The server draws the seed, and in one of 1,500 filters one or
            // two of these have been forgotten.
            assert.ok((await bf.mExists('k', items(900, 9))).filter(Boolean)
                .length > 890);
            assert.deepStrictEqual(Object.keys(await bf.info('k')), names);
        }, { ...compat, 'freshet.full-policy': 'evict' }),

    node_redis_calls_fr_commands: () => with_node_redis(async (c, RESP) => {
        const made = await c.sendCommand(['FR.RESERVE', 'k', 'MEMORY', '1M']);
        assert.strictEqual(RESP === 3 ? made.created : made[1], 1);
        assert.strictEqual(await c.sendCommand(['FR.ADD', 'k', 'a']), 1);
        assert.deepStrictEqual(
            await c.sendCommand(['FR.MADD', 'k', 'a', 'b']), [0, 1]);
        assert.deepStrictEqual(await c.multi()
            .addCommand(['FR.ADD', 'k', 'b']).addCommand(['FR.ADD', 'k', 'c'])
            .exec(), [0, 1]);
        await assert.rejects(c.sendCommand(['FR.INFO', 'missing']),
            /^\w+: ERR not found/);
    }),

    ioredis_calls_bf_commands: () => with_ioredis(async c => {
        assert.strictEqual(await c.call('BF.RESERVE', 'k', 0.01, 100), 'OK');
        assert.deepStrictEqual(
            await c.call('BF.MADD', 'k', 'a', 'b', 'a'), [1, 1, 0]);
        assert.deepStrictEqual(await c.pipeline().call('BF.ADD', 'k', 'c')
            .call('BF.ADD', 'k', 'c').call('BF.CARD', 'k').exec(),
        [[null, 1], [null, 0], [null, 3]]);
        assert.deepStrictEqual((await c.call('BF.INFO', 'k'))
            .filter((_, i) => i % 2 === 0), names);
        const full = await c.call('BF.INSERT', 'full', 'CAPACITY', 1,
            'NONSCALING', 'ITEMS', 'a', 'b');
        assert.match(full[1].message, /^ERR non scaling filter is full/);
        await assert.rejects(c.call('BF.RESERVE', 'k', 0.01, 100),
            { message: 'ERR item exists' });
    }),

    // The lines of doc/redis.md.
    ioredis_brings_a_filter_over: () => with_ioredis(async (from, s) => {
        const page = fs.readFileSync(
            path.join(__dirname, '../../doc/redis.md'), 'utf8');
        const [, lines] = page.match(/<!-- test: import -->\n```js\n(.*?)```/s);
        const AsyncFunction = (async () => {}).constructor;
        const other = await start(compat);
        const to = new Redis({ port: other.port });
        await from.call('BF.MADD', 'k', ...items(1000));
        await new AsyncFunction('from', 'to', 'key', lines)(from, to, 'k');
        assert.strictEqual(await other.digest('k'), await s.digest('k'));
        to.disconnect();
    }),

    // The lines of doc/redis.md, by three producers at a time.
    ioredis_shares_a_name_over_a_cluster: async () => {
        const page = fs.readFileSync(
            path.join(__dirname, '../../doc/redis.md'), 'utf8');
        const [, lines] = page.match(/<!-- test: shards -->\n```js\n(.*?)```/s);
        const AsyncFunction = (async () => {}).constructor;
        const nodes = await cluster(3), producers = [];
        for (let i = 0; i < 3; i++) {
            const c = new Redis.Cluster([{ host: '127.0.0.1',
                port: nodes[i].port }]);
            producers.push([c, await new AsyncFunction('cluster', 'require',
                `${lines}\nreturn unseen;`)(c, require)]);
        }
        const all = items(3000), got = [];
        await Promise.all(producers.map(async ([, unseen]) => {
            for (let at = 0; at < all.length; at += 500)
                got.push(...await unseen(all.slice(at, at + 500)));
        }));
        assert.deepStrictEqual(got.sort(), [...all].sort());
        for (const node of nodes)
            assert.ok(await node.call('DBSIZE') > 0, 'each node has some');
        for (const [c] of producers) c.disconnect();
    },

    // A seed has up to 64 bits, a number of JavaScript 53.
    ioredis_calls_fr_commands: () => with_ioredis(async c => {
        const made = await c.call('FR.RESERVE', 'k', 'MEMORY', '1M', 'SEED',
            '9007199254740993');
        assert.strictEqual(made[made.indexOf('seed') + 1], '9007199254740993');
        assert.deepStrictEqual(await c.call('FR.MADD', 'k', 'a', 'a'),
            ['1', '0']);
        const hashes = Buffer.concat(['a', 'b', 'c'].map(item =>
            createHash('md5').update(item).digest()));
        for (const first of [['FIRST'], []]) // the same request and answer
            assert.strictEqual(await c.call('FR.MADDHASH', 'k', hashes,
                'CLIENT', 'me', 'SEQ', 1, ...first), '111');
        c.defineCommand('twice', { numberOfKeys: 1, lua:
            "return {redis.call('FR.ADD', KEYS[1], ARGV[1]), " +
            "redis.call('FR.ADD', KEYS[1], ARGV[1])}" });
        assert.deepStrictEqual(await c.twice('k', 'x'), ['1', '0']);
    }, { stringNumbers: true }),
};

run(tests);
