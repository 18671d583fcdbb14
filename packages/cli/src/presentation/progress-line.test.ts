import type { WriteStream } from 'node:tty'
import { VirtualClock } from '@isotherm/runtime'
import { describe, expect, it } from 'vitest'
import { Screen } from '../screen.fixture.js'
import { progressLine } from './progress-line.js'

const COLUMNS = 60

function onScreen() {
  const screen = new Screen(COLUMNS, 10)
  const size = { columns: COLUMNS }
  let last: Promise<void> = Promise.resolve()
  const write = (data: string) => {
    last = screen.write(data)
    return true
  }
  const clock = new VirtualClock()
  const line = progressLine({ display: Object.assign(size, { write }) as unknown as WriteStream }, clock)
  const show = async (text: string, share?: number) => {
    clock.advance(1_000)
    line.show(text, share)
    await last
  }
  const end = async () => {
    line.end()
    await last
  }
  const resize = (columns: number) => {
    size.columns = columns
    screen.resize(columns, 10)
  }
  const shown = () => screen.firstScreen.filter((row) => row !== '')
  return { write, show, end, resize, shown, clock, line }
}

describe('a line of progress', () => {
  it('has a bar where the share of the work is known, and is cut at the width', async () => {
    const { show, shown, end } = onScreen()
    await show('10 of about 40 items', 0.25)
    expect(shown()).toEqual([`${'█'.repeat(6)}${'░'.repeat(18)}  25 %  10 of about 40 items`])
    await show('x'.repeat(100))
    expect(shown()).toEqual(['x'.repeat(COLUMNS - 1)])
    await end()
    expect(shown()).toEqual([])
  })

  it('is one line in a terminal that becomes narrower, and wider again', async () => {
    const { write, show, shown, end, resize } = onScreen()
    write('before\r\n')
    await show('y'.repeat(100), 0.5)
    for (const columns of [25, 14, 70]) {
      resize(columns)
      await show('z'.repeat(100))
      expect(shown()).toEqual(['before', 'z'.repeat(columns - 1)])
    }
    await end()
    expect(shown()).toEqual(['before'])
  })

  it('is not drawn more often than ten times a second', async () => {
    const { show, shown, line } = onScreen()
    await show('first')
    line.show('at once')
    expect(shown()).toEqual(['first'])
  })

  it('is nothing where there is no terminal', () => {
    const line = progressLine({ display: undefined })
    line.show('nothing')
    line.end()
  })
})
