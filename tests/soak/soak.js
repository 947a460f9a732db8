// soak.js - random kills and restarts under load, for MINUTES, against an exact
// oracle
//
// SERVER, MODULE and FRESHET are as in tests/module/lib.js; SEED repeats what is
// chosen at random, though not when things happen.  A table comes at the end,
// and what it has so far every minute.  A record that no run printed is lost:
// the status is 1 then, or if a digest differs.
'use strict';
const fs = require('fs');
const path = require('path');
const { spawn, spawnSync } = require('child_process');
const { work, sleep, until, start, replica_of, in_sync, field, cluster,
    cluster_in_sync, cli, items, SERVER } = require('../module/lib.js');
const { Run, url } = require('../module/remote_lib.js');
const { FRESHET, MINUTES = '60', SEED = String(Date.now()) } = process.env;

const end = Date.now() + Number(MINUTES) * 60000;
let state = Number(SEED) >>> 0;

// Random numbers below n: the same for the same SEED.
function random(n) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * n);
}

// ---- What is counted -----------------------------------------------------

const columns = ['rounds', 'records', 'kills', 'failovers', 'lost', 'repeated',
    'digests', 'different'];
const table = {};
let trouble = 0;

function count(row, what) {
    table[row] = table[row] || Object.fromEntries(columns.map(c => [c, 0]));
    for (const [name, n] of Object.entries(what)) table[row][name] += n;
}

function print_table() {
    const line = (name, cells) => name.padEnd(11) +
        cells.map(cell => String(cell).padStart(11)).join('');
    const sum = {};
    for (const row of Object.values(table))
        for (const c of columns) sum[c] = (sum[c] || 0) + row[c];
    console.log(line('', columns));
    for (const [name, row] of [...Object.entries(table), ['all', sum]])
        console.log(line(name, columns.map(c => row[c] || 0)));
    return (sum.lost || 0) + (sum.different || 0);
}

// A stream in which about half of the records are repeats.
let streams = 0;
function stream(n) {
    const name = `s${streams++}-`;
    return Array.from({ length: n }, () => name + random(n * 0.7 | 0));
}

// Which records of a stream were printed, in all runs together.
function judge(row, records, printed) {
    const wanted = new Set(records), seen = new Set(printed);
    const lost = [...wanted].filter(record => !seen.has(record));
    if (lost.length)
        console.log(`${row}: lost ${lost.length}, such as ${lost.slice(0, 5)}`);
    count(row, { rounds: 1, records: records.length, lost: lost.length,
        repeated: printed.length - seen.size });
}

async function compare(row, key, one, other) {
    const same = await one.digest(key) === await other.digest(key);
    if (!same) console.log(`${row}: ${key} differs`);
    count(row, { digests: 1, different: same ? 0 : 1 });
}

// ---- A filter with a state, killed ---------------------------------------

// One run on a file; ms: after which it is killed.  Its status, null if it was
// killed, and whole lines of output.
function run_once(args, input, ms) {
    const out = path.join(work, 'out'), fd = fs.openSync(out, 'w');
    return new Promise(resolve => {
        const child = spawn(FRESHET, [...args, input],
            { stdio: ['ignore', fd, 'pipe'] });
        let said = '';
        child.stderr.on('data', data => { said += data; });
        const timer = setTimeout(() => child.kill('SIGKILL'), ms);
        child.once('close', code => {
            clearTimeout(timer);
            fs.closeSync(fd);
            resolve({ code, said, lines: fs.readFileSync(out, 'latin1')
                .split('\n').slice(0, -1) });
        });
    });
}

async function pipe_round() {
    const row = 'pipe', records = stream(50000 + random(150000));
    const input = path.join(work, 'input'), file = path.join(work, 'state');
    const args = ['--state', file, '--checkpoint', '10ms', '-m', '8M', '--parallel',
        String(1 + random(3)), ...random(2) ? ['--hash', 'siphash'] : []];
    const printed = [];
    fs.rmSync(file, { force: true });
    fs.writeFileSync(input, records.join('\n') + '\n');
    for (let kills = random(6); ; kills--) {
        const r = await run_once(args, input, kills > 0 ? random(120) : 600000);
        for (const line of r.lines) printed.push(line);
        if (r.code === null) count(row, { kills: 1 });
        if (r.code === 2) throw new Error(`pipe: ${r.said}`);
        if (r.code === 0) break;
    }
    judge(row, records, printed);
    const again = await run_once(args, input, 600000); // it knows them all
    if (again.code !== 0 || again.lines.length)
        throw new Error(`pipe: a run after the last: ${again.code}, ` +
            `${again.lines.length} records, ${again.said}`);
    const left = fs.readdirSync(work).filter(name => /^state\./.test(name));
    if (left.length) throw new Error(`pipe: left behind: ${left}`);
}

// ---- A server, killed while a run goes on --------------------------------

const persistent = { appendonly: 'yes', appendfsync: 'always' };

