// remote.js - freshet --remote: what it prints, asks for and refuses
'use strict';
const { execFileSync } = require('child_process');
const path = require('path');
const { assert, work, free_port, start, until, items, pairs, run } =
    require('./lib.js');
const { Run, freshet, succeeded, url, rights } = require('./remote_lib.js');

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
        const large = await stats([url(s, 'large'), '-m', '160M', '--shards',
            '2'], items(100000)); // an estimate from a sample
        let all = 0;
        for (let i = 0; i < 2; i++) {
            const info =
                pairs(await s.call('FR.INFO', `large:{${i}}`, 'COUNT'));
            all += info.used / info.slots / 2;
        }
        assert.ok(large.fill > 0.9 * all && large.fill < 1.1 * all,
            `${large.fill}, not ${all}`);
        assert.ok(!('forgotten' in large), 'it was not counted');
        const bloom = await stats([url(s, 'bloom'), '-m', '80M', '--algorithm',
            'bloom'], ['x']);
        for (const unknown of ['fill', 'false_drop', 'false_pass', 'forgotten',
            'over_plan'])
            assert.ok(!(unknown in bloom), `${unknown} was not counted`);
        const r = new Run(['--stats=json', '--retry', '3s', '--remote',
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

    async both_hashes_serve_every_process() {
        const s = await start(), all = items(5000);
        const remote = ['--shards', '3', '--remote', url(s, 'keyed')];
        assert.deepStrictEqual(succeeded(await freshet(
            ['--hash', 'siphash', '-m', '3M', ...remote], all)), all);
        assert.deepStrictEqual(succeeded(await freshet(remote,
            [...all, 'other'])), ['other']);
        const info = pairs(await s.call('FR.INFO', 'keyed:{2}'));
        assert.strictEqual(info.hash, 'siphash');
        const r = await freshet(['--hash', 'xxh3-128', ...remote], ['x']);
        assert.match(r.err, /--hash xxh3-128 contradicts .* has siphash/);
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
        for (const [shards, pattern] of [[1, /give --shards/],
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

    async no_server_no_module_no_filter() {
        const s = await start();
        let r = await freshet(['--remote', 'redis://127.0.0.1:1/x'], ['x']);
        assert.match(r.err, /127\.0\.0\.1: Connection refused/);
        assert.strictEqual(r.code, 2);
        await s.call('SET', 'text', 'x');
        r = await freshet(['--remote', url(s, 'text')], ['x']);
        assert.match(r.err, /text: WRONGTYPE/);
        assert.strictEqual(r.code, 2);
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
        const r = new Run([...at('localhost'), '--retry', '3s'], trusting);
        await r.write(['y']);
        await until('it is out', async () => r.out === 'y\n');
        await s.end();
        await r.write(['z']);
        await r.end();
        assert.strictEqual(r.code, 2, 'a closed connection is no SIGPIPE');
        assert.match(r.err, /with 1 records written/);
    },
};

run(tests);
