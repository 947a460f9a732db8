#!/usr/bin/env node
// latency.js MODULE COLD_PAGES [SERVER] - how long commands about a filter of
// 1.5 GB keep the others waiting
//
// Starts SERVER (redis-server) with the module.  A second client sends PING all
// the time.  For each step the table has
//
//     median, most   the time of its commands in the server's thread, by the
//                    server's own clock (SLOWLOG), this program's PING and
//                    SLOWLOG left out
//     answer         the longest time until the client had its answer
//     PING           the longest PING, which also counts the machine's other work
//
// Below it stands what COLD_PAGES, a plain program, takes to touch as many pages
// as a batch has hashes: what the kernel and the machine cost in any case.  Exit
// status 1 if a command takes more than 20 ms of the server's thread and is not
// documented as a long one (doc/redis.md, "Long commands").
'use strict';
process.env.MODULE = require('path').resolve(process.argv[2]);
process.env.SERVER = process.argv[4] || 'redis-server';
const { execFileSync } = require('child_process');
const { start } = require('../tests/module/lib.js');

const MEGABYTES = 1536, BATCH = 4096, LIMIT = 20;

// Packed hashes: random bytes, so that every line is as likely.
const hashes = n => require('crypto').randomBytes(16 * n);

// A client, and the longest that it waited for an answer.
class Timed {
    constructor(client) {
        this.client = client;
        this.longest = 0;
    }
    async call(...words) {
        const begun = process.hrtime.bigint();
        const answer = await this.client.call(...words);
        const took = Number(process.hrtime.bigint() - begun) / 1e6;
        this.longest = Math.max(this.longest, took);
        return answer;
    }
}

class Pinger extends Timed {
    constructor(client) {
        super(client);
        this.done = this.loop();
    }
    async loop() {
        while (!this.stopped) await this.call('PING');
    }
    async stop() {
        this.stopped = true;
        await this.done;
        return this.longest;
    }
}

let missed = 0;

async function step(s, name, work, documented = false) {
    await s.call('SLOWLOG', 'RESET');
    const pinger = new Pinger(s.connect()), client = new Timed(s);
    await work(client);
    const ping = await pinger.stop();
    pinger.client.close();
    const slow = await s.call('SLOWLOG', 'GET', -1);
    const took = slow.filter(row => !/^(PING|SLOWLOG)$/.test(row[3][0]))
        .map(row => row[2] / 1000).sort((a, b) => a - b);
    const most = took[took.length - 1], usual = took[took.length >> 1];
    const good = most <= LIMIT || documented;
    missed += !good;
    console.log(name.padEnd(52), usual.toFixed(1).padStart(8),
        most.toFixed(1).padStart(8), client.longest.toFixed(1).padStart(8),
        ping.toFixed(1).padStart(8),
        documented ? ' documented' : good ? ' met' : ' MISSED');
}

async function main() {
    const s = await start({ 'slowlog-log-slower-than': 0,
        'slowlog-max-len': 100000, 'disable-thp': 'no' });
    console.log(`filter of ${MEGABYTES} MiB, ms`.padEnd(52), '  median',
        '    most', '  answer', '    PING');
    const batches = n => async client => {
        for (let i = 0; i < n; i++)
            await client.call('FR.MADDHASH', 'k', hashes(BATCH));
    };
    const one = (...words) => client => client.call(...words);
    await step(s, 'FR.RESERVE', one('FR.RESERVE', 'k', 'MEMORY',
        MEGABYTES + 'M', 'SEED', 5));
    await step(s, `FR.MADDHASH of ${BATCH}, the first 50 batches`, batches(50));
    await step(s, `FR.MADDHASH of ${BATCH}, 950 batches more`, batches(950));
    await step(s, 'FR.INFO', one('FR.INFO', 'k'));
    await step(s, 'FR.INFO COUNT', one('FR.INFO', 'k', 'COUNT'), true);
    await step(s, 'INFO everything', one('INFO', 'everything'));
    await step(s, 'FR.RESET', one('FR.RESET', 'k'));
    await step(s, `FR.MADDHASH of ${BATCH}, 50 batches after FR.RESET`,
        batches(50));
    await step(s, 'UNLINK', one('UNLINK', 'k'));
    process.stdout.write(execFileSync(process.argv[3], [MEGABYTES, BATCH, 50]));
}

main().then(() => process.exit(missed ? 1 : 0));
