// cluster.js - three nodes, six nodes, moving slots, a primary killed
'use strict';
const { spawn } = require('child_process');
const { assert, Client, SERVER, cluster, cluster_in_sync, kill_node, until,
    field, run, sleep } = require('./lib.js');

const KEYS = 48; // filters, spread over the nodes by their names
const PAUSE = 2; // ms between a writer's requests: hundreds in a second

// Errors after which a request is sent again.
const passing = /^(closed|TRYAGAIN|CLUSTERDOWN|LOADING|READONLY|MOVED|ASK)/;

// A client that follows MOVED and ASK, and asks again when a node is gone.
class Follower {
    constructor(ports) {
        this.ports = ports;
        this.clients = new Map();
        this.homes = new Map();
    }

    at(port) {
        let c = this.clients.get(port);
        if (!c || c.closed) this.clients.set(port, c = new Client(port));
        return c;
    }

    async call(key, ...args) {
        const end = Date.now() + 180000;
        for (let tries = 0; Date.now() < end; tries++) {
            const port = this.homes.get(key) ||
                this.ports[tries % this.ports.length];
            try {
                const answer = await this.at(port).call(...args);
                this.homes.set(key, port);
                return answer;
            } catch (error) {
                const word = error.message.split(' ');
                const to = word[2] && Number(word[2].split(':').pop());
                if (word[0] === 'MOVED') {
                    this.homes.set(key, to);
                } else if (word[0] === 'ASK') {
                    const c = this.at(to);
                    const asking = c.call('ASKING').catch(() => {});
                    const answer = await c.call(...args).catch(e => e);
                    await asking;
                    if (!(answer instanceof Error)) return answer;
                    if (!passing.test(answer.message)) throw answer;
                } else if (passing.test(error.message)) {
                    this.homes.delete(key);
                    await sleep(20);
                } else {
                    throw error;
                }
            }
        }
        throw new Error(`no node takes ${args[0]} of ${key}`);
    }

    close() { for (const c of this.clients.values()) c.close(); }
}

// A hash that is the client's own: n-th of a writer.
function hashes(writer, from, n) {
    const all = Buffer.alloc(16 * n);
    for (let i = 0; i < n; i++) {
        const x = BigInt(writer * 1000003 + from + i + 1);
        all.writeBigUInt64LE((x * 0x9e3779b97f4a7c15n) & (2n ** 64n - 1n),
            16 * i);
        all.writeBigUInt64LE((x * 0xc2b2ae3d27d4eb4fn) & (2n ** 64n - 1n),
            16 * i + 8);
    }
    return all;
}

// One numbered request about eight hashes.  A filter may not know the writer,
// as a replica that has just taken over: what it does not know was not done.
async function ask(me, key, number, seq) {
    await sleep(PAUSE);
    const send = (...first) => me.call(key, 'FR.MADDHASH', key,
        hashes(number, seq * 8, 8), 'CLIENT', `writer-${number}`, 'SEQ', seq,
        ...first);
    return String(await send().catch(error => {
        if (!/^FORGOTTEN/.test(error.message)) throw error;
        return send('FIRST');
    }));
}

// Write numbered requests until told to stop; each hash is new, so each
// answer must be all ones, whatever was moved, cut or asked again.
async function writer(ports, number, state) {
    const me = new Follower(ports);
    let sent = 0;
    for (let seq = 1; !state.stop || seq <= KEYS; seq++) {
        const key = `seen:${seq % KEYS}`;
        const verdicts = await ask(me, key, number, seq);
        assert.strictEqual(verdicts, '11111111',
            `writer ${number}, request ${seq}`);
        sent = seq;
    }
    me.close();
    return sent;
}

// Returns their results.  A failure is reported where they are awaited, not before.
function all_of(promises) {
    const all = Promise.all(promises);
    all.catch(() => {});
    return all;
}

async function make_filters(ports, ...options) {
    const f = new Follower(ports);
    for (let i = 0; i < KEYS; i++)
        await f.call(`seen:${i}`, 'FR.RESERVE', `seen:${i}`, 'MEMORY', '1M',
            ...options);
    return f;
}

// All that the writers had confirmed is remembered: nothing is new.
async function check_all(f, sent) {
    for (let w = 0; w < sent.length; w++)
        for (let seq = 1; seq <= sent[w]; seq++) {
            const key = `seen:${seq % KEYS}`;
            const verdicts = String(await f.call(key, 'FR.MADDHASH', key,
                hashes(w, seq * 8, 8)));
            assert.strictEqual(verdicts, '00000000',
                `writer ${w}, request ${seq}`);
        }
    f.close();
}

