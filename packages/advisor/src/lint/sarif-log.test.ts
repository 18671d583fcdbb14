import { createRequire } from 'node:module'
import Ajv from 'ajv'
import { describe, expect, it } from 'vitest'
import { ItemSample } from '../sample/item-sample.js'
import { parseItems } from '../sample/parse-items.js'
import { readTables } from '../templates/read-tables.js'
import { lintTable } from './lint-table.js'
import { RULES } from './rules.js'
import { sarifLog } from './sarif-log.js'

const require = createRequire(import.meta.url)
const schema: object = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
const ajv = new Ajv({ schemaId: 'auto', allErrors: true })
ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json'))
const isValid = ajv.compile(schema)

function everyFinding(file: string) {
  return RULES.flatMap(({ example }) => {
    const [table] = readTables(JSON.stringify(example.table, null, 2), file)
    if (table === undefined) throw new Error('no table')
    const lines = (example.items ?? []).map((item) => JSON.stringify(item)).join('\n')
    return lintTable(table, new ItemSample(table, parseItems(lines))).findings
  })
}

describe('a SARIF log', () => {
  it('fits the schema of the standard, with a finding of every rule and with none', () => {
    const findings = everyFinding('infra/my table.json')
    expect(new Set(findings.map(({ rule }) => rule)).size).toBe(RULES.length)
    for (const log of [
      sarifLog(findings, '1.2.3'),
      sarifLog([], '1.2.3'),
      sarifLog(everyFinding('-'), '1.2.3'),
    ]) {
      expect(isValid(JSON.parse(JSON.stringify(log))) ? [] : isValid.errors).toEqual([])
    }
  })

  it('would not fit it with a level that does not exist', () => {
    const log = JSON.parse(JSON.stringify(sarifLog(everyFinding('a.json'), '1.2.3')))
    log.runs[0].results[0].level = 'fatal'
    expect(isValid(log)).toBe(false)
  })

  it('refers to its rules by their place, and to files by their path', () => {
    const log = sarifLog(everyFinding('infra/my table.json'), '1.2.3')
    const { tool, results = [] } = log.runs[0] ?? { tool: { driver: { name: '' } } }
    for (const { ruleId, ruleIndex = -1, locations } of results) {
      expect(tool.driver.rules?.[ruleIndex]?.id).toBe(ruleId)
      expect(locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe('infra/my%20table.json')
      expect(locations?.[0]?.physicalLocation?.region?.startLine).toBe(1)
    }
  })
})
