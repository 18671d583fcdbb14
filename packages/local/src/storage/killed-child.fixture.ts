import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect } from 'vitest'

let running: ChildProcess | undefined
afterEach(() => running?.kill('SIGKILL'))

/**
 * Runs a Node program until it has printed a number of lines, waits some milliseconds more, kills it, and returns the
 * lines. Throws when the program ended by itself or printed an error.
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
  // The kill may have cut the last line short, so it is dropped.
  return out.split('\n').slice(0, -1)
}