const tests = {
    async three_nodes_share_the_filters() {
        const nodes = await cluster(3), ports = nodes.map(n => n.port);
        const f = await make_filters(ports);
        for (let i = 0; i < KEYS; i++) {
            assert.strictEqual(
                await f.call(`seen:${i}`, 'FR.ADD', `seen:${i}`, 'a'), 1);
            assert.strictEqual(
                await f.call(`seen:${i}`, 'FR.ADD', `seen:${i}`, 'a'), 0);
        }
        let total = 0;
        for (const node of nodes) {
            const here = await node.call('DBSIZE');
            assert.ok(here > 0, 'a node without filters');
            total += here;
        }
        assert.strictEqual(total, KEYS);
        await assert.rejects(
            f.call('seen:1', 'FR.MERGE', 'seen:1', 'seen:2'), /CROSSSLOT/);
    },

    async slots_move_while_four_clients_write() {
        const nodes = await cluster(3), ports = nodes.map(n => n.port);
        const f = await make_filters(ports), state = { stop: false };
        const writers = all_of([0, 1, 2, 3].map(n =>
            writer(ports, n, state)));
        await sleep(200);
        const to = String(await nodes[1].call('CLUSTER', 'MYID'));
        const from = String(await nodes[0].call('CLUSTER', 'MYID'));
        const before = await nodes[0].call('DBSIZE');
        await reshard(ports[0], from, to, 2000);
        assert.ok(await nodes[0].call('DBSIZE') <= before - 3, 'what moved');
        state.stop = true;
        await check_all(f, await writers);
    },

    async a_primary_is_killed_while_clients_write() {
        const nodes = await cluster(6, 1), ports = nodes.map(n => n.port);
        const f = await make_filters(ports), state = { stop: false };
        const role = async node =>
            field(node, 'replication', 'role');
        const primaries = [];
        for (const node of nodes)
            if (await role(node) === 'master') primaries.push(node);
        await cluster_in_sync(nodes, 3);
        const writers = all_of([0, 1].map(n => safe_writer(ports, n, state)));
        await sleep(500);
        const victim = primaries[0];
        await kill_node(nodes, victim);
        const alive = nodes.filter(n => n !== victim);
        await until('a replica took over', async () => {
            let n = 0;
            for (const node of alive) n += await role(node) === 'master';
            return n === 3;
        });
        await until('the cluster is whole', async () =>
            /cluster_state:ok/.test(await alive[0].call('CLUSTER', 'INFO')));
        await sleep(500);
        state.stop = true;
        const sent = await writers;
        assert.ok(sent.every(n => n > KEYS));
        f.ports = alive.map(n => n.port);
        f.homes.clear();
        await check_all(f, sent);
    },

    async replicas_in_a_cluster_are_exact() {
        const nodes = await cluster(6, 1), ports = nodes.map(n => n.port);
        const f = await make_filters(ports, 'ALGORITHM', 'rlbsbf', 'ERROR',
            '0.01');
        const state = { stop: false };
        const writers = all_of([4, 5].map(n =>
            random_writer(ports, n, state)));
        await sleep(1000);
        state.stop = true;
        await writers;
        await cluster_in_sync(nodes, 3);
        for (const node of nodes) {
            const port = Number(await field(node, 'replication',
                'master_port'));
            const primary = nodes.find(n => n.port === port);
            if (!primary) continue;
            assert.strictEqual(String(await node.call('DEBUG', 'DIGEST')),
                String(await primary.call('DEBUG', 'DIGEST')));
        }
        f.close();
    },
};

// As it is done by hand; it takes a while, and the writers go on.
function reshard(port, from, to, slots) {
    return new Promise((resolve, reject) => {
        const child = spawn(SERVER.replace('-server', '-cli'), ['--cluster',
            'reshard', `127.0.0.1:${port}`, '--cluster-from', from,
            '--cluster-to', to, '--cluster-slots', String(slots),
            '--cluster-yes'], { stdio: ['ignore', 'pipe', 'pipe'] });
        let text = '';
        child.stdout.on('data', data => { text += data; });
        child.stderr.on('data', data => { text += data; });
        child.on('exit', code => code ? reject(new Error(text.slice(-2000))) :
            resolve());
    });
}

// An answer may be lost with the primary that gave it, and what it remembered
// with it: such a request is asked again under its number and is new again.
// Only what a replica has acknowledged must be remembered.
async function safe_writer(ports, number, state) {
    const me = new Follower(ports);
    let confirmed = 0;
    for (let seq = 1; !state.stop || seq <= KEYS + 1; seq++) {
        const key = `seen:${seq % KEYS}`;
        for (;;) {
            const verdicts = await ask(me, key, number, seq);
            assert.strictEqual(verdicts, '11111111');
            const port = me.homes.get(key);
            const copies = await me.at(port).call('WAIT', 1, 1000)
                .catch(() => 0);
            // Where there is no replica left, the primary is all there is.
            if (copies >= 1 || await alone(me.at(port))) break;
        }
        confirmed = seq;
    }
    me.close();
    return confirmed;
}

async function alone(client) {
    const text = String(await client.call('INFO', 'replication')
        .catch(() => ''));
    return /role:master/.test(text) && /connected_slaves:0/.test(text);
}

async function random_writer(ports, number, state) {
    const me = new Follower(ports);
    for (let seq = 1; !state.stop; seq++) {
        const key = `seen:${seq % KEYS}`;
        await sleep(PAUSE);
        await me.call(key, 'FR.MADDHASH', key,
            hashes(number, seq * 50 % 7000, 100));
    }
    me.close();
}

run(tests);
