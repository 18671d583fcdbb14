import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/** Opening a data directory takes seven, and the program itself needs some more. */
const DESCRIPTORS = 16

/** A limit of this process, such as `Max file size`. Only Linux says it. `undefined` when there is none. */
export function processLimit(name: string): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const [, soft] = new RegExp(`^${name}\\s+(\\d+)\\s`, 'm').exec(limits) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

/**
 * Checks that this process can open the files of a data directory.
 * @throws Error of the system when it cannot
 */
export function checkDescriptors(): void {
  const opened: number[] = []
  try {
    while (opened.length < DESCRIPTORS) opened.push(openSync(devNull, 'r'))
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}
