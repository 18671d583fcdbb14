import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const bin = fileURLToPath(new URL('../bin/isotherm.js', import.meta.url))
const hasScript = spawnSync('script', ['--version']).status === 0
const CTRL_C = '\u0003'

/** Runs the built command in a pseudo-terminal of the given width, and presses Ctrl-C when it has printed the text. */
function inTerminal(
  command: string,
  until?: string,
): Promise<{ readonly code: number | null; readonly text: string }> {
  const line = `stty cols 60 rows 20; exec ${process.execPath} ${bin} ${command}`
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'])
  let text = ''
  let isPressed = false
  child.stdout.on('data', (data) => {
    text += data
    if (until === undefined || isPressed || !text.includes(until)) return
    isPressed = true
    child.stdin.write(CTRL_C)
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })))
}

describe.skipIf(!hasScript)(
  'in a terminal (skipped where script is not installed: install util-linux)',
  () => {
    it('the help fits its width', async () => {
      const { code, text } = await inTerminal('--help')
      expect(code).toBe(0)
      const options = text.slice(0, text.indexOf('Examples:')).split(/\r?\n/)
      expect(Math.max(...options.map(({ length }) => length))).toBeLessThanOrEqual(60)
    })

    it('Ctrl-C ends a server cleanly', async () => {
      const { code, text } = await inTerminal('local --port 0', 'Ctrl-C ends it')
      expect(code).toBe(0)
      expect(text).not.toMatch(/Error|at .*\.js/)
    })

    it('a mistake is one sentence', async () => {
      const { code, text } = await inTerminal('shards list')
      expect(code).toBe(2)
      expect(text.trim()).toBe("isotherm: Required option '--table <name>' not specified. See --help.")
    })
  },
)
