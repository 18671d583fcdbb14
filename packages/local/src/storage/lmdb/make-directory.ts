import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a directory and those above it that are missing, one by one. The recursive `mkdirSync` of Node 20 never returns where a directory
 * cannot be created although the one above it is there, as in /proc.
 */
export function makeDirectory(path: string, mode: number): void {
  const missing: string[] = []
  for (let each = resolve(path); !existsSync(each); each = dirname(each)) missing.unshift(each)
  for (const each of missing) {
    try {
      mkdirSync(each, { mode })
    } catch (error) {
      // Another process was faster.
      if (Object(error).code !== 'EEXIST') throw error
    }
  }
}
