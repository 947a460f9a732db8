// lib.js - servers, clients and checks for the module's tests
//
// SERVER is redis-server or valkey-server, MODULE the module, FRESHET the program;
// PRELOAD is what a sanitized module needs loaded before it.
'use strict';
const assert = require('assert');
const { spawn, spawnSync, execFileSync } = require('child_process');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const { SERVER, MODULE, FRESHET } = process.env;
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'freshet-module-'));
const children = new Set();

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

// Wait until a condition holds; what is asked must become true by itself.
async function until(what, condition, seconds = 180) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
        if (await condition().catch(() => false)) return;
        await sleep(20);
    }
    throw new Error(`not within ${seconds} s: ${what}`);
}

// ---- The protocol -------------------------------------------------------

class ReplyError extends Error {}

// Parse one reply at an offset: [value, end], or null if it is not whole.
// Strings are Buffers, maps are Maps.
function parse(buffer, at) {
    const eol = buffer.indexOf('\r\n', at);
    if (eol < 0) return null;
    const line = buffer.toString('latin1', at + 1, eol);
    const number = Number(line);
    let end = eol + 2;
    switch (String.fromCharCode(buffer[at])) {
    case '+': return [line, end];
    case '-': return [new ReplyError(line), end];
    case ':': return [number, end];
    case ',': return [number, end];
    case '_': return [null, end];
    case '#': return [line === 't', end];
    case '$': case '=':
        if (number < 0) return [null, end];
        if (buffer.length < end + number + 2) return null;
        return [Buffer.from(buffer.subarray(end, end + number)),
            end + number + 2];
    case '*': case '~': case '%': case '>': {
        if (number < 0) return [null, end];
        const map = buffer[at] === 0x25, all = [];
        for (let i = 0; i < number * (map ? 2 : 1); i++) {
            const one = parse(buffer, end);
            if (!one) return null;
            all.push(one[0]);
            end = one[1];
        }
        if (!map) return [all, end];
        const pairs = new Map();
        for (let i = 0; i < all.length; i += 2)
            pairs.set(String(all[i]), all[i + 1]);
        return [pairs, end];
    }
    default: throw new Error('no reply: ' + buffer.subarray(at, at + 40));
    }
}

const bytes = arg => Buffer.isBuffer(arg) ? arg : Buffer.from(String(arg));

class Client {
    constructor(port) {
        this.waiting = [];
        this.rest = Buffer.alloc(0);
        this.socket = net.connect(port, '127.0.0.1');
        this.socket.setNoDelay(true);
        this.socket.on('data', data => this.receive(data));
        this.socket.on('error', () => {});
        this.socket.on('close', () => {
            this.closed = true;
            for (const w of this.waiting) w.reject(new Error('closed'));
            this.waiting = [];
        });
    }

    receive(data) {
        const buffer = Buffer.concat([this.rest, data]);
        let at = 0, one;
        while (at < buffer.length && (one = parse(buffer, at))) {
            const { resolve, reject } = this.waiting.shift();
            at = one[1];
            if (one[0] instanceof ReplyError) reject(one[0]);
            else resolve(one[0]);
        }
        this.rest = buffer.subarray(at);
    }

    call(...args) {
        const out = [Buffer.from(`*${args.length}\r\n`)];
        for (const arg of args.map(bytes))
            out.push(Buffer.from(`$${arg.length}\r\n`), arg,
                Buffer.from('\r\n'));
        if (this.closed) return Promise.reject(new Error('closed'));
        return new Promise((resolve, reject) => {
            this.waiting.push({ resolve, reject });
            this.socket.write(Buffer.concat(out));
        });
    }

    close() { this.socket.destroy(); }
}

// ---- Servers ------------------------------------------------------------

