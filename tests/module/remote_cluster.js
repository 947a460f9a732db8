// remote_cluster.js - freshet --remote on clusters that move and fail over
'use strict';
const { spawn } = require('child_process');
const { assert, SERVER, cluster, cluster_in_sync, kill_node, until, items, run,
    sleep } =
    require('./lib.js');
const { Run, freshet, succeeded, url, trickle, errors, rights } =
    require('./remote_lib.js');

// Move all slots that one node owns to another, while keys are in them.
function reshard(port, from, to, slots) {
    return new Promise((resolve, reject) => {
        const child = spawn(SERVER.replace('-server', '-cli'), ['--cluster',
            'reshard', `127.0.0.1:${port}`, '--cluster-from', from,
            '--cluster-to', to, '--cluster-slots', String(slots),
            '--cluster-yes'], { stdio: ['ignore', 'ignore', 'pipe'] });
        let err = '';
        child.stderr.on('data', data => { err += data; });
        child.once('close', code => code === 0 ? resolve() :
            reject(new Error(`reshard: ${err}`)));
    });
}

const tests = {
    async a_cluster_has_all_shards() {
        const nodes = await cluster(3), all = items(30000);
        assert.deepStrictEqual(succeeded(await freshet(['--shards', '6', '-m',
            '12M', '--remote', url(nodes[1])], [...all, ...all])), all);
        for (const node of nodes)
            assert.ok(await node.call('DBSIZE') > 0, 'a node without shards');
        assert.deepStrictEqual(succeeded(await freshet(['--shards', '6',
            '--remote', url(nodes[2])], [...all, 'x'])), ['x']);
    },

    async four_processes_let_each_record_through_once() {
        const nodes = await cluster(3), all = items(20000), runs = [];
        for (let i = 0; i < 4; i++)
            runs.push(new Run(['--shards', '4', '-m', '16M', '--remote',
                url(nodes[i % 3])]));
        await Promise.all(runs.map((r, i) => trickle(r,
            [...all.slice(i * 4000), ...all.slice(0, i * 4000)], 20, 3)));
        const out = [];
        for (const r of runs) out.push(...succeeded(await r.end()));
        assert.strictEqual(out.length, all.length);
        assert.deepStrictEqual(out.sort(), [...all].sort());
    },

    async slots_move_in_mid_stream() {
        const nodes = await cluster(3), all = items(80000);
        const r = new Run(['--shards', '8', '-m', '16M', '--remote',
            url(nodes[0])]);
        const ids = [];
        for (const n of nodes) ids.push(String(await n.call('CLUSTER', 'MYID')));
        await r.write(all.slice(0, 1000));
        await until('it runs', async () => r.lines().length === 1000);
        const before = await nodes[0].call('DBSIZE');
        const moving = reshard(nodes[0].port, ids[0], ids[1], 5461);
        let moved = false;
        moving.then(() => { moved = true; }, () => { moved = true; });
        let at = 1000;
        for (; at < 60000 || !moved; at += 500) {
            await r.write(at < all.length ? all.slice(at - 500, at + 500) :
                all.slice(0, 500));
            await sleep(5);
        }
        await moving;
        assert.ok(before > 0 && await nodes[0].call('DBSIZE') === 0, 'moved');
        await r.write(all.slice(Math.min(at, all.length) - 500));
        assert.deepStrictEqual(succeeded(await r.end()), all);
        assert.ok(await errors(nodes[0], 'MOVED') > 0, 'nobody was sent away');
    },

    // The key is there, the slot still here: each request is sent on by ASK.
    async a_slot_that_is_halfway_moved_is_followed() {
        const nodes = await cluster(3), all = items(30000), key = 'seen:{0}';
        for (const n of nodes)
            await n.call('ACL', 'SETUSER', 'ann', 'on', '>secret', ...rights,
                '+cluster|slots', '+asking');
        const r = new Run(['--shards', '4', '-m', '4M', '--remote',
            `redis://ann@127.0.0.1:${nodes[0].port}/seen`],
        { FRESHET_PASSWORD: 'secret' });
        const out = n => until(`${n} are out`, async () =>
            r.lines().length === n);
        await r.write(all.slice(0, 10000));
        await out(10000);
        const slot = await nodes[0].call('CLUSTER', 'KEYSLOT', key);
        const has = await Promise.all(nodes.map(n =>
            n.call('EXISTS', key).catch(() => 0)));
        const from = nodes[has.indexOf(1)];
        const to = nodes.find(n => n !== from);
        const id = async n => String(await n.call('CLUSTER', 'MYID'));
        const set = (n, ...how) => n.call('CLUSTER', 'SETSLOT', slot, ...how);
        await set(to, 'IMPORTING', await id(from));
        await set(from, 'MIGRATING', await id(to));
        await from.call('MIGRATE', '127.0.0.1', to.port, key, 0, 5000);
        await r.write(all.slice(5000, 20000));
        await out(20000);
        assert.ok(await errors(from, 'ASK') > 0, 'nobody was sent on');
        assert.strictEqual(await errors(from, 'MOVED'), 0);
        for (const n of [to, from, ...nodes])
            await set(n, 'NODE', await id(to));
        await r.write(all);
        assert.deepStrictEqual(succeeded(await r.end()), all);
        assert.ok(await errors(from, 'MOVED') > 0, 'nobody was sent away');
    },

    async a_primary_that_is_killed_has_a_successor() {
        const nodes = await cluster(6, 1), all = items(60000);
        const r = new Run(['--retry', '5m', '--shards', '6', '-m', '12M', '--remote',
            url(nodes[0])]);
        await trickle(r, all.slice(0, 20000), 20, 3);
        await until('they are out', async () => r.lines().length === 20000);
        await cluster_in_sync(nodes, 3);
        await kill_node(nodes, nodes[0]);
        await trickle(r, all.slice(10000, 40000), 30, 10);
        await r.write(all);
        assert.deepStrictEqual(succeeded(await r.end()), all);
    },
};

run(tests);
