// cold_batches.js - large batches for a filter whose pages are untouched
//
// A thread has the pages made while the client waits.  What the command does and
// answers is the same as without the thread.
'use strict';
const fs = require('fs');
const os = require('os');
const { assert, start, cluster, replica_of, in_sync, items, fails, run, sleep,
    until } = require('./lib.js');

const BATCH = 4096;

// Hashes number from..from + n, each the same in every run.
function hashes(n, from = 0) {
    const all = Buffer.alloc(16 * n);
    for (let i = 0; i < 4 * n; i++)
        all.writeUInt32LE(Math.imul(from * 4 + i + 1, 0x9e3779b1) >>> 0, 4 * i);
    return all;
}

const reserve = (s, key, memory = '256M', ...more) =>
    s.call('FR.RESERVE', key, 'MEMORY', memory, 'SEED', 5, ...more);

const waiting = async s => Number(String(await s.call('INFO', 'clients'))
    .match(/blocked_clients:(\d+)/)[1]);

// Sends a large batch and, while it waits, another client's command.  Returns the
// answer to the batch, or the message of its error.
async function meanwhile(s, batch, ...words) {
    const client = s.connect();
    let done = false;
    const answer = client.call(...batch).then(String, error => error.message)
        .finally(() => done = true);
    while (!done && await waiting(s) === 0);
    await s.call(...words);
    return answer.finally(() => client.close());
}

// As meanwhile(), for a batch that is read at once: the server is stopped until
// both commands have arrived, so that the second one finds the first one waiting.
async function surely_meanwhile(s, batch, ...words) {
    const first = s.connect(), second = s.connect();
    await first.call('PING');
    await second.call('PING');
    s.child.kill('SIGSTOP');
    const answer = first.call(...batch).then(String, error => error.message);
    await sleep(50);
    const done = second.call(...words);
    await sleep(50);
    s.child.kill('SIGCONT');
    await done;
    return answer.finally(() => [first, second].map(one => one.close()));
}

// Page faults of the server's own thread, and of all its threads.
function faults(s) {
    const of = file => Number(fs.readFileSync(file, 'latin1').split(') ')[1]
        .split(' ')[7]);
    const { pid } = s.child;
    return { own: of(`/proc/${pid}/task/${pid}/stat`),
        all: of(`/proc/${pid}/stat`) };
}

// The state of the module's threads, and how often they have waited.
function threads(s) {
    const tasks = `/proc/${s.child.pid}/task`;
    const of = (tid, file) => fs.readFileSync(`${tasks}/${tid}/${file}`,
        'latin1');
    const name = of(s.child.pid, 'comm');
    return fs.readdirSync(tasks).filter(tid => tid !== String(s.child.pid) &&
        of(tid, 'comm') === name).map(tid => of(tid, 'status')).map(text => ({
        state: text.match(/State:\s*(\w)/)[1],
        pauses: Number(text.match(/\nvoluntary_ctxt_switches:\s*(\d+)/)[1]),
    }));
}

const [major, minor] = os.release().split('.').map(Number);
const populates = major > 5 || (major === 5 && minor >= 14);

