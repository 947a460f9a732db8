// remote_trouble.js - freshet --remote while connections and servers go away
'use strict';
const fs = require('fs');
const path = require('path');
const { assert, work, start, until, items, run, sleep } = require('./lib.js');
const { Run, relay, succeeded, url, errors } =
    require('./remote_lib.js');

const tests = {
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
        const lines = [...all, ...all.slice(0, 1000)];
        for (let at = 0; at < lines.length; at += 7000) {
            await r.write(lines.slice(at, at + 7000));
            await sleep(at % 13); // the next cut comes when the next are read
            between.cut();
        }
        assert.deepStrictEqual(succeeded(await r.end()), all);
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
        const all = items(3000);
        const r = new Run(['--retry', '5m', '--remote', url(s)]);
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
        const s = await start(), r = new Run(['--retry', '3s', '--remote',
            url(s)]);
        await r.write(items(100));
        await until('the first are out', async () => r.lines().length === 100);
        await s.end();
        await r.write(['x', 'y']);
        await r.end();
        assert.strictEqual(r.code, 2);
        assert.match(r.err, /127\.0\.0\.1: seen: .*refused/);
        assert.match(r.err, /stopped, with 100 records written/);
        assert.strictEqual(r.lines().length, 100);
    },

    async or_lets_records_pass_until_it_is_back() {
        const s = await start(), r = new Run(['--on-error=pass', '--annotate',
            '--retry', '3s', '--remote', url(s)]);
        await r.write(['a', 'b', 'a']);
        await until('the first are out', async () => r.lines().length === 3);
        await s.end();
        await r.write(['a', 'c', 'c']);
        await until('they pass', async () => r.lines().length === 6);
        await r.end();
        assert.strictEqual(r.code, 0);
        assert.deepStrictEqual(r.lines(), ['0\ta', '0\tb', '1\ta',
            '-\ta', '-\tc', '-\tc']);
        assert.match(r.err, /warning: .*; records pass uncompared/);
        assert.match(r.err, /warning: 3 records passed without being compared/);
    },
};

run(tests);
