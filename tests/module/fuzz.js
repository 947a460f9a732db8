// fuzz.js - damaged payloads for RESTORE, FR.LOAD and BF.LOADCHUNK, and words
// that make no sense for every command: what is taken is safe to use, and the
// server lives on.  MUTATIONS says how many, SECONDS_EACH for how long.
'use strict';
const { assert, start, items, dump, run } = require('./lib.js');

const { MUTATIONS, SECONDS_EACH } = process.env;
const count = SECONDS_EACH ? Infinity : Number(MUTATIONS || 600);

// 0, 1, 2 ... until the count or the time is over.
function* rounds() {
    const end = Date.now() + 1000 * Number(SECONDS_EACH || 86400);
    let i = 0;
    while (i < count && Date.now() < end) yield i++;
    console.log(`${i} requests`);
}

// The same numbers each time: a failure can be found again.
function generator(seed) {
    let x = BigInt(seed);
    return n => {
        x = (x * 6364136223846793005n + 1442695040888963407n) &
            (2n ** 64n - 1n);
        return Number((x >> 33n) % BigInt(n));
    };
}

const numbers = [0n, 1n, 63n, 64n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 48n,
    2n ** 51n, 2n ** 63n, 2n ** 64n - 1n];

// A copy with one to three kinds of damage, most of it near the beginning,
// where the headers are.
function damage(good, random) {
    let bad = Buffer.from(good);
    for (let n = 1 + random(3); n > 0; n--) {
        const reach = random(2) ? Math.min(bad.length, 600) : bad.length;
        const at = random(Math.max(reach, 1));
        switch (random(6)) {
        case 0: if (bad.length) bad[at] ^= 1 << random(8); break;
        case 1: if (bad.length) bad[at] = random(256); break;
        case 2:
            if (at + 8 <= bad.length)
                bad.writeBigUInt64LE(numbers[random(numbers.length)], at);
            break;
        case 3: bad = bad.subarray(0, at); break;
        case 4:
            bad = Buffer.concat([bad.subarray(0, at),
                bad.subarray(Math.min(bad.length, at + 1 + random(64)))]);
            break;
        case 5:
            bad = Buffer.concat([bad.subarray(0, at), bad.subarray(0,
                random(100)), bad.subarray(at)]);
        }
    }
    return bad;
}

const ignore = promise => promise.catch(error => {
    if (error.message === 'closed') throw error;
});

async function use(s, key) {
    await Promise.all([['FR.MADD', key, ...items(20)], ['FR.INFO', key],
        ['FR.RESET', key], ['BF.MADD', key, ...items(20)], ['BF.INFO', key],
        ['BF.DEBUG', key], ['BF.SCANDUMP', key, 0], ['FR.DUMP', key, 0],
        ['COPY', key, 'copy', 'REPLACE'], ['DUMP', key],
        ['MEMORY', 'USAGE', key], ['DEL', key]].map(
        args => ignore(s.call(...args))));
}

async function server() {
    const s = await start({ 'freshet.bf-compat': 'yes',
        'freshet.max-memory': '64mb' });
    await s.call('DEBUG', 'SET-SKIP-CHECKSUM-VALIDATION', '1');
    await s.call('FR.RESERVE', 'pocket', 'MEMORY', '8K', 'LAST', 100);
    // sbf forgets: with a seed of the server's choice, one time in 200 the last
    // item is gone after the hashes below.
    await s.call('FR.RESERVE', 'sbf', 'MEMORY', '4K', 'ALGORITHM', 'sbf',
        'ERROR', '0.01', 'SEED', 1);
    for (const key of ['pocket', 'sbf']) {
        await s.call('FR.MADD', key, ...items(300));
        await s.call('FR.MADDHASH', key, Buffer.alloc(64, 5), 'CLIENT', 'me',
            'SEQ', 1, 'FIRST');
    }
    await s.call('BF.RESERVE', 'chain', '0.01', 20);
    await s.call('BF.MADD', 'chain', ...items(200));
    return s;
}