const tests = {
    async the_servers_thread_takes_no_page_faults() {
        // An old kernel makes no pages beforehand; a sanitizer has its own.
        if (!populates || process.env.PRELOAD) return;
        const s = await start({ 'disable-thp': 'no' });
        const writes = {
            'FR.MADDHASH': [hashes(BATCH)], 'FR.REMEMBERHASH': [hashes(BATCH)],
            'FR.MADD': items(BATCH), 'FR.REMEMBER': items(BATCH),
            'FR.INSERT': ['ITEMS', ...items(BATCH)],
        };
        for (const [name, args] of Object.entries(writes)) {
            await reserve(s, name);
            const before = faults(s);
            await s.call(name, name, ...args);
            const after = faults(s);
            assert.ok(after.all - before.all > BATCH / 2, name);
            assert.ok(after.own - before.own < BATCH / 2,
                `${name}: ${after.own - before.own}`);
        }
    },

    // A young filter may have all the keys it will ever have.
    async a_batch_whose_pages_are_there_does_not_wait() {
        if (!populates) return;
        const s = await start();
        await s.call('CONFIG', 'SET', 'freshet.huge-pages', 'no');
        await reserve(s, 'k');
        await s.call('FR.MADDHASH', 'k', hashes(BATCH));
        await until('the thread rests', async () => threads(s)[0].state === 'S');
        const [{ pauses }] = threads(s);
        assert.ok(pauses > 0);
        for (let i = 0; i < 20; i++)
            await s.call('FR.MADDHASH', 'k', hashes(BATCH));
        assert.strictEqual(threads(s)[0].pauses, pauses);
        await s.call('FR.MADDHASH', 'k', hashes(BATCH, BATCH));
        await until('the thread was used', async () =>
            threads(s)[0].pauses > pauses);
    },

    async answers_and_filters_are_those_of_commands_that_do_not_wait() {
        const s = await start({ appendonly: 'yes' }), r = await replica_of(s);
        for (const key of ['waits', 'transaction', 'script', 'small'])
            await reserve(s, key);
        for (let i = 0; i < 5; i++) {
            const batch = hashes(BATCH, i * BATCH / 2);
            const verdicts = String(await s.call('FR.MADDHASH', 'waits',
                batch));
            assert.strictEqual(verdicts.length, BATCH);
            assert.ok(verdicts.slice(BATCH / 2).indexOf('0') < 0);
            await s.call('MULTI');
            await s.call('FR.MADDHASH', 'transaction', batch);
            assert.strictEqual(String((await s.call('EXEC'))[0]), verdicts);
            assert.strictEqual(String(await s.call('EVAL',
                "return redis.call('FR.MADDHASH', KEYS[1], ARGV[1])", 1,
                'script', batch)), verdicts);
            for (let at = 0; at < batch.length; at += 16 * 128)
                await s.call('FR.MADDHASH', 'small',
                    batch.subarray(at, at + 16 * 128));
        }
        const digest = await s.digest('waits');
        for (const key of ['transaction', 'script', 'small'])
            assert.strictEqual(await s.digest(key), digest, key);
        await until('the replica has all', () => in_sync(s, r));
        assert.strictEqual(await r.digest('waits'), digest);
        await s.restart();
        assert.strictEqual(await s.digest('waits'), digest);
    },

    async a_connection_keeps_its_order_and_a_numbered_answer_is_kept() {
        const s = await start();
        await reserve(s, 'k');
        const batch = hashes(BATCH);
        const numbered = ['FR.MADDHASH', 'k', batch, 'CLIENT', 'me', 'SEQ', 1];
        const answers = await Promise.all([s.call(...numbered, 'FIRST'),
            s.call('FR.MADDHASH', 'k', batch), s.call(...numbered),
            s.call('PING')]);
        assert.deepStrictEqual(answers.map(String), ['1'.repeat(BATCH),
            '0'.repeat(BATCH), '1'.repeat(BATCH), 'PONG']);
    },

    async a_filter_may_go_while_a_batch_waits() {
        const s = await start();
        const big = hashes(1 << 16);
        for (const words of [['DEL', 'k'], ['UNLINK', 'k'], ['FR.RESET', 'k'],
            ['FLUSHALL'], ['SET', 'k', 'text'], ['RENAME', 'k', 'else']]) {
            await s.call('FLUSHALL');
            await reserve(s, 'k', '300M');
            const answer = await meanwhile(s, ['FR.MADDHASH', 'k', big],
                ...words);
            assert.match(answer, /^1+$|^ERR not found|^WRONGTYPE/,
                String(words));
        }
        await s.call('FLUSHALL'); // FR.MADD makes the filter, twice if need be
        assert.strictEqual(await meanwhile(s, ['FR.MADD', 'k',
            ...items(BATCH)], 'DEL', 'k'), Array(BATCH).fill(1).join());
        assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 1);
    },

    async a_client_may_go_while_its_batch_waits() {
        const s = await start();
        await reserve(s, 'k', '300M');
        for (let i = 0; i < 20; i++) {
            const client = s.connect();
            await client.call('PING');
            client.call('FR.MADDHASH', 'k', hashes(BATCH, i * BATCH))
                .catch(() => {});
            await s.call('PING');
            client.close();
        }
        await until('nobody waits', async () => await waiting(s) === 0);
        assert.match(String(await s.call('FR.MADDHASH', 'k',
            hashes(BATCH, 1 << 20))), /^1+$/);
    },

    // The server ends itself if something is replicated during a pause.
    async a_batch_does_not_write_while_writes_are_held_back() {
        const s = await start(), r = await replica_of(s);
        await reserve(s, 'k', '300M');
        for (let i = 0; i < 5; i++) {
            const batch = ['FR.MADDHASH', 'k', hashes(1 << 16, i << 16)];
            assert.match(await meanwhile(s, batch, 'CLIENT', 'PAUSE', 500,
                'WRITE'), /^1+$|^TRYAGAIN/);
        }
        await until('the replica has all', () => in_sync(s, r));
        assert.strictEqual(await r.digest('k'), await s.digest('k'));
    },

    // A replica takes no writes of clients: the server ends the connection of
    // those that wait.
    async a_server_may_become_a_replica_while_a_batch_waits() {
        const p = await start(), s = await start();
        await reserve(s, 'k', '300M');
        const empty = await s.digest('k');
        const answer = await meanwhile(s, ['FR.MADDHASH', 'k',
            hashes(1 << 16)], 'REPLICAOF', '127.0.0.1', p.port);
        assert.match(answer, /^1+$|^UNBLOCKED/);
        await until('the replica is in sync', () => in_sync(p, s));
        assert.strictEqual(await s.call('DBSIZE'), 0);
        await s.call('REPLICAOF', 'NO', 'ONE');
        await reserve(s, 'k', '300M');
        assert.strictEqual(await s.digest('k'), empty);
    },

    // A second filter on the node that the key has left would call all items
    // new, and its slot could not be moved.
    async a_key_may_move_to_another_node_while_a_batch_waits() {
        const nodes = await cluster(3), list = items(256);
        const owner = async slot => {
            for (const n of nodes)
                if ((await n.call('CLUSTER', 'COUNTKEYSINSLOT', slot)) > 0)
                    return n;
        };
        const id = async n => String(await n.call('CLUSTER', 'MYID'));
        for (const [name, ...args] of [['FR.MADD', ...list],
            ['FR.INSERT', 'ITEMS', ...list], ['FR.REMEMBER', ...list],
            ['FR.MADDHASH', hashes(256)], ['FR.REMEMBERHASH', hashes(256)]]) {
            const slot = await nodes[0].call('CLUSTER', 'KEYSLOT', name);
            for (const n of nodes) await reserve(n, name, '64M').catch(() => {});
            const from = await owner(slot), to = nodes.find(n => n !== from);
            await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING',
                await id(from));
            await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING',
                await id(to));
            const answer = await surely_meanwhile(from, [name, name, ...args],
                'MIGRATE', '127.0.0.1', to.port, name, 0, 60000);
            if (populates) assert.match(answer, /^(TRYAGAIN|ASK) /, name);
            assert.strictEqual(await owner(slot), to, name);
            await fails(from.call(name, name, ...args), /^ASK/);
        }
    },

    async other_algorithms_run_at_once() {
        const s = await start();
        await reserve(s, 'k', '64M', 'ALGORITHM', 'bloom', 'EXPECT', 1000000);
        assert.match(String(await s.call('FR.MADDHASH', 'k', hashes(BATCH))),
            /^1+$/);
        await fails(s.call('FR.MADDHASH', 'none', hashes(BATCH)),
            /not found/);
    },
};

run(tests);
