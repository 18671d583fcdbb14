import { readFileSync } from 'node:fs'

/** Linux counts the time of a process in hundredths of a second, on every machine that Node runs on. */
const MICROSECONDS_PER_TICK = 10_000
const USER_TICKS = 11
const SYSTEM_TICKS = 12

/** The processor time of another process, in microseconds. `undefined` on systems without `/proc`. */
export function processorTime(pid: number): number | undefined {
  const text = procFile(pid, 'stat')
  if (text === undefined) return undefined
  // The name of the program, which may hold spaces, ends with the last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MICROSECONDS_PER_TICK
}

/** The resident memory of another process, in megabytes. `undefined` on systems without `/proc`. */
export function residentMegabytes(pid: number): number | undefined {
  return megabytesOf(pid, 'VmRSS')
}

/** The same without mapped pages of files, which the system takes back when it needs memory. */
export function ownMegabytes(pid: number): number | undefined {
  return megabytesOf(pid, 'RssAnon')
}

function megabytesOf(pid: number, line: string): number | undefined {
  const kilobytes = new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(procFile(pid, 'status') ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
}

function procFile(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}
