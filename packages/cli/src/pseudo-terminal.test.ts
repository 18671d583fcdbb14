import { afterEach, describe, expect, it } from 'vitest'
import { CTRL_C, closeTerminals, hasScript, ISOTHERM, PseudoTerminal } from './pseudo-terminal.fixture.js'

afterEach(closeTerminals)

/** Runs the built command in a pseudo-terminal of 60 columns, and presses Ctrl-C when it has printed the text. */
async function inTerminal(
  command: string,
  until?: string,
): Promise<{ readonly code: number | null; readonly text: string }> {
  const terminal = new PseudoTerminal(`${ISOTHERM} ${command}`, 60, 20)
  if (until !== undefined) {
    await terminal.screen.until(() => terminal.text.includes(until))
    terminal.press(CTRL_C)
  }
  return { code: await terminal.ended, text: terminal.text }
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
