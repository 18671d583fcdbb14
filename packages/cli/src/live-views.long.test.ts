import { PutItemCommand, UpdateContributorInsightsCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '@isotherm/fixtures'
import { createLocal } from '@isotherm/local'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CTRL_C, closeTerminals, hasScript, ISOTHERM, PseudoTerminal } from './pseudo-terminal.fixture.js'
import { refusingEndpoint, withoutPermission } from './refusing-endpoint.fixture.js'
import type { Screen } from './screen.fixture.js'

const local = createLocal()
let endpoint = ''

beforeAll(async () => {
  endpoint = (await local.listen({ port: 0 })).url
  const client = local.client()
  await client.send(createTable('counted', ['pk', 'sk']))
  await client.send(
    new UpdateContributorInsightsCommand({ TableName: 'counted', ContributorInsightsAction: 'ENABLE' }),
  )
  for (let at = 0; at < 60; at++) {
    const Item = { pk: { S: `key-${'abcdef'.charAt(Math.floor(Math.sqrt(at / 2)))}` }, sk: { S: `${at}` } }
    await client.send(new PutItemCommand({ TableName: 'counted', Item }))
  }
})
afterEach(closeTerminals)
afterAll(() => local.close())

/** Narrower, shorter, wider and shorter, taller, and as small as it gets. */
const SIZES = [
  [60, 30],
  [44, 9],
  [130, 6],
  [90, 40],
  [12, 3],
  [100, 30],
] as const
const FULL = [100, 30] as const
const ENTER_SCREEN = '\u001B[?1049h'
const LEAVE_SCREEN = '\u001B[?1049l'
const LEFT = 8

/** The left of each row, which no figure reaches, and of a bar only that it is there. */
function shapeOf(rows: readonly string[]): readonly string[] {
  return rows.map((row) => row.slice(0, LEFT).replace(/[█░]/g, '=').trimEnd())
}

/** Resizes a live view again and again. Each time, every row must be the frame's, and no other row be there. */
async function resizeAll(terminal: PseudoTerminal): Promise<void> {
  const { screen } = terminal
  const frame = shapeOf(screen.rows)
  expect(frame.length).toBe(FULL[1])
  for (const [columns, rows] of SIZES) {
    terminal.resize(columns, rows)
    const expected = Array.from({ length: rows }, (_, row) => frame[row] ?? '')
    const isExpected = (shown: readonly string[]) => shapeOf(shown).join('\n') === expected.join('\n')
    await screen.until(isExpected)
    // The frame after it, too.
    await nextWrite(screen)
    await screen.until(isExpected)
  }
}

/** `isotherm hot --watch` once it shows its figures. */
async function watched(url: string): Promise<PseudoTerminal> {
  const terminal = new PseudoTerminal(
    `${ISOTHERM} hot --table counted --watch --every 1 --endpoint ${url}`,
    ...FULL,
  )
  await terminal.screen.until((rows) => rows.some((row) => row.includes('key-c')))
  return terminal
}

function nextWrite(screen: Screen): Promise<void> {
  let looks = 0
  return screen.until(() => looks++ > 0)
}

describe.skipIf(!hasScript)(
  'a live view in a terminal that is resized (skipped where script is not installed: install util-linux)',
  () => {
    it('isotherm hot --watch leaves no stale rows', async () => {
      const terminal = await watched(endpoint)
      const { screen } = terminal
      expect(screen.rows[0]).toBe('Every 1 s; Ctrl-C ends it.')
      await resizeAll(terminal)

      await terminal.suspend()
      // The shell gets the first screen, and the view draws the second one again.
      await terminal.resume(
        () => terminal.text.lastIndexOf(ENTER_SCREEN) > terminal.text.indexOf(LEAVE_SCREEN),
      )
      expect(terminal.text).toContain(LEAVE_SCREEN)
      await screen.until(([first]) => first === 'Every 1 s; Ctrl-C ends it.')

      terminal.press(CTRL_C)
      expect(await terminal.ended).toBe(0)
      expect(screen.isSecond).toBe(false)
      const printed = screen.firstScreen.filter((row) => row !== '')
      expect(printed[0]).toMatch(/^counted: /)
      expect(printed.filter((row) => row.includes('key-c'))).toHaveLength(1)
      expect(printed.filter((row) => row.includes('Ctrl-C'))).toEqual([])
      expect(terminal.text.lastIndexOf('\u001B[?25h')).toBeGreaterThan(
        terminal.text.lastIndexOf('\u001B[?25l'),
      )
    })

    it('isotherm run hot-file leaves no stale rows, and shows where the console is', async () => {
      // Longer than a slow machine needs for all sizes.
      const load = '--calm 1 --ramp 1 --hold 120 --base-rate 10 --viral-rate 60'
      const terminal = new PseudoTerminal(`${ISOTHERM} run hot-file --port 0 --no-chart ${load}`, ...FULL)
      const { screen } = terminal
      await screen.until((rows) => screen.isSecond && rows.some((row) => row.includes('dynamic')))
      expect(screen.rows[1]).toMatch(/^Console: http:.* shows the file become hot/)
      await resizeAll(terminal)
      terminal.press(CTRL_C)
      expect(await terminal.ended).toBe(130)
      expect(screen.isSecond).toBe(false)
      const printed = screen.firstScreen.filter((row) => row !== '')
      expect(printed[0]).toMatch(/^Local DynamoDB: /)
      expect(printed.filter((row) => /[█░]|of 122 s/.test(row))).toEqual([])
    })

    it('that ends for a failure shows the first screen again', async () => {
      let isRefused = false
      const refusal = withoutPermission('GetInsightRuleReport')
      const refusing = await refusingEndpoint(endpoint, (operation) =>
        isRefused ? refusal(operation) : undefined,
      )
      const { screen, ended } = await watched(refusing.url)
      isRefused = true
      expect(await ended).toBe(1)
      refusing.close()
      expect(screen.isSecond).toBe(false)
      expect(screen.firstScreen.join('')).toMatch(/isotherm: counted: AccessDeniedException/)
    })

    it('that loses its endpoint says so above the figures it has', async () => {
      const lost = await refusingEndpoint(endpoint, () => undefined)
      const terminal = await watched(lost.url)
      lost.close()
      await terminal.screen.until(([first]) => first?.startsWith('The figures cannot be read now:') === true)
      expect(terminal.screen.rows.some((row) => row.includes('key-c'))).toBe(true)
      terminal.press(CTRL_C)
      expect(await terminal.ended).toBe(0)
      expect(terminal.screen.isSecond).toBe(false)
    })
  },
)
