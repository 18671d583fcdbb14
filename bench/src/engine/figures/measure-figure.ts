import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../message-of.js'
import type { Figure } from './figure.js'

/** A million items are larger than the heap that Node has by default. */
const EXEC_ARGV = ['--expose-gc', '--max-old-space-size=4096']

/** Measures some figures in a process of their own. @throws Error if it ends early */
export function measureFigure(name: string): Promise<readonly Figure[]> {
  const script = fileURLToPath(new URL('./figure-process.js', import.meta.url))
  return messageOf(fork(script, [name], { execArgv: EXEC_ARGV }))
}

/** The table of a page. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, measured, aim }) => {
    const verdict = aim === undefined ? '' : aim.isMet ? 'yes' : '**no**'
    return `| ${name} | ${measured} | ${aim?.text ?? ''} | ${verdict} |`
  })
  return ['| | measured | aim | met |', '|---|---|---|---|', ...rows].join('\n')
}