// A run into which a stream trickles, while something is done to servers.
async function under_load(row, args, records, disturb) {
    const r = new Run(args);
    let over = false;
    const feed = (async () => {
        for (let at = 0; at < records.length && !over; at += 500) {
            await Promise.race([r.write(records.slice(at, at + 500)), r.done]);
            await sleep(5);
        }
    })();
    await disturb(r);
    await feed;
    await r.end();
    over = true;
    if (r.code !== 0) throw new Error(`${row}: status ${r.code}: ${r.err}`);
    judge(row, records, r.lines());
}

async function server_round(servers) {
    const s = servers.one = servers.one || await start(persistent);
    const name = `f${streams}`;
    await under_load('server', ['--at-least-once', '--retry', '60s', '-m', '4M',
        '--shards', String(1 + random(3)), '--remote', url(s, name)],
    stream(40000), async () => {
        for (let i = random(3); i >= 0; i--) {
            await sleep(20 + random(200));
            await s.end('SIGKILL');
            count('server', { kills: 1 });
            await sleep(random(100));
            await s.start();
        }
    });
    await s.call('FLUSHALL');
}

// ---- A replica, killed while its primary is written to -------------------

async function replica_round(servers) {
    const p = servers.primary = servers.primary || await start();
    const r = servers.replica = servers.replica || await replica_of(p);
    const key = 'k';
    let writing = true, records = 0;
    await p.call('FR.RESERVE', key, 'MEMORY', '1M', ...random(2) ?
        ['LAST', 5000] : []).catch(() => {});
    const load = (async () => {
        while (writing) {
            await p.call('FR.MADD', key, ...items(50, `r${random(1000)}`));
            records += 50;
        }
    })();
    for (let i = random(3); i >= 0; i--) {
        await sleep(random(300));
        await r.end('SIGKILL');
        await sleep(random(200));
        await r.start();
        count('replica', { kills: 1 });
    }
    writing = false;
    await load;
    await until('the replica is in sync', () => in_sync(p, r));
    count('replica', { rounds: 1, records });
    await compare('replica', key, p, r);
    await p.call('FLUSHALL');
}

// ---- A cluster, whose primaries are killed -------------------------------

const is_primary = async node =>
    await field(node, 'replication', 'role') === 'master';

async function keys_of(node) {
    const all = await node.call('KEYS', '*');
    return all.map(String);
}

// Each key of each replica, as its primary has it.
async function compare_replicas(nodes) {
    for (const node of nodes) {
        if (await is_primary(node)) continue;
        const port = Number(await field(node, 'replication', 'master_port'));
        const primary = nodes.find(other => other.port === port);
        await node.call('READONLY');
        for (const key of await keys_of(primary))
            await compare('cluster', key, primary, node);
    }
}

// Does a node say that the one with an id has failed, and has no slots left?
async function is_replaced(id, node) {
    const lines = String(await node.call('CLUSTER', 'NODES')).split('\n');
    const words = lines.find(line => line.startsWith(id)).split(' ');
    return /fail$/.test(words[2]) && words.length === 8;
}

async function fail_over(nodes) {
    const primaries = [];
    await cluster_in_sync(nodes, 3);
    for (const node of nodes)
        if (await is_primary(node)) primaries.push(node);
    const killed = primaries[random(primaries.length)];
    const id = String(await killed.call('CLUSTER', 'MYID'));
    const other = nodes.find(node => node !== killed);
    await sleep(random(500));
    await killed.end('SIGKILL');
    count('cluster', { kills: 1 });
    await until('a replica takes over', () => is_replaced(id, other), 120);
    await killed.start();
    await until('it comes back as a replica', async () =>
        !await is_primary(killed), 120);
    count('cluster', { failovers: 1 });
}

async function cluster_round(servers) {
    const nodes = servers.nodes = servers.nodes || await cluster(6, 1);
    const name = `c${streams}`;
    await under_load('cluster', ['--shards', '6', '-m', '12M', '--retry', '60s',
        '--at-least-once', '--remote', url(nodes[random(6)], name)],
    stream(60000), () => fail_over(nodes));
    await cluster_in_sync(nodes, 3);
    await compare_replicas(nodes);
    for (const node of nodes)
        if (await is_primary(node)) await node.call('FLUSHALL');
}

// ---- Until the time is over ----------------------------------------------

async function soak() {
    const servers = {}, rounds = [pipe_round, server_round, pipe_round,
        replica_round, pipe_round, server_round, cluster_round];
    let told = Date.now();
    console.log(`SEED=${SEED}, ${MINUTES} minutes`);
    for (let i = 0; Date.now() < end; i++) {
        await rounds[i % rounds.length](servers);
        if (Date.now() - told < 60000) continue;
        told = Date.now();
        console.log(`${Math.ceil((end - told) / 60000)} minutes left`);
        print_table();
    }
}

if (spawnSync(SERVER, ['--version']).error) {
    console.log('there is no server');
    process.exit(77);
}
soak().catch(error => {
    trouble = 1;
    console.log(`FAILED: ${error.stack}`);
}).then(() => {
    const wrong = print_table();
    process.exit(wrong || trouble ? 1 : 0);
});
