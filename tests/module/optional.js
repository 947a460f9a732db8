// optional.js - what a registry or the kernel does not give is skipped with one
// line that says what and why; anything else fails
'use strict';
const assert = require('assert');
const { spawn, execFileSync } = require('child_process');
const fs = require('fs');
const http = require('http');
const https = require('https');
const os = require('os');
const path = require('path');

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'freshet-optional-'));

// Run a command: its status, and what it prints.
function run(command, args, env) {
    return new Promise(resolve => {
        const child = spawn(command, args, { env: { ...process.env, ...env } });
        let out = '';
        child.stdout.on('data', data => { out += data; });
        child.stderr.on('data', data => { out += data; });
        child.once('close', code => resolve({ code, out }));
    });
}

// The clients, from a registry that answers so, and an empty cache.
async function install(server, scheme) {
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
    const done = await run('bash', [path.join(__dirname, 'clients.sh'),
        fs.mkdtempSync(path.join(work, 'clients-'))], {
        npm_config_registry: `${scheme}://127.0.0.1:${server.address().port}/`,
        npm_config_cache: fs.mkdtempSync(path.join(work, 'cache-')),
        npm_config_proxy: 'null', npm_config_https_proxy: 'null',
        no_proxy: '127.0.0.1' });
    server.closeAllConnections();
    server.close();
    return done;
}

const answering = status => http.createServer((_, response) => {
    response.statusCode = status;
    response.end('{}');
});

function unknown_certificate() {
    const key = path.join(work, 'key'), cert = path.join(work, 'cert');
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes',
        '-subj', '/CN=127.0.0.1', '-keyout', key, '-out', cert],
    { stdio: 'ignore' });
    return https.createServer({ key: fs.readFileSync(key),
        cert: fs.readFileSync(cert) }, (_, response) => response.end('{}'));
}

function skipped(done, reason) {
    assert.strictEqual(done.code, 77, done.out);
    assert.match(done.out, reason);
    assert.strictEqual(done.out.split('\n').length, 2, done.out);
}

async function main() {
    const refusals = [403, 407, 503].map(async status => skipped(
        await install(answering(status), 'http'),
        new RegExp(`npm's registry says E${status}\n$`)));
    await Promise.all(refusals);
    skipped(await install(unknown_certificate(), 'https'),
        /npm's registry says [A-Z_]*CERT[A-Z_]*\n$/);
    const missing = await install(answering(404), 'http');
    assert.strictEqual(missing.code, 1, missing.out);
    skipped(await run(process.execPath,
        [path.join(__dirname, 'huge_pages.js')],
        { HUGE_PAGES: path.join(work, 'nowhere') }),
    /^huge pages: this kernel has none/);
    console.log('ok');
}

main().catch(error => {
    console.log(error);
    process.exitCode = 1;
}).finally(() => fs.rmSync(work, { recursive: true, force: true }));
