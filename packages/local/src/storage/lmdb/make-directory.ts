import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a directory and those above it that are missing, one by one. The recursive `mkdirSync` of Node 20 never returns where a directory
 * cannot be created although the one above it is there, as in /proc.
 * @returns those that it has created, the uppermost first
 */
export function makeDirectory(path: string, mode: number): readonly string[] {
  const missing: string[] = []
  for (let each = resolve(path); !existsSync(each); each = dirname(each)) missing.unshift(each)
  const made: string[] = []
  for (const each of missing) {
    try {
      mkdirSync(each, { mode })
      made.push(each)
    } catch (error) {
      // Another process was faster.
      if (Object(error).code !== 'EEXIST') throw error
    }
  }
  return made
}