function is_free(port) {
    return new Promise(resolve => {
        const probe = net.createServer();
        probe.once('error', () => resolve(false));
        probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
}

// Each test program has 100 ports of its own, so that a client whose server was
// ended never meets the server of another program.  A program claims its ports by
// listening on a port below them until it exits.
async function claim_ports() {
    for (let block = 0; block < 100; block++) {
        const claim = net.createServer().unref();
        const taken = new Promise((resolve, reject) => {
            claim.once('error', reject);
            claim.listen(10900 + block, '127.0.0.1', resolve);
        });
        if (await taken.then(() => true, () => false))
            return 11000 + block * 100;
    }
    throw new Error('100 test programs hold all ports');
}

// Returns a port that no server of this program had.  Ports and their cluster
// bus, 10000 above them, lie below those that the system gives to clients: a
// client of a port without a server could be connected to itself.
let ports, used = 0;
async function free_port() {
    ports ??= claim_ports();
    while (used < 100) {
        const port = await ports + used++;
        if (await is_free(port) && await is_free(port + 10000)) return port;
    }
    throw new Error('this program has used its 100 ports');
}

class Server {
    // options: { 'appendonly': 'yes', ... }
    constructor(port, options = {}) {
        this.port = port;
        this.options = options;
        this.dir = path.join(work, String(port));
        fs.mkdirSync(this.dir, { recursive: true });
    }

    async start() {
        const args = ['--port', this.port, '--bind', '127.0.0.1', '--dir',
            this.dir, '--enable-debug-command', 'yes',
            '--repl-diskless-sync-delay', '0'];
        if (!('loadmodule' in this.options))
            args.push('--loadmodule', MODULE);
        if (!('save' in this.options)) args.push('--save', '');
        for (const [name, value] of Object.entries(this.options))
            args.push('--' + name, ...Array.isArray(value) ? value :
                String(value).split(' '));
        const log = fs.openSync(path.join(this.dir, 'log'), 'a');
        this.child = spawn(SERVER, args.map(String), {
            cwd: this.dir, stdio: ['ignore', log, log],
            env: { ...process.env, LD_PRELOAD: process.env.PRELOAD || '',
                ASAN_OPTIONS: 'detect_leaks=0:allocator_may_return_null=1' },
        });
        children.add(this.child);
        this.exited = new Promise(resolve => this.child.once('exit', code => {
            children.delete(this.child);
            this.code = code;
            resolve(code);
        }));
        fs.closeSync(log);
        await until('the server is up', async () => {
            if (this.child.exitCode !== null)
                return true;
            this.client = new Client(this.port);
            return (await this.client.call('PING')) === 'PONG';
        });
        if (this.child.exitCode !== null)
            throw new Error(`no server: ${this.log().slice(-2000)}`);
        return this;
    }

    call(...args) { return this.client.call(...args); }
    connect() { return new Client(this.port); }
    log() { return fs.readFileSync(path.join(this.dir, 'log'), 'latin1'); }

    async end(signal = 'SIGTERM') {
        this.client.close();
        this.child.kill(signal);
        await this.exited;
    }

    async restart() {
        await this.end();
        return this.start();
    }

    async digest(key) {
        return String((await this.call('DEBUG', 'DIGEST-VALUE', key))[0]);
    }
}

async function start(options) {
    return new Server(await free_port(), options).start();
}

// A replica that has caught up.
async function replica_of(primary, options = {}) {
    const r = await start({ ...options,
        replicaof: `127.0.0.1 ${primary.port}` });
    await until('the replica is in sync', () => in_sync(primary, r));
    return r;
}

async function field(server, section, name) {
    const text = String(await server.call('INFO', section));
    const found = text.match(new RegExp(`^${name}:(.*)\r$`, 'm'));
    return found && found[1];
}

async function in_sync(primary, replica) {
    return await field(replica, 'replication', 'master_link_status') === 'up' &&
        await field(replica, 'replication', 'slave_repl_offset') ===
            await field(primary, 'replication', 'master_repl_offset');
}

// Waits until this many nodes are replicas and have what their primaries have.
// A server may begin to send as late as a second after a replica is up.
function cluster_in_sync(nodes, replicas) {
    return until('the replicas are in sync', async () => {
        let n = 0;
        for (const node of nodes) {
            const port = Number(await field(node, 'replication',
                'master_port'));
            const primary = nodes.find(other => other.port === port);
            n += primary ? await in_sync(primary, node) : 0;
        }
        return n === replicas;
    });
}

// n nodes, of which replicas are replicas of the others, up and agreed.  Nodes are
// given time: one that is slow to answer on a busy machine must not be taken for
// dead.
async function cluster(n, replicas = 0, options = {}) {
    const nodes = [];
    for (let i = 0; i < n; i++)
        nodes.push(await start({ 'cluster-enabled': 'yes',
            'cluster-node-timeout': 30000, 'cluster-config-file': 'nodes.conf',
            ...options }));
    cli('--cluster', 'create', ...nodes.map(s => `127.0.0.1:${s.port}`),
        '--cluster-replicas', replicas, '--cluster-yes');
    for (const node of nodes)
        await until('the cluster agrees', async () =>
            /cluster_state:ok/.test(await node.call('CLUSTER', 'INFO')));
    await cluster_in_sync(nodes, n - n / (replicas + 1));
    return nodes;
}

// Kill a node of a cluster.  The others notice soon.
async function kill_node(nodes, victim) {
    for (const node of nodes)
        await node.call('CONFIG', 'SET', 'cluster-node-timeout', 4000);
    await victim.end('SIGKILL');
}

function cli(...args) {
    return execFileSync(SERVER.replace('-server', '-cli'), args.map(String),
        { encoding: 'latin1', stdio: ['ignore', 'pipe', 'pipe'] });
}

function freshet(args, input) {
    return execFileSync(FRESHET, args, { encoding: 'latin1', input });
}

// ---- Values -------------------------------------------------------------

// The pairs of a flat array as an object, strings as text.
function pairs(flat) {
    const all = {};
    for (let i = 0; i < flat.length; i += 2)
        all[String(flat[i])] = Buffer.isBuffer(flat[i + 1]) ?
            String(flat[i + 1]) : flat[i + 1];
    return all;
}

async function fails(promise, pattern) {
    await assert.rejects(promise, error => {
        assert.ok(error instanceof ReplyError, `no reply: ${error}`);
        assert.match(error.message, pattern);
        return true;
    });
}

// The saved bytes of a filter, chunk by chunk.
async function dump(server, key, count = 1 << 20) {
    const parts = [];
    let at = 0, total;
    do {
        const [next, all, chunk] =
            await server.call('FR.DUMP', key, at, 'COUNT', count);
        parts.push(chunk);
        at = next;
        total = all;
    } while (at);
    const saved = Buffer.concat(parts);
    assert.strictEqual(saved.length, total);
    return saved;
}

async function load(server, key, saved, count = 1 << 20, ...more) {
    let next = 0;
    for (let at = 0; at < saved.length; at += count)
        next = await server.call('FR.LOAD', key, at, saved.length,
            saved.subarray(at, at + count), ...more);
    return next;
}

const items = (n, prefix = 'item') =>
    Array.from({ length: n }, (_, i) => `${prefix}-${i}`);

// ---- Running ------------------------------------------------------------

function clean() {
    for (const child of children) child.kill('SIGKILL');
    fs.rmSync(work, { recursive: true, force: true });
}

// Run the tests of a file, an object of functions, named for what they claim;
// arguments of the program choose some of them.
async function run(tests) {
    const chosen = process.argv.slice(2);
    let failed = 0;
    if (spawnSync(SERVER, ['--version']).error) {
        console.log(`${SERVER.replace('-server', '')}: not installed, skipped`);
        process.exit(77);
    }
    for (const [name, test] of Object.entries(tests)) {
        if (chosen.length && !chosen.includes(name)) continue;
        const begun = Date.now();
        try {
            await test();
            console.log(`ok ${name} (${Date.now() - begun} ms)`);
        } catch (error) {
            failed++;
            console.log(`FAILED ${name}: ${error.stack}`);
        }
        await Promise.all([...children].map(child => new Promise(resolve => {
            child.once('exit', resolve);
            child.kill('SIGKILL');
        })));
    }
    process.exit(failed ? 1 : 0);
}
process.on('exit', clean);
process.on('SIGTERM', () => process.exit(1));

// RESTORE of a key's dump with a bit flipped or with its middle missing, the
// server's own checksum switched off.  What is taken must be safe to use; how
// many were refused.
async function restore_damaged(s, key, use, step = () => 1) {
    await s.call('DEBUG', 'SET-SKIP-CHECKSUM-VALIDATION', '1');
    const good = await s.call('DUMP', key), type = await s.call('TYPE', key);
    let refused = 0;
    for (let i = 0; i < good.length; i += step(i)) {
        const bad = Buffer.from(good);
        bad[i] ^= 1 << i % 8;
        await s.call('RESTORE', 'bad', 0, bad, 'REPLACE').catch(
            () => refused++);
        if (await s.call('TYPE', 'bad') === type)
            await use('bad');
        await s.call('DEL', 'bad');
    }
    for (const cut of [1, 9, 20, 100, 300, 400, good.length - 11])
        await fails(s.call('RESTORE', 'cut', 0,
            Buffer.concat([good.subarray(0, cut), good.subarray(-10)])),
        /Bad data format|payload/);
    assert.strictEqual(await s.call('PING'), 'PONG');
    return refused;
}

module.exports = { assert, Client, ReplyError, SERVER, MODULE, work, sleep,
    until, free_port, start, replica_of, in_sync, field, cluster,
    cluster_in_sync, kill_node, cli, freshet, pairs, fails, dump, load, items, restore_damaged, run };
