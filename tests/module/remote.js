// remote.js - freshet --remote against servers that move, fail and go away
'use strict';
const { execFileSync, spawn } = require('child_process');
const fs = require('fs');
const net = require('net');
const path = require('path');
const { assert, SERVER, work, free_port, start, cluster, cluster_in_sync,
    until, field, items, pairs, run, sleep } = require('./lib.js');
const { FRESHET } = process.env;

// A run of the program: its standard input stays open until end() is called.
class Run {
    constructor(args, env = {}) {
        this.child = spawn(FRESHET, args, { env: { ...process.env, ...env } });
        this.out = '';
        this.err = '';
        this.child.stdout.on('data', data => { this.out += data; });
        this.child.stderr.on('data', data => { this.err += data; });
        this.child.stdin.on('error', () => {});
        this.done = new Promise(resolve => this.child.once('close',
            code => { this.code = code; resolve(code); }));
    }

    write(lines) {
        return new Promise(resolve => this.child.stdin.write(
            lines.map(line => line + '\n').join(''), resolve));
    }

    async end() {
        this.child.stdin.end();
        await this.done;
        return this;
    }

    lines() { return this.out.split('\n').slice(0, -1); }
}

async function freshet(args, lines, env) {
    const r = new Run(args, env);
    await r.write(lines);
    return r.end();
}

function succeeded(r) {
    assert.strictEqual(r.err, '');
    assert.strictEqual(r.code, 0);
    return r.lines();
}

const url = (server, name = 'seen') => `redis://127.0.0.1:${server.port}/${name}`;

// What man freshet says that a user needs, but for a cluster.
const rights = ['~seen*', '+fr.info', '+fr.reserve', '+fr.maddhash'];

// A relay in front of a server.  Answers can be held back, and the connection
// cut: then requests have been done whose answers are lost.  Or it is cut when
// so many bytes are left of what goes to the server, and cut_short() is called.
async function relay(port) {
    const open = new Set();
    const state = { swallow: false, swallowed: 0, cuts: 0, left: Infinity };
    const listener = net.createServer(near => {
        const far = net.connect(port, '127.0.0.1');
        const pair = { near, far };
        open.add(pair);
        const close = () => {
            near.destroy();
            far.destroy();
            open.delete(pair);
        };
        near.on('data', data => {
            far.write(data.subarray(0, state.left));
            state.left -= data.length;
            if (state.left > 0) return;
            state.left = Infinity;
            far.end(); // what went through is still done
            far.once('close', state.cut_short);
        });
        far.on('data', data => {
            if (!state.swallow) return near.write(data);
            state.swallowed += data.length;
        });
        for (const s of [near, far]) {
            s.on('error', close);
            s.on('close', close);
        }
    });
    await new Promise(resolve => listener.listen(0, '127.0.0.1', resolve));
    state.port = listener.address().port;
    state.cut = () => {
        state.cuts++;
        for (const { near, far } of [...open]) {
            near.destroy();
            far.destroy();
        }
    };
    state.close = () => {
        state.cut();
        listener.close();
    };
    return state;
}

// Write lines bit by bit, so that something can happen in between.
async function trickle(r, lines, pieces, pause) {
    const size = Math.ceil(lines.length / pieces);
    for (let at = 0; at < lines.length; at += size) {
        await r.write(lines.slice(at, at + size));
        await sleep(pause);
    }
}

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

// How often a server has answered with such an error.
async function errors(server, word) {
    const n = await field(server, 'errorstats', `errorstat_${word}`);
    return n ? Number(n.replace('count=', '')) : 0;
}

