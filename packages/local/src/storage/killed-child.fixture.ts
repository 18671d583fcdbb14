import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect } from 'vitest'

let running: ChildProcess | undefined
afterEach(() => running?.kill('SIGKILL'))

/**
 * Runs a program of Node's until it has printed so many lines and some milliseconds more, kills it, and gives back the
 * lines. It must not have ended by itself, nor complained.
 */
export async function linesUntilKilled(
  args: readonly string[],
  lines: number,
  moreMilliseconds: number,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, args)
  running = child
  const closed = once(child, 'close')
  let [out, errors, seen] = ['', '', 0]
  child.stderr.on('data', (data) => {
    errors += data
  })
  await new Promise<void>((resolve) => {
    child.on('close', () => resolve())
    child.stdout.on('data', (data: Buffer) => {
      out += data
      for (const byte of data) if (byte === 10) seen++
      if (seen >= lines) resolve()
    })
  })
  await wait(moreMilliseconds)
  child.kill('SIGKILL')
  const [, signal] = await closed
  expect({ signal, errors }).toEqual({ signal: 'SIGKILL', errors: '' })
  // A line that the kill cut short told nothing.
  return out.split('\n').slice(0, -1)
}
