// remote_recovery.js - freshet --remote when a filter is lost, memory is short,
// a server comes late or is one of several, or forgets its clients
'use strict';
const net = require('net');
const { assert, start, free_port, replica_of, cluster, until, in_sync,
    items, pairs, field, sleep, run } = require('./lib.js');
const { Run, relay, freshet, succeeded, url, errors } =
    require('./remote_lib.js');

const text_of = async (s, key) => {
    const info = pairs(await s.call('FR.INFO', key, 'NOCOUNT'));
    for (const changing of ['offered', 'new', 'repeats', 'now', 'reach'])
        delete info[changing];
    return info;
};

async function written(r, n) {
    await until(`${n} records are out`, async () => r.lines().length >= n);
}

const lost = /^freshet: warning: 127\.0\.0\.1: the filter seen was lost and has been made again; (\d+) records were compared with it before\n$/;

const tests = {
    async a_lost_filter_is_made_again_as_it_was() {
        for (const [shards, policy] of [[1, 'stop'], [3, 'pass']]) {
            const s = await start();
            const r = new Run(['--remote', url(s), '--shards', String(shards),
                '--on-error', policy, '-m', '3M', '-e', '1e-4', '--within',
                '1h']);
            const keys = shards === 1 ? ['seen'] :
                ['seen:{0}', 'seen:{1}', 'seen:{2}'];
            await r.write(items(1000));
            await written(r, 1000);
            const before = [];
            for (const key of keys) before.push(await text_of(s, key));
            await s.call('FLUSHALL');
            await r.write([...items(500, 'new'), ...items(300)]);
            await written(r, 1800);
            await r.write([...items(500, 'new'), ...items(300), 'last']);
            await r.end();
            assert.strictEqual(r.code, 0, r.err);
            assert.deepStrictEqual(r.lines(), [...items(1000),
                ...items(500, 'new'), ...items(300), 'last']);
            assert.strictEqual(r.err.match(lost)[1], '1000');
            for (const key of keys)
                assert.deepStrictEqual(await text_of(s, key), before.shift());
        }
    },

    async a_filter_made_by_hand_is_made_again_as_it_was() {
        const s = await start();
        await s.call('FR.RESERVE', 'seen', 'MEMORY', '100K', 'ALGORITHM', 'sbf',
            'PARAM', 'k', '3', 'ERROR', '0.01', 'SEED', '9');
        const before = await text_of(s, 'seen');
        const r = new Run(['--remote', url(s)]);
        await r.write(['a']);
        await written(r, 1);
        await s.call('DEL', 'seen');
        await r.write(['a', 'b']);
        await r.end();
        assert.deepStrictEqual(r.lines(), ['a', 'a', 'b']);
        assert.deepStrictEqual(await text_of(s, 'seen'), before);
    },

    async a_restart_without_persistence_is_survived() {
        for (const policy of ['stop', 'pass']) {
            const s = await start();
            const r = new Run(['--remote', url(s), '--on-error', policy,
                '--retry', '5m']);
            await r.write(['a', 'b']);
            await written(r, 2);
            await s.end('SIGKILL');
            await r.write(['c', 'a']);
            await sleep(100);
            await s.start();
            await written(r, 4);
            await r.write(['a', 'c', 'd', 'd']);
            await r.end();
            assert.deepStrictEqual([r.code, ...r.lines()],
                [0, 'a', 'b', 'c', 'a', 'd']);
            assert.strictEqual(r.err.match(lost)[1], '2');
        }
    },

    // A new client was first, with a seed of its own: what waits is hashed
    // again, and so is all that follows.
    async a_filter_made_again_with_another_seed_is_used() {
        for (const shards of ['1', '3']) {
            const s = await start();
            const r = new Run(['--shards', shards, '--csv', '1', '--remote',
                url(s)]);
            const rows = list => list.map(item => `${item},x`);
            await r.write(['id,n', ...rows(items(1000))]);
            await written(r, 1001);
            await s.call('FLUSHALL');
            succeeded(await freshet(['--shards', shards, '--csv', '1',
                '--remote', url(s)], ['id,n', ...rows(items(500, 'other'))]));
            await r.write(rows([...items(500, 'other'), ...items(600)]));
            await written(r, 1601);
            await r.write(rows([...items(300), ...items(200, 'other'), 'z']));
            await r.end();
            assert.strictEqual(r.code, 0, r.err);
            assert.match(r.err, lost);
            assert.deepStrictEqual(r.lines(), ['id,n', ...rows([
                ...items(1000), ...items(600), 'z'])]);
            assert.deepStrictEqual(succeeded(await freshet(['--shards', shards,
                '--csv', '1', '--remote', url(s)],
            ['id,n', ...rows(['z', 'item-5', 'other-5', 'y'])])),
            ['y,x']);
        }
    },

    async want_of_memory_is_waited_for() {
        const s = await start();
        const r = new Run(['--remote', url(s), '-m', '1M']);
        await r.write(['a']);
        await written(r, 1);
        await s.call('CONFIG', 'SET', 'maxmemory', '1');
        await r.write(['a', 'b']); // nothing is allocated for these
        await written(r, 2);
        await s.call('DEL', 'seen');
        await r.write(['c']); // but for the filter
        await until('it was refused', async () => await errors(s, 'OOM') > 1);
        await s.call('CONFIG', 'SET', 'maxmemory', '0');
        await r.write(['c', 'd']);
        await r.end();
        assert.deepStrictEqual([r.code, ...r.lines()],
            [0, 'a', 'b', 'c', 'd'], r.err);
    },

    // After FLUSHALL a thread of the server frees the filter: until then there
    // is not enough memory for it once more.
    async memory_of_the_lost_filter_is_waited_for() {
        const s = await start();
        const r = new Run(['--remote', url(s), '-m', '8M', '--retry', '5m']);
        await r.write(['a']);
        await written(r, 1);
        await s.call('CONFIG', 'SET', 'freshet.max-memory', '1mb');
        await s.call('FLUSHALL');
        await r.write(['a', 'b']);
        await until('it was refused twice, or has ended', async () =>
            r.code !== undefined || await errors(s, 'OOM') > 1);
        await s.call('CONFIG', 'SET', 'freshet.max-memory', '16mb');
        await r.write(['b', 'c']);
        await r.end();
        assert.deepStrictEqual([r.code, ...r.lines()],
            [0, 'a', 'a', 'b', 'c'], r.err);
        await s.call('CONFIG', 'SET', 'freshet.max-memory', '1mb');
        const hasty = await freshet(['--remote', url(s, 'new'), '-m', '8M',
            '--retry', '5m'], ['x']);
        assert.match(hasty.err, /OOM the filter needs/); // at once
        assert.strictEqual(hasty.code, 2);
    },

    async a_server_that_comes_late_is_waited_for_if_retry_was_given() {
        const s = await start(), at = url(s);
        await s.end();
        const hasty = await freshet(['--remote', at], ['x']);
        assert.match(hasty.err, /Connection refused/);
        assert.strictEqual(hasty.code, 2);
        const gone = await freshet(['--remote', at, '--retry', '300ms'], ['x']);
        assert.match(gone.err, /Connection refused/);
        assert.strictEqual(gone.code, 2);
        const r = new Run(['--remote', at, '--retry', '5m']);
        await r.write(['a', 'a']);
        await sleep(500);
        await s.start();
        assert.deepStrictEqual(succeeded(await r.end()), ['a']);
        const wrong = await freshet(['--remote', at.replace('//', '//u:p@'),
            '--retry', '20s'], ['x']);
        assert.match(wrong.err, /WRONGPASS/);
    },

    async a_server_is_tried_once_if_retry_was_not_given() {
        let tried = 0;
        const listener = net.createServer(client => {
            tried++;
            client.destroy();
        });
        await new Promise(resolve => listener.listen(0, '127.0.0.1', resolve));
        const at = `redis://127.0.0.1:${listener.address().port}/seen`;
        const hasty = await freshet(['--remote', at], ['x']);
        assert.deepStrictEqual([hasty.code, tried], [2, 1], hasty.err);
        const patient = new Run(['--remote', at, '--retry', '5m']);
        await until('it was tried again and again', async () => tried > 3);
        patient.child.kill('SIGKILL');
        await patient.done;
        listener.close();
    },

    async connections_that_are_reset_while_it_opens_are_made_again() {
        const s = await start(), between = await relay(s.port);
        for (const left of [1, 20, 60, 100, 200, 400, 700]) {
            between.left = left;
            between.cut_short = () => between.cut();
            assert.deepStrictEqual(succeeded(await freshet(['--retry', '5m',
                '--remote', `redis://127.0.0.1:${between.port}/cut${left}`],
            ['a', 'b', 'a'])), ['a', 'b']);
        }
        between.close();
    },

    async one_of_several_servers_will_do() {
        const p = await start(), r = await replica_of(p);
        const dead = await free_port();
        const list = `redis://127.0.0.1:${dead},127.0.0.1:${r.port},` +
            `127.0.0.1:${p.port}/seen`;
        const one = new Run(['--remote', list, '--retry', '5m']);
        await one.write(['a', 'b']);
        await written(one, 2);
        assert.strictEqual(await p.call('FR.EXISTS', 'seen', 'a'), 1);
        await until('the replica has all', () => in_sync(p, r));
        await p.end('SIGKILL');
        await r.call('REPLICAOF', 'NO', 'ONE');
        await one.write(['a', 'c', 'b']);
        assert.deepStrictEqual(succeeded(await one.end()), ['a', 'b', 'c']);
        const two = await freshet(['--remote', `redis://127.0.0.1:${dead},` +
            `127.0.0.1:${p.port}/seen`], ['a']);
        assert.match(two.err, /Connection refused/);
    },

    async one_of_several_nodes_of_a_cluster_will_do() {
        const nodes = await cluster(3), dead = await free_port();
        const list = `redis://127.0.0.1:${dead},127.0.0.1:${nodes[2].port}/x`;
        assert.deepStrictEqual(succeeded(await freshet(['--remote', list,
            '--shards', '5'], ['a', 'b', 'a'])), ['a', 'b']);
    },

    // Answers are lost, and meanwhile other clients take the places of those
    // that were kept: what was new must not be called a repeat of itself.
    async a_server_that_forgot_its_clients_loses_no_record() {
        const s = await start({ 'freshet.replay-clients': 2 });
        const between = await relay(s.port), all = items(30000);
        const r = new Run(['--remote',
            `redis://127.0.0.1:${between.port}/seen`]);
        await r.write(all.slice(0, 10000));
        await written(r, 10000);
        between.swallow = true;
        await r.write(all.slice(5000, 20000));
        await until('an answer is lost', async () => between.swallowed > 0);
        await sleep(100);
        for (let i = 0; i < 3; i++)
            succeeded(await freshet(['--remote', url(s)], [`other-${i}`]));
        between.swallow = false;
        between.cut();
        await r.write(all.slice(15000));
        await r.end();
        assert.strictEqual(r.code, 0);
        assert.deepStrictEqual([...new Set(r.lines())], all, 'nothing is lost');
        assert.ok(r.lines().length < 45000, 'few pass uncompared');
        assert.match(r.err, /records passed without being compared/);
        between.close();
    },

    async many_clients_at_a_time_lose_and_repeat_nothing() {
        const s = await start({ 'freshet.replay-clients': 2 });
        const all = items(40000), runs = [];
        for (let i = 0; i < 4; i++)
            runs.push(freshet(['--remote', url(s)], all));
        const out = (await Promise.all(runs)).flatMap(succeeded);
        assert.deepStrictEqual(out.sort(), [...all].sort());
        assert.ok(Number(await field(s, 'freshet_filters',
            'freshet_clients_forgotten')) > 8);
    },
};

run(tests);