const tests = {
    async a_second_run_knows_what_the_first_has_seen() {
        const s = await start();
        assert.deepStrictEqual(
            succeeded(await freshet(['--remote', url(s)],
                ['ann', 'bob', 'ann', 'cid'])), ['ann', 'bob', 'cid']);
        assert.deepStrictEqual(
            succeeded(await freshet(['--remote', url(s)],
                ['bob', 'dan', 'ann'])), ['dan']);
    },

    async other_clients_see_the_same_items() {
        const s = await start();
        await s.call('FR.RESERVE', 'seen', 'MEMORY', '1M');
        await s.call('FR.ADD', 'seen', 'ann');
        assert.deepStrictEqual(
            succeeded(await freshet(['--remote', url(s)], ['ann', 'bob'])),
            ['bob']);
        assert.strictEqual(await s.call('FR.EXISTS', 'seen', 'bob'), 1);
    },

    async many_records_keep_their_order() {
        const s = await start(), all = items(400000);
        for (const args of [[], ['--shards', '7'], ['--parallel', '1'],
            ['--parallel', '3', '--shards', '2']])
            assert.deepStrictEqual(succeeded(await freshet(
                [...args, '--remote', url(s, `n${args.join('')}`)],
                [...all, ...all])), all);
    },

    // Empty lines and single letters: more records than a question holds.
    async tiny_records_keep_their_order() {
        const s = await start(), all = [];
        for (let i = 0; i < 300000; i++)
            all.push(i % 3 ? '' : (i % 30).toString(36));
        assert.deepStrictEqual(
            succeeded(await freshet(['--remote', url(s)], all)),
            [...new Set(all)]);
    },

    async repeats_marks_and_counts_are_as_ever() {
        const s = await start();
        assert.deepStrictEqual(succeeded(await freshet(
            ['-D', '--remote', url(s, 'a')], ['x', 'y', 'x', 'x'])),
        ['x', 'x']);
        assert.deepStrictEqual(succeeded(await freshet(
            ['--annotate', '--remote', url(s, 'b')], ['x', 'x'])),
        ['0\tx', '1\tx']);
        assert.strictEqual((await freshet(['-q', '--remote', url(s, 'c')],
            ['x', 'x'])).code, 1);
        const r = await freshet(['--stats=json', '-m', '8M', '--shards', '2',
            '--remote', url(s, 'd')], ['x', 'x', 'y']);
        const stats = JSON.parse(r.err);
        assert.strictEqual(stats.new, 2);
        assert.strictEqual(stats.repeats, 1);
        assert.strictEqual(stats.algorithm, 'pocket');
        assert.ok(stats.memory <= 8 << 20 && stats.memory > 7 << 20);
    },

    async figures_are_those_of_the_server() {
        const s = await start();
        const stats = async (args, lines) => JSON.parse((await freshet(
            ['--stats=json', '--remote', ...args], lines)).err);
        await freshet(['--shards', '3', '-m', '3M', '--remote', url(s)],
            items(200000));
        const now = await stats([url(s), '--shards', '3'], ['x']);
        let used = 0, slots = 0;
        for (let i = 0; i < 3; i++) {
            const info = pairs(await s.call('FR.INFO', `seen:{${i}}`));
            used += info.used;
            slots += info.slots;
        }
        assert.ok(used > 0 && Math.abs(now.fill - used / slots) < 1e-9,
            `${now.fill}, not ${used} of ${slots}`);
        assert.ok(now.false_drop > 0 && now.false_drop < 1);
        assert.strictEqual(typeof now.forgotten, 'number');
        assert.strictEqual(now.over_plan, false);
        const large = await stats([url(s, 'large'), '-m', '80M'], ['x']);
        for (const unknown of ['fill', 'false_drop', 'false_pass', 'forgotten',
            'over_plan'])
            assert.ok(!(unknown in large), `${unknown} was not counted`);
        const r = new Run(['--stats=json', '--retry', '300ms', '--remote',
            url(s, 'gone'), '-m', '1M']);
        await r.write(['x']);
        await until('it is out', async () => r.out === 'x\n');
        await s.end();
        await r.write(['y']);
        await r.end();
        assert.ok(!('fill' in JSON.parse(r.err.split('\n')[1])), r.err);
    },

    async shards_get_equal_shares_and_one_seed() {
        const s = await start(), all = items(200000);
        await freshet(['--shards', '4', '-m', '16M', '--remote', url(s)], all);
        const offered = [], seeds = new Set();
        for (let i = 0; i < 4; i++) {
            const info = await s.call('FR.INFO', `seen:{${i}}`);
            const at = name => info[info.findIndex(x => String(x) === name) + 1];
            offered.push(at('offered'));
            seeds.add(String(at('seed')));
            assert.ok(at('memory') <= 4 << 20);
        }
        assert.strictEqual(seeds.size, 1);
        assert.ok(Math.max(...offered) < 1.1 * 50000, String(offered));
        assert.strictEqual(offered.reduce((a, b) => a + b), 200000);
    },

    async what_contradicts_the_filter_is_refused() {
        const s = await start();
        const refused = async (args, pattern) => {
            const r = await freshet([...args, '--remote', url(s)], ['x']);
            assert.strictEqual(r.code, 2);
            assert.strictEqual(r.out, '');
            assert.match(r.err, pattern);
        };
        await freshet(['--within', '1h', '-m', '1M', '-e', '1e-4', '--remote',
            url(s)], ['x']);
        await refused(['--within', '2h'], /--within 2h .* has 1h/);
        await refused(['-m', '2M'], /--memory 2M .* has 1M/);
        await refused(['-e', '0.1'], /--error 0.1 .* has 0.0001/);
        await refused(['--last', '9'], /--last 9 .* has none/);
        await refused(['--seed', '9'], /--seed 9 contradicts/);
        await refused(['--algorithm', 'sbf'], /--algorithm sbf .* has pocket/);
        await refused(['--shards', '2'], /seen is there/);
        await s.call('FR.RESERVE', 'two:{0}', 'MEMORY', '1M');
        await s.call('FR.ADD', 'two:{0}', 'x');
        for (const [shards, pattern] of [[1, /say --shards/],
            [2, /two:\{1\} is not there/]]) {
            const r = await freshet(['--shards', String(shards), '--remote',
                url(s, 'two')], ['x']);
            assert.match(r.err, pattern);
            assert.strictEqual(r.code, 2);
        }
        await s.call('FR.RESERVE', 'two:{1}', 'MEMORY', '1M');
        const r = await freshet(['--shards', '2', '--remote', url(s, 'two')],
            ['x']);
        assert.match(r.err, /another seed/);
        assert.deepStrictEqual(succeeded(await freshet(['--within', '60m',
            '-m', '1M', '--remote', url(s)], ['x', 'y'])), ['y']);
    },

    async a_lost_answer_does_not_turn_new_into_repeat() {
        const s = await start(), all = items(60000);
        for (const shards of ['1', '3']) {
            const between = await relay(s.port);
            const r = new Run(['--shards', shards, '--remote',
                `redis://127.0.0.1:${between.port}/lost${shards}`]);
            await r.write(all.slice(0, 20000));
            await until('the first are out', async () =>
                r.lines().length === 20000);
            between.swallow = true;
            await r.write(all.slice(10000, 40000)); // 20,000 of them are new
            await until('an answer is lost', async () => between.swallowed > 0);
            await sleep(100);
            between.swallow = false;
            between.cut();
            await r.write(all.slice(30000));
            assert.deepStrictEqual(succeeded(await r.end()), all);
            between.close();
        }
        assert.ok(Number(String(await s.call('INFO', 'everything'))
            .match(/repeated[a-z_]*:(\d+)/)[1]) > 0, 'nothing was repeated');
    },

    async cuts_at_any_time_lose_and_repeat_nothing() {
        const s = await start(), all = items(300000);
        const between = await relay(s.port);
        const r = new Run(['--shards', '2', '--remote',
            `redis://127.0.0.1:${between.port}/seen`]);
        await r.write(all.slice(0, 1));
        await until('it runs', async () => r.lines().length === 1);
        const timer = setInterval(() => between.cut(), 25);
        await trickle(r, [...all, ...all.slice(0, 1000)], 40, 5);
        clearInterval(timer);
        assert.deepStrictEqual(succeeded(await r.end()), all);
        assert.ok(between.cuts > 3);
        between.close();
    },

    // From a file, so that several windows are on their way, each with lines
    // that an earlier one has: none may overtake those that are sent again.
    async windows_that_are_sent_again_keep_their_order() {
        const s = await start(), all = items(600000);
        const file = path.join(work, 'twice'), block = 40000;
        const out = fs.openSync(file, 'w');
        for (let at = 0; at < all.length; at += block) {
            const lines = all.slice(at, at + block).join('\n') + '\n';
            fs.writeSync(out, lines + lines);
        }
        fs.closeSync(out);
        for (const shards of ['1', '3']) {
            const between = await relay(s.port);
            let cuts = 0;
            const r = new Run(['--shards', shards, '--remote',
                `redis://127.0.0.1:${between.port}/cut${shards}`, file]);
            between.cut_short = () => {
                between.left = 300000 + 171717 * (cuts++ % 7);
                between.cut();
            };
            between.left = 100000;
            assert.deepStrictEqual(succeeded(await r.end()), all);
            assert.ok(cuts > 9, `${cuts} cuts`);
            between.close();
        }
    },

    async a_restarted_server_is_waited_for() {
        const s = await start({ appendonly: 'yes', appendfsync: 'always' });
        const all = items(3000), r = new Run(['--remote', url(s)]);
        await r.write(all.slice(0, 1000));
        await until('the first are out', async () =>
            r.lines().length === 1000);
        await s.end();
        await r.write(all.slice(0, 2000));
        await sleep(300);
        await s.start();
        await r.write(all);
        assert.deepStrictEqual(succeeded(await r.end()), all);
    },

    async a_primary_that_misses_its_replicas_is_waited_for() {
        const s = await start(), r = new Run(['--remote', url(s)]);
        await r.write(['a', 'b']);
        await until('the first are out', async () => r.lines().length === 2);
        await s.call('CONFIG', 'SET', 'min-replicas-to-write', 1);
        await r.write(['b', 'c']);
        await until('it was refused', async () =>
            await errors(s, 'NOREPLICAS') > 1);
        await s.call('CONFIG', 'SET', 'min-replicas-to-write', 0);
        assert.deepStrictEqual(succeeded(await r.end()), ['a', 'b', 'c']);
    },

    async a_server_that_is_gone_stops_the_run() {
        const s = await start(), r = new Run(['--retry', '300ms', '--remote',
            url(s)]);
        await r.write(items(100));
        await until('the first are out', async () => r.lines().length === 100);
        await s.end();
        await r.write(['x', 'y']);
        await r.end();
        assert.strictEqual(r.code, 2);
        assert.match(r.err, /refused; stopped, with 100 records written/);
        assert.strictEqual(r.lines().length, 100);
    },

    async or_lets_records_pass_until_it_is_back() {
        const s = await start(), r = new Run(['--on-error=pass', '--retry',
            '200ms', '--remote', url(s)]);
        await r.write(['a', 'b', 'a']);
        await until('the first are out', async () => r.lines().length === 2);
        await s.end();
        await r.write(['a', 'c', 'c']);
        await until('they pass', async () => r.lines().length === 5);
        await r.end();
        assert.strictEqual(r.code, 0);
        assert.deepStrictEqual(r.lines(), ['a', 'b', 'a', 'c', 'c']);
        assert.match(r.err, /warning: .*; records pass uncompared/);
        assert.match(r.err, /warning: 3 records passed uncompared/);
    },

    async no_server_no_module_no_filter() {
        const s = await start();
        let r = await freshet(['--remote', 'redis://127.0.0.1:1/x'], ['x']);
        assert.match(r.err, /127\.0\.0\.1: Connection refused/);
        assert.strictEqual(r.code, 2);
        await s.call('SET', 'text', 'x');
        r = await freshet(['--remote', url(s, 'text')], ['x']);
        assert.match(r.err, /text: WRONGTYPE/);
        assert.strictEqual(r.code, 2);
        const run = new Run(['--remote', url(s)]);
        await run.write(['x']);
        await until('it is out', async () => run.out === 'x\n');
        await s.call('DEL', 'seen');
        await run.write(['y']);
        await run.end();
        assert.match(run.err, /ERR not found.* with 1 records written/);
        assert.strictEqual(run.code, 2);
    },

    async a_password_from_the_url_or_the_environment() {
        const s = await start();
        await s.call('ACL', 'SETUSER', 'ann', 'on', '>se:cret', ...rights);
        await s.call('ACL', 'SETUSER', 'default', 'off');
        const at = `127.0.0.1:${s.port}/seen`;
        assert.deepStrictEqual(succeeded(await freshet(
            ['--remote', `redis://ann:se%3Acret@${at}`], ['x'])), ['x']);
        assert.deepStrictEqual(succeeded(await freshet(
            ['--remote', `redis://ann@${at}`], ['x', 'y'],
            { FRESHET_PASSWORD: 'se:cret' })), ['y']);
        for (const [user, pattern] of [['', /NOAUTH/],
            ['ann:wrong@', /WRONGPASS/]]) {
            const r = await freshet(['--remote', `redis://${user}${at}`],
                ['x']);
            assert.match(r.err, pattern);
            assert.doesNotMatch(r.err, /wrong\b/);
            assert.strictEqual(r.code, 2);
        }
    },

    async a_socket_in_the_file_system() {
        const socket = path.join(work, 'socket');
        await start({ unixsocket: socket });
        assert.deepStrictEqual(succeeded(await freshet(
            ['--remote', `unix://${socket}/seen`], ['x', 'y', 'x'])),
        ['x', 'y']);
    },

    async tls_with_a_certificate_that_is_checked() {
        const file = name => path.join(work, name);
        const openssl = (...args) => execFileSync('openssl', args,
            { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] });
        for (const name of ['good', 'other'])
            openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days',
                '2', '-subj', '/CN=localhost', '-addext',
                'subjectAltName=DNS:localhost', '-keyout', `${name}.key`,
                '-out', `${name}.crt`);
        const port = await free_port(), s = await start({ 'tls-port': port,
            'tls-cert-file': file('good.crt'), 'tls-key-file': file('good.key'),
            'tls-ca-cert-file': file('good.crt'), 'tls-auth-clients': 'no' })
            .catch(error => {
                if (!/TLS|tls-/.test(error.message)) throw error;
            });
        if (!s) return console.log('skipped: this server has no TLS');
        const at = host => ['--remote', `rediss://${host}:${port}/seen`];
        const trusting = { SSL_CERT_FILE: file('good.crt') };
        const all = items(50000);
        assert.deepStrictEqual(succeeded(await freshet(at('localhost'),
            [...all, ...all], trusting)), all);
        for (const [host, env, pattern] of [
            ['localhost', { SSL_CERT_FILE: file('other.crt') }, /certificate/],
            ['127.0.0.1', trusting, /certificate is not accepted: IP/]]) {
            const r = await freshet(at(host), ['x'], env);
            assert.match(r.err, pattern);
            assert.strictEqual(r.code, 2);
        }
        const r = new Run([...at('localhost'), '--retry', '300ms'], trusting);
        await r.write(['y']);
        await until('it is out', async () => r.out === 'y\n');
        await s.end();
        await r.write(['z']);
        await r.end();
        assert.strictEqual(r.code, 2, 'a closed connection is no SIGPIPE');
        assert.match(r.err, /with 1 records written/);
    },

    async a_cluster_has_all_shards() {
        const nodes = await cluster(3), all = items(100000);
        assert.deepStrictEqual(succeeded(await freshet(['--shards', '6', '-m',
            '12M', '--remote', url(nodes[1])], [...all, ...all])), all);
        for (const node of nodes)
            assert.ok(await node.call('DBSIZE') > 0, 'a node without shards');
        assert.deepStrictEqual(succeeded(await freshet(['--shards', '6',
            '--remote', url(nodes[2])], [...all, 'x'])), ['x']);
    },

    async four_processes_let_each_record_through_once() {
        const nodes = await cluster(3), all = items(50000), runs = [];
        for (let i = 0; i < 4; i++)
            runs.push(new Run(['--shards', '4', '-m', '16M', '--remote',
                url(nodes[i % 3])]));
        await Promise.all(runs.map((r, i) => trickle(r,
            [...all.slice(i * 9000), ...all.slice(0, i * 9000)], 20, 3)));
        const out = [];
        for (const r of runs) out.push(...succeeded(await r.end()));
        assert.strictEqual(out.length, all.length);
        assert.deepStrictEqual(out.sort(), [...all].sort());
    },

    async slots_move_in_mid_stream() {
        const nodes = await cluster(3), all = items(200000);
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
        for (; at < 150000 || !moved; at += 500) {
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
        const r = new Run(['--shards', '6', '-m', '12M', '--remote',
            url(nodes[0])]);
        await trickle(r, all.slice(0, 20000), 20, 3);
        await until('they are out', async () => r.lines().length === 20000);
        await cluster_in_sync(nodes, 3);
        await nodes[0].end('SIGKILL');
        await trickle(r, all.slice(10000, 40000), 30, 10);
        await r.write(all);
        assert.deepStrictEqual(succeeded(await r.end()), all);
    },
};

run(tests);
