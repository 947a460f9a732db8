// at_least_once.js - freshet --remote --at-least-once: a run that is killed
// loses no record
'use strict';
const fs = require('fs');
const path = require('path');
const { spawn } = require('child_process');
const { assert, work, start, until, items, pairs, sleep, run } =
    require('./lib.js');
const { Run, freshet, succeeded, url } = require('./remote_lib.js');
const { FRESHET } = process.env;

const kills = Number(process.env.KILLS || 10);

// Run on a file, kill it some milliseconds after its first output, and return
// what it had written.
function killed(args, file, ms) {
    const out = path.join(work, 'out'), fd = fs.openSync(out, 'w');
    return new Promise(resolve => {
        const child = spawn(FRESHET, [...args, file],
            { stdio: ['ignore', fd, 'ignore'] });
        let ended = false;
        until('it writes', async () => ended || fs.fstatSync(fd).size > 0)
            .then(() => setTimeout(() => child.kill('SIGKILL'), ms));
        child.once('exit', code => {
            ended = true;
            fs.closeSync(fd);
            resolve([code, fs.readFileSync(out, 'latin1').split('\n')
                .slice(0, -1)]); // a torn line is not written
        });
    });
}

const tests = {
    async it_prints_what_it_prints_without() {
        const s = await start(), all = items(150000);
        for (const shards of ['1', '3']) {
            const args = ['--at-least-once', '--shards', shards, '--remote',
                url(s, `n${shards}`)];
            assert.deepStrictEqual(succeeded(await freshet(args,
                [...all, ...all.slice(0, 50000), ...all])), all);
            assert.deepStrictEqual(succeeded(await freshet(args,
                [...all.slice(-9), 'x', ...all.slice(0, 9), 'x'])), ['x']);
        }
        const info = pairs(await s.call('FR.INFO', 'n1'));
        assert.deepStrictEqual([info.offered, info.remembered], [0, 150001]);
    },

    // What was written nowhere is new to the next run.
    async nothing_is_remembered_before_it_is_written() {
        const s = await start();
        const r = new Run(['--at-least-once', '--remote', url(s)]);
        r.child.stdout.pause();
        await r.write(items(1, 'first'));
        await until('it runs', async () => await s.call('EXISTS', 'seen') === 1);
        r.write(items(400000));
        await sleep(500);
        r.child.kill('SIGKILL');
        await r.done;
        const known = pairs(await s.call('FR.INFO', 'seen')).remembered;
        const lines = succeeded(await freshet(['--remote', url(s)],
            items(400000)));
        assert.ok(known + lines.length >= 400000);
        assert.ok(lines.length > 300000, `${lines.length} are left`);
    },

    async kill_it_at_any_time_and_no_record_is_lost() {
        const s = await start(), file = path.join(work, 'input');
        const all = items(200000);
        fs.writeFileSync(file, all.map(item => item + '\n').join(''));
        const args = ['--at-least-once', '--remote', url(s), '--shards', '2'];
        const seen = new Set();
        let begun = 0, again = 0;
        for (let i = 0; i < kills; i++) {
            const [code, lines] = await killed(args, file, i * 7 % 20);
            begun += code === null && lines.length > 0;
            again += lines.filter(line => seen.has(line)).length;
            lines.forEach(line => seen.add(line));
            if (i % 2 === 0 && i + 1 < kills) continue; // it is killed twice
            (await killed(args, file, 600000))[1].forEach(
                line => seen.add(line));
            assert.strictEqual(seen.size, all.length, 'none is lost');
            seen.clear();
            await s.call('FLUSHALL');
        }
        console.log(`${kills} kills, ${begun} of them in the middle; ` +
            `${again} records came again, 0 were lost`);
        assert.ok(kills < 50 || begun > kills / 4, `${begun} of ${kills}`);
    },

    async a_server_that_is_gone_at_the_end_is_told() {
        const s = await start();
        const r = new Run(['--at-least-once', '--retry', '3s', '--remote',
            url(s)]);
        await r.write(['a']);
        await until('it is out', async () => r.out === 'a\n');
        await s.end('SIGKILL');
        await r.write(['b']);
        await r.end();
        assert.strictEqual(r.code, 2);
        assert.strictEqual(r.out, 'a\n');
    },

    async a_lost_filter_is_made_again() {
        const s = await start();
        const r = new Run(['--at-least-once', '--remote', url(s)]);
        await r.write(['a', 'b']);
        await until('they are out', async () => r.lines().length === 2);
        await s.call('FLUSHALL');
        await r.write(['c']);
        await until('it is out', async () => r.lines().length === 3);
        await r.write(['c', 'd']);
        await r.end();
        assert.deepStrictEqual([r.code, ...r.lines()],
            [0, 'a', 'b', 'c', 'd'], r.err);
        assert.match(r.err, /was lost and has been made again/);
    },
};

run(tests);
