import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PAGE_READS, PAGE_WRITES } from '../api/page-operations.js'
import { apiGuard } from './api-guard.js'

/** The code of the page, as text. */
function pageCode(): string {
  const folders = ['../../page/', '../items/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fixture)\./.test(file))
        .map((file) => readFileSync(`${folder}${file}`, 'utf8')),
    )
    .join('\n')
}

const asked = (operation: string) =>
  ({
    headers: {
      host: 'h',
      origin: 'http://h',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
    },
  }) as never

describe('the operations that a console forwards', () => {
  it.each([...PAGE_READS, ...PAGE_WRITES])('are called by the page: %s', (operation) => {
    expect(pageCode()).toContain(`'${operation}'`)
  })

  it('are reads, and writes if they are allowed', () => {
    for (const operation of PAGE_READS) apiGuard(false)(asked(operation))
    for (const operation of PAGE_WRITES) {
      expect(() => apiGuard(false)(asked(operation))).toThrow('Start it with --allow-writes')
      apiGuard(true)(asked(operation))
    }
    for (const operation of ['UpdateItem', 'ExecuteStatement', 'CreateBackup', 'toString']) {
      expect(() => apiGuard(true)(asked(operation))).toThrow('the console does not use it')
    }
  })
})
