// A registry of npm on the loopback that has one package, a small program that is called `greenlatch`.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const NAME = 'greenlatch'

export type Registry = { url: string; requests: string[] }

/** A package of that version whose program is this script for the shell, as a tarball. */
export function packed(root: string, version: string, script: string): string {
  const folder = join(mkdtempSync(join(root, 'package-')), 'package')
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: NAME, version, bin: { [NAME]: 'start.sh' } }))
  writeFileSync(join(folder, 'start.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const tarball = join(folder, `../${NAME}-${version}.tgz`)
  execFileSync('tar', ['-czf', tarball, '-C', join(folder, '..'), 'package'])
  return tarball
}

/** It ends with the test. */
export async function startRegistry(version: string, tarball: string): Promise<Registry> {
  const bytes = readFileSync(tarball)
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const requests: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    if (url.endsWith('.tgz')) return void response.end(bytes)
    const manifest = { name: NAME, version, bin: { [NAME]: 'start.sh' }, dist: { integrity, tarball: `${address}${NAME}.tgz` } }
    response.writeHead(url === `/${NAME}` ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ name: NAME, 'dist-tags': { latest: version }, versions: { [version]: manifest } }))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: address, requests }
}
