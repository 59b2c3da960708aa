// Tests of what a process in bubblewrap can reach and what is left of it, with real processes.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bubblewrap } from './bubblewrap.js'
import { makeTrial } from './fixture.js'
import { noSandbox } from './none.js'

// Before anything is started: an environment is read once.
Object.assign(process.env, { GITHUB_TOKEN: 'a', SSH_AUTH_SOCK: 'b', ANTHROPIC_API_KEY: 'c', DOCKER_HOST: 'd', XDG_RUNTIME_DIR: 'i', PLAIN: 'e', LANG: 'j', AWS_SECRET_ACCESS_KEY: 'f', HTTPS_PROXY: 'g' })

function bubblewrapped(changes = {}) {
  const trial = makeTrial(changes)
  const sandbox = bubblewrap(trial.ground)
  onTestFinished(() => sandbox.close())
  return { ...trial, sandbox, sh: trial.sh.bind(null, sandbox) }
}

/** A server of this machine that nobody inside should reach, unless it is let through. */
async function serverHere(): Promise<{ port: number; heard: () => number }> {
  let heard = 0
  const server = createServer((_request, response) => {
    heard += 1
    response.end('hello')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, heard: () => heard }
}

const fetching = (url: string): string => `${process.execPath} -e 'fetch("${url}").then((r) => r.text()).then(console.log, (e) => console.log("no:", e.cause?.code ?? e.message))'`

describe('bubblewrap', () => {
  it('AC-07 lets a process write its checkout, a temporary folder and a home of its own, and nothing else', async () => {
    const { sh, root } = bubblewrapped()
    const { out, exitCode } = await sh(`echo 2 > sum.txt; echo x > /tmp/mine; echo x > ~/mine; cat /tmp/mine ~/mine
      for file in ${root}/outside ${root}/repo/x ${root}/state/x; do (echo evil > $file) 2>/dev/null; done
      for file in /etc/passwd /usr/bin/x /var/x; do (echo evil > $file) 2>/dev/null && echo "wrote $file"; done; echo end`)
    expect({ out, exitCode }).toEqual({ out: 'x\nx\nend', exitCode: 0 })
    expect(readFileSync(join(root, 'state/checkouts/s1/sum.txt'), 'utf8')).toBe('2\n')
    expect(['outside', 'home/mine', 'repo/x', 'state/x'].filter((path) => existsSync(join(root, path)))).toEqual([])
    expect(existsSync('/tmp/mine')).toBe(false)
  })

  it('AC-07 opens no setting of the kernel for writing, which are files of root’s', async () => {
    const { sh } = bubblewrapped()
    const files = ['sys/kernel/core_pattern', 'sys/kernel/modprobe', 'sys/vm/drop_caches', 'sys/vm/overcommit_memory', 'sysrq-trigger']
    // Nothing is written: a file that cannot be opened for it is enough.
    const { out } = await sh(`for file in ${files.join(' ')}; do (: >> /proc/$file) 2>/dev/null && echo "opened $file"; done; cat /proc/sys/kernel/ostype`)
    expect(out.trim()).toBe('Linux')
  })

  it('T11 shows it neither the user’s keys nor repository, nor our journal, nor another checkout', async () => {
    const { sh, root, sandbox } = bubblewrapped()
    const files = ['home/.ssh/id_ed25519', 'repo/.git/config', 'state/journal.jsonl', 'state/checkouts/other/file'].map((path) => join(root, path))
    const look = `cat ${files.join(' ')} 2>/dev/null; ls ${root}/home/.ssh ${root}/repo ${root}/state 2>/dev/null; ls /proc | grep -c '^[0-9]'; cat /etc/shadow 2>/dev/null | head -1`
    const { out } = await sh(look)
    expect(out.split('\n').filter((line) => line !== '' && !/^\/.*:$/.test(line) && !/^\d{1,2}$/.test(line))).toEqual(['checkouts'])
    const bare = await makeTrial().sh(noSandbox(), `cat ${files.join(' ')}`)
    expect(bare.out).toContain('the key')
    expect(sandbox.confines).toBe(true)
  })

  it('T3 hides variables that hold secrets and ways to the user’s services, except those it is given', async () => {
    const { sh } = bubblewrapped()
    const { out } = await sh('echo $GITHUB_TOKEN $SSH_AUTH_SOCK $ANTHROPIC_API_KEY $DOCKER_HOST $XDG_RUNTIME_DIR $PLAIN $AWS_SECRET_ACCESS_KEY $HTTPS_PROXY $LANG $OWN_KEY', {}, { env: { OWN_KEY: 'h' } })
    expect(out).toBe('j h')
  })

  it('T15 closes the network, gives it back whole, or opens it for named hosts and servers of this machine alone', async () => {
    const { sh } = bubblewrapped()
    const { port, heard } = await serverHere()
    const url = `http://127.0.0.1:${port}/`
    expect((await sh(fetching(url))).out).toMatch(/^no: /)
    expect((await sh(fetching(url), { network: { hosts: ['example.com', '127.0.0.1:1'] } })).out).toMatch(/^no: /)
    expect(heard()).toBe(0)
    expect((await sh(fetching(url), { network: 'host' })).out).toBe('hello')
    expect((await sh(fetching(url), { network: { hosts: [`127.0.0.1:${port}`] } })).out).toBe('hello')
    expect((await sh(fetching(`http://localhost:${port}/`), { network: { hosts: [`localhost:${port}`] } })).out).toBe('hello')
    expect(heard()).toBe(3)
  })

  it('T15 tells which addresses were denied, each once', async () => {
    const { sh } = bubblewrapped()
    const through = `const s = require("net").connect(process.env.HTTPS_PROXY.split(":").pop(), "127.0.0.1"); s.write("CONNECT Evil.Example.:443 HTTP/1.1\\r\\n\\r\\n"); s.on("data", (d) => { console.log(String(d).split("\\r\\n")[0]); s.destroy() })`
    const { out, denied } = await sh(`${process.execPath} -e '${through}'; ${process.execPath} -e '${through}'`, { network: { hosts: ['example.com'] } })
    expect({ out, denied }).toEqual({ out: 'HTTP/1.1 403 Forbidden\nHTTP/1.1 403 Forbidden', denied: ['evil.example:443'] })
  })

  it('T12 leaves nothing of a process that daemonises with an emptied environment, in its own session and under another parent', async () => {
    const { sh, root } = bubblewrapped()
    const mark = `${root}/state/checkouts/s1/beat`
    const result = await sh(`env -i setsid sh -c '(setsid sh -c "while :; do date +%s%N > ${mark}; sleep 0.05; done" &) &' < /dev/null > /dev/null 2>&1; while ! test -s ${mark}; do sleep 0.02; done; echo gone`)
    expect(result).toMatchObject({ out: 'gone', exitCode: 0 })
    const before = statSync(mark).mtimeMs
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(statSync(mark).mtimeMs).toBe(before)
  })

  it('T12 ends a fork bomb at its limit of processes, and the machine goes on', async () => {
    const { sh } = bubblewrapped({ limits: { processes: 60, memoryMegabytes: 0, fileMegabytes: 1 } })
    const bomb = 'i=0; while test $i -lt 300; do sleep 1 & i=$((i+1)); done 2>&1 | head -3; echo over'
    const result = await sh(bomb)
    expect(result.out).toMatch(/fork|Resource temporarily unavailable|retry/i)
    const big = await sh('head -c 3000000 /dev/zero > big; wc -c < big')
    expect(big.out).toContain('1048576')
  })

  it('gives logins as copies, and what is refreshed inside is refreshed outside, unless it is no login any more', async () => {
    const { sh, file, root } = bubblewrapped()
    const login = file('home/.tool/auth.json', '{"token":"old"}')
    file('home/.tool/settings.json', '{"hooks":[]}')
    const home = { given: ['.tool/settings.json', '.tool/none.json'], refreshed: ['.tool/auth.json'] }
    const renew = await sh(`cat ~/.tool/auth.json ~/.tool/settings.json; echo '{"token":"new"}' > ~/.tool/next; mv ~/.tool/next ~/.tool/auth.json; echo evil > ~/.tool/settings.json; ls ~/.ssh 2>&1 | wc -l`, { home })
    expect(renew.out).toContain('{"token":"old"}{"hooks":[]}')
    expect(readFileSync(login, 'utf8').trim()).toBe('{"token":"new"}')
    expect(readFileSync(join(root, 'home/.tool/settings.json'), 'utf8')).toBe('{"hooks":[]}')
    for (const evil of ['ln -sf ~/.ssh/id_ed25519 ~/.tool/auth.json', 'echo no json > ~/.tool/auth.json', `echo '{"token":"\\u0021touch x"}' > ~/.tool/auth.json`]) await sh(evil, { home })
    expect(readFileSync(login, 'utf8').trim()).toBe('{"token":"new"}')
    expect(existsSync(join(root, 'home/.cache'))).toBe(false)
  })

  it('ends what it runs by asking first, and by force when it does not heed', async () => {
    const { sh } = bubblewrapped()
    const heeds = await sh('trap "echo asked; exit 0" TERM; while :; do sleep 0.05; done', {}, { limits: { wallSeconds: 1, silenceSeconds: 9, outputBytes: 1000 } })
    expect(heeds).toMatchObject({ ending: 'timeout', stdout: { text: 'asked\n' } })
    const deaf = await sh('trap "" TERM; while :; do sleep 0.05; done', {}, { limits: { wallSeconds: 1, silenceSeconds: 9, outputBytes: 1000 } })
    expect(deaf.ending).toBe('timeout')
  })

  it('says when it cannot be made, and what is not there cannot be started', async () => {
    const { sh, root } = bubblewrapped()
    expect(await sh('', {}, { argv: ['no-such-program-here'] })).toMatchObject({ ending: 'exited', exitCode: 127 })
    const broken = makeTrial()
    const result = await broken.sh(bubblewrap(broken.ground, join(root, 'no-bwrap')), 'echo x')
    expect(result).toMatchObject({ exitCode: 127 })
  })
})