async function lives(s) {
    assert.strictEqual(await s.call('PING'), 'PONG');
    for (const key of ['pocket', 'sbf'])
        assert.strictEqual(await s.call('FR.EXISTS', key, 'item-299'), 1);
    // It warns of allocations that are refused, which is as it should be.
    assert.deepStrictEqual(s.log().split('\n').filter(line =>
        /ERROR: AddressSanitizer|runtime error/.test(line)), []);
}

const tests = {
    async restore() {
        const s = await server(), random = generator(1);
        const good = [];
        for (const key of ['pocket', 'sbf', 'chain'])
            good.push(await s.call('DUMP', key));
        for (const i of rounds()) {
            await ignore(s.call('RESTORE', 'bad', 0, damage(good[i % 3],
                random), 'REPLACE'));
            await use(s, 'bad');
        }
        await lives(s);
    },

    async fr_load() {
        const s = await server(), random = generator(2);
        const good = [await dump(s, 'pocket'), await dump(s, 'sbf')];
        for (const i of rounds()) {
            const bad = damage(good[i % 2], random);
            const half = random(bad.length + 1);
            const total = random(4) ? bad.length :
                String(numbers[random(numbers.length)]);
            await Promise.all([['FR.LOAD', 'bad', 0, total,
                bad.subarray(0, half)], ['FR.LOAD', 'bad', half, total,
                bad.subarray(half)]].map(args => ignore(s.call(...args))));
            await use(s, 'bad');
        }
        await lives(s);
    },

    async bf_loadchunk() {
        const s = await server(), random = generator(3);
        const good = [];
        for (let at = 0, chunk; ;) {
            [at, chunk] = await s.call('BF.SCANDUMP', 'chain', at);
            if (at === 0) break;
            good.push([at, chunk]);
        }
        for (const i of rounds()) {
            const worst = random(good.length);
            await Promise.all(good.map(([at, chunk], n) => ignore(s.call(
                'BF.LOADCHUNK', 'bad', random(20) ? at :
                    String(numbers[random(numbers.length)] >> 1n),
                n === worst ? damage(chunk, random) : chunk))));
            await use(s, 'bad');
        }
        await lives(s);
    },

    // Any words behind any command of ours, in any number.
    async words() {
        const s = await server(), random = generator(4);
        const names = (await s.call('COMMAND', 'LIST')).map(String).filter(
            name => /^(fr|bf)\./i.test(name));
        const one = list => list[random(list.length)];
        const word = () => {
            switch (random(6)) {
            case 0: return one(words);
            case 1: return String(one(numbers));
            case 2: return one(['-1', '0.01', '1e400', 'nan', '8K', '1M', '1h',
                '', '-', '*', '0x10', '1e-300']);
            case 3: return Buffer.alloc(random(300), random(256));
            case 4: return `item-${random(400)}`;
            default: return one(['pocket', 'sbf', 'chain', 'new', 'text']);
            }
        };
        assert.ok(names.length > 20, String(names));
        await s.call('SET', 'text', 'x');
        for (const i of rounds()) {
            const args = Array.from({ length: random(9) }, word);
            await ignore(s.call(one(names), ...random(3) ? [one(['bad', 'new',
                'chain2', 'text'])] : [], ...args));
            if (i % 50 === 49)
                await Promise.all(['bad', 'new', 'chain2'].map(key =>
                    s.call('DEL', key)));
        }
        assert.strictEqual(await s.call('PING'), 'PONG');
    },
};

// Names of options and of what they take.
const words = ['MEMORY', 'ERROR', 'EXPECT', 'LAST', 'WITHIN', 'ALGORITHM',
    'PARAMS', 'SEED', 'HASH', 'siphash', 'xxh3', 'ITEMS', 'CLIENT', 'SEQ',
    'FIRST', 'COUNT', 'NOCOUNT', 'CAPACITY', 'EXPANSION', 'NONSCALING',
    'NOCREATE', 'REFRESH', 'set', 'rsbf', 'k=4', 'd=2,k=1'];

run(tests);
