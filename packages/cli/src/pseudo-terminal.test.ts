import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DescribeContributorInsightsCommand } from '@aws-sdk/client-dynamodb'
import { createTable, table } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterEach, describe, expect, it } from 'vitest'
import { HIDE_CURSOR, SHOW_CURSOR } from './presentation/terminal-codes.js'
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

    it.each(['--watch', '--for 600'])(
      'that is closed, hot --enable %s turns Contributor Insights off',
      async (how) => {
        const local = createLocal()
        try {
          const client = local.client()
          await client.send(createTable('counted', ['pk']))
          const { url } = await local.listen({ port: 0 })
          const hot = `hot --table counted --endpoint ${url} --enable ${how}`
          const terminal = new PseudoTerminal(`${ISOTHERM} ${hot}`)
          await terminal.screen.until(() => terminal.text.includes('Ctrl-C'))
          await terminal.hangUp()
          const insights = new DescribeContributorInsightsCommand({ TableName: 'counted' })
          expect((await client.send(insights)).ContributorInsightsStatus).toMatch(/^DISABL/)
        } finally {
          await local.close()
        }
      },
    )

    it('work with a line of progress gives the cursor back at Ctrl-Z and at Ctrl-C', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'isotherm-terminal-'))
      const trace = join(folder, 'trace.jsonl')
      const setup = [{ region: 'us-east-1', operation: 'CreateTable', request: table('votes', ['id']) }]
      const header = { isotherm: 'trace', version: 1, startedAt: 0, model: 'adaptive', setup, items: 0 }
      const request = { TableName: 'votes', Item: { id: { S: 'a' } } }
      const of = {
        region: 'us-east-1',
        operation: 'PutItem',
        request,
        outcome: 'ok',
        takes: [],
        refusals: [],
      }
      // Much more than is replayed before Ctrl-C.
      const lines = Array.from({ length: 100_000 }, (_, number) => ({ number, at: number, ...of }))
      writeFileSync(trace, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
      const terminal = new PseudoTerminal(`${ISOTHERM} replay ${trace}`)
      const isShown = () => terminal.text.lastIndexOf(SHOW_CURSOR) > terminal.text.lastIndexOf(HIDE_CURSOR)
      await terminal.screen.until(() => terminal.text.includes('of the trace'))
      expect(isShown()).toBe(false)
      await terminal.suspend()
      // `script` may stop itself before it has passed on what its command wrote, so that is seen only afterwards.
      await terminal.resume(() => terminal.text.includes(SHOW_CURSOR) && !isShown())
      terminal.press(CTRL_C)
      expect(await terminal.ended).toBe(130)
      expect(isShown()).toBe(true)
      rmSync(folder, { recursive: true })
    })

    it('a mistake is one sentence', async () => {
      const { code, text } = await inTerminal('shards list')
      expect(code).toBe(2)
      expect(text.trim()).toBe("isotherm: Required option '--table <name>' not specified. See --help.")
    })
  },
)
