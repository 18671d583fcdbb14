import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isotherm } from './isotherm.fixture.js'

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
const manifest = JSON.parse(read('packages/cli/package.json'))
const bin = fileURLToPath(new URL('../bin/isotherm.js', import.meta.url))

/** The words of an instruction, which are written as JSON. */
function wordsOf(dockerfile: string, instruction: string): readonly string[] {
  const [, words = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(dockerfile) ?? []
  return JSON.parse(words)
}

describe.each(['packages/local/Dockerfile', 'packages/proxy/deploy/Dockerfile'])('%s', (path) => {
  const dockerfile = read(path)

  it('installs this version of this package, which has the command that it starts', () => {
    expect(dockerfile).toContain(`ARG ISOTHERM_VERSION=${manifest.version}\n`)
    expect(dockerfile).toContain(`npm install --global --omit=dev "${manifest.name}@\${ISOTHERM_VERSION}"`)
    expect(Object.keys(manifest.bin)).toContain(wordsOf(dockerfile, 'ENTRYPOINT')[0])
  })

  it('does not run as root, and copies nothing', () => {
    expect(dockerfile).toMatch(/^FROM node:22-slim$/m)
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(dockerfile.indexOf('USER node')).toBeGreaterThan(dockerfile.indexOf('npm install'))
    expect(dockerfile).not.toMatch(/^(COPY|ADD) /m)
  })
})

describe('the image of the engine', () => {
  it('starts a server that passes its health check', async () => {
    const dockerfile = read('packages/local/Dockerfile')
    const [, ...words] = wordsOf(dockerfile, 'ENTRYPOINT')
    const args = words.map((word) => (word === '0.0.0.0' ? '127.0.0.1' : word))
    const server = spawn(process.execPath, [bin, ...args, '--port', '0', '--json'])
    const [line] = await once(server.stdout.setEncoding('utf8'), 'data')
    const { url } = JSON.parse(line)
    // That of HEALTHCHECK, which is the next line.
    const [program, option, script = ''] = wordsOf(dockerfile, '  CMD')
    expect([program, option]).toEqual(['node', '-e'])
    expect(script).toContain('http://127.0.0.1:8000')
    const health = async () => {
      const check = spawn(process.execPath, ['-e', script.replace('http://127.0.0.1:8000', url)])
      return (await once(check, 'close'))[0]
    }
    expect(await health()).toBe(0)
    server.kill('SIGTERM')
    expect((await once(server, 'close'))[0]).toBe(0)
    expect(await health()).toBe(1)
  })
})

describe('the image of the proxy', () => {
  it('starts a command whose only fault is that no configuration is mounted', async () => {
    const words = wordsOf(read('packages/proxy/deploy/Dockerfile'), 'CMD')
    const { code, err } = await isotherm(...words)
    expect(code).toBe(2)
    expect(err).toBe(
      'isotherm: The configuration /etc/isotherm/isotherm.yaml cannot be read (ENOENT). Check its name and permissions.\n',
    )
  })
})
