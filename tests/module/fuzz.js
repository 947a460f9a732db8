// fuzz.js - damaged payloads for RESTORE, FR.LOAD and BF.LOADCHUNK: what is
// taken is safe to use, and the server lives on.  MUTATIONS says how many.
'use strict';
const { assert, start, items, dump, run } = require('./lib.js');

const count = Number(process.env.MUTATIONS || 600);

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
    await s.call('FR.RESERVE', 'sbf', 'MEMORY', '4K', 'ALGORITHM', 'sbf',
        'ERROR', '0.01');
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
        for (let i = 0; i < count; i++) {
            await ignore(s.call('RESTORE', 'bad', 0, damage(good[i % 3],
                random), 'REPLACE'));
            await use(s, 'bad');
        }
        await lives(s);
    },

    async fr_load() {
        const s = await server(), random = generator(2);
        const good = [await dump(s, 'pocket'), await dump(s, 'sbf')];
        for (let i = 0; i < count; i++) {
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
        for (let i = 0; i < count; i++) {
            const worst = random(good.length);
            await Promise.all(good.map(([at, chunk], n) => ignore(s.call(
                'BF.LOADCHUNK', 'bad', random(20) ? at :
                    String(numbers[random(numbers.length)] >> 1n),
                n === worst ? damage(chunk, random) : chunk))));
            await use(s, 'bad');
        }
        await lives(s);
    },
};

run(tests);
